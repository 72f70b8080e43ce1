//! `enroque perft`: leaves of the move tree, by root move, or against the counts of a suite.

use std::path::{Path, PathBuf};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};
use thiserror::Error;

use super::position::{self, PositionError};
use super::text_file::{self, Text, TextError};
use crate::chess::perft::{MAX_PERFT_DEPTH, PerftTable, perft_parallel};
use crate::chess::{Board, CastlingNotation, CastlingRules};
use crate::commands::perft::print_counts;
use crate::terminal::{ExitStatus, OutputError, print_line};

/// What to count.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  enroque perft 6                                    from the orthodox start position
  enroque perft 5 --fen 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1'
  enroque perft 6 --epd suite.epd --threads 2        every count of a suite up to depth 6
A suite has one position a line with its counts after it: FEN ;D1 20 ;D2 400, and before it, where it differs, the name
of its castling rules: nearest FEN ;D1 20")]
pub struct Arguments {
    /// How many plies deep; with --epd the deepest count to check
    #[arg(value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_PERFT_DEPTH)))]
    depth: u32,
    /// The position: a FEN in any dialect, sp:NUMBER, dfrc:WHITE:BLACK, SET:NUMBER, or a back rank in letters
    #[arg(long, conflicts_with = "epd")]
    fen: Option<String>,
    /// A suite to check
    #[arg(long)]
    epd: Option<PathBuf>,
    /// Threads; all cores when left out
    #[arg(long)]
    threads: Option<usize>,
    /// MiB of hash table for counts of positions met again; none when left out
    #[arg(long)]
    hash: Option<usize>,
    /// How castling is laid out
    #[arg(long, default_value = "fischer", value_parser = super::castling_rules())]
    castling: CastlingRules,
}

/// Why a perft could not be run.
#[derive(Debug, Error)]
pub enum PerftError {
    /// The position is not one.
    #[error("--fen: {0}")]
    Position(#[from] PositionError),
    /// The suite cannot be read.
    #[error("{}: {reason}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: std::io::Error,
    },
    /// The suite is no text.
    #[error("{}: {reason}", path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// What it is.
        reason: TextError,
    },
    /// The suite asks for nothing.
    #[error("{}: no counts up to depth {depth}; a line is 'FEN ;D1 20 ;D2 400'", path.display())]
    Nothing {
        /// The file.
        path: PathBuf,
        /// How deep was asked for.
        depth: u32,
    },
    /// A line of the suite is wrong.
    #[error("{}, line {line}: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// The machine has not so much memory.
    #[error("--hash: expected MiB that this machine can give, found {0}")]
    Memory(usize),
    /// The threads cannot be started.
    #[error("--threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// Standard output.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// Runs the tool; `false` when a count of the suite is wrong.
///
/// # Errors
/// When the position or the suite cannot be read.
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

/// A position of a suite with the counts to check, by depth.
struct Case {
    line: usize,
    fen: String,
    board: Board,
    counts: Vec<(u32, u64)>,
}

fn check_suite(
    path: &Path,
    arguments: &Arguments,
    count: impl Fn(&Board, u32) -> u64 + Sync,
) -> Result<ExitStatus, PerftError> {
    let cases = read_suite(path, arguments.castling)?;
    let is_wanted = |(depth, _): &(u32, u64)| *depth <= arguments.depth;
    if !cases.iter().any(|case| case.counts.iter().any(is_wanted)) {
        return Err(PerftError::Nothing { path: path.to_owned(), depth: arguments.depth });
    }
    let style =
        ProgressStyle::with_template("{bar:32} {pos}/{len} positions, {elapsed} gone, {eta} left  {msg}");
    let bar = ProgressBar::new(cases.len() as u64);
    if let Ok(style) = style {
        bar.set_style(style);
    }
    let start = Instant::now();
    let (mut nodes, mut checked, mut wrong) = (0, 0, 0);
    for case in &cases {
        for &(depth, expected) in case.counts.iter().filter(|(depth, _)| *depth <= arguments.depth) {
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
        nodes as f64 / seconds.max(1e-9) / 1e6,
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
        // A line may say its own castling rules first.
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
