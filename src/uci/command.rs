//! Commands: from a line of text to what it asks for.

use thiserror::Error;

use crate::chess::notation::shortened;
use crate::chess::perft::MAX_PERFT_DEPTH;
use crate::chess::startpos::{StartNumber, StartNumberError};
use crate::chess::{Board, CastlingRules, FenError};
use crate::commands::genfens;
use crate::search::limits::Limits;

/// Everything that can be asked for.
#[derive(Debug)]
pub enum Command {
    /// Name, author, options.
    Uci,
    /// Answer when ready.
    IsReady,
    /// Another game begins.
    NewGame,
    SetOption {
        /// Which.
        name: String,
        /// To what; empty for a button.
        value: String,
    },
    /// Set up a position.
    Position(Box<Board>),
    /// Search; the limits that were not understood are told first.
    Go(Box<Limits>, Vec<UciError>),
    /// Count leaves.
    Perft(u32),
    /// End the search.
    Stop,
    /// The expected move was played.
    PonderHit,
    /// End the program.
    Quit,
    /// Say more, or less.
    Debug(bool),
    /// Show the position.
    Display,
    /// Show the static evaluation.
    Eval,
    /// Search the benchmark positions, to a depth.
    Bench(Option<i32>),
    /// Print random openings.
    GenFens(genfens::Request),
    /// See the position from the other side.
    Flip,
    /// Show how the program was built.
    Compiler,
    /// List the commands.
    Help,
    /// List the search's parameters as tuning frameworks read them.
    #[cfg(feature = "tune")]
    Tune,
}

/// The first words of commands.
pub const COMMAND_WORDS: &[&str] = &[
    "uci",
    "isready",
    "ucinewgame",
    "setoption",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "exit",
    "debug",
    "d",
    "eval",
    "bench",
    "flip",
    "compiler",
    "genfens",
    "help",
    #[cfg(feature = "tune")]
    "tune",
];

/// Why a command was not carried out.
#[derive(Debug, Error)]
pub enum UciError {
    /// No word of the line is a command.
    #[error("unknown command: '{0}'. Type 'help' for a list")]
    Unknown(String),
    /// The position is not one.
    #[error("position: {0}")]
    Fen(#[from] FenError),
    /// Neither `startpos` nor another way to name a position.
    #[error("position: expected startpos, fen FEN, sp NUMBER or dfrc NUMBER, found '{0}'")]
    PositionKind(String),
    /// More than the position needs.
    #[error("position {kind}: expected 'moves' or nothing more, found '{found}'")]
    PositionRest {
        /// Which way to name it.
        kind: String,
        /// What was there.
        found: String,
    },
    /// A start position number that is none.
    #[error("position: {0}")]
    Number(#[from] StartNumberError),
    /// A move that cannot be played.
    #[error("position: move {number} '{text}' is not legal in {fen}")]
    Move {
        /// Its place in the list, from 1.
        number: usize,
        /// As it was written.
        text: String,
        /// Where it should have been played.
        fen: String,
    },
    /// A limit that is no number.
    #[error("go {name}: expected a number, found '{found}'")]
    Limit {
        /// Which limit.
        name: String,
        /// What was there.
        found: String,
    },
    /// A perft that would never end.
    #[error("go perft: expected a depth up to {most}, found {found}")]
    PerftDepth {
        /// The greatest depth.
        most: u32,
        /// What was there.
        found: u32,
    },
    /// Words of `go` that mean nothing.
    #[error("go: not understood: '{0}'")]
    GoWords(String),
    /// Moves to search that cannot be played, or none at all.
    #[error("go searchmoves: expected legal moves, found '{found}'; {searched} are searched")]
    SearchMoves {
        /// What was there.
        found: String,
        /// Which moves are left.
        searched: &'static str,
    },
    /// `debug` with something else.
    #[error("debug: expected on or off, found '{0}'")]
    Debug(String),
    /// Openings that cannot be made.
    #[error(transparent)]
    GenFens(#[from] genfens::GenfensError),
    /// `setoption` without a name.
    #[error("setoption: expected 'name NAME' or 'name NAME value VALUE', found '{0}'")]
    SetOption(String),
}

/// What reading a command depends on.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The position, for the moves that `go searchmoves` names.
    pub board: &'a Board,
    /// How castling is laid out in new positions.
    pub rules: CastlingRules,
}

impl Command {
    /// Reads a line; `None` when it is blank. Words before the first that is a command are skipped.
    ///
    /// # Errors
    /// Says what was expected and what was found.
    pub fn parse(line: &str, context: Context<'_>) -> Result<Option<Self>, UciError> {
        let mut words = line.split_ascii_whitespace();
        if words.clone().next().is_none() {
            return Ok(None);
        }
        let Some(first) = words.find(|word| COMMAND_WORDS.contains(word)) else {
            return Err(UciError::Unknown(shortened(line.trim())));
        };
        let rest: Vec<&str> = words.collect();
        Ok(Some(match first {
            "uci" => Self::Uci,
            "isready" => Self::IsReady,
            "ucinewgame" => Self::NewGame,
            "setoption" => parse_option(&rest)?,
            "position" => Self::Position(Box::new(parse_position(&rest, context.rules)?)),
            "go" => parse_go(&rest, context.board)?,
            "stop" => Self::Stop,
            "ponderhit" => Self::PonderHit,
            "quit" | "exit" => Self::Quit,
            "debug" => match rest.first().copied().unwrap_or("on") {
                "on" => Self::Debug(true),
                "off" => Self::Debug(false),
                other => return Err(UciError::Debug(other.to_owned())),
            },
            "d" => Self::Display,
            "eval" => Self::Eval,
            "bench" => Self::Bench(rest.first().map(|text| number("bench", text)).transpose()?),
            "genfens" => Self::GenFens(genfens::Request::parse(&rest)?),
            "flip" => Self::Flip,
            "compiler" => Self::Compiler,
            #[cfg(feature = "tune")]
            "tune" => Self::Tune,
            _ => Self::Help,
        }))
    }
}

/// `name WORDS [value WORDS]`
fn parse_option(words: &[&str]) -> Result<Command, UciError> {
    let error = || UciError::SetOption(shortened(&words.join(" ")));
    let Some((&"name", rest)) = words.split_first() else { return Err(error()) };
    let split = rest.iter().position(|&word| word == "value");
    let (name, value) = rest.split_at(split.unwrap_or(rest.len()));
    if name.is_empty() {
        return Err(error());
    }
    let value = value.get(1..).unwrap_or_default().join(" ");
    Ok(Command::SetOption {
        name: name.join(" "),
        value: if value == "<empty>" { String::new() } else { value },
    })
}

/// `startpos | fen FEN | sp NUMBER | dfrc NUMBER`, then `[moves MOVES]`
fn parse_position(words: &[&str], rules: CastlingRules) -> Result<Board, UciError> {
    let split = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let (setup, moves) = words.split_at(split);
    let (kind, arguments) = setup.split_first().map_or(("", &[][..]), |(kind, rest)| (*kind, rest));
    let first = arguments.first().copied().unwrap_or("");
    let most = match kind {
        "startpos" => 0,
        "sp" | "dfrc" => 1,
        _ => usize::MAX,
    };
    if arguments.len() > most {
        let found = shortened(&arguments[most..].join(" "));
        return Err(UciError::PositionRest { kind: kind.to_owned(), found });
    }
    let mut board = match kind {
        "startpos" => Board::startpos(),
        "fen" => Board::from_fen(&arguments.join(" "), rules)?,
        "sp" => StartNumber::single(first)?.board(),
        "dfrc" => StartNumber::double(first)?.board(),
        other => return Err(UciError::PositionKind(shortened(other))),
    };
    for (index, text) in moves.iter().skip(1).enumerate() {
        let Some(mv) = board.parse_move(text) else {
            let fen = board.fen(crate::chess::FenStyle::XFen);
            return Err(UciError::Move { number: index + 1, text: shortened(text), fen });
        };
        board.make_move(mv);
    }
    Ok(board)
}

/// What `go` understands.
const GO_WORDS: &[&str] = &[
    "ponder",
    "infinite",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "perft",
    "searchmoves",
];

/// Time for a search whose only limits were not understood, milliseconds.
const FALLBACK_MOVE_TIME: i64 = 1000;

/// The limits in any order and combination. A `go` is always searched, with what was understood of it.
fn parse_go(words: &[&str], board: &Board) -> Result<Command, UciError> {
    let mut limits = Limits::default();
    let mut errors = Vec::new();
    let mut unknown = Vec::new();
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        let mut argument = || words.next().unwrap_or("");
        let mut take = |set: fn(&mut Limits, i64), text: &str| match number(word, text) {
            Ok(value) => set(&mut limits, value),
            Err(error) => errors.push(error),
        };
        match word {
            "ponder" => limits.ponder = true,
            "infinite" => limits.infinite = true,
            "wtime" => take(|limits, time| limits.clocks[0].time = Some(time), argument()),
            "btime" => take(|limits, time| limits.clocks[1].time = Some(time), argument()),
            "winc" => take(|limits, increment| limits.clocks[0].increment = increment, argument()),
            "binc" => take(|limits, increment| limits.clocks[1].increment = increment, argument()),
            "movestogo" => {
                take(|limits, moves| limits.moves_to_go = Some(moves.clamp(0, 9999) as u32), argument());
            }
            "depth" => take(|limits, depth| limits.depth = Some(depth.clamp(1, 9999) as i32), argument()),
            "nodes" => take(|limits, nodes| limits.nodes = Some(nodes.max(0) as u64), argument()),
            "mate" => take(|limits, moves| limits.mate = Some(moves.clamp(0, 9999) as i32), argument()),
            "movetime" => take(|limits, time| limits.move_time = Some(time), argument()),
            "perft" => {
                let depth: u32 = number(word, argument())?;
                if depth > MAX_PERFT_DEPTH {
                    return Err(UciError::PerftDepth { most: MAX_PERFT_DEPTH, found: depth });
                }
                return Ok(Command::Perft(depth));
            }
            "searchmoves" => {
                let mut illegal = Vec::new();
                while let Some(text) = words.next_if(|text| !GO_WORDS.contains(text)) {
                    match board.parse_move(text) {
                        Some(mv) => limits.search_moves.push(mv),
                        None => illegal.push(text),
                    }
                }
                let none_left = limits.search_moves.is_empty();
                if none_left || !illegal.is_empty() {
                    let searched = if none_left { "all moves" } else { "the others" };
                    errors.push(UciError::SearchMoves { found: shortened(&illegal.join(" ")), searched });
                }
            }
            _ => unknown.push(word),
        }
    }
    if !unknown.is_empty() {
        errors.push(UciError::GoWords(shortened(&unknown.join(" "))));
    }
    if !errors.is_empty() && limits.is_endless() && !limits.infinite && !limits.ponder {
        limits.move_time = Some(FALLBACK_MOVE_TIME);
    }
    Ok(Command::Go(Box::new(limits), errors))
}

fn number<T: std::str::FromStr>(name: &str, text: &str) -> Result<T, UciError> {
    text.parse().map_err(|_| UciError::Limit { name: name.to_owned(), found: shortened(text) })
}
