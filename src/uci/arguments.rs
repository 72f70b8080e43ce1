//! Parses what follows the word of a UCI command.

use thiserror::Error;

use crate::chess::notation::{FalseRight, Fen};
use crate::chess::perft::MAX_PERFT_DEPTH;
use crate::chess::position::{self, PositionError};
use crate::chess::{Board, CastlingRules, Color, FenError};
use crate::commands::genfens;
use crate::search::limits::Limits;
use crate::util::text::shortened;

/// What is wrong with a UCI line. The session prints it as `info string`.
#[derive(Debug, Error)]
pub enum UciError {
    #[error("unknown command: '{0}'. Type 'help' for a list")]
    Unknown(String),
    #[error("{command}: expected nothing more, found '{found}'")]
    Rest { command: String, found: String },
    #[error("position: {0}")]
    Fen(#[from] FenError),
    #[error("position: {0}")]
    Position(#[from] PositionError),
    /// Something follows a complete position, as in `position startpos e2e4`.
    #[error("position {kind}: expected 'moves' or nothing more, found '{found}'")]
    PositionRest { kind: String, found: String },
    /// A move is illegal on `board`; `number` counts from 1. The hint is empty or names a missing castling right, with
    /// a colon before it.
    #[error("position: move {number} '{text}' is not legal in {board}{hint}")]
    Move { number: usize, text: String, board: Box<Board>, hint: String },
    #[error("{what}: expected a number, found '{found}'")]
    Number { what: String, found: String },
    #[error("perft: expected a depth up to {MAX_PERFT_DEPTH}, found {0}")]
    PerftDepth(u32),
    #[error("go: not understood: '{0}'")]
    GoWords(String),
    /// Some moves after `searchmoves` are illegal, or no moves follow it.
    #[error("go searchmoves: expected legal moves, found '{found}'; {searched} are searched")]
    SearchMoves { found: String, searched: &'static str },
    #[error("debug: expected on or off, found '{0}'")]
    Debug(String),
    #[error(transparent)]
    GenFens(#[from] genfens::GenfensError),
    #[error("setoption: expected 'name NAME' or 'name NAME value VALUE', found '{0}'")]
    SetOption(String),
}

/// Returns what follows the first `word` on the line, without the blanks around it.
fn text_after<'a>(line: &'a str, word: &str) -> &'a str {
    let mut rest = line.trim_ascii();
    while let Some((first, after)) = rest.split_once(|c: char| c.is_ascii_whitespace()) {
        rest = after.trim_ascii_start();
        if first == word {
            return rest;
        }
    }
    ""
}

/// Parses `name WORDS [value TEXT]` into the name and the value, which is empty for a button. We take the value from
/// `line` and not from `words`, because a file name may contain several blanks in a row.
pub(super) fn option<'a>(line: &'a str, words: &[&str]) -> Result<(String, &'a str), UciError> {
    let error = || UciError::SetOption(shortened(&words.join(" ")));
    let Some((&"name", rest)) = words.split_first() else { return Err(error()) };
    let split = rest.iter().position(|&word| word == "value");
    let name = &rest[..split.unwrap_or(rest.len())];
    if name.is_empty() {
        return Err(error());
    }
    let value = if split.is_some() { text_after(text_after(line, "name"), "value") } else { "" };
    Ok((name.join(" "), if value == "<empty>" { "" } else { value }))
}

/// Parses `startpos | fen FEN | sp NUMBER | dfrc NUMBER` or any form of [`position::parse`], then `[moves MOVES]`.
/// Returns the position, and castling rights that its FEN claims although the pieces rule them out.
///
/// # Errors
/// Returns an error if the words don't give a position, or a move is illegal.
pub fn position(words: &[&str], rules: CastlingRules) -> Result<(Board, Vec<FalseRight>), UciError> {
    let split = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let (setup, moves) = words.split_at(split);
    let (kind, arguments) = setup.split_first().map_or(("", &[][..]), |(kind, rest)| (*kind, rest));
    let first = arguments.first().copied().unwrap_or("");
    let max_arguments = match kind {
        "startpos" => 0,
        "sp" | "dfrc" => 1,
        _ => usize::MAX,
    };
    if arguments.len() > max_arguments {
        let found = shortened(&arguments[max_arguments..].join(" "));
        return Err(UciError::PositionRest { kind: kind.to_owned(), found });
    }
    let Fen { mut board, mut false_rights } = match kind {
        "fen" => Fen::parse(&arguments.join(" "), rules)?,
        "sp" | "dfrc" => position::parse_fen(&format!("{kind}:{first}"), rules)?,
        _ => position::parse_fen(&setup.join(" "), rules)?,
    };
    // Under rules without castling we ignore the castling rights of the FEN on purpose, so we don't report them.
    if rules == CastlingRules::None {
        false_rights.clear();
    }
    for (index, text) in moves.iter().skip(1).enumerate() {
        let Some(mv) = board.parse_move(text) else {
            let right = board.missing_castling_right(text);
            return Err(UciError::Move {
                number: index + 1,
                text: shortened(text),
                hint: right
                    .map_or_else(String::new, |right| format!(": the castling right '{right}' is missing")),
                board: Box::new(board),
            });
        };
        board.make_move(mv);
    }
    Ok((board, false_rights))
}

/// The keywords of `go`; each of them also ends the moves after `searchmoves`.
#[rustfmt::skip]
const GO_WORDS: &[&str] = &[
    "ponder", "infinite", "wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime",
    "perft", "searchmoves",
];

/// How long we search if `go` has errors and no valid limit, in milliseconds.
const FALLBACK_MOVE_TIME: i64 = 1000;

/// What `go` asks for.
#[derive(Debug)]
pub enum Go {
    /// The valid limits, and an error for each invalid limit.
    Search(Limits, Vec<UciError>),
    /// The depth in plies.
    Perft(u32),
}

/// Parses the limits of `go` in any order and combination; `board` is the current position, to which the moves after
/// `searchmoves` belong. We search even if some limits are invalid, because the GUI waits for a `bestmove`.
///
/// # Errors
/// Returns an error if the depth of `perft` is invalid.
pub fn go(words: &[&str], board: &Board) -> Result<Go, UciError> {
    let mut limits = Limits::default();
    let mut errors = Vec::new();
    let mut unknown = Vec::new();
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        let mut argument = || words.next().unwrap_or("");
        let mut take = |set: fn(&mut Limits, i64), text: &str| match number(&format!("go {word}"), text) {
            Ok(value) => set(&mut limits, value),
            Err(error) => errors.push(error),
        };
        match word {
            "ponder" => limits.ponder = true,
            "infinite" => limits.infinite = true,
            "wtime" => take(|limits, time| limits.clocks[Color::White].time = Some(time), argument()),
            "btime" => take(|limits, time| limits.clocks[Color::Black].time = Some(time), argument()),
            "winc" => take(|limits, increment| limits.clocks[Color::White].increment = increment, argument()),
            "binc" => take(|limits, increment| limits.clocks[Color::Black].increment = increment, argument()),
            "movestogo" => {
                take(|limits, moves| limits.moves_to_go = Some(moves.clamp(0, 9999) as u32), argument());
            }
            "depth" => take(|limits, depth| limits.depth = Some(depth.clamp(1, 9999) as i32), argument()),
            "nodes" => take(|limits, nodes| limits.nodes = Some(nodes.max(0) as u64), argument()),
            "mate" => take(|limits, moves| limits.mate = Some(moves.clamp(0, 9999) as i32), argument()),
            "movetime" => take(|limits, time| limits.move_time = Some(time), argument()),
            "perft" => return Ok(Go::Perft(perft_depth(argument())?)),
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
    Ok(Go::Search(limits, errors))
}

/// Parses the depth of `perft` in plies.
pub(super) fn perft_depth(text: &str) -> Result<u32, UciError> {
    let depth: u32 = number("perft", text)?;
    if depth > MAX_PERFT_DEPTH {
        return Err(UciError::PerftDepth(depth));
    }
    Ok(depth)
}

/// Parses a number; `what` names it if it isn't one.
pub(super) fn number<T: std::str::FromStr>(what: &str, text: &str) -> Result<T, UciError> {
    text.parse().map_err(|_| UciError::Number { what: what.to_owned(), found: shortened(text) })
}
