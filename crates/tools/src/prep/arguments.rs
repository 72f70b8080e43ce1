//! Arguments of `enroque-tools prep`.

use std::path::PathBuf;

use clap::Args;

/// Largest number of search threads.
const MAX_THREADS: u64 = 1024;

/// Prepare for a start position: facts, candidate moves with plans, traps, on one page for each start
#[derive(Args, Debug)]
#[command(after_help = "\
START is a number (334), WHITE:BLACK, SET:NUMBER, a back rank (NRQKRBBN), or the FEN of a start position.

The page has one A4 side for each start, for the browser and the printer. It shows weak pawns, castlings, the first moves \
that the engine prefers with plans for both sides, moves that only look good or only look bad, and the chances. Scores and \
chances are White's. Without --nodes a start takes at most one minute.

Examples:
  enroque-tools prep sp:334
  enroque-tools prep 334 --page 334.html --lines 5
  enroque-tools prep 12 345 678 --nodes 2000000 --page round.html
  enroque-tools prep 334 --engine stockfish          searches by another UCI engine")]
pub struct Arguments {
    /// Start positions
    #[arg(required = true, value_name = "START")]
    pub(super) starts: Vec<String>,
    /// Nodes of the search for candidate moves; the searches for traps take one and a half times as many together
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) nodes: Option<u64>,
    /// Number of candidate first moves
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=8))]
    pub(super) lines: u16,
    /// Write a page for the browser and the printer, instead of text
    #[arg(long, value_name = "FILE")]
    pub(super) page: Option<PathBuf>,
    /// Print one line of JSON for each start
    #[arg(long, conflicts_with = "page")]
    pub(super) json: bool,
    /// Command line of another UCI engine that does the searches
    #[arg(long, value_name = "COMMAND")]
    pub(super) engine: Option<String>,
    /// Search threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=MAX_THREADS))]
    pub(super) threads: u64,
    /// Hash table size in MiB
    #[arg(long, value_name = "MIB", default_value_t = 128, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) hash: u64,
}
