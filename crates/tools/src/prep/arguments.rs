//! The arguments of `enroque-tools prep`.

use std::path::PathBuf;

use crate::searcher::parse_hash;
use enroque::search::limits::Limits;
use enroque_runs::parallel::parse_threads;

/// How many nodes the search for candidate moves may take if --nodes is not given.
const DEFAULT_NODES: u64 = 8_000_000;
/// How many milliseconds the search for candidate moves may take if --nodes is not given. The searches for traps get
/// limits in proportion, so that a start takes at most a minute.
const DEFAULT_MOVE_TIME: i64 = 20_000;

/// Prepare for a start: facts, candidate moves, plans and traps
#[derive(clap::Args, Debug)]
#[command(after_help = "\
START is a number (334), WHITE:BLACK, SET:NUMBER, a back rank (NRQKRBBN), or the FEN of a start position.

The page has one A4 side for each start, for the browser and the printer. It shows weak pawns, castlings, the first moves \
that the engine prefers with plans for both sides, moves that only look good or only look bad, and the chances. Scores and \
chances are White's. Without --nodes a start takes at most one minute.

Examples:
  enroque-tools prep sp:334
  enroque-tools prep 334 --page 334.html --lines 5
  enroque-tools prep 12 345 678 --nodes 2000000 --page round.html")]
pub struct Arguments {
    /// Start positions to prepare for
    #[arg(required = true, value_name = "START")]
    pub starts: Vec<String>,
    /// Node limit of the search for candidate moves; the searches for traps together take one and a half times as many
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Number of candidate first moves
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=8))]
    pub lines: u16,
    /// Write an HTML page to read or print, instead of text
    #[arg(long, value_name = "FILE")]
    pub page: Option<PathBuf>,
    /// Print one line of JSON for each start
    #[arg(long, conflicts_with = "page")]
    pub json: bool,
    /// Search threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_threads)]
    pub threads: usize,
    /// Hash table size in MiB
    #[arg(long, value_name = "MIB", default_value_t = 128, value_parser = parse_hash)]
    pub hash: usize,
}

impl Arguments {
    /// Returns the limits of the search for candidate moves.
    pub fn limits(&self) -> Limits {
        match self.nodes {
            Some(nodes) => Limits::nodes(nodes),
            None => Limits { move_time: Some(DEFAULT_MOVE_TIME), ..Limits::nodes(DEFAULT_NODES) },
        }
    }
}
