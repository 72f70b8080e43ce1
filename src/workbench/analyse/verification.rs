//! Longer searches of the moves with which the score changes: mistakes, and moves that the first search misjudged.

use super::analyst::{Analyst, search_in_order};
use super::arguments::Arguments;
use super::error::AnalyseError;
use super::findings::{Finding, Findings};
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
    let boards = game.boards();
    let moves: Vec<Move> = game.moves().collect();
    for factor in FACTORS {
        let limits = longer_limits(&arguments.limits(), factor);
        loop {
            let suspects = findings.suspects(game, factor);
            if suspects.is_empty() || interrupt::happened() {
                break;
            }
            let jobs = suspects
                .iter()
                .flat_map(|&index| [(&boards[index], Some(moves[index])), (&boards[index + 1], None)]);
            let mut lines = Vec::new();
            let take = |line| {
                lines.push(Finding { factor, line });
                Ok(())
            };
            let search = |analyst: &mut Analyst, (board, excluded): (&Board, Option<Move>)| {
                let search_moves = match excluded {
                    None => Vec::new(),
                    Some(played) => board.legal_moves().into_iter().filter(|&mv| mv != played).collect(),
                };
                if excluded.is_some() && search_moves.is_empty() {
                    return Ok(None);
                }
                analyst.best_line(board, Limits { search_moves, ..limits.clone() })
            };
            search_in_order(analysts, jobs, search, take)?;
            for (&index, [alternative, after_move]) in suspects.iter().zip(lines.as_chunks().0) {
                findings.alternatives.insert(index, alternative.clone());
                findings.lines[index + 1] = after_move.clone();
            }
        }
    }
    Ok(())
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
