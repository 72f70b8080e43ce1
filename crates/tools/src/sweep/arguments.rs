//! The arguments of `enroque-tools sweep`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::searcher::limits::LimitArguments;
use crate::searcher::parse_hash;
use enroque::chess::startpos::StartSet;
use enroque_runs::shard::Shard;

/// Evaluate every start position of a set, several in parallel
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Each result is appended to FILE (CSV) at once; FILE.json records the settings. The same command resumes an interrupted \
or killed sweep. Without a limit, each search has 200,000 nodes. Shards split a sweep among several machines, and the command merge joins them.

Examples:
  enroque-tools sweep all.csv --page all.html --board enroque.html
  enroque-tools sweep double.csv --set dfrc --sample 2000
  enroque-tools sweep atlas.csv --difficulty --nodes 1000000 --page atlas.html
  enroque-tools sweep part1.csv --shard 1/4       on the first of four
  enroque-tools sweep merge all.csv part*.csv --page all.html --json all.json"
)]
pub struct Arguments {
    #[command(subcommand)]
    pub(super) command: Option<SweepCommand>,
    #[command(flatten)]
    pub(super) run: RunArguments,
}

#[derive(Subcommand, Debug)]
pub enum SweepCommand {
    /// Join the results of shards, or print the summary of one file again
    #[command(after_help = "\
Examples:
  enroque-tools sweep merge all.csv part*.csv --page all.html --json all.json
  enroque-tools sweep merge again.csv all.csv            the summary of one file")]
    Merge {
        /// CSV file to write the joined results to
        file: PathBuf,
        /// Results files to join
        #[arg(required = true)]
        parts: Vec<PathBuf>,
        /// Exit with code 0 even if positions are missing or in several files
        #[arg(long)]
        anyway: bool,
        #[command(flatten)]
        outputs: Outputs,
    },
    /// Pack the results of --difficulty into an atlas to build into the program
    #[command(after_help = "\
If the program is built with the file as crates/study/src/atlas.csv.gz, enroque-tools startpos shows the results.

Examples:
  enroque-tools sweep pack atlas.csv atlas.csv.gz
  enroque-tools sweep pack merged.csv crates/study/src/atlas.csv.gz")]
    Pack {
        /// Results of a complete sweep of Chess960 with --difficulty
        results: PathBuf,
        /// Atlas file to write
        file: PathBuf,
    },
}

/// The arguments of `sweep` without a subcommand.
#[derive(Args, Debug)]
pub struct RunArguments {
    /// Results file (CSV) to create or to resume
    #[arg(required = true)]
    pub file: Option<PathBuf>,
    /// Set of start positions, listed by enroque-tools startpos sets
    #[arg(long, default_value = "chess960", value_parser = crate::text::start_set())]
    pub set: &'static StartSet,
    /// Evaluate only the positions numbered FIRST to LAST
    #[arg(long, value_name = "FIRST..LAST", value_parser = parse_range, conflicts_with = "sample")]
    pub range: Option<(u64, u64)>,
    /// Evaluate only N positions, chosen at random
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub sample: Option<u64>,
    /// Seed for the sample
    #[arg(long, default_value_t = 1, requires = "sample")]
    pub seed: u64,
    /// Evaluate only the Ith of N equal parts of the positions
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    pub shard: Shard,
    #[command(flatten)]
    pub limits: LimitArguments,
    /// Measure the difficulty of each position: good moves, depth at which the score settles, chances, castling, each
    /// with its error over several searches
    #[arg(long)]
    pub difficulty: bool,
    /// How often --difficulty searches each position, each time after a different warm-up
    #[arg(
        long,
        value_name = "N",
        default_value_t = 3,
        requires = "difficulty",
        value_parser = clap::value_parser!(u64).range(1..=20)
    )]
    pub seeds: u64,
    /// MultiPV lines of each search with --difficulty, which counts at most this many good moves
    #[arg(
        long,
        value_name = "N",
        default_value_t = 8,
        requires = "difficulty",
        value_parser = clap::value_parser!(u64).range(1..=64)
    )]
    pub lines: u64,
    /// Number of positions searched in parallel; default: number of cores
    #[arg(long, value_name = "N", value_parser = enroque_runs::parallel::parse_threads)]
    pub threads: Option<usize>,
    /// Hash table size of each search in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = parse_hash)]
    pub hash: usize,
    #[command(flatten)]
    pub outputs: Outputs,
}

/// What to write besides the results.
#[derive(Args, Debug)]
pub struct Outputs {
    /// Write settings, summary and results to a JSON file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write an HTML page: table, heat map, histogram, boards
    #[arg(long, value_name = "FILE")]
    pub page: Option<PathBuf>,
    /// Link each position on the page to a board: the address of enroque.html (from make web) as seen from the page
    #[arg(long, value_name = "ADDRESS", requires = "page", value_parser = crate::text::board_address)]
    pub board: Option<String>,
}

fn parse_range(text: &str) -> Result<(u64, u64), String> {
    let pair =
        text.split_once("..").and_then(|(first, last)| Some((first.parse().ok()?, last.parse().ok()?)));
    pair.filter(|(first, last)| first <= last).ok_or_else(|| "expected FIRST..LAST, such as 0..89".to_owned())
}
