//! What a search tells the outside, and the trait by which it does.

use std::time::Duration;

use super::score::Score;
use crate::chess::{Board, Move};

/// Whether a reported score is the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScoreBound {
    /// The score itself.
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// One line of analysis.
#[derive(Clone, Debug)]
pub struct Info<'a> {
    /// The position searched.
    pub board: &'a Board,
    /// Depth of the iteration, plies.
    pub depth: i32,
    /// Deepest ply reached, quiescence included.
    pub sel_depth: usize,
    /// Place of this line, counted from 1.
    pub multi_pv: usize,
    /// Score for the side to move.
    pub score: Score,
    /// What the score bounds.
    pub bound: ScoreBound,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Thousandths of the table in use.
    pub hashfull: usize,
    /// Tablebase positions found by all threads.
    pub tb_hits: u64,
    /// Time since the search was asked for.
    pub time: Duration,
    /// The line, legal to its end.
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
    /// Depth of the last complete iteration.
    pub depth: i32,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time since the search was asked for.
    pub time: Duration,
    /// The principal variation.
    pub pv: Vec<Move>,
}

/// Hears how a search goes.
pub trait Reporter: Send {
    /// A line of analysis.
    fn info(&mut self, info: &Info<'_>);

    /// The search now looks at `mv`, the `number`th root move, at this depth.
    fn current_move(&mut self, board: &Board, depth: i32, mv: Move, number: usize);

    /// There is no legal move: checkmate when `in_check`, else stalemate.
    fn no_moves(&mut self, in_check: bool);

    /// The search is over.
    fn finished(&mut self, board: &Board, outcome: &Outcome);
}

/// Hears nothing.
pub struct Silent;

impl Reporter for Silent {
    fn info(&mut self, _: &Info<'_>) {}
    fn current_move(&mut self, _: &Board, _: i32, _: Move, _: usize) {}
    fn no_moves(&mut self, _: bool) {}
    fn finished(&mut self, _: &Board, _: &Outcome) {}
}
