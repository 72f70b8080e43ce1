//! The search results of a game. A first search finds the best line of each position. Where the score jumps from one
//! position to the next, longer searches compare the played move with the best alternative: either the move was a
//! mistake, or the first search was wrong.

use std::collections::BTreeMap;

use anyhow::Result;

use super::analyst::{Analyst, search_in_order};
use enroque::chess::{Board, Move};
use enroque::search::limits::Limits;
use enroque_runs::interrupt;
use enroque_study::judgement::{MAX_CENTIPAWNS, sign_of, win_percent};
use enroque_study::line::Variation;
use enroque_study::pgn::{self, PgnGame};

/// We compare a move with the best alternative only if the win percentage after the move differs by at least this many
/// points from the win percentage before the move.
const MIN_CHANGE: f64 = 5.0;
/// Two comparisons of a move agree if the losses that they find differ by at most this many percentage points.
const AGREEMENT: f64 = 1.0;

/// The first comparison of a move takes this many times the effort of the first search. Each further comparison doubles
/// the effort, until two comparisons in a row agree on the loss.
const FIRST_FACTOR: u32 = 4;
/// No comparison takes more than this many times the effort of the first search.
const MAX_FACTOR: u32 = 16;

/// Returns how many more comparisons a move can need if the next takes `factor` times the first search's effort.
pub fn rounds_left(factor: u32) -> u32 {
    (MAX_FACTOR / factor).ilog2() + 1
}

/// The best line of a position, found with `factor` times the effort of the first search. `line` is `None` if there is
/// no legal move.
pub struct Finding {
    pub factor: u32,
    pub line: Option<Variation>,
}

/// The played move compared with the best other move, both searched with the same effort.
struct Comparison {
    alternative: Finding,
    /// How many points of win percentage the played move loses; `None` if it was the only legal move or ended the game.
    loss: Option<f64>,
    /// `true` if we don't compare again: the loss agrees with the previous one, is `None`, or took the maximum effort.
    is_settled: bool,
}

/// The search results of a game. After an interruption they cover only the first positions.
#[derive(Default)]
pub struct Findings {
    pub lines: Vec<Finding>,
    /// Keyed by the index of the played move in the game.
    comparisons: BTreeMap<usize, Comparison>,
}

impl Findings {
    /// Adds the line that the first search found in the next position.
    pub fn push(&mut self, line: Option<Variation>) {
        self.lines.push(Finding { factor: 1, line });
    }

    /// Adds a comparison of move `index`: `alternative` is the best line without the played move, `after` the best line
    /// after it, both found with `factor` times the effort of the first search.
    pub fn compare(
        &mut self,
        index: usize,
        factor: u32,
        alternative: Option<Variation>,
        after: Option<Variation>,
    ) {
        let loss = alternative.as_ref().zip(after.as_ref()).map(|(alternative, after)| {
            let chances = [alternative, after].map(|line| win_percent(line.bounded_centipawns()));
            (chances[0] + chances[1] - 100.0).max(0.0)
        });
        let earlier_loss = self.comparisons.get(&index).and_then(|comparison| comparison.loss);
        let agrees =
            loss.is_none_or(|loss| earlier_loss.is_some_and(|earlier| (loss - earlier).abs() <= AGREEMENT));
        let is_settled = agrees || factor >= MAX_FACTOR;
        let alternative = Finding { factor, line: alternative };
        self.comparisons.insert(index, Comparison { alternative, loss, is_settled });
        self.lines[index + 1] = Finding { factor, line: after };
    }

    /// Returns the best line of each position. If we compared the played move with the best alternative, the line
    /// begins with whichever is better. If that is the played move, we take its score from the position after it.
    pub fn settled_lines(&self, game: &PgnGame) -> Vec<Option<Variation>> {
        let mut settled: Vec<Option<Variation>> = self.lines.iter().map(|found| found.line.clone()).collect();
        let positions = game.positions().zip(game.moves()).enumerate();
        let compared: Vec<(usize, Board, Move, &Comparison)> = positions
            .take(settled.len())
            .filter_map(|(index, (board, mv))| Some((index, board, mv?, self.comparison(index)?)))
            .collect();
        for (index, board, mv, comparison) in compared.into_iter().rev() {
            let played = Variation::of_played(&board, mv, settled[index + 1].as_ref());
            let better = comparison.alternative.line.as_ref().filter(|line| line.order() > played.order());
            settled[index] = Some(better.unwrap_or(&played).clone());
        }
        settled
    }

    /// Returns the last comparison of move `index`; `None` if there is none, or if it is out of date because the
    /// position before the move has been searched longer since.
    fn comparison(&self, index: usize) -> Option<&Comparison> {
        let comparison = self.comparisons.get(&index)?;
        (comparison.alternative.factor >= self.lines[index].factor).then_some(comparison)
    }

    /// Returns the index of each move to compare next, and how many times the effort of the first search to use. We
    /// compare moves that change the win percentage by at least `MIN_CHANGE` and whose loss has not settled. If the
    /// mover's chances fall, the move may be a mistake. If they rise, the search before the move missed something.
    pub fn suspects(&self, game: &PgnGame) -> Vec<(usize, u32)> {
        let lines = self.settled_lines(game);
        let positions = game.positions().zip(&lines);
        let wins: Vec<f64> =
            positions.map(|(board, line)| win_percent(white_centipawns(&board, line.as_ref()))).collect();
        let moves = game.moves().enumerate().take(wins.len().saturating_sub(1));
        let suspects = moves.filter_map(|(index, mv)| {
            mv?;
            let changes = (wins[index + 1] - wins[index]).abs() >= MIN_CHANGE;
            let is_settled = self.comparison(index).is_some_and(|comparison| comparison.is_settled);
            let earlier = self.comparisons.get(&index).map_or(0, |comparison| comparison.alternative.factor);
            let factor = (2 * earlier).max(self.lines[index].factor).clamp(FIRST_FACTOR, MAX_FACTOR);
            (changes && !is_settled).then_some((index, factor))
        });
        suspects.collect()
    }
}

/// Returns White's score, within ±[`MAX_CENTIPAWNS`]. A position without a line is checkmate or stalemate.
pub fn white_centipawns(board: &Board, line: Option<&Variation>) -> f64 {
    let own = match line {
        Some(line) => line.bounded_centipawns(),
        None if board.in_check() => -MAX_CENTIPAWNS,
        None => 0.0,
    };
    sign_of(board.side_to_move()) * own
}

/// One more ply takes about four times the effort, so we add a ply to a depth limit for every two doublings of effort.
const EFFORT_BITS_PER_PLY: i32 = 2;

/// Compares suspect moves with the best alternatives, in longer and longer searches, until the losses have settled. A
/// new score can make a neighbouring move suspect. After each comparison `report` gets an estimate of how much of the
/// work is done, from 0 to 1. Ctrl-C ends the comparisons early.
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

/// The effort for the comparisons of a game, in multiples of the first search of one position.
#[derive(Default)]
struct Effort {
    spent: u32,
    expected: u32,
}

impl Effort {
    /// Estimates the work that is left for these suspects. We assume that in each round about half of the losses
    /// settle, and the next round spends twice the effort on each of the other moves. All rounds then cost the same.
    fn expect(&mut self, suspects: &[(usize, u32)]) {
        self.expected = suspects.iter().map(|&(_, factor)| factor * rounds_left(factor)).sum();
    }

    /// Counts a comparison as done, and returns how much of the work is done, from 0 to 1.
    fn spend(&mut self, factor: u32) -> f64 {
        self.spent += factor;
        self.expected = self.expected.saturating_sub(factor);
        f64::from(self.spent) / f64::from(self.spent + self.expected)
    }
}

/// A position to search with `factor` times the effort of the first search, ignoring the move `excluded`.
struct Job {
    board: Board,
    excluded: Option<Move>,
    factor: u32,
}

/// Compares each suspect with the best alternative. `take` gets the index of the played move, the effort factor, the
/// best line without that move, and the best line after it.
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

/// Returns limits for `factor` times the effort. A depth limit grows by one ply each time the effort quadruples.
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
    use super::super::analyst::test_line;
    use super::super::judge::judge;
    use super::*;
    use enroque::chess::CastlingRules;
    use enroque_study::pgn;

    /// Returns a game of five plies, and findings for its first positions. Each element of `lines` has the score in
    /// centipawns for the side to move, the mate distance if there is a mate, and the best move.
    fn findings(lines: &[(i32, Option<i32>, &str)]) -> (PgnGame, Findings) {
        let game = pgn::read("1. e4 e5 2. Qh5 Nf6 3. Qxe5+ *", CastlingRules::Fischer, None).unwrap();
        let mut findings = Findings::default();
        for &(cp, mate, san) in lines {
            findings.push(Some(test_line(cp, mate, san)));
        }
        (game, findings)
    }

    /// Adds a comparison in which the played move keeps its score and the best alternative is `san` with the score
    /// `cp`.
    fn compare(findings: &mut Findings, index: usize, factor: u32, cp: i32, san: &str) {
        let after = findings.lines[index + 1].line.clone();
        findings.compare(index, factor, Some(test_line(cp, None, san)), after);
    }

    fn marks(game: &PgnGame, findings: &Findings) -> Vec<Option<&'static str>> {
        let judged = judge(game, findings);
        judged.moves.iter().map(|judgement| judgement.mark.map(|mark| mark.symbol)).collect()
    }

    #[test]
    fn falling_best_move_is_compared() {
        let (game, mut findings) =
            findings(&[(20, None, "e4"), (-20, None, "c5"), (150, None, "Qh5"), (-20, None, "Nf6")]);
        // The first search chose Qh5 because of a score of 1.50, but after Qh5 the score is 0.20.
        assert_eq!(findings.suspects(&game), [(1, 4), (2, 4)]);
        assert_eq!(marks(&game, &findings), [None, Some("?"), None]);
        // No alternative to Qh5 is better, so the score before Qh5 falls, and Black's move e5 was no mistake.
        compare(&mut findings, 2, 4, 10, "Nf3");
        assert_eq!(findings.suspects(&game), [(0, 0); 0]);
        assert_eq!(marks(&game, &findings), [None, None, None]);
        let line = findings.settled_lines(&game).swap_remove(2).unwrap();
        assert_eq!((line.cp, line.san), (Some(20), vec!["Qh5".to_owned(), "Nf6".to_owned()]));
        // A longer search finds that Nf3 is better than Qh5, so both e5 and Qh5 were mistakes.
        compare(&mut findings, 2, 8, 140, "Nf3");
        assert_eq!(findings.suspects(&game), [(1, 4), (2, 16)]);
        assert_eq!(marks(&game, &findings), [None, Some("?"), Some("?")]);
        assert_eq!(judge(&game, &findings).moves[2].better.as_deref(), Some(&["Nf3".to_owned()][..]));
    }

    #[test]
    fn comparisons_end_when_losses_agree() {
        let (game, mut findings) =
            findings(&[(20, None, "e4"), (-20, None, "c5"), (20, None, "Nf3"), (100, None, "Nf6")]);
        assert_eq!(findings.suspects(&game), [(2, 4)]);
        compare(&mut findings, 2, 4, 20, "Nf3");
        assert_eq!(findings.suspects(&game), [(2, 8)]);
        // The second comparison finds a score that is five centipawns higher. This is half a percentage point, so the
        // losses of the two comparisons agree.
        compare(&mut findings, 2, 8, 25, "Nf3");
        assert_eq!(findings.suspects(&game), [(0, 0); 0]);
        // The position before Qh5 has now been searched longer than in the comparison, so we have to compare Qh5 again.
        findings.lines[2] = Finding { factor: 16, line: Some(test_line(20, None, "Nf3")) };
        assert_eq!(findings.suspects(&game), [(2, 16)]);
        compare(&mut findings, 2, 16, 90, "Nf3");
        assert_eq!(findings.suspects(&game), [(1, 4)]);
        assert_eq!(marks(&game, &findings), [None, Some("?!"), Some("??")]);
    }

    #[test]
    fn rising_score_reaches_earlier_moves() {
        let (game, mut findings) = findings(&[
            (20, None, "e4"),
            (-20, None, "e5"),
            (20, None, "Nf3"),
            (-20, None, "Nc6"),
            (20, None, "Nc3"),
            (-300, Some(-3), "Be7"),
        ]);
        // The first search did not see that Qxe5+ wins, or that Nf6 was the mistake.
        assert_eq!(findings.suspects(&game), [(4, 4)]);
        compare(&mut findings, 4, 4, 30, "Nc3");
        assert_eq!(findings.suspects(&game), [(3, 4)]);
        compare(&mut findings, 3, 4, -20, "Nc6");
        assert_eq!(marks(&game, &findings), [None, None, None, Some("??"), None]);
        assert_eq!(findings.settled_lines(&game)[4].as_ref().unwrap().mate, Some(4));
    }

    #[test]
    fn move_without_alternative_is_settled() {
        let (game, mut findings) = findings(&[(20, None, "e4"), (100, None, "e5")]);
        assert_eq!(findings.suspects(&game), [(0, 4)]);
        let after = findings.lines[1].line.clone();
        findings.compare(0, 4, None, after);
        assert_eq!(findings.suspects(&game), [(0, 0); 0]);
    }

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
