//! `enroque-tools analyse`: analyses positions, test suites and games.

mod analyst;
mod arguments;
pub mod epd;
pub mod findings;
mod game;
pub mod graph;
pub mod judge;
pub mod page;
mod run;

use std::ffi::OsStr;
use std::io::Read;

use anyhow::{Context as _, Result, anyhow, ensure};

#[cfg(test)]
pub(crate) use self::analyst::test_line;
use self::analyst::{Analyst, Report, Style, json_line};
pub use self::arguments::Arguments;
use crate::text::has_extension;
use enroque::chess::startpos::StartNumbers;
use enroque::chess::{Board, FenStyle, position};
use enroque::terminal::{ExitStatus, eprint_line, print_line};
use enroque::util::parallel::available_threads;
use enroque_runs::files::ensure_distinct;
use enroque_runs::interrupt;
use enroque_study::encoding::{self, Text};
use enroque_study::pgn;

/// This argument stands for standard input.
const STANDARD_INPUT: &str = "-";

pub fn run(arguments: &Arguments) -> Result<ExitStatus> {
    // We check all inputs before the first search, because the searches may take hours.
    ensure_distinct(&arguments.inputs, &arguments.outputs())?;
    let inputs =
        arguments.inputs.iter().map(|input| read_input(input, arguments)).collect::<Result<Vec<_>, _>>()?;
    check_options(arguments, &inputs)?;
    let is_position = |input: &Input| matches!(input, Input::Position(_));
    let mut position_analyst = None;
    if inputs.iter().any(is_position) {
        let threads = arguments.threads.unwrap_or(1);
        position_analyst = Some(Analyst::new(arguments, threads, arguments.position_hash(), true)?);
    }
    let mut file_analysts = Vec::new();
    if !inputs.iter().all(is_position) {
        for index in 0..arguments.threads.unwrap_or_else(available_threads).max(1) {
            let reports_tablebases = position_analyst.is_none() && index == 0;
            file_analysts.push(Analyst::new(arguments, 1, arguments.file_hash(), reports_tablebases)?);
        }
    }
    interrupt::stop_on_interrupt(
        position_analyst.iter().chain(&file_analysts).map(Analyst::control).collect(),
    );
    let mut status = ExitStatus::Success;
    let mut games_before = 0;
    for input in inputs {
        status = status.max(match (input, &mut position_analyst) {
            (Input::Position(board), Some(analyst)) => analyse_position(analyst, arguments, &board)?,
            (Input::Position(_), None) => ExitStatus::Success,
            (Input::Suite { file, text }, _) => {
                epd::analyse_suite(&mut file_analysts, arguments, &file, &text)?
            }
            (Input::Games { file, text }, _) => {
                let status = game::analyse_games(&mut file_analysts, arguments, &file, &text, games_before)?;
                games_before += pgn::sections(&text).len();
                status
            }
        });
        if interrupt::happened() {
            return Ok(ExitStatus::Interrupted);
        }
    }
    Ok(status)
}

/// Rejects options that would have no effect on these inputs.
fn check_options(arguments: &Arguments, inputs: &[Input]) -> Result<()> {
    let game_files = inputs.iter().filter(|input| matches!(input, Input::Games { .. })).count();
    let has_one_game_file = game_files == 1;
    let has_only_game_files = game_files == inputs.len();
    let Arguments { output, graph, page, start, me, mate, multipv, .. } = arguments;
    for (option, is_given, has_effect, purpose) in [
        ("--output", output.is_some(), has_one_game_file && has_only_game_files, "one file of games"),
        ("--graph", graph.is_some(), game_files > 0, "files of games"),
        ("--page", page.is_some(), has_one_game_file, "one file of games"),
        ("--start", start.is_some(), game_files > 0, "files of games"),
        ("--me", me.is_some(), game_files > 0, "files of games"),
        ("--mate", mate.is_some(), !has_only_game_files, "positions and suites"),
        ("--multipv", *multipv > 1, !has_only_game_files, "positions and suites"),
    ] {
        ensure!(!is_given || has_effect, "{option} is for {purpose}");
    }
    Ok(())
}

enum Input {
    Position(Box<Board>),
    Suite { file: String, text: String },
    Games { file: String, text: String },
}

fn read_input(path: &OsStr, arguments: &Arguments) -> Result<Input> {
    let input = &*path.to_string_lossy();
    let is_file = input == STANDARD_INPUT
        || std::fs::metadata(path).is_ok_and(|found| !found.is_dir())
        || !position::is_position(input) && input.contains('.');
    if !is_file {
        let board = position::parse(input, arguments.castling)
            .map_err(|error| anyhow!("{error}; a file must exist and end in .epd or .pgn"))?;
        return Ok(Input::Position(Box::new(board)));
    }
    let read = || -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        if input == STANDARD_INPUT {
            std::io::stdin().read_to_end(&mut bytes)?;
        } else {
            std::fs::File::open(path)?.read_to_end(&mut bytes)?;
        }
        Ok(bytes)
    };
    let file = if input == STANDARD_INPUT { "standard input" } else { input }.to_owned();
    let bytes = read().with_context(|| file.clone())?;
    let Text { text, was_latin1 } = encoding::decode(&bytes).with_context(|| file.clone())?;
    if was_latin1 {
        eprint_line(&format!("{file}: some bytes are not UTF-8; read as Latin-1, written as UTF-8"));
    }
    let is_suite = has_extension(input, "epd") || !has_extension(input, "pgn") && epd::looks_like(&text);
    Ok(if is_suite { Input::Suite { file, text } } else { Input::Games { file, text } })
}

fn analyse_position(analyst: &mut Analyst, arguments: &Arguments, board: &Board) -> Result<ExitStatus> {
    let style = if arguments.json { Style::Silent } else { Style::for_stdout() };
    if style != Style::Silent {
        let name = StartNumbers::of(board).map(|numbers| format!("{}\n", numbers.name()));
        print_line(&format!("{}{}\n", name.unwrap_or_default(), board.fen(FenStyle::XFen)))?;
    }
    let lines = analyst.analyse(board, style, arguments.limits())?.lines;
    if arguments.json {
        print_line(&json_line(&Report::new(board, &lines)))?;
    } else if lines.is_empty() {
        print_line(if board.in_check() { "Checkmate: no legal move." } else { "Stalemate: no legal move." })?;
    }
    Ok(ExitStatus::Success)
}
