//! `enroque-tools prep`: prepares a player for a Chess960 start with facts, first moves, plans, traps and advice.

mod advice;
mod sheet;
mod survey;

use std::path::PathBuf;

use anyhow::{Result, ensure};
use serde_json::json;

use super::searcher::{Effort, Searcher};
use crate::page;
use crate::startpos::starts;
use enroque::chess::startpos::{START_SETS, StartSet};
use enroque::chess::{Board, Color};
use enroque::terminal::{ExitStatus, eprint_line};
use enroque_runs::interrupt;
use enroque_runs::progress::Progress;

const PAGE: &str = include_str!("page.html");
/// How many nodes the search for candidate moves may take if --nodes is not given.
const DEFAULT_NODES: u64 = 8_000_000;
/// How many milliseconds the search for candidate moves may take if --nodes is not given. The searches for traps get
/// limits in proportion, so that a start takes at most a minute.
const DEFAULT_MOVE_TIME: u64 = 20_000;
const MAX_THREADS: u64 = 1024;

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
    starts: Vec<String>,
    /// Node limit of the search for candidate moves; the searches for traps together take one and a half times as many
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Number of candidate first moves
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=8))]
    lines: u16,
    /// Write an HTML page to read or print, instead of text
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
    /// Print one line of JSON for each start
    #[arg(long, conflicts_with = "page")]
    json: bool,
    /// Search threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=MAX_THREADS))]
    threads: u64,
    /// Hash table size in MiB
    #[arg(long, value_name = "MIB", default_value_t = 128, value_parser = clap::value_parser!(u64).range(1..))]
    hash: u64,
}

pub fn run(arguments: &Arguments) -> Result<ExitStatus> {
    let boards = arguments.starts.iter().map(|text| start(text)).collect::<Result<Vec<Board>>>()?;
    if let Some(path) = &arguments.page {
        page::check(path, PAGE)?;
    }
    let mut searcher = Searcher::new(arguments.threads, arguments.hash)?;
    interrupt::stop_on_interrupt(vec![searcher.control()]);
    let effort = match arguments.nodes {
        Some(nodes) => Effort::nodes(nodes),
        None => Effort { nodes: DEFAULT_NODES, move_time: Some(DEFAULT_MOVE_TIME) },
    };
    let mut progress = Progress::new(sheet::SEARCHES * boards.len() as u64, "searches", 0);
    let mut sheets = Vec::new();
    for (index, board) in boards.iter().enumerate() {
        let mut count = sheet::SEARCHES * index as u64;
        let done = || {
            count += 1;
            progress.set(count, || arguments.starts[index].clone());
        };
        let prepared = sheet::prepare(&mut searcher, board, usize::from(arguments.lines), effort, done);
        if interrupt::happened() {
            progress.finish();
            return Ok(ExitStatus::Interrupted);
        }
        let sheet = prepared?;
        if arguments.json {
            progress.print_line(&serde_json::to_string(&sheet)?)?;
        } else if arguments.page.is_none() {
            let separator = if index == 0 { "" } else { "\n\n" };
            progress.print_line(&format!("{separator}{}", sheet.text(board)))?;
        }
        sheets.push(sheet);
    }
    progress.finish();
    if let Some(path) = &arguments.page {
        page::write(path, PAGE, json!({ "sheets": sheets }))?;
        let plural = if sheets.len() == 1 { "" } else { "s" };
        eprint_line(&format!("{}: {} start{plural}", path.display(), sheets.len()));
    }
    Ok(ExitStatus::Success)
}

fn start(text: &str) -> Result<Board> {
    let chess960 = StartSet::by_name("chess960").unwrap_or(&START_SETS[0]);
    let board = starts::by_text(chess960, text)?;
    ensure!(board.side_to_move() == Color::White, "not a start position: Black is to move in '{text}'");
    Ok(board)
}
