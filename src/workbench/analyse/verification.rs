//! Longer searches of the moves with which the score changes: mistakes, and moves that the first search misjudged.

use super::analyst::{Analyst, search_in_order};
use super::arguments::Arguments;
use super::error::AnalyseError;
use super::findings::{Finding, Findings};
use super::variation::Variation;
use crate::chess::{Board, Move};
use crate::search::limits::Limits;
use crate::terminal::interrupt;
use crate::workbench::pgn::PgnGame;

/// Multiples of the ordinary search effort with which moves are verified, one after the other.
const FACTORS: [u32; 2] = [4, 16];

/// Binary logarithm of the effort of one more ply.
const EFFORT_BITS_PER_PLY: i32 = 2;

/// Searches longer both alternatives of each move with which the score changes: the best other move, and the position after
/// the move. A new score may turn a neighbouring move into a suspect, until all have settled.
pub fn verify(
    analysts: &mut [Analyst],
    arguments: &Arguments,
    game: &PgnGame,
    findings: &mut Findings,
) -> Result<(), AnalyseError> {
    for factor in FACTORS {
        loop {
            let suspects = findings.suspects(game, factor);
            if suspects.is_empty() || interrupt::happened() {
                break;
            }
            verify_moves(
                analysts,
                &longer_limits(&arguments.limits(), factor),
                game,
                &suspects,
                |index, part, line| {
                    let found = Finding { factor, line };
                    match part {
                        Part::Alternative => drop(findings.alternatives.insert(index, found)),
                        Part::AfterMove => findings.lines[index + 1] = found,
                    }
                },
            )?;
        }
    }
    Ok(())
}

/// Searches of a verified move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// The best other move.
    Alternative,
    /// The position after the move.
    AfterMove,
}

/// Searches both parts of each of the moves `suspects`, and passes the best lines to `take` with the index of the move.
/// Ctrl-C ends it early.
fn verify_moves(
    analysts: &mut [Analyst],
    limits: &Limits,
    game: &PgnGame,
    suspects: &[usize],
    mut take: impl FnMut(usize, Part, Option<Variation>),
) -> Result<(), AnalyseError> {
    let is_suspect = |index: usize| suspects.binary_search(&index).is_ok();
    let parts = |position: usize| {
        let after = position.checked_sub(1).filter(|&index| is_suspect(index));
        let after = after.map(|index| (index, Part::AfterMove));
        after.into_iter().chain(is_suspect(position).then_some((position, Part::Alternative)))
    };
    let jobs =
        game.positions().zip(game.moves().chain([None])).enumerate().flat_map(|(position, (board, mv))| {
            parts(position).map(move |(_, part)| (board.clone(), mv.filter(|_| part == Part::Alternative)))
        });
    let mut places = (0..).flat_map(parts);
    let search = |analyst: &mut Analyst, (board, excluded): (Board, Option<Move>)| {
        let search_moves: Vec<Move> = match excluded {
            None => Vec::new(),
            Some(played) => board.legal_moves().into_iter().filter(|&mv| mv != played).collect(),
        };
        if excluded.is_some() && search_moves.is_empty() {
            return Ok(None);
        }
        analyst.best_line(&board, Limits { search_moves, ..limits.clone() })
    };
    search_in_order(analysts, jobs, search, |line| {
        if let Some((index, part)) = places.next() {
            take(index, part, line);
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
