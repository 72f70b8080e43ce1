//! `enroque-tools puzzles`: finds opening tactics with exactly one solution, in games or self-play.

mod finder;
mod games;
mod outputs;
mod puzzle;

use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use self::finder::Finder;
use self::games::Games;
use self::puzzle::{Appender, MAX_GRADE, Played, Puzzle, Record, Row, Selection};
use super::searcher::{Searcher, Settings};
use crate::text::fit;
use enroque::chess::position::{self, PositionError};
use enroque::chess::{Board, CastlingRules};
use enroque::engine::options::MAX_HASH;
use enroque::terminal::{ExitStatus, eprint_line};
use enroque::util::parallel::available_threads;
use enroque_runs::interrupt;
use enroque_runs::manifest;
use enroque_runs::parallel::in_order;
use enroque_runs::progress::Progress;

pub fn run(arguments: &Arguments) -> Result<ExitStatus> {
    let files = games::read_files(&arguments.games)?;
    let games = Games::new(&files, &arguments.starts, arguments.seed)?;
    outputs::check(arguments)?;
    puzzle::check(&arguments.file)?;
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
    appender: &mut Appender,
    selection: &mut Selection,
) -> Result<()> {
    let threads = arguments.threads.unwrap_or_else(available_threads).max(1);
    let settings = Settings { hash: arguments.hash as usize, threads: 1, multi_pv: 1, syzygy: None };
    let mut searchers = Searcher::several(threads, &settings)?;
    interrupt::stop_on_interrupt(searchers.iter().map(Searcher::control).collect());
    let mut progress = Progress::new(arguments.count, "puzzles", selection.len());
    let work = |searcher: &mut Searcher, game: u64| {
        let result = puzzle_of(games, game, arguments, searcher).map(|puzzle| Row { game, puzzle });
        (!interrupt::happened()).then_some(result)
    };
    let jobs = *searched..games.len(arguments.count);
    in_order(&mut searchers, jobs, work, |row: Result<Row>| {
        let row = row?;
        appender.add(&row)?;
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

/// `--count` may ask for at most this many puzzles.
const MAX_COUNT: u64 = 10_000;
/// `--nodes` must be at least this: with a shorter search we couldn't prove that only one move wins.
const MIN_NODES: u64 = 1_000;

/// Parses `--start`. A position given as SET:NUMBER castles by the rules of its set, any other as in Chess960.
fn parse_start(text: &str) -> Result<Board, PositionError> {
    position::parse(text, CastlingRules::Fischer)
}

/// Find opening tactics with one solution, in games or self-play
#[derive(Args, Debug)]
#[command(after_help = "\
Without GAMES the program plays weakly against itself, from random starts of Chess960 or from --start. A game yields \
one puzzle at most, its hardest. A first search looks for candidates in the opening; a search with two lines, and another \
with twice the effort, confirm that only one move wins. A recapture, the capture of something undefended and the only legal move don't \
count, nor does a move that a search of 400 nodes already takes for winning. The solution goes on as long as only one move wins; \
it may not consist of one capture that simply gains material.

The grade says how many nodes a search with two lines needs until the move stays far ahead: grade 1 (easy) up to 2,000, grade 2 (medium) up to 6,000, grade 3 (hard) beyond. The search ends when the set has a third of each grade; if the \
games run out, other grades fill it up.

The result of each game is appended to FILE at once; FILE.json records the settings. The same command resumes an interrupted \
search, and a larger --count continues a finished one. Ctrl-C writes the outputs with the puzzles found so far. The same \
seed, nodes and starts give the same puzzles.

Examples:
  enroque-tools puzzles 334.jsonl --start sp:334 --count 6 --page 334.html
  enroque-tools puzzles club.jsonl club.pgn --nodes 500000 --pgn tactics.pgn")]
pub struct Arguments {
    /// Results file to create or to resume
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// PGN files to search instead of self-play
    #[arg(value_name = "GAMES")]
    pub(super) games: Vec<PathBuf>,
    /// Start position of self-play, or several to use in turn; with GAMES, the start of games that don't state theirs
    #[arg(long = "start", value_name = "POSITION", value_parser = parse_start)]
    pub(super) starts: Vec<Board>,
    /// Number of puzzles to find
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u64).range(1..=MAX_COUNT))]
    pub(super) count: u64,
    /// Seed for self-play and its random starts
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    /// Nodes of the first search that proves a move; a second one takes twice as many
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(MIN_NODES..))]
    pub(super) nodes: u64,
    /// Number of the last move that counts as opening
    #[arg(long, value_name = "MOVE", default_value_t = 16, value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub(super) moves: u32,
    /// Number of games searched in parallel; default: number of cores
    #[arg(long, value_name = "N", value_parser = enroque_runs::parallel::parse_threads)]
    pub(super) threads: Option<usize>,
    /// Hash table size of each search in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..=MAX_HASH as u64))]
    pub(super) hash: u64,
    /// Write an HTML page with the puzzles, to solve or to print
    #[arg(long, value_name = "FILE")]
    pub(super) page: Option<PathBuf>,
    /// Write the positions with their solutions as EPD
    #[arg(long, value_name = "FILE")]
    pub(super) epd: Option<PathBuf>,
    /// Write the puzzles as games in PGN
    #[arg(long, value_name = "FILE")]
    pub(super) pgn: Option<PathBuf>,
}
