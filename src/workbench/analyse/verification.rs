//! Longer searches of the moves with which the score changes: mistakes, and moves that the first search misjudged.

use super::analyst::{Analyst, search_in_order};
use super::arguments::Arguments;
use super::error::AnalyseError;
use super::findings::Findings;
use crate::chess::{Board, Move};
use crate::search::limits::Limits;
use crate::terminal::interrupt;
use crate::workbench::pgn::{self, PgnGame};

/// Binary logarithm of the effort of one more ply.
const EFFORT_BITS_PER_PLY: i32 = 2;

/// Compares moves with which the score changes with the best other move, in longer and longer searches, until the losses
/// have settled. A new score may turn a neighbouring move into a suspect. Ctrl-C ends it early.
pub fn verify(
    analysts: &mut [Analyst],
    arguments: &Arguments,
    game: &PgnGame,
    findings: &mut Findings,
) -> Result<(), AnalyseError> {
    loop {
        let suspects = findings.suspects(game);
        if suspects.is_empty() || interrupt::happened() {
            return Ok(());
        }
        compare_moves(analysts, &arguments.limits(), game, &suspects, findings)?;
    }
}

/// Position to search, without a move if there is one, and the multiple of the search effort.
struct Job {
    board: Board,
    excluded: Option<Move>,
    factor: u32,
}

/// Compares each of the moves `suspects` with the best other move, and adds the comparisons to `findings`.
fn compare_moves(
    analysts: &mut [Analyst],
    limits: &Limits,
    game: &PgnGame,
    suspects: &[(usize, u32)],
    findings: &mut Findings,
) -> Result<(), AnalyseError> {
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
                    findings.compare(index, factor, alternative, line);
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
        depth: depth.map(|depth| depth + factor.ilog2() as i32 / EFFORT_BITS_PER_PLY),
        move_time: move_time.map(|time| time.saturating_mul(factor.into())),
        ..Limits::default()
    }
}
