//! Longer searches of the moves with which the score changes: mistakes, and moves that the first search misjudged.

use anyhow::Result;

use super::analyst::{Analyst, search_in_order};
use super::findings::{Findings, rounds_left};
use enroque::chess::{Board, Move};
use enroque::search::limits::Limits;
use enroque_runs::interrupt;
use enroque_study::line::Variation;
use enroque_study::pgn::{self, PgnGame};

/// Binary logarithm of the effort of one more ply.
const EFFORT_BITS_PER_PLY: i32 = 2;

/// Compares moves with which the score changes with the best other move, in longer and longer searches, until the losses
/// have settled. A new score may turn a neighbouring move into a suspect. After each comparison `report` gets the share that
/// is done, 0 to 1, by an estimate. Ctrl-C ends it early.
pub fn verify(
    analysts: &mut [Analyst],
    limits: &Limits,
    game: &PgnGame,
    findings: &mut Findings,
    mut report: impl FnMut(f64),
) -> Result<()> {
    let mut effort = Effort::default();
    loop {
        let suspects = findings.suspects(game);
        if suspects.is_empty() || interrupt::happened() {
            return Ok(());
        }
        effort.expect(&suspects);
        compare_moves(analysts, limits, game, &suspects, |index, factor, alternative, after| {
            findings.compare(index, factor, alternative, after);
            report(effort.spend(factor));
        })?;
    }
}

/// Effort of the comparisons of a game, as multiples of an ordinary search.
#[derive(Default)]
struct Effort {
    spent: u32,
    expected: u32,
}

impl Effort {
    /// Estimates what is left before the moves `suspects` are compared. About half of the losses settle with each comparison,
    /// and the others need twice the effort: all rounds cost alike.
    fn expect(&mut self, suspects: &[(usize, u32)]) {
        self.expected = suspects.iter().map(|&(_, factor)| factor * rounds_left(factor)).sum();
    }

    /// Adds a comparison and returns the share that is done, 0 to 1.
    fn spend(&mut self, factor: u32) -> f64 {
        self.spent += factor;
        self.expected = self.expected.saturating_sub(factor);
        f64::from(self.spent) / f64::from(self.spent + self.expected)
    }
}

/// Position to search, without a move if there is one, and the multiple of the search effort.
struct Job {
    board: Board,
    excluded: Option<Move>,
    factor: u32,
}

/// Compares each of the moves `suspects` with the best other move. `take` gets the index of the move, the multiple of the
/// effort, and the best lines without the move and after it.
fn compare_moves(
    analysts: &mut [Analyst],
    limits: &Limits,
    game: &PgnGame,
    suspects: &[(usize, u32)],
    mut take: impl FnMut(usize, u32, Option<Variation>, Option<Variation>),
) -> Result<()> {
    let mut positions = game.positions().zip(game.moves()).enumerate();
    let jobs = suspects.iter().flat_map(move |&(suspect, factor)| {
        let position = positions.find(|&(index, _)| index == suspect);
        position.into_iter().flat_map(move |(_, (board, mv))| {
            let mut after = board.clone();
            pgn::play(&mut after, mv);
            [Job { board, excluded: mv, factor }, Job { board: after, excluded: None, factor }]
        })
    });
    let search = |analyst: &mut Analyst, Job { board, excluded, factor }: Job| {
        let search_moves: Vec<Move> = match excluded {
            None => Vec::new(),
            Some(played) => board.legal_moves().into_iter().filter(|&mv| mv != played).collect(),
        };
        if excluded.is_some() && search_moves.is_empty() {
            return Ok(None);
        }
        analyst.best_line(&board, Limits { search_moves, ..longer_limits(limits, factor) })
    };
    let mut suspects = suspects.iter();
    let mut alternative = None;
    search_in_order(analysts, jobs, search, |line| {
        match alternative.take() {
            None => alternative = Some(line),
            Some(alternative) => {
                if let Some(&(index, factor)) = suspects.next() {
                    take(index, factor, alternative, line);
                }
            }
        }
        Ok(())
    })
}

/// Returns the limits of a search with `factor` times the effort.
fn longer_limits(limits: &Limits, factor: u32) -> Limits {
    let Limits { nodes, depth, move_time, .. } = *limits;
    Limits {
        nodes: nodes.map(|nodes| nodes.saturating_mul(factor.into())),
        depth: depth.map(|depth| depth.saturating_add(factor.ilog2() as i32 / EFFORT_BITS_PER_PLY)),
        move_time: move_time.map(|time| time.saturating_mul(factor.into())),
        ..Limits::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn share_grows_with_effort() {
        let mut effort = Effort::default();
        let mut shares = Vec::new();
        for suspects in [&[(3, 4), (8, 4), (9, 4), (20, 4)][..], &[(8, 8), (20, 8)], &[(20, 16)]] {
            effort.expect(suspects);
            shares.extend(suspects.iter().map(|&(_, factor)| effort.spend(factor)));
        }
        assert!(shares.is_sorted() && shares[0] < 0.1, "{shares:?}");
        assert_eq!(shares.last(), Some(&1.0));
    }
}
