//! `enroque-tools prep`: one page for a player before the game: facts, candidate moves with plans, traps, advice.

mod advice;
mod arguments;
mod error;
mod page;
mod plan;
pub mod searcher;
mod sheet;
mod survey;
mod text;
mod uci;

use self::searcher::{Effort, OwnEngine, Searcher};
use self::sheet::Sheet;
use self::uci::UciEngine;
use crate::analyse::variation::json_line;
use crate::startpos::{StartposError, lookup};
use enroque::chess::startpos::StartSet;
use enroque::chess::{Board, Color};
use enroque::terminal::{ExitStatus, eprint_line};
use enroque_runs::files;
use enroque_runs::interrupt;
use enroque_runs::progress::Progress;

pub use self::arguments::Arguments;
pub use self::error::{PrepError, UciError};

/// Nodes of the search for candidate moves if none are given.
const DEFAULT_NODES: u64 = 8_000_000;
/// Time limit of that search in milliseconds if no nodes are given. With the searches for traps, which have limits in
/// proportion, a start takes at most a minute.
const DEFAULT_MOVE_TIME: u64 = 20_000;

/// Runs the command.
///
/// # Errors
/// Returns an error if an argument is no start position, the engine fails or the output cannot be written.
pub fn run(arguments: &Arguments) -> Result<ExitStatus, PrepError> {
    let boards = arguments.starts.iter().map(|text| start(text)).collect::<Result<Vec<Board>, _>>()?;
    let foreign = boards.iter().position(|board| !board.has_fischer_castling());
    if let (Some(index), Some(_)) = (foreign, &arguments.engine) {
        return Err(PrepError::Rules(arguments.starts[index].clone()));
    }
    let page_error = |reason| {
        let path = arguments.page.clone().unwrap_or_default();
        PrepError::Page { path, reason }
    };
    if let Some(path) = &arguments.page {
        files::ensure_overwritable(path, page::is_beginning).map_err(page_error)?;
    }
    let mut searcher = start_engine(arguments)?;
    let mut progress = Progress::new(sheet::SEARCHES * boards.len() as u64, "searches", 0);
    let mut sheets: Vec<Sheet> = Vec::new();
    for (index, board) in boards.iter().enumerate() {
        let mut count = sheet::SEARCHES * index as u64;
        let done = || {
            count += 1;
            progress.set(count, || arguments.starts[index].clone());
        };
        let prepared =
            sheet::prepare(&mut *searcher, board, usize::from(arguments.lines), effort(arguments), done);
        if interrupt::happened() {
            progress.finish();
            return Ok(ExitStatus::Interrupted);
        }
        let sheet = prepared?;
        if arguments.json {
            progress.print_line(&json_line(&sheet))?;
        } else if arguments.page.is_none() {
            let separator = if index == 0 { "" } else { "\n\n" };
            progress.print_line(&format!("{separator}{}", text::sheet(board, &sheet)))?;
        }
        sheets.push(sheet);
    }
    progress.finish();
    if let Some(path) = &arguments.page {
        files::replace(path, page::html(&sheets).as_bytes()).map_err(page_error)?;
        let plural = if sheets.len() == 1 { "" } else { "s" };
        eprint_line(&format!("{}: {} start{plural}", path.display(), sheets.len()));
    }
    Ok(ExitStatus::Success)
}

fn start(text: &str) -> Result<Board, PrepError> {
    let chess960 = StartSet::by_name("chess960").unwrap_or(&enroque::chess::startpos::START_SETS[0]);
    let board = lookup::by_text(chess960, text)?;
    if board.side_to_move() == Color::Black {
        return Err(StartposError::NotAStart(text.to_owned()).into());
    }
    Ok(board)
}

fn effort(arguments: &Arguments) -> Effort {
    match arguments.nodes {
        Some(nodes) => Effort { nodes, move_time: None },
        None => Effort { nodes: DEFAULT_NODES, move_time: Some(DEFAULT_MOVE_TIME) },
    }
}

fn start_engine(arguments: &Arguments) -> Result<Box<dyn Searcher>, PrepError> {
    let Arguments { threads, hash, .. } = *arguments;
    if let Some(command) = &arguments.engine {
        interrupt::stop_on_interrupt(Vec::new());
        return Ok(Box::new(UciEngine::start(command, threads, hash)?));
    }
    let engine = OwnEngine::new(threads, hash)?;
    interrupt::stop_on_interrupt(vec![engine.control()]);
    Ok(Box::new(engine))
}
