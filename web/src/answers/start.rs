//! Start positions with their facts.

use enroque::chess::startpos::start_numbers;
use enroque::chess::{CastlingRules, position};
use enroque::study::start;
use serde_json::{Value, json};

use super::Answer;

/// Returns the facts of the start position that a text names.
pub fn describe(text: &str) -> Answer {
    let board = position::parse(text, CastlingRules::Fischer).map_err(|error| error.to_string())?;
    if start_numbers(&board).is_none() {
        return Err(format!("expected a start position, found '{text}'"));
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
