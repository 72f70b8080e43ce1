//! Arguments of `enroque-tools sweep`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use enroque::chess::startpos::StartSet;
use enroque_runs::shard::Shard;

/// Evaluate every start position of a set, several in parallel
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Each result is appended to FILE (CSV) at once; FILE.json records the settings. The same command resumes an interrupted \
or killed sweep. Shards split a sweep among several machines, and `sweep merge` joins them.

Examples:
  enroque-tools sweep all.csv --page all.html --board enroque.html
  enroque-tools sweep double.csv --set dfrc --sample 2000
  enroque-tools sweep atlas.csv --difficulty --nodes 1000000 --page atlas.html
  enroque-tools sweep part1.csv --shard 1/4          on the first of four machines
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
  enroque-tools sweep merge again.csv all.csv                 the summary of one file")]
    Merge {
        /// File to write
        file: PathBuf,
        /// Results to join
        #[arg(required = true)]
        parts: Vec<PathBuf>,
        /// Exit with code 0 even if positions are missing or in several files
        #[arg(long)]
        anyway: bool,
        #[command(flatten)]
        outputs: Outputs,
    },
    /// Compress the results of --difficulty for the program itself
    #[command(after_help = "\
Built into the program as src/workbench/sweep/atlas.csv.gz, they are shown by `enroque-tools startpos N`.

Examples:
  enroque-tools sweep pack atlas.csv atlas.csv.gz
  enroque-tools sweep pack merged.csv src/workbench/sweep/atlas.csv.gz")]
    Pack {
        /// Results of a complete sweep of Chess960 with --difficulty
        results: PathBuf,
        /// File to write
        file: PathBuf,
    },
}

/// Arguments without a subcommand.
#[derive(Args, Debug)]
pub struct RunArguments {
    /// CSV file of the results, new or to be resumed
    #[arg(required = true)]
    pub file: Option<PathBuf>,
    /// Set of start positions; `enroque-tools startpos --sets` lists them
    #[arg(long, default_value = "chess960", value_parser = crate::start_set())]
    pub set: &'static StartSet,
    /// Only the numbers from FIRST to LAST
    #[arg(long, value_name = "FIRST..LAST", value_parser = parse_range, conflicts_with = "sample")]
    pub range: Option<(u64, u64)>,
    /// Only N positions, chosen at random
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub sample: Option<u64>,
    /// Seed of the sample
    #[arg(long, default_value_t = 1, requires = "sample")]
    pub seed: u64,
    /// Only the Ith of N equal parts
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    pub shard: Shard,
    /// Nodes per position; 200000 if no other limit is given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Depth in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(i32).range(1..))]
    pub depth: Option<i32>,
    /// Milliseconds per position
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(i64).range(1..))]
    pub movetime: Option<i64>,
    /// Measure the difficulty of each position: good moves, depth at which the score settles, chances, castling, each
    /// with its error over several searches
    #[arg(long)]
    pub difficulty: bool,
    /// Searches of each position with --difficulty, each begun in another way
    #[arg(
        long,
        value_name = "N",
        default_value_t = 3,
        requires = "difficulty",
        value_parser = clap::value_parser!(u64).range(1..=20)
    )]
    pub seeds: u64,
    /// Lines of each search with --difficulty, an upper limit of the good moves
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
    #[arg(long, value_name = "MIB", default_value_t = 16)]
    pub hash: usize,
    #[command(flatten)]
    pub outputs: Outputs,
}

/// Files written next to the results.
#[derive(Args, Debug)]
pub struct Outputs {
    /// Write settings, summary and results to a JSON file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write a page for the browser: table, heat map, histogram, boards
    #[arg(long, value_name = "FILE")]
    pub page: Option<PathBuf>,
    /// Link each position of the page to the board at this address, seen from the page: enroque.html of `make web` next to it,
    /// or https://...
    #[arg(long, value_name = "ADDRESS", requires = "page", value_parser = crate::page::board_address)]
    pub board: Option<String>,
}

fn parse_range(text: &str) -> Result<(u64, u64), String> {
    let pair =
        text.split_once("..").and_then(|(first, last)| Some((first.parse().ok()?, last.parse().ok()?)));
    pair.filter(|(first, last)| first <= last).ok_or_else(|| "expected FIRST..LAST, such as 0..89".to_owned())
}
