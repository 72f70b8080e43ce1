//! `enroque sweep`: every start position of a set, evaluated.

mod merge;
mod page;
pub mod results;
mod summary;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use self::results::{Appender, ResultsError, Row};
use self::summary::Summary;
use super::analyse::variation::Variation;
use crate::chess::startpos::{self, StartSet};
use crate::chess::{Board, FenStyle};
use crate::engine::EngineError;
use crate::engine::local::LocalSearcher;
use crate::nnue::Network;
use crate::runs::manifest::{self, ManifestError};
use crate::runs::parallel::{available_threads, in_order};
use crate::runs::shard::Shard;
use crate::search::limits::Limits;
use crate::search::wdl::normalized;
use crate::terminal::progress::Progress;
use crate::terminal::{ExitStatus, OutputError, eprint_line, interrupt, print_line};
use crate::util::random::Random;
use crate::util::{files, version};

/// Evaluate every start position of a set, one on each core
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
The results go to FILE (CSV) as they come; FILE.json says how they were made. The same command goes on where it was \
interrupted, also after a kill. A sweep can be spread over machines by shards and joined by `sweep merge`.

Examples:
  enroque sweep chess960.csv --nodes 1000000 --page chess960.html
  enroque sweep double.csv --set dfrc --sample 2000
  enroque sweep part1.csv --shard 1/4                        on the first of four machines
  enroque sweep merge all.csv part*.csv --page all.html --json all.json"
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<SweepCommand>,
    #[command(flatten)]
    run: RunArguments,
}

#[derive(Subcommand, Debug)]
enum SweepCommand {
    /// Join the results of shards, or show those of one file again
    Merge {
        /// File to write
        file: PathBuf,
        /// Results to join
        #[arg(required = true)]
        parts: Vec<PathBuf>,
        /// Succeed although positions are missing, or in several files
        #[arg(long)]
        anyway: bool,
        #[command(flatten)]
        outputs: Outputs,
    },
}

#[derive(Args, Debug)]
struct RunArguments {
    /// File of results to write or go on with
    #[arg(required = true)]
    file: Option<PathBuf>,
    /// The set of start positions; `enroque startpos --sets` lists them
    #[arg(long, default_value = "chess960", value_parser = crate::workbench::start_set())]
    set: &'static StartSet,
    /// Only the numbers from FIRST to LAST
    #[arg(long, value_name = "FIRST..LAST", value_parser = range, conflicts_with = "sample")]
    range: Option<(u64, u64)>,
    /// Only so many positions, drawn at random
    #[arg(long, value_name = "N")]
    sample: Option<u64>,
    /// Decides which positions are drawn
    #[arg(long, default_value_t = 1, requires = "sample")]
    seed: u64,
    /// Only the Ith of N equal parts
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// Nodes a position; 200000 when nothing else limits it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(i32).range(1..))]
    depth: Option<i32>,
    /// Milliseconds a position
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(i64).range(1..))]
    movetime: Option<i64>,
    /// Positions searched at once; all cores when left out
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Size of each one's hash table, MiB
    #[arg(long, value_name = "MIB", default_value_t = 16)]
    hash: usize,
    #[command(flatten)]
    outputs: Outputs,
}

#[derive(Args, Debug)]
struct Outputs {
    /// Write everything to a JSON file, too
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write a page for the browser: table, heat map, histogram, boards
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
}

impl Outputs {
    /// Checks that writing them destroys nothing.
    fn check(&self) -> Result<(), SweepError> {
        let is_json = |bytes: &[u8]| bytes.starts_with(b"{\n  \"made\"");
        let outputs = [(&self.json, is_json as fn(&[u8]) -> bool), (&self.page, page::is_beginning)];
        for (path, is_ours) in outputs {
            if let Some(path) = path {
                files::ensure_overwritable(path, is_ours)
                    .map_err(|reason| SweepError::File { path: path.clone(), reason })?;
            }
        }
        Ok(())
    }
}

const DEFAULT_NODES: u64 = 200_000;

fn range(text: &str) -> Result<(u64, u64), String> {
    let pair =
        text.split_once("..").and_then(|(first, last)| Some((first.parse().ok()?, last.parse().ok()?)));
    pair.filter(|(first, last)| first <= last).ok_or_else(|| "expected FIRST..LAST, such as 0..89".to_owned())
}

/// Why a sweep failed.
#[derive(Debug, Error)]
pub enum SweepError {
    /// A file of results.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// The record beside it.
    #[error(transparent)]
    Record(#[from] ManifestError),
    /// Not in the set.
    #[error("--range: set {set} has the numbers 0 to {most}, found {found}")]
    Range {
        set: &'static str,
        /// Its last number.
        most: u64,
        /// What was given.
        found: u64,
    },
    /// Parts that do not belong together.
    #[error("{} and {} were made in different ways; see the .json files beside them", first.display(), second.display())]
    Mixed {
        /// A part.
        first: PathBuf,
        /// Another.
        second: PathBuf,
    },
    /// The same file is to be read and written.
    #[error("{}: would be read and written at the same time; the file to write comes first, then the parts", .0.display())]
    Clash(PathBuf),
    /// Results without a record.
    #[error("{}: the record {} is missing", file.display(), record.display())]
    NoRecord {
        /// The results.
        file: PathBuf,
        /// Where the record should be.
        record: PathBuf,
    },
    /// JSON or page cannot be written.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: std::io::Error,
    },
    /// No memory.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Standard output.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A record names a set that there is not.
    #[error("the record beside the first file: no set is called '{0}'")]
    Set(String),
}

/// How a sweep was made; stands beside its results.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Record {
    generator: String,
    network: String,
    set: String,
    range: Option<(u64, u64)>,
    sample: Option<u64>,
    seed: u64,
    nodes: Option<u64>,
    depth: Option<i32>,
    movetime: Option<i64>,
    hash: usize,
    /// Which of how many parts.
    shard: Shard,
}

impl Record {
    fn new(arguments: &RunArguments) -> Self {
        let RunArguments { range, sample, seed, depth, movetime, hash, shard, .. } = *arguments;
        let unlimited = arguments.nodes.is_none() && depth.is_none() && movetime.is_none();
        Self {
            generator: version::GENERATOR.to_owned(),
            network: format!("{:016x}", Network::embedded().checksum()),
            set: arguments.set.name.to_owned(),
            range,
            sample,
            seed,
            nodes: if unlimited { Some(DEFAULT_NODES) } else { arguments.nodes },
            depth,
            movetime,
            hash,
            shard,
        }
    }

    fn limits(&self) -> Limits {
        Limits { nodes: self.nodes, depth: self.depth, move_time: self.movetime, ..Limits::default() }
    }

    /// The limits in words.
    fn effort(&self) -> String {
        let words = [
            self.nodes.map(|nodes| format!("{nodes} nodes")),
            self.depth.map(|depth| format!("depth {depth}")),
            self.movetime.map(|movetime| format!("{movetime} ms")),
        ];
        words.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// Runs the command.
///
/// # Errors
/// When results cannot be read or written.
pub fn run(arguments: &Arguments) -> Result<ExitStatus, SweepError> {
    match (&arguments.command, &arguments.run.file) {
        (Some(SweepCommand::Merge { file, parts, anyway, outputs }), _) => {
            let status = merge::merge(file, parts, outputs)?;
            Ok(if *anyway { ExitStatus::Success } else { status })
        }
        (None, Some(file)) => sweep(file, &arguments.run),
        (None, None) => unreachable!("the file is required where there is no subcommand"),
    }
}

fn sweep(file: &Path, arguments: &RunArguments) -> Result<ExitStatus, SweepError> {
    let record = Record::new(arguments);
    let numbers = numbers(&record, arguments.set)?;
    arguments.outputs.check()?;
    results::check(file)?;
    manifest::agree(file, &record)?;
    let expected: HashSet<u64> = numbers.iter().copied().collect();
    let fen_of = |number| {
        let board = arguments.set.position(number).filter(|_| expected.contains(&number));
        board.map(|board| board.fen(FenStyle::Shredder))
    };
    let (mut appender, rows) = Appender::open(file, fen_of)?;
    let done: HashSet<u64> = rows.iter().map(|row| row.number).collect();
    let todo: Vec<u64> = numbers.iter().copied().filter(|number| !done.contains(number)).collect();

    let mut searchers = (0..arguments.threads.unwrap_or_else(available_threads).max(1))
        .map(|_| LocalSearcher::new(Network::embedded(), record.hash))
        .collect::<Result<Vec<_>, _>>()?;
    interrupt::stop_on_interrupt(searchers.iter().map(LocalSearcher::control).collect());
    let mut progress = Progress::new(numbers.len() as u64, "positions", done.len() as u64);
    let mut count = done.len() as u64;
    let boards = todo.iter().filter_map(|&number| Some((number, arguments.set.position(number)?)));
    let search = |searcher: &mut LocalSearcher, (number, board): (u64, Board)| {
        let row = evaluate(searcher, number, &board, &record);
        (!interrupt::happened()).then_some(row)
    };
    in_order(&mut searchers, boards, search, |row| {
        count += 1;
        progress.set(count, || format!("SP {}: {:+.2}", row.number, f64::from(row.score) / 100.0));
        appender.add(&row)?;
        Ok::<_, SweepError>(ControlFlow::Continue(()))
    })?;
    progress.finish();
    if interrupt::happened() {
        eprint_line("interrupted; the same command goes on");
        return Ok(ExitStatus::Interrupted);
    }
    let rows = results::write_sorted(file, results::read(file)?)?;
    present(&rows, &record, &arguments.outputs)?;
    Ok(ExitStatus::Success)
}

/// The numbers to look at, of this shard.
fn numbers(record: &Record, set: &StartSet) -> Result<Vec<u64>, SweepError> {
    let count = set.count();
    let (first, last) = record.range.unwrap_or((0, count - 1));
    if last >= count {
        return Err(SweepError::Range { set: set.name, most: count - 1, found: last });
    }
    let numbers: Vec<u64> = match record.sample.filter(|&sample| sample < count) {
        Some(sample) => {
            let mut random = Random::new(record.seed);
            let mut drawn = HashSet::new();
            while (drawn.len() as u64) < sample {
                drawn.insert(random.below(count));
            }
            let mut drawn: Vec<u64> = drawn.into_iter().collect();
            drawn.sort_unstable();
            drawn
        }
        None => (first..=last).collect(),
    };
    let own = |&(index, _): &(usize, u64)| record.shard.owns(index as u64);
    Ok(numbers.into_iter().enumerate().filter(own).map(|(_, number)| number).collect())
}

fn evaluate(solo: &mut LocalSearcher, number: u64, board: &Board, record: &Record) -> Row {
    solo.new_game();
    let outcome = solo.search(board, record.limits());
    let line = Variation::of_outcome(board, &outcome);
    let (white, black) = startpos::start_numbers(board).unwrap_or_default();
    let letters = |number| {
        startpos::back_rank(number).map_or_else(String::new, |rank| startpos::back_rank_letters(&rank))
    };
    let [win, draw, loss] = line.wdl;
    Row {
        number,
        white,
        black,
        pieces: if white == black {
            letters(white)
        } else {
            format!("{} {}", letters(white), letters(black))
        },
        fen: board.fen(FenStyle::Shredder),
        depth: outcome.depth,
        score: normalized(outcome.score, board),
        win,
        draw,
        loss,
        nodes: outcome.nodes,
        line: super::analyse::variation::numbered(board, &line.san),
    }
}

/// The summary, and what else is wanted of the results.
fn present(rows: &[Row], record: &Record, outputs: &Outputs) -> Result<(), SweepError> {
    let Some(summary) = Summary::of(rows) else {
        return Ok(print_line("no positions")?);
    };
    print_line(&summary.table())?;
    let write = |path: &PathBuf, text: String| {
        files::replace(path, text.as_bytes())
            .map_err(|reason| SweepError::File { path: path.clone(), reason })
    };
    let everything = serde_json::json!({ "made": record, "summary": summary, "positions": rows });
    if let Some(path) = &outputs.json {
        write(path, format!("{everything:#}\n"))?;
    }
    if let Some(path) = &outputs.page {
        write(path, page::html(everything, &record.effort()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::util::files::fault::{survives_kills, whole_file};

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn sweep_of(file: &Path) -> Result<ExitStatus, SweepError> {
        let line = ["sweep", file.to_str().unwrap(), "--range", "515..519", "--nodes", "50", "--hash", "1"];
        run(&Line::parse_from(line).arguments)
    }

    #[test]
    fn a_sweep_survives_kills() {
        survives_kills(12, whole_file, |folder| sweep_of(&folder.join("r.csv")));
    }

    #[test]
    fn what_a_sweep_did_not_write_is_refused_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("r.csv");
        sweep_of(&file).unwrap();
        let ours = std::fs::read_to_string(&file).unwrap();
        let lines: Vec<&str> = ours.lines().collect();
        let duplicate = format!("{ours}{}\n", lines[1]);
        let renumbered = ours.replace("\n516,", "\n517,");
        let outside = ours.replace("\n516,", "\n16,");
        let foreign = "dear diary\nnothing happened".to_owned();
        for (text, complaint) in [
            (duplicate, "line 7: a position that an earlier line has"),
            (renumbered, "line 3: not a position of this sweep"),
            (outside, "line 3: not a position of this sweep"),
            (foreign, "holds something else"),
        ] {
            std::fs::write(&file, &text).unwrap();
            let error = sweep_of(&file).unwrap_err().to_string();
            assert!(error.contains(complaint), "{error}");
            assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
        }
    }
}
