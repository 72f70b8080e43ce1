//! Start positions by number and by text.

use super::error::StartposError;
use crate::chess::startpos::{self, StartSet};
use crate::chess::{Board, CastlingRules};
use crate::workbench::position;

/// Returns position `number` of the set.
///
/// # Errors
/// Returns an error if the set has no such number.
pub fn by_number(set: &'static StartSet, number: u64) -> Result<Board, StartposError> {
    let index = set.parse(&number.to_string())?;
    set.position(index).ok_or_else(|| StartposError::NotAStart(number.to_string()))
}

/// Returns the start position that `text` names: a number of the set, or any form that [`position::parse`] accepts.
///
/// # Errors
/// Returns an error if `text` names no start position.
pub fn by_text(set: &'static StartSet, text: &str) -> Result<Board, StartposError> {
    let is_number = text.split(':').all(|part| part.parse::<u64>().is_ok());
    if is_number && text.contains(':') && !set.double && set.name == "chess960" {
        // In the default set two numbers are those of double Chess960.
        return Ok(position::parse(&format!("dfrc:{text}"), CastlingRules::Fischer)?);
    }
    if is_number {
        return by_number(set, set.parse(text)?);
    }
    let board = position::parse(text, set.castling.rules())?;
    match startpos::start_numbers(&board) {
        Some(_) => Ok(board),
        None => Err(StartposError::NotAStart(text.to_owned())),
    }
}
