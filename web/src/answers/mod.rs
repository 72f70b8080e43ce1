//! Answers the questions of the web page, such as which moves are legal in a position. Each answer is one line of JSON
//! and doesn't depend on the UCI session.

mod castling;
mod games;
mod judgement;
mod position;
mod quiz;
mod review;
mod start;

use enroque::chess::{Board, CastlingRules};
use enroque::uci::arguments;
use serde_json::{Value, json};

/// An answer, or an error message.
type Answer = Result<Value, String>;

/// Answers a question of the web page in JSON. An error has the form `{"error": …}`.
pub fn answer(question: &str) -> String {
    let question = question.trim();
    let (name, rest) = question.split_once(' ').unwrap_or((question, ""));
    let answer = match name {
        "position" => parse_position(rest).map(|(board, warnings)| position::describe(&board, warnings)),
        "line" => with_position(rest, |moves, board| Ok(position::line(&board, moves))),
        "find" => with_position(rest, |text, board| position::find(&board, text)),
        "explain" => parse_position(rest).map(|(board, _)| castling::explain(&board)),
        "start" => start::describe(rest.trim()),
        "pgn" => games::read(rest),
        "write" => games::write(rest),
        "judge" => with_game(rest, judgement::judge),
        "review" => review::review(rest),
        "quiz" => quiz::ask(rest.trim()),
        "about" => {
            Ok(json!({ "name": enroque::util::version::NAME, "pieces": enroque_study::board::OUTLINES }))
        }
        "kernels" => Ok(json!({ "equal": enroque::nnue::check::dispatched() })),
        _ => Err(format!("unknown question: '{name}'")),
    };
    answer.unwrap_or_else(|error| json!({ "error": error })).to_string()
}

/// Parses what follows `position` in the UCI command. Returns the board, and a text for each castling right that the
/// FEN claims although the position cannot have it.
fn parse_position(words: &str) -> Result<(Board, Vec<String>), String> {
    let words: Vec<&str> = words.split_ascii_whitespace().collect();
    let (board, false_rights) =
        arguments::position(&words, CastlingRules::Fischer).map_err(|error| error.to_string())?;
    Ok((board, false_rights.iter().map(ToString::to_string).collect()))
}

/// Splits `TEXT position POSITION` into TEXT and POSITION.
fn split_position(text: &str) -> Result<(&str, &str), String> {
    const SEPARATOR: &str = "position ";
    let (text, words) = text.split_once(SEPARATOR).ok_or("expected TEXT position POSITION")?;
    Ok((text.trim(), words))
}

/// Parses `TEXT position POSITION`, and calls `answer` with TEXT and the board.
fn with_position(text: &str, answer: impl FnOnce(&str, Board) -> Answer) -> Answer {
    let (text, words) = split_position(text)?;
    let (board, _) = parse_position(words)?;
    answer(text, board)
}

/// Splits `TEXT position START moves MOVES`, and calls `answer` with TEXT, START and MOVES, all unparsed.
fn with_game(text: &str, answer: impl FnOnce(&str, &str, &str) -> Answer) -> Answer {
    let (text, words) = split_position(text)?;
    let (start, moves) = words.split_once(" moves ").unwrap_or((words, ""));
    answer(text, start, moves)
}
