//! A root move: what its search found, and how many nodes that took.

use std::cmp::Reverse;

use super::score::{Bound, INFINITE, Score};
use crate::chess::Move;
use crate::tablebase::MoveRank;

/// What one iteration found about a root move.
#[derive(Clone, Debug)]
pub struct RootLine {
    pub depth: i32,
    /// `-INFINITE` unless the move raised alpha or was searched first.
    pub score: Score,
    /// Not exact if the search was stopped before a wider window settled the score.
    pub bound: Bound,
    /// The deepest ply reached below the move.
    pub sel_depth: usize,
    /// PV that begins with the move; empty until one is found.
    pub pv: Vec<Move>,
}

impl RootLine {
    fn new() -> Self {
        Self { depth: 0, score: -INFINITE, bound: Bound::Exact, sel_depth: 0, pv: Vec::new() }
    }

    /// Whether the move has raised alpha or was searched first; other moves get no score.
    pub(super) fn has_score(&self) -> bool {
        self.score != -INFINITE
    }
}

#[derive(Clone, Debug)]
pub struct RootMove {
    pub mv: Move,
    /// How the tablebases rank the move, which outweighs any score; `None` without tablebases.
    pub rank: Option<MoveRank>,
    /// Nodes spent on the move in this search.
    pub nodes: u64,
    pub line: RootLine,
    pub previous: RootLine,
    /// How good the move looks to a player of limited strength, centipawns.
    pub(super) impression: Score,
    /// How much worse than its score the move looks to such a player, centipawns.
    pub(super) reluctance: Score,
}

impl RootMove {
    pub(super) fn new(mv: Move, rank: Option<MoveRank>) -> Self {
        Self {
            mv,
            rank,
            nodes: 0,
            line: RootLine::new(),
            previous: RootLine::new(),
            impression: 0,
            reluctance: 0,
        }
    }

    /// Returns a sort key that puts the best move first: by tablebase rank, then by score.
    pub(super) fn order(&self) -> Reverse<(Option<MoveRank>, Score)> {
        Reverse((self.rank, self.line.score))
    }

    pub(super) fn begin_iteration(&mut self, depth: i32) {
        std::mem::swap(&mut self.line, &mut self.previous);
        self.line.depth = depth;
        self.line.score = -INFINITE;
        self.line.pv.clear();
    }

    /// Goes back to the previous iteration's result if this one was stopped before it found an exact score.
    pub(super) fn restore_unfinished(&mut self) {
        let is_finished = self.line.has_score() && self.line.bound == Bound::Exact;
        if !is_finished && self.previous.has_score() {
            std::mem::swap(&mut self.line, &mut self.previous);
        }
    }

    /// Returns the PV, or the move alone until one is found.
    pub(super) fn pv_or_move(&self) -> &[Move] {
        if self.line.pv.is_empty() { std::slice::from_ref(&self.mv) } else { &self.line.pv }
    }
}
