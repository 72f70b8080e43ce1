//! `enroque-tools puzzles`: finds tactics with exactly one solution, in games or self-play.

mod arguments;
mod finder;
mod games;
mod outputs;
mod phase;
mod puzzle;
mod results;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use anyhow::Result;

pub use self::arguments::Arguments;
use self::finder::{Dropped, Finder, Found, Reason};
use self::games::Games;
use self::puzzle::{MAX_GRADE, Played, Selection};
use self::results::{PuzzlesManifest, SearchedGame};
use super::searcher::{Searcher, Settings};
use enroque::terminal::{ExitStatus, eprint_line};
use enroque_runs::interrupt;
use enroque_runs::manifest;
use enroque_runs::parallel::{in_order, thread_count};
use enroque_runs::progress::Progress;
use enroque_runs::rows::{self, Row as _, Rows};
use enroque_runs::wrap::fit;

pub fn run(arguments: &Arguments) -> Result<ExitStatus> {
    let files = games::read_files(&arguments.games)?;
    let games = Games::new(&files, &arguments.starts, arguments.seed)?;
    outputs::check(arguments)?;
    rows::ensure_overwritable(&arguments.file, &[SearchedGame::ENCODING])?;
    manifest::agree(&arguments.file, &PuzzlesManifest::new(arguments, &files))?;
    let mut tally = Tally { searched: 0, dropped: Vec::new(), selection: Selection::new(arguments.count) };
    let mut results = results::open(&arguments.file, |mut row| {
        if !tally.selection.is_full() {
            tally.take(&mut row);
        }
    })?;
    if !tally.selection.is_full() {
        search(arguments, &games, &mut results, &mut tally)?;
    }
    let Tally { searched, dropped, selection } = tally;
    let puzzles = selection.sorted();
    outputs::write(&puzzles, arguments)?;
    eprint_line(&fit(&summary(arguments, &puzzles, searched)));
    if !dropped.is_empty() {
        eprint_line(&fit(&reasons(&dropped)));
    }
    if interrupt::happened() {
        eprint_line("interrupted; run the same command to resume");
        return Ok(ExitStatus::Interrupted);
    }
    let is_complete = puzzles.len() as u64 == arguments.count || !files.is_empty();
    Ok(ExitStatus::of_check(is_complete))
}

/// What we have found so far.
struct Tally {
    /// Number of games searched.
    searched: u64,
    dropped: Vec<Dropped>,
    selection: Selection,
}

impl Tally {
    /// Counts a game, offers its puzzle to the set, and notes in the row whether the set had no place for it.
    fn take(&mut self, row: &mut SearchedGame) {
        self.searched += 1;
        self.dropped.extend(row.dropped.iter().cloned());
        row.surplus = row.puzzle.clone().is_some_and(|puzzle| !self.selection.add(puzzle));
    }
}

/// Looks for puzzles in the games that were not searched yet, until the selection is full or no game is left.
fn search(
    arguments: &Arguments,
    games: &Games<'_>,
    results: &mut Rows<SearchedGame>,
    tally: &mut Tally,
) -> Result<()> {
    let threads = thread_count(arguments.threads);
    let settings = Settings { hash: arguments.hash as usize, threads: 1, multi_pv: 1, syzygy: None };
    let mut searchers = Searcher::several(threads, &settings)?;
    interrupt::stop_on_interrupt(searchers.iter().map(Searcher::control).collect());
    let mut progress = Progress::new(arguments.count, "puzzles", tally.selection.len());
    let work = |searcher: &mut Searcher, game: u64| {
        let found = found_in(games, game, arguments, searcher);
        found.map(|Found { puzzle, dropped }| SearchedGame { game, puzzle, dropped, surplus: false })
    };
    let jobs = tally.searched..games.len(arguments.count);
    in_order(&mut searchers, jobs, work, |row: Result<SearchedGame>| {
        let mut row = row?;
        tally.take(&mut row);
        results.add(&row)?;
        progress.set(tally.selection.len(), || format!("{} games", tally.searched));
        anyhow::Ok(if tally.selection.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    progress.finish();
    Ok(())
}

fn found_in(games: &Games<'_>, game: u64, arguments: &Arguments, searcher: &mut Searcher) -> Result<Found> {
    let Some(game) = games.game(game, searcher)? else { return Ok(Found::default()) };
    Finder::new(searcher, arguments.nodes, &arguments.phases, arguments.moves).find(&game)
}

/// Says how many candidates were dropped for each reason.
fn reasons(dropped: &[Dropped]) -> String {
    let mut counts = BTreeMap::<Reason, usize>::new();
    for each in dropped {
        *counts.entry(each.reason).or_default() += 1;
    }
    let counts = counts.iter().map(|(reason, count)| format!("\n{count:>6}  {}", reason.text()));
    format!("dropped candidates: {}; the move ...{}", dropped.len(), counts.collect::<String>())
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
