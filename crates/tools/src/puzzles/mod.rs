//! `enroque-tools puzzles`: opening tactics with exactly one solution, from games or self-play.

mod arguments;
mod error;
mod finder;
mod games;
mod line;
mod outputs;
mod page;
mod puzzle;
mod record;
mod results;
mod verdict;

use std::ops::ControlFlow;

use self::finder::Finder;
use self::games::Games;
use self::puzzle::{MAX_GRADE, Played, Puzzle, Selection};
use self::record::Record;
use self::results::{Appender, Row};
use super::prep::PrepError;
use super::prep::searcher::OwnEngine;
use enroque::terminal::{ExitStatus, eprint_line};
use enroque::util::parallel::available_threads;
use enroque_runs::interrupt;
use enroque_runs::manifest;
use enroque_runs::parallel::in_order;
use enroque_runs::progress::Progress;

pub use self::arguments::Arguments;
pub use self::error::PuzzlesError;

/// Runs the command.
///
/// # Errors
/// Returns an error if games cannot be read, the engine fails or an output cannot be written.
pub fn run(arguments: &Arguments) -> Result<ExitStatus, PuzzlesError> {
    let files = games::read_files(&arguments.games)?;
    let games = Games::new(&files, &arguments.starts, arguments.seed)?;
    outputs::check(arguments)?;
    results::check(&arguments.file)?;
    manifest::agree(&arguments.file, &Record::new(arguments, &files))?;
    let (mut appender, rows) = Appender::open(&arguments.file)?;
    let mut searched = 0;
    let mut selection = Selection::new(arguments.count);
    for row in rows {
        if selection.is_full() {
            break;
        }
        searched += 1;
        row.puzzle.into_iter().for_each(|puzzle| selection.add(puzzle));
    }
    if !selection.is_full() {
        search(arguments, &games, &mut searched, &mut appender, &mut selection)?;
    }
    let puzzles = selection.sorted();
    outputs::write(&puzzles, arguments)?;
    eprint_line(&summary(arguments, &puzzles, searched));
    if interrupt::happened() {
        eprint_line("interrupted; run the same command to resume");
        return Ok(ExitStatus::Interrupted);
    }
    let is_complete = puzzles.len() as u64 == arguments.count || !files.is_empty();
    Ok(ExitStatus::of_check(is_complete))
}

/// Searches games from number `searched` on until the selection is full or no game is left.
fn search(
    arguments: &Arguments,
    games: &Games<'_>,
    searched: &mut u64,
    appender: &mut Appender,
    selection: &mut Selection,
) -> Result<(), PuzzlesError> {
    let threads = arguments.threads.unwrap_or_else(available_threads).max(1);
    let start = || OwnEngine::new(1, arguments.hash);
    let mut engines: Vec<OwnEngine> = (0..threads).map(|_| start()).collect::<Result<_, _>>()?;
    interrupt::stop_on_interrupt(engines.iter().map(OwnEngine::control).collect());
    let mut progress = Progress::new(arguments.count, "puzzles", selection.len());
    let work = |engine: &mut OwnEngine, game: u64| {
        let result = puzzle_of(games, game, arguments, engine).map(|puzzle| Row { game, puzzle });
        (!interrupt::happened()).then_some(result)
    };
    let jobs = *searched..games.len(arguments.count);
    in_order(&mut engines, jobs, work, |row: Result<Row, PrepError>| {
        let row = row?;
        appender.add(&row)?;
        *searched += 1;
        row.puzzle.into_iter().for_each(|puzzle| selection.add(puzzle));
        progress.set(selection.len(), || format!("{searched} games"));
        Ok::<_, PuzzlesError>(if selection.is_full() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        })
    })?;
    progress.finish();
    Ok(())
}

fn puzzle_of(
    games: &Games<'_>,
    game: u64,
    arguments: &Arguments,
    engine: &mut OwnEngine,
) -> Result<Option<Puzzle>, PrepError> {
    let Some(opening) = games.opening(game, arguments.moves, engine)? else { return Ok(None) };
    Finder::new(engine, arguments.nodes).find(&opening)
}

/// Describes the set: puzzles of each grade, games, and a shortage.
fn summary(arguments: &Arguments, puzzles: &[(Puzzle, Played)], searched: u64) -> String {
    let grades = (1..=MAX_GRADE).map(|grade| {
        let count = puzzles.iter().filter(|(puzzle, _)| puzzle.grade() == grade).count();
        format!("grade {grade}: {count}")
    });
    let file = arguments.file.display();
    let wanted = arguments.count;
    let grades = grades.collect::<Vec<_>>().join(", ");
    format!("{file}: {} of {wanted} puzzles from {searched} games; {grades}", puzzles.len())
}
