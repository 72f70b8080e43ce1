//! What a search tells the outside, and the trait by which it does.

use std::time::Duration;

use super::score::{Bound, Score};
use crate::chess::{Board, Move};

/// One principal variation, as it is reported.
#[derive(Clone, Debug)]
pub struct Info<'a> {
    /// The position searched.
    pub board: &'a Board,
    /// Depth of the iteration, plies.
    pub depth: i32,
    /// Deepest ply reached, quiescence included.
    pub sel_depth: usize,
    /// Place of this variation, counted from 1.
    pub multi_pv: usize,
    /// Score for the side to move.
    pub score: Score,
    /// What the score bounds.
    pub bound: Bound,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Thousandths of the table in use.
    pub hashfull: usize,
    /// Tablebase positions found by all threads.
    pub tb_hits: u64,
    /// Time since the search was asked for.
    pub time: Duration,
    /// The moves, legal to their end.
    pub pv: &'a [Move],
}

/// How a search ended.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The move to play; `None` when there is none.
    pub best_move: Option<Move>,
    /// The reply to think about meanwhile.
    pub ponder_move: Option<Move>,
    /// Score of the best move for the side to move.
    pub score: Score,
    /// What is known of that score: a search that was stopped may have found only that it is no lower.
    pub bound: Bound,
    /// Depth of the last complete iteration.
    pub depth: i32,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time since the search was asked for.
    pub time: Duration,
    /// The principal variation.
    pub pv: Vec<Move>,
}

/// Is told how a search goes.
pub trait Reporter: Send {
    /// `false` when nobody listens, so that nothing need be worked out to be told.
    fn is_enabled(&self) -> bool {
        true
    }

    /// A principal variation.
    fn info(&mut self, info: &Info<'_>);

    /// The search now looks at `mv`, the root move number `move_count`, at this depth.
    fn current_move(&mut self, board: &Board, depth: i32, mv: Move, move_count: usize);

    /// There is no legal move: checkmate when `in_check`, else stalemate.
    fn no_moves(&mut self, in_check: bool);

    /// The search is over.
    fn finished(&mut self, board: &Board, outcome: &Outcome);
}

/// A reporter to nobody.
pub struct Silent;

impl Reporter for Silent {
    fn is_enabled(&self) -> bool {
        false
    }

    fn info(&mut self, _: &Info<'_>) {}
    fn current_move(&mut self, _: &Board, _: i32, _: Move, _: usize) {}
    fn no_moves(&mut self, _: bool) {}
    fn finished(&mut self, _: &Board, _: &Outcome) {}
}
