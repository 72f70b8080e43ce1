//! Start positions of a set by number and by text.

use std::ops::RangeInclusive;

use super::error::StartposError;
use enroque::chess::startpos::{self, StartSet};
use enroque::chess::{Board, position};

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
    // In the default set a number is Chess960's everywhere, and two are those of double Chess960.
    if position::is_number(text) && set.name != "chess960" {
        return by_number(set, set.parse(text)?);
    }
    let board = position::parse(text, set.castling.rules())?;
    match startpos::start_numbers(&board) {
        Some(_) => Ok(board),
        None => Err(StartposError::NotAStart(text.to_owned())),
    }
}

/// Returns the numbers of the set that `text` names: `518`, `0..5` with both ends, or a start position in any form.
///
/// # Errors
/// Returns an error if `text` names no position of the set.
pub fn numbers_by_text(set: &'static StartSet, text: &str) -> Result<RangeInclusive<u64>, StartposError> {
    if let Some((first, last)) = text.split_once("..") {
        let (first, last) = (set.parse(first)?, set.parse(last)?);
        let is_ascending = first <= last;
        return if is_ascending { Ok(first..=last) } else { Err(StartposError::Range(text.to_owned())) };
    }
    let number = if position::is_number(text) {
        set.parse(text)?
    } else {
        let numbers = startpos::start_numbers(&by_text(set, text)?);
        let index = numbers.and_then(|numbers| set.index_of(numbers));
        index.ok_or_else(|| StartposError::NotInSet { text: text.to_owned(), set: set.name })?
    };
    Ok(number..=number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_ranges_by_text() {
        let of = |set, text| {
            let range = numbers_by_text(StartSet::by_name(set).unwrap(), text).ok()?;
            Some((*range.start(), *range.end()))
        };
        assert_eq!(of("chess960", "0..5"), Some((0, 5)));
        assert_eq!(of("dfrc", "330642..344:402"), Some((330_642, 330_642)));
        for text in ["518", "sp518", "sp:518", "RNBQKBNR", "startpos"] {
            assert_eq!(of("chess960", text), Some((518, 518)), "{text}");
        }
        assert_eq!(of("dfrc", "sp:1"), Some((961, 961)));
        assert_eq!(of("chess18", "518"), None);
        assert_eq!(of("chess18", "RNBQKBNR"), Some((9, 9)));
        for text in ["5..0", "0..960", "..5", "5..", "0..5..7", "chess2880:2000", "x", ""] {
            assert_eq!(of("chess960", text), None, "{text}");
        }
    }
}
