//! The arguments of `enroque-tools sweep`, and the record of a sweep: a file next to the results, with the settings
//! that determine them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use clap::{Args, Subcommand};
use serde::{Deserialize, Serialize};

use crate::searcher::limits::{LimitArguments, limits_text};
use crate::searcher::parse_hash;
use enroque::chess::startpos::StartSet;
use enroque::nnue::Network;
use enroque::search::limits::Limits;
use enroque::util::version;
use enroque_runs::files::AtPath;
use enroque_runs::manifest;
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
If the program is built with the file as crates/tools/src/sweep/atlas.csv.gz, enroque-tools startpos shows the results.

Examples:
  enroque-tools sweep pack atlas.csv atlas.csv.gz
  enroque-tools sweep pack merged.csv crates/tools/src/sweep/atlas.csv.gz")]
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

/// Node limit of each search if the user gives no limit.
const DEFAULT_NODES: u64 = 200_000;

/// Settings of a sweep with `--difficulty`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Difficulty {
    /// How often each position is searched.
    pub seeds: u64,
    /// How many MultiPV lines each search has.
    pub lines: u64,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    generator: String,
    network: String,
    pub set: String,
    range: Option<(u64, u64)>,
    sample: Option<u64>,
    seed: u64,
    nodes: Option<u64>,
    depth: Option<i32>,
    movetime: Option<i64>,
    pub hash: usize,
    pub shard: Shard,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<Difficulty>,
}

impl Record {
    pub fn new(arguments: &RunArguments) -> Self {
        let RunArguments { range, sample, seed, hash, shard, .. } = *arguments;
        let limits = arguments.limits.or_nodes(DEFAULT_NODES);
        Self {
            generator: version::GENERATOR.to_owned(),
            network: format!("{:016x}", Network::embedded().checksum()),
            set: arguments.set.name.to_owned(),
            range,
            sample,
            seed,
            nodes: limits.nodes,
            depth: limits.depth,
            movetime: limits.move_time,
            hash,
            shard,
            difficulty: arguments
                .difficulty
                .then_some(Difficulty { seeds: arguments.seeds, lines: arguments.lines }),
        }
    }

    /// Reads the record that lies next to the results file `file`.
    pub fn read(file: &Path) -> Result<Self> {
        std::fs::metadata(file).at(file)?;
        let missing = || {
            let (file, record) = (file.display(), manifest::path(file));
            format!("{file}: {} is missing, which a sweep writes next to its results", record.display())
        };
        manifest::read(file)?.with_context(missing)
    }

    /// Like [`Self::read`], but fails unless the results were made with `--difficulty` or without it, as expected.
    pub fn read_kind(file: &Path, has_difficulty: bool) -> Result<Self> {
        let record = Self::read(file)?;
        let (found, expected) = if has_difficulty { ("without", "with") } else { ("with", "without") };
        ensure!(
            record.difficulty.is_some() == has_difficulty,
            "{}: made {found} --difficulty; expected the results of a sweep {expected} it",
            file.display()
        );
        Ok(record)
    }

    /// Names a position by its number in the set, in a form that `startpos` understands.
    pub fn name_of(&self, number: u64) -> String {
        match self.set.as_str() {
            "chess960" => format!("SP {number}"),
            set => format!("{set}:{number}"),
        }
    }

    pub fn limits(&self) -> Limits {
        Limits { nodes: self.nodes, depth: self.depth, move_time: self.movetime, ..Limits::default() }
    }

    pub fn limits_text(&self) -> String {
        let words = limits_text(&self.limits());
        match &self.difficulty {
            None => words,
            Some(Difficulty { seeds, lines }) => format!("{words}, {lines} lines, {seeds} searches"),
        }
    }

    /// Says how the results were made: set, limits, program and network.
    pub fn origin(&self) -> String {
        let Self { set, generator, network, .. } = self;
        format!("set {set}, {}, {generator}, network {network}", self.limits_text())
    }

    /// Returns the numbers of the positions in this shard, in ascending order.
    pub fn numbers(&self, set: &StartSet) -> Result<Vec<u64>> {
        let count = set.count();
        let (first, last) = self.range.unwrap_or((0, count - 1));
        let most = count - 1;
        ensure!(last <= most, "--range: set {} has the numbers 0 to {most}, found {last}", set.name);
        let numbers: Vec<u64> = match self.sample.filter(|&sample| sample < count) {
            Some(sample) => {
                let mut drawn = set.sample(sample, self.seed, &HashSet::new());
                drawn.sort_unstable();
                drawn
            }
            None => (first..=last).collect(),
        };
        let is_own = |&(index, _): &(usize, u64)| self.shard.owns(index as u64);
        Ok(numbers.into_iter().enumerate().filter(is_own).map(|(_, number)| number).collect())
    }
}
