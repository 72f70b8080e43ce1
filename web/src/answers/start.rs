//! Start positions with their facts.

use enroque::chess::startpos::{StartNumbers, double_chess960};
use enroque::chess::{Board, CastlingRules, position};
use enroque_study::start;
use enroque_study::start_text::in_english;
use serde_json::{Value, json};

use super::Answer;

/// Returns the numbers of a start position of Chess960 or double Chess960, with White to move and all castling rights;
/// `None` for any other position.
pub fn start_numbers(board: &Board) -> Option<StartNumbers> {
    let is_start = |numbers: &StartNumbers| {
        double_chess960(numbers.white(), numbers.black()).is_some_and(|start| start == *board)
    };
    StartNumbers::of(board).filter(is_start)
}

/// Returns facts about the start position in `text`: its number, FEN, letters of any language that we know, or whatever
/// else names one.
pub fn describe(text: &str) -> Answer {
    let board = position::parse(&in_english(text), CastlingRules::Fischer).map_err(|error| error.to_string())?;
    let Some(numbers) = start_numbers(&board) else {
        return Err(format!("expected a start position of Chess960, found '{text}'"));
    };
    let mut value = start::json(&board, numbers);
    let mut rows = json!({});
    for facts in start::sides(&board) {
        let labelled = start::rows(&board, &facts).into_iter().map(|(label, value)| json!([label, value]));
        rows[facts.color.name()] = Value::Array(labelled.collect());
    }
    value["rows"] = rows;
    Ok(value)
}
