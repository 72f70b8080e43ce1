//! What a search may cost: the options `--nodes`, `--depth` and `--movetime`, and their text.

use clap::Args;

use enroque::search::limits::Limits;

/// The options of the commands that let users limit each search.
#[derive(Args, Clone, Copy, Debug)]
pub struct LimitArguments {
    /// Maximum number of nodes of each search
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Maximum depth of each search in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(i32).range(1..))]
    depth: Option<i32>,
    /// Maximum time of each search in milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(i64).range(1..))]
    movetime: Option<i64>,
}

impl LimitArguments {
    /// Returns the limits that the user gave, or `default_nodes` if there are none.
    pub fn or_nodes(self, default_nodes: u64) -> Limits {
        let Self { nodes, depth, movetime } = self;
        let is_unlimited = nodes.is_none() && depth.is_none() && movetime.is_none();
        let nodes = if is_unlimited { Some(default_nodes) } else { nodes };
        Limits { nodes, depth, move_time: movetime, ..Limits::default() }
    }
}

/// Formats limits on nodes, depth and time: `1.00M nodes, depth 20, 500 ms`.
pub fn limits_text(limits: &Limits) -> String {
    let parts = [
        limits.nodes.map(|nodes| format!("{} nodes", compact(nodes as f64))),
        limits.depth.map(|depth| format!("depth {depth}")),
        limits.move_time.map(|time| format!("{time} ms")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Formats a number of nodes, or nodes per second, compactly: `950`, `12.3k`, `4.56M`. Numbers below ten thousand are not abbreviated.
pub fn compact(number: f64) -> String {
    match number {
        n if n < 1e4 => format!("{n:.0}"),
        n if n < 1e6 => format!("{:.1}k", n / 1e3),
        n if n < 1e9 => format!("{:.2}M", n / 1e6),
        n => format!("{:.2}G", n / 1e9),
    }
}

/// One more ply takes about four times the effort, so we take a ply from a depth limit for every two halvings of effort.
const EFFORT_BITS_PER_PLY: i32 = 2;

/// Divides limits, but leaves at least one node, ply and millisecond. A depth limit falls by one ply each time the
/// effort falls to a quarter.
pub fn shorter(limits: &Limits, divisor: u32) -> Limits {
    Limits {
        nodes: limits.nodes.map(|nodes| (nodes / u64::from(divisor)).max(1)),
        depth: limits.depth.map(|depth| (depth - divisor.ilog2() as i32 / EFFORT_BITS_PER_PLY).max(1)),
        move_time: limits.move_time.map(|time| (time / i64::from(divisor)).max(1)),
        ..limits.clone()
    }
}
