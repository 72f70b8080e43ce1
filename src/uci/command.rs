//! The commands, in one table. To add one, add an entry to [`COMMANDS`] and a module with what it does to
//! `src/commands`. `help` and the manual page are made from the table.

use std::error::Error;

use super::arguments::{self, Go, UciError};
use super::{Session, format, info_string};

use crate::commands::{bench, eval, genfens, perft, speedtest};
use crate::terminal::{OutputError, print_line};
use crate::util::host::Instant;
use crate::util::text::shortened;

/// Every command, in the order of the help.
pub static COMMANDS: &[Command] = &[
    protocol(&["uci"], |session, _| Ok(print_line(&format::identity(session.engine.network()))?)),
    protocol(&["isready"], |_, _| Ok(print_line("readyok")?)),
    protocol(&["ucinewgame"], |session, _| {
        session.engine.new_game();
        Ok(())
    }),
    protocol(&["setoption"], |session, line| {
        let (name, value) = arguments::option(line.text, &line.words)?;
        match session.engine.set_option(&name, value) {
            Ok(note) => Ok(note.map_or(Ok(()), info_string)?),
            Err(error) => Err(Failure::Refused(error.into())),
        }
    }),
    protocol(&["position"], position),
    protocol(&["go"], |session, line| match arguments::go(&line.words, session.engine.board())? {
        Go::Search(limits, errors) => {
            errors.into_iter().try_for_each(|error| session.report_error(error))?;
            Ok(session.search(limits, line.received)?)
        }
        Go::Perft(depth) => count_leaves(session, depth),
    }),
    protocol(&["stop"], |session, _| {
        session.engine.stop();
        Ok(())
    }),
    protocol(&["ponderhit"], |session, _| {
        session.engine.ponder_hit();
        Ok(())
    }),
    protocol(&["debug"], |session, line| {
        session.debug = match line.words.first().copied().unwrap_or("on") {
            "on" => true,
            "off" => false,
            other => return Err(UciError::Debug(shortened(other)).into()),
        };
        Ok(())
    }),
    protocol(&["quit", "exit"], |session, _| {
        session.is_over = true;
        Ok(())
    }),
    own(
        &["perft"],
        "N",
        "counts the leaves of the move tree N plies deep, for each root move (also: `go perft N`)",
        |session, line| count_leaves(session, arguments::perft_depth(line.words.first().unwrap_or(&""))?),
    ),
    own(&["d"], "", "shows the board, its FENs, start position number, key and checkers", |session, _| {
        Ok(print_line(&format::display(session.engine.board()))?)
    }),
    own(&["eval"], "", "shows the static evaluation, and what each piece adds to it", |session, _| {
        Ok(print_line(&eval::table(session.engine.board(), session.engine.network()))?)
    }),
    own(
        &["bench"],
        "[DEPTH]",
        "searches fifty positions; prints the node count, which is the search's signature, and the speed",
        |session, line| {
            let depth = line.number(0)?;
            session.engine.stop_and_wait();
            Ok(bench::run(depth)?)
        },
    ),
    own(
        &["speedtest"],
        "[THREADS] [SECONDS]",
        "measures nodes per second in a game, to compare machines and builds",
        |session, line| {
            let request = speedtest::Request { threads: line.number(0)?, seconds: line.number(1)? };
            session.engine.stop_and_wait();
            Ok(speedtest::run(request)?)
        },
    ),
    own(
        &["genfens"],
        "N seed S book FILE...",
        "prints N random, balanced openings for test farms; `book None standard`, `chess960` or `dfrc` starts from \
         start positions instead of a book",
        |session, line| {
            let request = genfens::Request::parse(&line.words).map_err(UciError::from)?;
            session.engine.stop_and_wait();
            Ok(genfens::run(&request)?)
        },
    ),
    own(&["flip"], "", "swaps the colours of the position", |session, _| {
        session.engine.stop_and_wait();
        session.engine.set_board(session.engine.board().flipped());
        Ok(())
    }),
    own(&["compiler"], "", "shows what the program was built for, and its vector code", |_, _| {
        Ok(print_line(&format::compiler())?)
    }),
    #[cfg(feature = "stats")]
    own(&["stats"], "", "shows how often each search technique applied since the last call", |session, _| {
        session.engine.stop_and_wait();
        Ok(print_line(&crate::search::stats::take())?)
    }),
    #[cfg(feature = "tune")]
    own(&["tune"], "", "lists the parameters of the search in the format of tuning frameworks", |_, _| {
        Ok(print_line(&crate::search::params::listing())?)
    }),
    own(&["help"], "", "shows this list", |_, _| Ok(print_line(&help())?)),
];

/// A UCI command, or a command that only Enroque has.
pub struct Command {
    /// The words that can begin it.
    pub words: &'static [&'static str],
    /// What may follow the word; `...` at the end stands for anything more. Empty if the command is part of UCI.
    pub arguments: &'static str,
    /// What the command does, with a verb first; empty if it is part of UCI. `help` and the manual page show it.
    pub description: &'static str,
    run: fn(&mut Session, &Line<'_>) -> Result<(), Failure>,
}

const fn protocol(
    words: &'static [&'static str],
    run: fn(&mut Session, &Line<'_>) -> Result<(), Failure>,
) -> Command {
    Command { words, arguments: "", description: "", run }
}

const fn own(
    words: &'static [&'static str],
    arguments: &'static str,
    description: &'static str,
    run: fn(&mut Session, &Line<'_>) -> Result<(), Failure>,
) -> Command {
    Command { words, arguments, description, run }
}

/// Why a command failed.
pub(super) enum Failure {
    /// There is a mistake in the line.
    Line(UciError),
    /// The engine refused the command, or could not finish it.
    Refused(Box<dyn Error>),
    Output(OutputError),
}

impl From<UciError> for Failure {
    fn from(error: UciError) -> Self {
        Self::Line(error)
    }
}

impl From<Box<dyn Error>> for Failure {
    fn from(error: Box<dyn Error>) -> Self {
        Self::Refused(error)
    }
}

impl From<OutputError> for Failure {
    fn from(error: OutputError) -> Self {
        Self::Output(error)
    }
}

/// A line that begins with a command.
pub(super) struct Line<'a> {
    text: &'a str,
    command: &'static Command,
    /// The words after the command.
    words: Vec<&'a str>,
    /// When we received the line.
    received: Instant,
}

impl<'a> Line<'a> {
    /// Finds the command; `None` if the line is blank. We skip words before the first command word, as UCI requires,
    /// and the byte order mark that .NET programs send first.
    pub fn parse(text: &'a str, received: Instant) -> Result<Option<Self>, UciError> {
        let text = text.trim_start_matches('\u{FEFF}').trim();
        if text.is_empty() {
            return Ok(None);
        }
        let mut words = text.split_ascii_whitespace();
        let Some((word, command)) = words.find_map(|word| Some((word, Command::find(word)?))) else {
            return Err(UciError::Unknown(shortened(text)));
        };
        let words: Vec<&str> = words.collect();
        if let Some(rest) = command.max_arguments().and_then(|most| words.get(most..))
            && !rest.is_empty()
        {
            return Err(UciError::Rest { command: word.to_owned(), found: shortened(&rest.join(" ")) });
        }
        Ok(Some(Self { text, command, words, received }))
    }

    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        (self.command.run)(session, self)
    }

    /// Parses the argument at `index`, counted from 0; `None` if there is none.
    fn number<T: std::str::FromStr>(&self, index: usize) -> Result<Option<T>, UciError> {
        self.words.get(index).map(|text| arguments::number(self.command.words[0], text)).transpose()
    }
}

impl Command {
    /// Returns the command that begins with `word`.
    pub(super) fn find(word: &str) -> Option<&'static Self> {
        COMMANDS.iter().find(|command| command.words.contains(&word))
    }

    /// Returns the command as a user types it, such as `bench [DEPTH]`.
    pub fn usage(&self) -> String {
        [self.words[0], self.arguments].join(" ").trim_end().to_owned()
    }

    /// Returns how many words may follow the command; `None` if any number may. GUIs may add anything to UCI's own.
    fn max_arguments(&self) -> Option<usize> {
        let is_open = self.description.is_empty() || self.arguments.ends_with("...");
        (!is_open).then(|| self.arguments.split_ascii_whitespace().count())
    }
}

/// Sets the position. As in Stockfish, we play the moves before an illegal move: searching the old position would be
/// worse.
fn position(session: &mut Session, line: &Line<'_>) -> Result<(), Failure> {
    let rules = session.engine.options().castling_rules;
    let (board, false_rights) = match arguments::position(&line.words, rules) {
        Ok(position) => position,
        Err(error) => {
            if let UciError::Move { board, .. } = &error {
                session.engine.stop_and_wait();
                session.engine.set_board((**board).clone());
                session.report_error(format!("{error}; the moves before it are played"))?;
                return Ok(());
            }
            return Err(error.into());
        }
    };
    for right in false_rights.iter().filter(|right| right.is_dropped) {
        info_string(format!("position: {right}"))?;
    }
    session.engine.stop_and_wait();
    session.engine.set_board(board);
    Ok(())
}

fn count_leaves(session: &mut Session, depth: u32) -> Result<(), Failure> {
    session.engine.stop_and_wait();
    let options = session.engine.options();
    let notation = format::notation(options);
    Ok(perft::print_divide(session.engine.board(), depth, options.threads, notation)?)
}

/// Width of the help text, in characters.
const WIDTH: usize = 80;
/// The column in which the help text says what a command does.
const INDENT: usize = 16;

/// Returns the list of commands that `help` prints, and `--help` after the usage text.
pub fn help() -> String {
    let (own, protocol): (Vec<&Command>, Vec<&Command>) =
        COMMANDS.iter().partition(|command| !command.description.is_empty());
    let words: Vec<&str> = protocol.iter().flat_map(|command| command.words).copied().collect();
    let mut text = wrapped("", &words.join(" "), 0);
    text += &wrapped(
        "    ",
        "the UCI protocol; `position` also takes the name of a start: sp 334, dfrc 330642, chess90:7, NRQKRBBN",
        4,
    );
    for command in own {
        let usage = format!("{:INDENT$}", command.usage());
        text += &if usage.len() > INDENT {
            usage + "\n" + &wrapped(&" ".repeat(INDENT), command.description, INDENT)
        } else {
            wrapped(&usage, command.description, INDENT)
        };
    }
    text.truncate(text.trim_end().len());
    text
}

/// Breaks `words` into lines of at most [`WIDTH`] characters. The first begins with `start`, the others with `indent`
/// blanks.
fn wrapped(start: &str, words: &str, indent: usize) -> String {
    let mut text = String::new();
    let mut line = start.to_owned();
    let mut is_empty = true;
    for word in words.split(' ') {
        if !is_empty && line.len() + 1 + word.len() > WIDTH {
            text += &line;
            text.push('\n');
            line = " ".repeat(indent);
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line += word;
        is_empty = false;
    }
    text + &line + "\n"
}
