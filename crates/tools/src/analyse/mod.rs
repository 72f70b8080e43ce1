//! `enroque-tools analyse`: analyses positions, test suites and games.

mod annotate;
mod arguments;
pub mod epd;
pub mod epd_error;
mod games;
pub mod graph;
mod input;
mod json;
mod live_table;
mod merge;
pub mod page;
pub mod ply;
mod search;
mod store;

use anyhow::{Result, ensure};

use self::arguments::AnalyseCommand;
pub use self::arguments::Arguments;
use self::input::Input;
use self::json::PositionView;
use self::live_table::LiveTable;
use crate::searcher::Searcher;
use enroque::chess::startpos::StartNumbers;
use enroque::chess::{Board, FenStyle};
use enroque::terminal::{ExitStatus, eprint_line, print_line};
use enroque_runs::files::ensure_distinct;
use enroque_runs::interrupt;
use enroque_runs::parallel::thread_count;
use enroque_runs::shard::Shard;

pub fn run(arguments: &Arguments) -> Result<ExitStatus> {
    if let Some(AnalyseCommand::Merge { file, parts, anyway }) = &arguments.command {
        let status = merge::merge(file, parts)?;
        return Ok(if *anyway { ExitStatus::Success } else { status });
    }
    // We check all inputs before the first search, because the searches may take hours.
    ensure_distinct(&arguments.inputs, &arguments.outputs())?;
    arguments.start()?;
    let inputs =
        arguments.inputs.iter().map(|input| Input::read(input, arguments)).collect::<Result<Vec<_>>>()?;
    check_options(arguments, &inputs)?;
    let is_position = |input: &Input| matches!(input, Input::Position(_));
    let has_position = inputs.iter().any(is_position);
    let has_file = !inputs.iter().all(is_position);
    let mut position_searcher =
        has_position.then(|| Searcher::new(&arguments.position_settings())).transpose()?;
    let threads = thread_count(arguments.threads);
    let mut file_searchers =
        Searcher::several(if has_file { threads } else { 0 }, &arguments.file_settings())?;
    let searchers = || position_searcher.iter().chain(&file_searchers);
    if let Some(note) = searchers().find_map(Searcher::tablebases) {
        eprint_line(note);
    }
    interrupt::stop_on_interrupt(searchers().map(Searcher::control).collect());
    let mut status = ExitStatus::Success;
    let mut games_before = 0;
    for input in inputs {
        status = status.max(match (input, &mut position_searcher) {
            (Input::Position(board), Some(searcher)) => analyse_position(searcher, arguments, &board)?,
            (Input::Position(_), None) => ExitStatus::Success,
            (Input::Suite { file, text }, _) => {
                epd::analyse_suite(&mut file_searchers, arguments, &file, &text)?
            }
            (Input::Games(file), _) => {
                let status = games::analyse_games(&mut file_searchers, arguments, &file, games_before)?;
                games_before += file.positions.len();
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
    let game_files = inputs.iter().filter(|input| matches!(input, Input::Games(_))).count();
    let has_one_game_file = game_files == 1;
    let has_only_game_files = game_files == inputs.len();
    let Arguments { output, graph, page, start, me, mate, multipv, shard, .. } = arguments;
    for (option, is_given, has_effect, purpose) in [
        ("--output", output.is_some(), has_one_game_file && has_only_game_files, "one file of games"),
        ("--graph", graph.is_some(), game_files > 0, "files of games"),
        ("--page", page.is_some(), has_one_game_file, "one file of games"),
        ("--start", start.is_some(), game_files > 0, "files of games"),
        ("--me", me.is_some(), game_files > 0, "files of games"),
        ("--shard", *shard != Shard::WHOLE, has_only_game_files, "files of games"),
        ("--mate", mate.is_some(), !has_only_game_files, "positions and suites"),
        ("--multipv", *multipv > 1, !has_only_game_files, "positions and suites"),
    ] {
        ensure!(!is_given || has_effect, "{option} is for {purpose}");
    }
    Ok(())
}

fn analyse_position(searcher: &mut Searcher, arguments: &Arguments, board: &Board) -> Result<ExitStatus> {
    if arguments.json {
        let lines = searcher.analyse(board, arguments.limits(), |_, _| {}).lines;
        print_line(&json::to_line(&PositionView::new(board, &lines)))?;
        return Ok(ExitStatus::Success);
    }
    let name = StartNumbers::of(board).map(|numbers| format!("{}\n", numbers.name()));
    print_line(&format!("{}{}\n", name.unwrap_or_default(), board.fen(FenStyle::XFen)))?;
    let mut table = LiveTable::new(board);
    let control = searcher.control();
    let mut shown = Ok(());
    let analysis = searcher.analyse(board, arguments.limits(), |analysis, place| {
        if shown.is_ok() {
            shown = table.show(analysis, place);
        }
        if shown.is_err() {
            control.stop();
        }
    });
    shown?;
    table.finish(&analysis)?;
    if analysis.lines.is_empty() {
        print_line(if board.in_check() { "Checkmate: no legal move." } else { "Stalemate: no legal move." })?;
    }
    Ok(ExitStatus::Success)
}
