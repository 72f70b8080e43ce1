//! `enroque analyse`: positions, test suites and games.

pub mod epd;
mod game;
mod graph;
mod live;
pub mod pgn;
pub mod variation;

use std::io::Read;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;
use thiserror::Error;

use self::live::{Live, Style};
use self::variation::{Report, Variation};
use super::position::{self, PositionError};
use crate::chess::{Board, CastlingRules};
use crate::console::interrupt;
use crate::console::{OutputError, note, say};
use crate::engine::options::OptionError;
use crate::engine::{Engine, EngineError};
use crate::search::limits::Limits;

/// Analyse positions, test suites (EPD) and games (PGN)
#[derive(Args, Debug)]
#[command(after_help = "\
WHAT is a FEN in any dialect, startpos, sp:518, dfrc:502:532 (or one number for both), an EPD file, a PGN file, \
or - for either on standard input. Scores and chances are White's. Without a limit each position gets a million nodes.

An EPD file with bm, am or scored moves is a test: every position gets a status, and the exit code is 1 unless all \
are solved. A PGN file comes out annotated, mistakes marked by what they lose of the chance to win.

Examples:
  enroque analyse sp:334 --movetime 10000 --multipv 3
  enroque analyse 'rk2r3/8/8/8/8/8/8/R3K1R1 w GAea - 0 1' --depth 20
  enroque analyse wac.epd --nodes 100000
  enroque analyse games.pgn --nodes 200000 --graph game.svg >annotated.pgn
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
    /// Threads that search
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Size of the hash table, MiB
    #[arg(long, value_name = "MIB", default_value_t = 64)]
    hash: usize,
    /// Folders with Syzygy tablebases
    #[arg(long, value_name = "FOLDERS")]
    syzygy: Option<String>,
    /// How castling is laid out: fischer, nearest, orthodox480, none
    #[arg(long, default_value = "fischer", value_parser = super::castling_rules)]
    castling: CastlingRules,
    /// A line of JSON for each position or game
    #[arg(long)]
    json: bool,
    /// Draw the course of each game to an SVG file; further games get a number before the ending
    #[arg(long, value_name = "FILE")]
    graph: Option<PathBuf>,
}

/// Nodes of a position when nothing limits it.
const DEFAULT_NODES: u64 = 1_000_000;

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
    /// A graph that cannot be written.
    #[error("{}: {reason}", path.display())]
    Graph {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: std::io::Error,
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

/// How an analysis went; the worst counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Status {
    /// All was analysed, all tests were solved.
    Good,
    /// A test was not solved.
    Unsolved,
    /// Some input was wrong; the rest was analysed.
    BadInput,
    /// Ctrl-C.
    Interrupted,
}

impl Status {
    /// The program's exit code.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Good => 0,
            Self::Unsolved => 1,
            Self::BadInput => 2,
            Self::Interrupted => interrupt::EXIT_CODE,
        }
    }
}

/// Runs the command.
///
/// # Errors
/// When there is nothing to analyse or the engine cannot be set up.
pub fn run(arguments: &Arguments) -> Result<Status, AnalyseError> {
    let mut analyst = Analyst::new(arguments)?;
    interrupt::stop_on_interrupt(vec![analyst.engine.control()]);
    let mut status = Status::Good;
    // A wrong word is told before hours are spent on the right ones.
    let inputs = arguments.what.iter().map(|what| input(what, arguments)).collect::<Result<Vec<_>, _>>()?;
    for input in inputs {
        status = status.max(match input {
            Input::Position(board) => analyst.position(&board)?,
            Input::Suite { file, text } => analyst.suite(&file, &text)?,
            Input::Games { file, text } => analyst.games(&file, &text)?,
        });
        if interrupt::happened() {
            return Ok(Status::Interrupted);
        }
    }
    Ok(status)
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
        // Old files come in old encodings; names then look odd, moves do not.
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let text = read().map_err(|reason| AnalyseError::Read { file: what.to_owned(), reason })?;
    let file = if what == "-" { "standard input".to_owned() } else { what.to_owned() };
    let text = text.trim_start_matches('\u{FEFF}').to_owned();
    let is_suite = what.ends_with(".epd") || what == "-" && epd::looks_like(&text);
    Ok(if is_suite { Input::Suite { file, text } } else { Input::Games { file, text } })
}

/// The engine and how it is asked.
struct Analyst<'a> {
    arguments: &'a Arguments,
    engine: Engine,
}

impl<'a> Analyst<'a> {
    fn new(arguments: &'a Arguments) -> Result<Self, AnalyseError> {
        let mut engine = Engine::new()?;
        let options = [
            ("Hash", arguments.hash.to_string()),
            ("Threads", arguments.threads.to_string()),
            ("MultiPV", arguments.multipv.to_string()),
            ("UCI_AnalyseMode", "true".to_owned()),
        ];
        for (name, value) in options {
            engine.set_option(name, &value)?;
        }
        if let Some(folders) = &arguments.syzygy
            && let Some(found) = engine.set_option("SyzygyPath", folders)?
        {
            note(&found);
        }
        Ok(Self { arguments, engine })
    }

    fn limits(&self) -> Limits {
        let Arguments { depth, nodes, movetime, mate, .. } = *self.arguments;
        let unlimited = depth.is_none() && nodes.is_none() && movetime.is_none();
        Limits {
            depth,
            nodes: if unlimited { Some(DEFAULT_NODES) } else { nodes },
            move_time: movetime,
            mate,
            ..Limits::default()
        }
    }

    /// Searches a position and shows it in a style; gives the last lines, best first.
    fn search(&mut self, board: &Board, style: Style) -> Result<Vec<Variation>, OutputError> {
        let live = Arc::new(Mutex::new(Live::new(board, style, self.engine.control())));
        self.engine.set_board(board.clone());
        self.engine.search(self.limits(), Box::new(live::Shared(live.clone())));
        let mut live = live.lock().unwrap_or_else(PoisonError::into_inner);
        live.take_lines()
    }

    fn position(&mut self, board: &Board) -> Result<Status, OutputError> {
        self.engine.new_game();
        let style = if self.arguments.json { Style::Silent } else { Style::table() };
        if style != Style::Silent {
            say(&format!("{}\n", live::title(board)))?;
        }
        let lines = self.search(board, style)?;
        if self.arguments.json {
            say(&json(&Report::new(board, &lines)))?;
        } else if lines.is_empty() {
            say(if board.in_check() { "Checkmate: no legal move." } else { "Stalemate: no legal move." })?;
        }
        Ok(Status::Good)
    }
}

/// What it is, on one line.
fn json(value: &impl serde::Serialize) -> String {
    // Nothing that is written here has a form that JSON has not.
    serde_json::to_string(value).unwrap_or_default()
}
