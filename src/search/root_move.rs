//! A root move with its score, bound, principal variation and node count.

use super::score::{Bound, INFINITE, Score};
use crate::chess::Move;

/// A legal move of the root position and the result of its search.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// Score in this iteration; `-INFINITE` until the move raises alpha.
    pub score: Score,
    /// Bound type of the score. A stopped search may leave a score outside its window.
    pub bound: Bound,
    /// Score in the previous iteration.
    pub previous_score: Score,
    /// Principal variation in the previous iteration.
    pub previous_pv: Vec<Move>,
    /// Selective depth: the deepest ply reached below the move.
    pub sel_depth: usize,
    /// Nodes spent on the move in this search.
    pub nodes: u64,
    /// Principal variation that begins with the move; empty until one is found.
    pub pv: Vec<Move>,
}

impl RootMove {
    /// Returns an entry for a move that has not been searched.
    pub fn new(mv: Move) -> Self {
        Self {
            mv,
            score: -INFINITE,
            bound: Bound::Exact,
            previous_score: -INFINITE,
            previous_pv: Vec::new(),
            sel_depth: 0,
            nodes: 0,
            pv: Vec::new(),
        }
    }

    /// Returns the principal variation, or the move alone until one is found.
    pub(super) fn pv_or_move(&self) -> &[Move] {
        if self.pv.is_empty() { std::slice::from_ref(&self.mv) } else { &self.pv }
    }
}
