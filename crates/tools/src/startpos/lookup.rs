//! Start positions of a set by number and by text.

use std::ops::RangeInclusive;

use anyhow::{Context, Result, ensure};

use enroque::chess::startpos::{self, StartSet};
use enroque::chess::{Board, position};

/// Returns position `number` of the set.
pub fn by_number(set: &'static StartSet, number: u64) -> Result<Board> {
    set.position(number).with_context(|| format!("the set {} has no number {number}", set.name))
}

/// Returns the start position that `text` names: a number of the set, or any form that [`position::parse`] accepts.
pub fn by_text(set: &'static StartSet, text: &str) -> Result<Board> {
    // In the default set a number is one of Chess960 as everywhere else, and a pair one of double Chess960.
    if position::is_number(text) && set.name != "chess960" {
        return by_number(set, set.parse(text)?);
    }
    let board = position::parse(text, set.castling.rules())?;
    ensure!(
        startpos::start_numbers(&board).is_some(),
        "not a start position: expected all pawns at home and one set of pieces behind them, found {text}"
    );
    Ok(board)
}

/// Returns the numbers of the set that `text` names: `518`, `0..5` with both ends, or a start position in any form.
pub fn numbers_by_text(set: &'static StartSet, text: &str) -> Result<RangeInclusive<u64>> {
    if let Some((first, last)) = text.split_once("..") {
        let (first, last) = (set.parse(first)?, set.parse(last)?);
        ensure!(first <= last, "'{text}': expected FIRST..LAST with the smaller number first");
        return Ok(first..=last);
    }
    let number = if position::is_number(text) {
        set.parse(text)?
    } else {
        let numbers = startpos::start_numbers(&by_text(set, text)?);
        let index = numbers.and_then(|numbers| set.index_of(numbers));
        index.with_context(|| format!("'{text}' is not in the set {}", set.name))?
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
