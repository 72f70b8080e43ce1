//! `enroque-tools puzzles`: finds opening tactics with exactly one solution, in games or self-play.

mod arguments;
mod finder;
mod games;
mod outputs;
mod puzzle;
mod results;

use std::ops::ControlFlow;

use anyhow::Result;

pub use self::arguments::Arguments;
use self::finder::Finder;
use self::games::Games;
use self::puzzle::{MAX_GRADE, Played, Puzzle, Selection};
use self::results::{PuzzlesManifest, SearchedGame};
use super::searcher::{Searcher, Settings};
use enroque::terminal::{ExitStatus, eprint_line};
use enroque::util::parallel::available_threads;
use enroque_runs::interrupt;
use enroque_runs::manifest;
use enroque_runs::parallel::in_order;
use enroque_runs::progress::Progress;
use enroque_runs::rows::{self, Row as _, Rows};
use enroque_runs::wrap::fit;

pub fn run(arguments: &Arguments) -> Result<ExitStatus> {
    let files = games::read_files(&arguments.games)?;
    let games = Games::new(&files, &arguments.starts, arguments.seed)?;
    outputs::check(arguments)?;
    rows::ensure_overwritable(&arguments.file, &[SearchedGame::ENCODING])?;
    manifest::agree(&arguments.file, &PuzzlesManifest::new(arguments, &files))?;
    let mut searched = 0;
    let mut selection = Selection::new(arguments.count);
    let mut results = results::open(&arguments.file, |row| {
        if !selection.is_full() {
            searched += 1;
            row.puzzle.into_iter().for_each(|puzzle| selection.add(puzzle));
        }
    })?;
    if !selection.is_full() {
        search(arguments, &games, &mut searched, &mut results, &mut selection)?;
    }
    let puzzles = selection.sorted();
    outputs::write(&puzzles, arguments)?;
    eprint_line(&fit(&summary(arguments, &puzzles, searched)));
    if interrupt::happened() {
        eprint_line("interrupted; run the same command to resume");
        return Ok(ExitStatus::Interrupted);
    }
    let is_complete = puzzles.len() as u64 == arguments.count || !files.is_empty();
    Ok(ExitStatus::of_check(is_complete))
}

/// Looks for puzzles in the games, starting at index `searched`, until the selection is full or no game is left.
fn search(
    arguments: &Arguments,
    games: &Games<'_>,
    searched: &mut u64,
    results: &mut Rows<SearchedGame>,
    selection: &mut Selection,
) -> Result<()> {
    let threads = arguments.threads.unwrap_or_else(available_threads).max(1);
    let settings = Settings { hash: arguments.hash as usize, threads: 1, multi_pv: 1, syzygy: None };
    let mut searchers = Searcher::several(threads, &settings)?;
    interrupt::stop_on_interrupt(searchers.iter().map(Searcher::control).collect());
    let mut progress = Progress::new(arguments.count, "puzzles", selection.len());
    let work = |searcher: &mut Searcher, game: u64| {
        let result = puzzle_of(games, game, arguments, searcher).map(|puzzle| SearchedGame { game, puzzle });
        (!interrupt::happened()).then_some(result)
    };
    let jobs = *searched..games.len(arguments.count);
    in_order(&mut searchers, jobs, work, |row: Result<SearchedGame>| {
        let row = row?;
        results.add(&row)?;
        *searched += 1;
        row.puzzle.into_iter().for_each(|puzzle| selection.add(puzzle));
        progress.set(selection.len(), || format!("{searched} games"));
        anyhow::Ok(if selection.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    progress.finish();
    Ok(())
}

fn puzzle_of(
    games: &Games<'_>,
    game: u64,
    arguments: &Arguments,
    searcher: &mut Searcher,
) -> Result<Option<Puzzle>> {
    let Some(opening) = games.opening(game, arguments.moves, searcher)? else { return Ok(None) };
    Finder::new(searcher, arguments.nodes).find(&opening)
}

/// Says how many puzzles of each grade the set has, and how many games we searched.
fn summary(arguments: &Arguments, puzzles: &[Played], searched: u64) -> String {
    let grades = (1..=MAX_GRADE).map(|grade| {
        let count = puzzles.iter().filter(|played| played.puzzle.grade() == grade).count();
        format!("grade {grade}: {count}")
    });
    let file = arguments.file.display();
    let wanted = arguments.count;
    let grades = grades.collect::<Vec<_>>().join(", ");
    format!("{file}: {} of {wanted} puzzles from {searched} games; {grades}", puzzles.len())
}
