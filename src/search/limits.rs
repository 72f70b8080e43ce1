//! Limits of a search, as UCI's `go` gives them, and the options of time management.

use std::time::Duration;

use crate::chess::Move;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Time left, milliseconds. Some interfaces send negative times.
    pub time: Option<i64>,
    /// Milliseconds per move.
    pub increment: i64,
}

/// Limits of one search. Without any, the search runs until it is stopped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// White's and Black's.
    pub clocks: [Clock; 2],
    pub moves_to_go: Option<u32>,
    /// Time for this move, milliseconds.
    pub move_time: Option<i64>,
    pub depth: Option<i32>,
    /// Nodes, summed over all threads.
    pub nodes: Option<u64>,
    /// We begin no new iteration after this many nodes.
    pub soft_nodes: Option<u64>,
    /// The search ends when it finds a mate in this many moves or fewer.
    pub mate: Option<i32>,
    /// Root moves to search; all if empty.
    pub search_moves: Vec<Move>,
    /// Infinite search: we hold back the result until `stop`.
    pub infinite: bool,
    /// Ponder search, on the opponent's time: like `infinite`, until `ponderhit`.
    pub ponder: bool,
}

impl Limits {
    pub fn depth(depth: i32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Whether the search runs until it is stopped.
    pub fn is_endless(&self) -> bool {
        let has_limit = self.clocks.iter().any(|clock| clock.time.is_some())
            || self.move_time.is_some()
            || self.depth.is_some()
            || self.nodes.is_some()
            || self.soft_nodes.is_some()
            || self.mate.is_some();
        self.infinite || self.ponder || !has_limit
    }
}

/// Engine options that affect time management.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeOptions {
    /// Time lost per move between engine and clock.
    pub move_overhead: Duration,
    /// Nodes that count as a millisecond; 0 for the clock.
    pub nodes_per_ms: u64,
    /// Whether the engine may also think on the opponent's time.
    pub ponder: bool,
}

impl Default for TimeOptions {
    fn default() -> Self {
        Self { move_overhead: Duration::from_millis(10), nodes_per_ms: 0, ponder: false }
    }
}
