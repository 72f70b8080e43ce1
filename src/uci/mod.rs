//! The UCI loop: reads commands and prints answers while other threads search.

pub mod arguments;
pub mod command;
pub mod format;

use std::io::{self, BufRead, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use arguments::UciError;
use command::{Command, Failure, Line};

use crate::chess::{Board, CastlingNotation, Color, Move};
use crate::engine::{Engine, EngineError};
use crate::search::Control;
use crate::search::limits::Limits;
use crate::search::report::{Info, Outcome, Reporter};
use crate::terminal::{ExitStatus, OutputError, is_closed_pipe, print_line};
use crate::util::debug_log::{self, Direction};
use crate::util::host::Instant;
use crate::util::version::ABOUT;

/// Why a session ended before `quit`.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Output(#[from] OutputError),
}

fn info_string(text: impl std::fmt::Display) -> Result<(), OutputError> {
    print_line(&format!("info string {text}"))
}

/// Prints a search's `info` lines and `bestmove`.
struct Printer {
    notation: CastlingNotation,
    show_wdl: bool,
    draw_odds: Option<Color>,
    control: Arc<Control>,
    /// The first error from writing to standard output. The session checks for it before it executes its next line.
    failure: Arc<Mutex<Option<OutputError>>>,
}

impl Printer {
    /// Prints a line. If that fails, we stop the search, because nobody would see its result.
    fn print(&self, text: &str) {
        if let Err(error) = print_line(text) {
            self.control.stop();
            self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }
}

impl Reporter for Printer {
    fn info(&mut self, info: &Info<'_>) {
        self.print(&format::info(info, self.notation, self.show_wdl, self.draw_odds));
    }

    fn current_move(&mut self, board: &Board, depth: i32, mv: Move, move_count: usize) {
        let mv = board.format_move(mv, self.notation);
        self.print(&format!("info depth {depth} currmove {mv} currmovenumber {move_count}"));
    }

    fn no_moves(&mut self, in_check: bool) {
        self.print(if in_check { "info depth 0 score mate 0" } else { "info depth 0 score cp 0" });
    }

    fn finished(&mut self, board: &Board, outcome: &Outcome) {
        self.print(&format::best_move(board, outcome, self.notation));
    }
}

/// Whether the session goes on after a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    Continue,
    Quit,
}

/// Executes UCI lines and prints the answers on standard output.
pub struct Session {
    engine: Engine,
    /// Whether we report unknown commands, which UCI tells engines to ignore.
    debug: bool,
    /// Whether `quit` was received.
    is_over: bool,
    /// Whether any command has failed. Then [`run_lines`] returns [`ExitStatus::BadInput`].
    has_failed: bool,
    failure: Arc<Mutex<Option<OutputError>>>,
}

/// Executes the lines of standard input until `quit` or the end of the input. If the input ends, a search with a
/// limit still finishes, and `go mate` without another limit goes on for a few seconds.
///
/// # Errors
/// Returns an error if the engine cannot be started or standard output cannot be written.
pub fn serve() -> Result<(), SessionError> {
    let mut session = Session::new()?;
    let mut input = io::stdin().lock();
    if input.is_terminal() {
        // UCI tells engines to ignore unknown commands, but people at a terminal need an answer.
        session.debug = true;
        print_line(&format!("{ABOUT}; `help` lists the commands, `quit` ends the program"))?;
    }
    let mut line = Vec::new();
    loop {
        line.clear();
        match input.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return session.end(),
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(&line);
        debug_log::record(Direction::In, &text);
        if session.handle_line(&text)? == Next::Quit {
            return Ok(());
        }
    }
}

/// How long we wait for a `go mate` without another limit to end by itself: there may be no mate.
const MATE_PATIENCE: Duration = Duration::from_secs(5);

/// Executes the program's arguments as UCI lines, in order. If a search has a limit, it ends before the next line.
///
/// # Errors
/// Returns an error if the engine cannot be started or standard output cannot be written.
pub fn run_lines(arguments: &[String]) -> Result<ExitStatus, SessionError> {
    let mut session = Session::new()?;
    session.debug = true;
    let mut lines = lines_of(arguments).into_iter().peekable();
    while let Some(line) = lines.next() {
        debug_log::record(Direction::In, &line);
        if session.handle_line(&line)? == Next::Quit {
            break;
        }
        // We don't wait if the next line must end the search: an endless one, or `go mate` followed by `stop`.
        let is_stopped_next =
            session.engine.seeks_only_mate() && lines.peek().is_some_and(|line| line == "stop");
        if !session.engine.is_endless() && !is_stopped_next {
            session.finish_search();
        }
    }
    let all_understood = !session.has_failed;
    session.end()?;
    Ok(if all_understood { ExitStatus::Success } else { ExitStatus::BadInput })
}

/// Joins program arguments into UCI lines. An argument with spaces is a whole line, and a command word begins one.
fn lines_of(arguments: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut is_open = false;
    for argument in arguments {
        let is_line = argument.contains(char::is_whitespace);
        let is_command = Command::find(argument).is_some();
        match lines.last_mut() {
            // `go perft 5` is one line, although `perft` is a command, too.
            Some(line) if is_open && !is_line && (!is_command || line == "go") => {
                line.push(' ');
                line.push_str(argument);
            }
            _ => lines.push(argument.clone()),
        }
        is_open = !is_line;
    }
    lines
}

impl Session {
    /// Starts a session with default options and the orthodox start position.
    pub fn new() -> Result<Self, EngineError> {
        Ok(Self {
            engine: Engine::new()?,
            debug: false,
            is_over: false,
            has_failed: false,
            failure: Arc::default(),
        })
    }

    /// Stops an endless search, and waits for any other to end. A search for a mate alone gets [`MATE_PATIENCE`].
    fn finish_search(&self) {
        if self.engine.is_endless() {
            self.engine.stop();
        }
        if !self.engine.seeks_only_mate() {
            self.engine.wait();
            return;
        }
        let (search, search_end) = mpsc::channel::<()>();
        let control = self.engine.control();
        thread::scope(|scope| {
            scope.spawn(move || {
                if search_end.recv_timeout(MATE_PATIENCE) == Err(RecvTimeoutError::Timeout) {
                    control.stop();
                }
            });
            self.engine.wait();
            drop(search);
        });
    }

    fn end(self) -> Result<(), SessionError> {
        self.finish_search();
        Ok(self.check_output()?)
    }

    /// Prints an error as `info string`, and records for the exit code that there was one.
    fn report_error(&mut self, error: impl std::fmt::Display) -> Result<(), OutputError> {
        self.has_failed = true;
        info_string(error)
    }

    /// Fails if the search could not print its output.
    fn check_output(&self) -> Result<(), OutputError> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }

    /// Executes a line. `go` returns at once and leaves the search to other threads; in WebAssembly, which has none, it
    /// returns after the search.
    ///
    /// # Errors
    /// Returns an error if standard output cannot be written.
    pub fn handle_line(&mut self, line: &str) -> Result<Next, OutputError> {
        self.check_output()?;
        let done = match Line::parse(line, Instant::now()) {
            Ok(Some(line)) => line.run(self),
            Ok(None) => Ok(()),
            Err(UciError::Unknown(_)) if !self.debug => Ok(()),
            Err(error) => Err(error.into()),
        };
        match done {
            Ok(()) => {}
            Err(Failure::Line(error)) => self.report_error(error)?,
            // If the pipe is closed, the next line that we print will fail, too.
            Err(Failure::Refused(error)) if is_closed_pipe(&*error) => {}
            Err(Failure::Refused(error)) => self.report_error(error)?,
            Err(Failure::Output(error)) => return Err(error),
        }
        Ok(if self.is_over { Next::Quit } else { Next::Continue })
    }

    /// Starts a search, which has had its time since `start`.
    fn search(&mut self, limits: Limits, start: Instant) -> Result<(), OutputError> {
        let options = self.engine.options();
        let printer = Printer {
            notation: format::notation(options),
            show_wdl: options.show_wdl,
            draw_odds: options.draw_odds,
            control: self.engine.control(),
            failure: self.failure.clone(),
        };
        self.engine.go(limits, start, Box::new(printer));
        self.engine.overhead_note().map_or(Ok(()), info_string)
    }
}
