//! Search reports: the trait that receives them, and the outcome of a search.

use std::time::Duration;

use super::score::{Bound, Score};
use crate::chess::{Board, Move};

/// One PV with its figures, as UCI's `info` line shows it.
#[derive(Clone, Debug)]
pub struct Info<'a> {
    pub board: &'a Board,
    pub depth: i32,
    /// Selective depth: the deepest ply reached, quiescence included.
    pub sel_depth: usize,
    /// Rank of this variation in MultiPV, counted from 1.
    pub multi_pv: usize,
    /// Score for the side to move, centipawns or a mate.
    pub score: Score,
    pub bound: Bound,
    /// Of all threads.
    pub nodes: u64,
    /// Thousandths of the TT in use.
    pub hashfull: usize,
    /// Of all threads.
    pub tb_hits: u64,
    pub time: Duration,
    /// All moves are legal.
    pub pv: &'a [Move],
}

/// Result of a search.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Best move; `None` if there is no legal move.
    pub best_move: Option<Move>,
    /// Expected reply.
    pub ponder_move: Option<Move>,
    /// Score of the best move for the side to move.
    pub score: Score,
    /// A stopped search may end with a bound.
    pub bound: Bound,
    /// Depth of the last complete iteration.
    pub depth: i32,
    /// Of all threads.
    pub nodes: u64,
    pub time: Duration,
    pub pv: Vec<Move>,
}

/// Receiver of a search's reports. Every method does nothing by default.
///
/// # Examples
/// ```
/// use std::sync::mpsc::{Sender, channel};
///
/// use enroque::engine::Engine;
/// use enroque::search::limits::Limits;
/// use enroque::search::report::{Info, Reporter};
///
/// /// Sends the depth of each PV.
/// struct Depths(Sender<i32>);
///
/// impl Reporter for Depths {
///     fn info(&mut self, info: &Info<'_>) {
///         self.0.send(info.depth).unwrap();
///     }
/// }
///
/// let (sender, depths) = channel();
/// let mut engine = Engine::new()?;
/// engine.search(Limits::depth(3), Box::new(Depths(sender)));
/// assert!(depths.try_iter().eq([1, 2, 3]));
/// # Ok::<(), enroque::engine::EngineError>(())
/// ```
pub trait Reporter: Send {
    /// Whether `info` uses the PVs, so that they must be built.
    fn is_enabled(&self) -> bool {
        true
    }

    fn info(&mut self, _info: &Info<'_>) {}

    /// Receives the root move that is searched now, its rank counted from 1, and the depth of the iteration.
    fn current_move(&mut self, _board: &Board, _depth: i32, _mv: Move, _move_count: usize) {}

    /// Receives the end of the game at the root: checkmate if `in_check`, else stalemate.
    fn no_moves(&mut self, _in_check: bool) {}

    fn finished(&mut self, _board: &Board, _outcome: &Outcome) {}
}

pub struct Silent;

impl Reporter for Silent {
    fn is_enabled(&self) -> bool {
        false
    }
}
