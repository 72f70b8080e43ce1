//! What a search may use up, as `go` gives it.

use std::time::Duration;

use crate::chess::Move;

/// One side's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Time left, milliseconds; clocks of some interfaces go below zero.
    pub time: Option<i64>,
    /// Time won with each move, milliseconds.
    pub increment: i64,
}

/// The limits of one search; none at all means: until told to stop.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The clocks of White and Black.
    pub clocks: [Clock; 2],
    /// Moves until the next time control.
    pub moves_to_go: Option<u32>,
    /// Time for this move, milliseconds.
    pub move_time: Option<i64>,
    /// Depth in plies.
    pub depth: Option<i32>,
    /// Nodes, all threads together.
    pub nodes: Option<u64>,
    /// No new iteration begins once so many nodes are spent.
    pub soft_nodes: Option<u64>,
    /// Stop when a mate in this many moves is found.
    pub mate: Option<i32>,
    /// Only these root moves, when not empty.
    pub search_moves: Vec<Move>,
    /// Report nothing before `stop`.
    pub infinite: bool,
    /// The opponent's time is running: like `infinite`, until `ponderhit`.
    pub ponder: bool,
}

impl Limits {
    /// A search of exactly so many nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Whether the search goes on until it is told to stop.
    pub fn is_endless(&self) -> bool {
        let has_limit = self.clocks.iter().any(|clock| clock.time.is_some())
            || self.move_time.is_some()
            || self.depth.is_some()
            || self.nodes.is_some()
            || self.soft_nodes.is_some()
            || self.mate.is_some();
        self.infinite || self.ponder || !has_limit
    }

    /// A search to this depth.
    pub fn depth(depth: i32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }
}

/// What the engine's options say about time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeOptions {
    /// Lost on the way between engine and clock, per move.
    pub move_overhead: Duration,
    /// Count nodes instead of milliseconds, so many to each; 0 to use the clock.
    pub nodes_per_ms: u64,
    /// The engine thinks on the opponent's time too.
    pub ponder: bool,
}

impl Default for TimeOptions {
    fn default() -> Self {
        Self { move_overhead: Duration::from_millis(10), nodes_per_ms: 0, ponder: false }
    }
}
