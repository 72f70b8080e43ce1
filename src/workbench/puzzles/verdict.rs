//! Verdicts on searches: win percentages, the only winning move, the nodes after which a move is found.

use crate::chess::Move;
use crate::study::judgement::win_percent;
use crate::workbench::prep::searcher::{Iteration, Line};

/// Least win percentage of a solution, and the greatest of any other move.
const WINNING: f64 = 60.0;
/// Least distance of the solution to the best other move, in percentage points.
const MIN_GAP: f64 = 15.0;

/// The only winning move, with the win percentages of it and of the best other one.
pub struct OnlyMove {
    /// The move.
    pub mv: Move,
    /// Win percentages.
    pub chances: [f64; 2],
}

/// Returns the best move if it wins and the second is far behind and does not win.
pub fn only_winner(lines: &[Line]) -> Option<OnlyMove> {
    let (best, others) = lines.split_first()?;
    let chances = [chance(best), others.first().map_or(0.0, chance)];
    let [first, second] = chances;
    let is_only = first >= WINNING && second < WINNING && first - second >= MIN_GAP;
    is_only.then_some(OnlyMove { mv: *best.pv.first()?, chances })
}

/// Returns the win percentage of a line for the side to move.
pub fn chance(line: &Line) -> f64 {
    win_percent(f64::from(line.score.value()))
}

/// Returns the best move of a search.
pub fn best(found: &[Iteration]) -> Option<Move> {
    found.last()?.lines.first()?.pv.first().copied()
}

/// Returns the nodes at the first iteration from which on `mv` is the best move.
pub fn nodes_to_find(found: &[Iteration], mv: Move) -> Option<u64> {
    let lines = found.iter().rev().map_while(|iteration| iteration.lines.first());
    lines.take_while(|line| line.pv.first() == Some(&mv)).last().map(|line| line.nodes)
}
