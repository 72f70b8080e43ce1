//! `enroque-tools prep`: prepares a player for a Chess960 start with facts, first moves, plans, traps and advice.

mod advice;
mod arguments;
mod preparation;
mod sheet;
mod survey;

use anyhow::{Result, ensure};
use serde_json::json;

pub use self::arguments::Arguments;
use self::preparation::{Preparation, SEARCHES};
use self::sheet::Sheet;
use crate::page;
use crate::searcher::{Searcher, Settings};
use enroque::chess::startpos::{START_SETS, StartSet};
use enroque::chess::{Board, Color};
use enroque::terminal::{ExitStatus, eprint_line};
use enroque_runs::interrupt;
use enroque_runs::progress::Progress;
use enroque_study::start_text::by_text;

const PAGE: &str = include_str!("page.html");
pub fn run(arguments: &Arguments) -> Result<ExitStatus> {
    let boards = arguments.starts.iter().map(|text| start(text)).collect::<Result<Vec<Board>>>()?;
    if let Some(path) = &arguments.page {
        page::check(path, PAGE)?;
    }
    let Arguments { hash, threads, .. } = *arguments;
    let mut searcher = Searcher::new(&Settings { hash, threads, multi_pv: 1, syzygy: None })?;
    interrupt::stop_on_interrupt(vec![searcher.control()]);
    let limits = arguments.limits();
    let mut progress = Progress::new(SEARCHES * boards.len() as u64, "searches", 0);
    let mut sheets = Vec::new();
    for (index, board) in boards.iter().enumerate() {
        let mut count = SEARCHES * index as u64;
        let done = || {
            count += 1;
            progress.set(count, || arguments.starts[index].clone());
        };
        let prepared = Preparation::of(&mut searcher, board, usize::from(arguments.lines), &limits, done);
        if interrupt::happened() {
            progress.finish();
            return Ok(ExitStatus::Interrupted);
        }
        let sheet = Sheet::of(&prepared?);
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
    let board = by_text(chess960, text)?;
    ensure!(board.side_to_move() == Color::White, "not a start position: Black is to move in '{text}'");
    Ok(board)
}
