//! `enroque perft`: leaf counts of the legal move tree by root move, or checked against a suite.

use std::path::{Path, PathBuf};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};
use thiserror::Error;

use super::text_file::{self, Text, TextError};
use crate::chess::perft::{MAX_PERFT_DEPTH, PerftTable, perft_parallel};
use crate::chess::position::{self, PositionError};
use crate::chess::{Board, CastlingNotation, CastlingRules};
use crate::commands::perft::print_counts;
use crate::terminal::{ExitStatus, OutputError, print_line};

/// Count the leaves of the legal move tree, or check a suite of counts
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  enroque perft 6                              from the orthodox start position
  enroque perft 5 --fen 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1'
  enroque perft 6 --epd suite.epd --threads 2  every count up to depth 6

A line of a suite is a position with its counts: FEN ;D1 20 ;D2 400. The name of its castling rules may precede the \
FEN: nearest FEN ;D1 20")]
pub struct Arguments {
    /// Depth in plies; with --epd the largest depth to check
    #[arg(value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_PERFT_DEPTH)))]
    depth: u32,
    /// Position: a FEN in any dialect, sp:NUMBER, dfrc:WHITE:BLACK, SET:NUMBER, or a back rank in letters
    #[arg(long, conflicts_with = "epd")]
    fen: Option<String>,
    /// Suite of positions and counts to check
    #[arg(long)]
    epd: Option<PathBuf>,
    /// Number of threads; default: number of cores
    #[arg(long, value_name = "N", value_parser = crate::runs::parallel::parse_threads)]
    threads: Option<usize>,
    /// Size in MiB of a hash table for repeated positions; default: no table
    #[arg(long, value_name = "MIB")]
    hash: Option<usize>,
    /// Castling rules
    #[arg(long, default_value = "fischer", value_parser = super::castling_rules())]
    castling: CastlingRules,
}

/// Error of the `perft` command.
#[derive(Debug, Error)]
pub enum PerftError {
    /// Text of `--fen` that names no position.
    #[error("--fen: {0}")]
    Position(#[from] PositionError),
    /// Suite that cannot be read.
    #[error("{}: {reason}", path.display())]
    Read {
        /// File of the suite.
        path: PathBuf,
        /// Error of the system.
        reason: std::io::Error,
    },
    /// Suite that is not a text file.
    #[error("{}: {reason}", path.display())]
    Text {
        /// File of the suite.
        path: PathBuf,
        /// Kind of its content.
        reason: TextError,
    },
    /// Suite without counts up to the depth.
    #[error("{}: no counts up to depth {depth}; a line is 'FEN ;D1 20 ;D2 400'", path.display())]
    Nothing {
        /// File of the suite.
        path: PathBuf,
        /// Largest depth to check.
        depth: u32,
    },
    /// Invalid line of the suite.
    #[error("{}, line {line}: {reason}", path.display())]
    Line {
        /// File of the suite.
        path: PathBuf,
        /// Line number from 1.
        line: usize,
        /// Description of the error.
        reason: String,
    },
    /// Hash table beyond the memory, in MiB.
    #[error("--hash: expected MiB that this machine can give, found {0}")]
    Memory(usize),
    /// Threads that cannot be started.
    #[error("--threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// Standard output that cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// Runs the command; a wrong count of the suite is a failed check.
///
/// # Errors
/// Returns an error if the position or the suite cannot be read, or if memory, threads or standard output fail.
pub fn run(arguments: &Arguments) -> Result<ExitStatus, PerftError> {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(arguments.threads.unwrap_or(0)).build()?;
    let table = |mebibytes| PerftTable::new(mebibytes).ok_or(PerftError::Memory(mebibytes));
    let table = arguments.hash.map(table).transpose()?;
    let count = |board: &Board, depth| match &table {
        Some(table) => table.perft(board, depth),
        None => perft_parallel(board, depth),
    };
    if let Some(path) = &arguments.epd {
        return threads.install(|| check_suite(path, arguments, count));
    }
    let board = match &arguments.fen {
        Some(fen) => position::parse(fen, arguments.castling)?,
        None => position::parse("startpos", arguments.castling)?,
    };
    threads.install(|| print_counts(&board, arguments.depth, CastlingNotation::KingTakesRook, count))?;
    Ok(ExitStatus::Success)
}

/// Smallest divisor for speeds, in seconds.
const MIN_SECONDS: f64 = 1e-9;

/// Position of a suite.
struct Case {
    line: usize,
    fen: String,
    board: Board,
    /// Pairs of depth and expected count.
    counts: Vec<(u32, u64)>,
}

fn check_suite(
    path: &Path,
    arguments: &Arguments,
    count: impl Fn(&Board, u32) -> u64 + Sync,
) -> Result<ExitStatus, PerftError> {
    let cases = read_suite(path, arguments.castling)?;
    let is_checked = |(depth, _): &(u32, u64)| *depth <= arguments.depth;
    if !cases.iter().any(|case| case.counts.iter().any(is_checked)) {
        return Err(PerftError::Nothing { path: path.to_owned(), depth: arguments.depth });
    }
    let style =
        ProgressStyle::with_template("{bar:32} {pos}/{len} positions, {elapsed} elapsed, {eta} left  {msg}");
    let bar = ProgressBar::new(cases.len() as u64);
    if let Ok(style) = style {
        bar.set_style(style);
    }
    let start = Instant::now();
    let (mut nodes, mut checked, mut wrong) = (0, 0, 0);
    for case in &cases {
        for &(depth, expected) in case.counts.iter().filter(|count| is_checked(count)) {
            let found = count(&case.board, depth);
            nodes += found;
            checked += 1;
            if found != expected {
                wrong += 1;
                bar.suspend(|| {
                    let Case { line, fen, .. } = case;
                    print_line(&format!(
                        "line {line}, depth {depth}: expected {expected}, counted {found}: {fen}"
                    ))
                })?;
            }
        }
        bar.inc(1);
        bar.set_message(if wrong > 0 { format!("{wrong} wrong") } else { String::new() });
    }
    bar.finish_and_clear();
    let seconds = start.elapsed().as_secs_f64();
    print_line(&format!(
        "{}: {} positions, {checked} counts, {wrong} wrong; {nodes} nodes in {seconds:.1} s, {:.1} million nodes/s",
        if wrong == 0 { "PASS" } else { "FAIL" },
        cases.len(),
        nodes as f64 / seconds.max(MIN_SECONDS) / 1e6,
    ))?;
    Ok(ExitStatus::of_check(wrong == 0))
}

fn read_suite(path: &Path, rules: CastlingRules) -> Result<Vec<Case>, PerftError> {
    let bytes = std::fs::read(path).map_err(|reason| PerftError::Read { path: path.to_owned(), reason })?;
    let Text { text, .. } =
        text_file::decode(bytes).map_err(|reason| PerftError::Text { path: path.to_owned(), reason })?;
    let mut cases = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line_error = |reason: String| PerftError::Line { path: path.to_owned(), line: index + 1, reason };
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut parts = line.split(';');
        let position = parts.next().unwrap_or("").trim();
        // The name of the castling rules may precede the FEN.
        let named =
            position.split_once(' ').and_then(|(word, fen)| Some((CastlingRules::from_name(word)?, fen)));
        let (rules, fen) = named.unwrap_or((rules, position));
        let board = Board::from_fen(fen, rules).map_err(|error| line_error(error.to_string()))?;
        let count = |part: &str| -> Option<(u32, u64)> {
            let (depth, nodes) = part.trim().strip_prefix('D')?.split_once(' ')?;
            Some((depth.parse().ok()?, nodes.trim().parse().ok()?))
        };
        let counts = parts
            .map(|part| count(part).ok_or_else(|| line_error(format!("expected ';D1 20', found ';{part}'"))))
            .collect::<Result<_, _>>()?;
        cases.push(Case { line: index + 1, fen: fen.to_owned(), board, counts });
    }
    Ok(cases)
}
