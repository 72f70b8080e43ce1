//! `enroque analyse`: positions, test suites and games.

pub mod epd;
mod game;
mod graph;
mod judge;
mod live;
mod output;
mod page;
pub mod variation;

use std::io::Read;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;
use thiserror::Error;

use self::live::{Live, Style};
use self::variation::{Report, Variation};
use super::position::{self, PositionError};
use super::text_file::{self, Text, TextError, has_extension};
use crate::chess::{Board, CastlingRules};
use crate::engine::options::OptionError;
use crate::engine::{Engine, EngineError};
use crate::runs::manifest::ManifestError;
use crate::runs::parallel::{available_threads, in_order};
use crate::search::limits::Limits;
use crate::terminal::{ExitStatus, OutputError, eprint_line, interrupt, print_line};

/// Analyse positions, test suites (EPD) and games (PGN)
#[derive(Args, Debug)]
#[command(after_help = "\
WHAT is a FEN in any dialect, startpos, sp:518, dfrc:502:532 (or one number for both), a number of another set \
(chess90:7), a back rank (NRQKRBBN), an EPD file, a PGN file, or - for either on standard input. Scores and chances are White's. Without a limit each position gets a million nodes.

An EPD file with bm, am or scored moves is a test: every position gets a status, and the exit code is 1 unless all \
are solved. A PGN file comes out annotated beside what stands in it already: a score after each move, +1.00 being an even \
chance to win among equals, and mistakes by what they lose of the chance to win, as lichess counts it; what seems one is \
searched again, 4 and 16 times as long, beside the best move. Moves may be written \
with English, German, French, Spanish, Italian, Dutch or Polish letters, figurines or coordinates; a game that cannot be \
read to its end is analysed as far as it can, and the exit code is 1.

Examples:
  enroque analyse sp:334 --movetime 10000 --multipv 3
  enroque analyse 'rk2r3/8/8/8/8/8/8/R3K1R1 w GAea - 0 1' --depth 20
  enroque analyse wac.epd --nodes 100000
  enroque analyse games.pgn --nodes 200000 --output annotated.pgn --graph game.svg
  enroque analyse games.pgn --page games.html >annotated.pgn
  enroque analyse startpos sp:0 --json --depth 16")]
pub struct Arguments {
    /// Positions and files
    #[arg(required = true, value_name = "WHAT")]
    what: Vec<String>,
    /// Depth in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(i32).range(1..))]
    depth: Option<i32>,
    /// Nodes a position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds a position
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(i64).range(1..))]
    movetime: Option<i64>,
    /// Stop when a mate in so many moves is found
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(i32).range(1..))]
    mate: Option<i32>,
    /// Lines
    #[arg(long, value_name = "LINES", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    multipv: u16,
    /// Threads that search a position, 1 when left out; for files, positions searched at once, one for each core
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Size of the hash table of each search, MiB; 64 when left out, for files 16
    #[arg(long, value_name = "MIB")]
    hash: Option<usize>,
    /// Folders with Syzygy tablebases
    #[arg(long, value_name = "FOLDERS")]
    syzygy: Option<String>,
    /// How castling is laid out
    #[arg(long, default_value = "fischer", value_parser = super::castling_rules())]
    castling: CastlingRules,
    /// A line of JSON for each position or game
    #[arg(long)]
    json: bool,
    /// Draw the course of each game to an SVG file; further games get a number before the ending
    #[arg(long, value_name = "FILE")]
    graph: Option<PathBuf>,
    /// Write a page for the browser: board, graph, moves and judgements of all games
    #[arg(long, value_name = "FILE", conflicts_with = "output")]
    page: Option<PathBuf>,
    /// Write the games to a file, each as soon as it is judged; the same command goes on after an interruption
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Arguments {
    fn hash_of_files(&self) -> usize {
        self.hash.unwrap_or(HASH_OF_FILES)
    }

    fn limits(&self) -> Limits {
        let Self { depth, nodes, movetime, mate, .. } = *self;
        let unlimited = depth.is_none() && nodes.is_none() && movetime.is_none();
        Limits {
            depth,
            nodes: if unlimited { Some(DEFAULT_NODES) } else { nodes },
            move_time: movetime,
            mate,
            ..Limits::default()
        }
    }

    /// The limits in words.
    fn effort(&self) -> String {
        let limits = self.limits();
        let words = [
            limits.nodes.map(|nodes| format!("{} nodes", variation::short(nodes as f64))),
            limits.depth.map(|depth| format!("depth {depth}")),
            limits.move_time.map(|time| format!("{time} ms")),
        ];
        words.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// Nodes of a position when nothing limits it.
const DEFAULT_NODES: u64 = 1_000_000;
/// Table of the search of a position, MiB.
const HASH: usize = 64;
/// Table of each search of a file, MiB: it is emptied for every position, so that what is found depends on nothing else.
const HASH_OF_FILES: usize = 16;

/// Why something was not analysed.
#[derive(Debug, Error)]
pub enum AnalyseError {
    /// A word that names nothing.
    #[error("{0}; a file must exist and end in .epd or .pgn")]
    What(#[from] PositionError),
    /// A file that cannot be read.
    #[error("{file}: {reason}")]
    Read {
        file: String,
        /// What the system said.
        reason: std::io::Error,
    },
    /// A file that is no text.
    #[error("{file}: {reason}")]
    Text {
        file: String,
        /// What it is.
        reason: TextError,
    },
    /// A file that cannot be written.
    #[error("{}: {reason}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: std::io::Error,
    },
    /// The record beside it.
    #[error(transparent)]
    Record(#[from] ManifestError),
    /// Options that say nothing about what is analysed.
    #[error("{option} is for {what}")]
    Unused {
        option: &'static str,
        /// What it would do something for.
        what: &'static str,
    },
    /// An option that the engine does not take.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The engine cannot be started.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Standard output.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// Runs the command.
///
/// # Errors
/// When there is nothing to analyse or the engine cannot be set up.
pub fn run(arguments: &Arguments) -> Result<ExitStatus, AnalyseError> {
    // A wrong word is told before hours are spent on the right ones.
    let inputs = arguments.what.iter().map(|what| input(what, arguments)).collect::<Result<Vec<_>, _>>()?;
    check_options(arguments, &inputs)?;
    let is_position = |input: &Input| matches!(input, Input::Position(_));
    let mut single = None;
    if inputs.iter().any(is_position) {
        let (threads, hash) = (arguments.threads.unwrap_or(1), arguments.hash.unwrap_or(HASH));
        single = Some(Analyst::new(arguments, threads, hash, true)?);
    }
    let mut crew = Vec::new();
    if !inputs.iter().all(is_position) {
        for index in 0..arguments.threads.unwrap_or_else(available_threads).max(1) {
            crew.push(Analyst::new(arguments, 1, arguments.hash_of_files(), single.is_none() && index == 0)?);
        }
    }
    interrupt::stop_on_interrupt(
        single.iter().chain(&crew).map(|analyst| analyst.engine.control()).collect(),
    );
    let mut status = ExitStatus::Success;
    for input in inputs {
        status = status.max(match (input, &mut single) {
            (Input::Position(board), Some(analyst)) => analyst.position(&board)?,
            (Input::Position(_), None) => ExitStatus::Success,
            (Input::Suite { file, text }, _) => epd::suite(&mut crew, arguments, &file, &text)?,
            (Input::Games { file, text }, _) => game::games(&mut crew, arguments, &file, &text)?,
        });
        if interrupt::happened() {
            return Ok(ExitStatus::Interrupted);
        }
    }
    Ok(status)
}

/// Refuses options that would do nothing.
fn check_options(arguments: &Arguments, inputs: &[Input]) -> Result<(), AnalyseError> {
    let games = inputs.iter().filter(|input| matches!(input, Input::Games { .. })).count();
    let refuse = |option, what| Err(AnalyseError::Unused { option, what });
    if arguments.output.is_some() && (games != 1 || inputs.len() != 1) {
        return refuse("--output", "one file of games");
    }
    if arguments.graph.is_some() && games == 0 {
        return refuse("--graph", "files of games");
    }
    if arguments.page.is_some() && games != 1 {
        return refuse("--page", "one file of games");
    }
    if arguments.mate.is_some() && games == inputs.len() {
        return refuse("--mate", "positions and suites");
    }
    if arguments.multipv > 1 && games == inputs.len() {
        return refuse("--multipv", "positions and suites");
    }
    Ok(())
}

enum Input {
    Position(Box<Board>),
    Suite { file: String, text: String },
    Games { file: String, text: String },
}

fn input(what: &str, arguments: &Arguments) -> Result<Input, AnalyseError> {
    let is_file = what == "-"
        || std::path::Path::new(what).is_file()
        || !position::is_position(what) && what.contains('.');
    if !is_file {
        return Ok(Input::Position(Box::new(position::parse(what, arguments.castling)?)));
    }
    let read = || {
        let mut bytes = Vec::new();
        if what == "-" {
            std::io::stdin().read_to_end(&mut bytes)?;
        } else {
            std::fs::File::open(what)?.read_to_end(&mut bytes)?;
        }
        Ok(bytes)
    };
    let file = if what == "-" { "standard input".to_owned() } else { what.to_owned() };
    let bytes = read().map_err(|reason| AnalyseError::Read { file: file.clone(), reason })?;
    let Text { text, was_latin1 } =
        text_file::decode(bytes).map_err(|reason| AnalyseError::Text { file: file.clone(), reason })?;
    if was_latin1 {
        eprint_line(&format!("{file}: read as Latin-1, written as UTF-8"));
    }
    let is_suite = has_extension(what, "epd") || !has_extension(what, "pgn") && epd::looks_like(&text);
    Ok(if is_suite { Input::Suite { file, text } } else { Input::Games { file, text } })
}

/// Searches every job, one analyst a thread, and passes the results to `take` in job order; ends early after Ctrl-C.
fn search_in_order<'a, J: Send, R: Send>(
    analysts: &mut [Analyst<'a>],
    jobs: impl Iterator<Item = J> + Send,
    search: impl Fn(&mut Analyst<'a>, J) -> Result<R, OutputError> + Sync,
    mut take: impl FnMut(R) -> Result<(), AnalyseError>,
) -> Result<(), AnalyseError> {
    let work = |analyst: &mut Analyst<'a>, job: J| {
        let result = search(analyst, job);
        (!interrupt::happened()).then_some(result)
    };
    in_order(analysts, jobs, work, |result| {
        take(result?)?;
        Ok(ControlFlow::Continue(()))
    })
}

/// The engine and how it is asked.
struct Analyst<'a> {
    arguments: &'a Arguments,
    engine: Engine,
}

impl<'a> Analyst<'a> {
    /// A searcher with so many threads and a table of so many MiB; one of several `speaks` of what it found.
    fn new(
        arguments: &'a Arguments,
        threads: usize,
        hash: usize,
        speaks: bool,
    ) -> Result<Self, AnalyseError> {
        let mut engine = Engine::new()?;
        let options = [
            ("Hash", hash.to_string()),
            ("Threads", threads.to_string()),
            ("MultiPV", arguments.multipv.to_string()),
            ("UCI_AnalyseMode", "true".to_owned()),
        ];
        for (name, value) in options {
            engine.set_option(name, &value)?;
        }
        if let Some(folders) = &arguments.syzygy
            && let Some(found) = engine.set_option("SyzygyPath", folders)?
            && speaks
        {
            eprint_line(&found);
        }
        Ok(Self { arguments, engine })
    }

    /// Searches a position and shows it in a style; gives the last lines, best first.
    fn search(&mut self, board: &Board, style: Style) -> Result<Vec<Variation>, OutputError> {
        Ok(self.search_with_history(board, style, self.arguments.limits())?.0)
    }

    /// The same under other limits, with the best line of each iteration.
    fn search_with_history(
        &mut self,
        board: &Board,
        style: Style,
        limits: Limits,
    ) -> Result<(Vec<Variation>, Vec<Variation>), OutputError> {
        let live = Arc::new(Mutex::new(Live::new(board, style, self.engine.control())));
        self.engine.set_board(board.clone());
        self.engine.search(limits, Box::new(live::Shared(live.clone())));
        let mut live = live.lock().unwrap_or_else(PoisonError::into_inner);
        live.finish()
    }

    /// The best line of a position, searched without anything known; `None` without a legal move.
    fn best_line(&mut self, board: &Board, limits: Limits) -> Result<Option<Variation>, OutputError> {
        self.engine.new_game();
        Ok(self.search_with_history(board, Style::Silent, limits)?.0.into_iter().next())
    }

    fn position(&mut self, board: &Board) -> Result<ExitStatus, OutputError> {
        self.engine.new_game();
        let style = if self.arguments.json { Style::Silent } else { Style::table() };
        if style != Style::Silent {
            print_line(&format!("{}\n", live::title(board)))?;
        }
        let lines = self.search(board, style)?;
        if self.arguments.json {
            print_line(&json(&Report::new(board, &lines)))?;
        } else if lines.is_empty() {
            print_line(if board.in_check() {
                "Checkmate: no legal move."
            } else {
                "Stalemate: no legal move."
            })?;
        }
        Ok(ExitStatus::Success)
    }
}

/// What it is, on one line.
fn json(value: &impl serde::Serialize) -> String {
    // Nothing that is written here has a form that JSON has not.
    serde_json::to_string(value).unwrap_or_default()
}
