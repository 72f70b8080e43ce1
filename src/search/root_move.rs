//! A root move with the result of its search and its node count.

use std::cmp::Reverse;

use super::score::{Bound, INFINITE, Score};
use crate::chess::Move;
use crate::tablebase::MoveRank;

/// Result of searching a root move in one iteration.
#[derive(Clone, Debug)]
pub struct RootLine {
    /// Depth of the iteration, plies.
    pub depth: i32,
    /// Score; `-INFINITE` until the move raises alpha.
    pub score: Score,
    /// Bound type of the score. A stopped search may leave a score outside its window.
    pub bound: Bound,
    /// Selective depth: the deepest ply reached below the move.
    pub sel_depth: usize,
    /// Principal variation that begins with the move; empty until one is found.
    pub pv: Vec<Move>,
}

impl RootLine {
    fn new() -> Self {
        Self { depth: 0, score: -INFINITE, bound: Bound::Exact, sel_depth: 0, pv: Vec::new() }
    }

    /// Returns `true` if the move has raised alpha.
    pub(super) fn has_score(&self) -> bool {
        self.score != -INFINITE
    }
}

/// A legal move of the root position and the results of its search.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// Rank by the tablebases, above any score; `None` without them.
    pub rank: Option<MoveRank>,
    /// Nodes spent on the move in this search.
    pub nodes: u64,
    /// Result of this iteration.
    pub line: RootLine,
    /// Result of the previous iteration.
    pub previous: RootLine,
}

impl RootMove {
    /// Returns an entry for a move that has not been searched.
    pub fn new(mv: Move) -> Self {
        Self { mv, rank: None, nodes: 0, line: RootLine::new(), previous: RootLine::new() }
    }

    /// Returns the key that sorts the best move first.
    pub(super) fn order(&self) -> Reverse<(Option<MoveRank>, Score)> {
        Reverse((self.rank, self.line.score))
    }

    /// Begins the iteration of this depth.
    pub(super) fn begin_iteration(&mut self, depth: i32) {
        std::mem::swap(&mut self.line, &mut self.previous);
        self.line.depth = depth;
        self.line.score = -INFINITE;
        self.line.pv.clear();
    }

    /// Brings back the result of the previous iteration if this one was stopped before it had an exact score.
    pub(super) fn restore_unfinished(&mut self) {
        let is_finished = self.line.has_score() && self.line.bound == Bound::Exact;
        if !is_finished && self.previous.has_score() {
            std::mem::swap(&mut self.line, &mut self.previous);
        }
    }

    /// Returns the principal variation, or the move alone until one is found.
    pub(super) fn pv_or_move(&self) -> &[Move] {
        if self.line.pv.is_empty() { std::slice::from_ref(&self.mv) } else { &self.line.pv }
    }
}
