//! Limits of a search, as UCI's `go` gives them, and the options of time management.

use std::time::Duration;

use crate::chess::{ByColor, Move};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Time left, milliseconds. Some GUIs send negative times.
    pub time: Option<i64>,
    /// Time that the clock gains per move, milliseconds.
    pub increment: i64,
}

/// Limits of one search. Without any, the search runs until it is stopped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    pub clocks: ByColor<Clock>,
    pub moves_to_go: Option<u32>,
    /// Fixed time for this move (`movetime`), milliseconds.
    pub move_time: Option<i64>,
    pub depth: Option<i32>,
    /// Maximum number of nodes, summed over all threads.
    pub nodes: Option<u64>,
    /// After this many nodes we complete the current iteration, but don't begin another.
    pub soft_nodes: Option<u64>,
    /// The search ends when it finds a mate in this many moves or fewer.
    pub mate: Option<i32>,
    /// Root moves to search; all if empty.
    pub search_moves: Vec<Move>,
    /// Infinite search: we hold back the result until `stop`.
    pub infinite: bool,
    /// Search on the opponent's time (`go ponder`): runs like an infinite search until `ponderhit`.
    pub ponder: bool,
}

impl Limits {
    pub fn depth(depth: i32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Whether the search runs until it is stopped: with `infinite` or without any limit. One with `ponder` does so
    /// until `ponderhit`.
    pub fn is_endless(&self) -> bool {
        let has_limit = self.clocks.0.iter().any(|clock| clock.time.is_some())
            || self.move_time.is_some()
            || self.depth.is_some()
            || self.nodes.is_some()
            || self.soft_nodes.is_some()
            || self.mate.is_some();
        self.infinite || !has_limit
    }
}

/// Engine options that affect time management.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeOptions {
    /// Time that each move costs on the clock besides the search, because of delays in the GUI or network.
    pub move_overhead: Duration,
    /// What the moves of this game have cost on the clock besides the search, if we have seen enough of them.
    pub measured_overhead: Option<Duration>,
    /// How many nodes count as a millisecond (`nodestime`); 0 means real time.
    pub nodes_per_ms: u64,
    /// Whether the engine may also think on the opponent's time; then it uses a little more of its own.
    pub ponder: bool,
}

impl Default for TimeOptions {
    fn default() -> Self {
        Self {
            move_overhead: Duration::from_millis(10),
            measured_overhead: None,
            nodes_per_ms: 0,
            ponder: false,
        }
    }
}
