//! Start positions with their facts.

use enroque::chess::startpos::{double_chess960, start_numbers};
use enroque::chess::{Board, CastlingRules, position};
use enroque_study::start;
use serde_json::{Value, json};

use super::Answer;

/// Returns `true` for a start position of Chess960 or double Chess960, with White to move and all castling rights.
pub fn is_start(board: &Board) -> bool {
    let start = start_numbers(board).and_then(|(white, black)| double_chess960(white, black));
    start.is_some_and(|start| start == *board)
}

/// Returns facts about the start position in `text`: its number, FEN, letters or whatever else names one.
pub fn describe(text: &str) -> Answer {
    let board = position::parse(text, CastlingRules::Fischer).map_err(|error| error.to_string())?;
    if !is_start(&board) {
        return Err(format!("expected a start position of Chess960, found '{text}'"));
    }
    let mut value = start::json(&board);
    let mut rows = json!({});
    for facts in start::sides(&board) {
        let labelled = start::rows(&board, &facts).into_iter().map(|(label, value)| json!([label, value]));
        rows[facts.color.name()] = Value::Array(labelled.collect());
    }
    value["rows"] = rows;
    Ok(value)
}
