//! Finds the start positions that a user means: by number in a set, by letters, by FEN, or as a range of numbers.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use crate::pgn::{ENGLISH, LANGUAGES};
use enroque::chess::Board;
use enroque::chess::position::{self, PositionError};
use enroque::chess::startpos::{SetNumberError, StartNumbers, StartSet, parse_back_rank};
use thiserror::Error;

/// Why a text names no start position of a set.
#[derive(Debug, Error)]
pub enum StartTextError {
    #[error(transparent)]
    Number(#[from] SetNumberError),
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error("not a start position: expected all pawns at home and one set of pieces behind them, found {0}")]
    NoStart(String),
    #[error("'{0}': expected FIRST..LAST with the smaller number first")]
    EmptyRange(String),
    #[error("'{text}' is not in the set {set}")]
    NotInSet { text: String, set: &'static str },
}

/// Returns the start that `text` names: a number in the set, or anything that [`position::parse`] understands.
///
/// # Errors
/// Returns an error if the set has no such number, or if `text` names no start position.
pub fn by_text(set: &'static StartSet, text: &str) -> Result<Board, StartTextError> {
    let text = &*in_english(text);
    // `position::parse` reads a number as a Chess960 number, so we parse the numbers of other sets ourselves. For the
    // set chess960 we leave even 344:402 to it, which it reads as double Chess960.
    let found = if position::is_number(text) && set.name != "chess960" {
        set.position(set.parse(text)?)
    } else {
        Some(position::parse(text, set.castling.rules())?).filter(|board| StartNumbers::of(board).is_some())
    };
    found.ok_or_else(|| StartTextError::NoStart(text.to_owned()))
}

/// Translates the letters of a back rank, or of two joined by a colon, into English: `GSWGSKWH` and `TSLDKLST` as Polish
/// and German players write them. Other texts stay as they are.
pub fn in_english(text: &str) -> Cow<'_, str> {
    let translated = |rank: &str| {
        parse_back_rank(rank).map(|_| rank.to_owned()).or_else(|| {
            LANGUAGES.iter().find_map(|letters| {
                let kinds = rank.chars().map(|letter| {
                    let place = letters.iter().position(|known| known.eq_ignore_ascii_case(&letter))?;
                    Some(ENGLISH[place])
                });
                let rank: String = kinds.collect::<Option<_>>()?;
                parse_back_rank(&rank).map(|_| rank)
            })
        })
    };
    let ranks: Option<Vec<String>> = text.split(':').map(translated).collect();
    ranks.map_or(Cow::Borrowed(text), |ranks| Cow::Owned(ranks.join(":")))
}

/// Returns the numbers in the set that `text` stands for. It is a number, a range such as `0..5`, which includes both
/// ends, or a start position in any form.
///
/// # Errors
/// Returns an error if a start is not in the set, or if a range ends before it begins.
pub fn numbers_by_text(set: &'static StartSet, text: &str) -> Result<RangeInclusive<u64>, StartTextError> {
    if let Some((first, last)) = text.split_once("..") {
        let (first, last) = (set.parse(first)?, set.parse(last)?);
        return if first <= last {
            Ok(first..=last)
        } else {
            Err(StartTextError::EmptyRange(text.to_owned()))
        };
    }
    let number = if position::is_number(text) {
        set.parse(text)?
    } else {
        let index = StartNumbers::of(&by_text(set, text)?).and_then(|numbers| set.index_of(numbers));
        index.ok_or_else(|| StartTextError::NotInSet { text: text.to_owned(), set: set.name })?
    };
    Ok(number..=number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn back_ranks_in_other_languages() {
        let chess960 = StartSet::by_name("chess960").unwrap();
        for (language, orthodox, other) in [
            ("German", "TSLDKLST", "STDKTLLS"),
            ("French", "TCFDRFCT", "CTDRTFFC"),
            ("Spanish", "TCADRACT", "CTDRTAAC"),
            ("Dutch", "TPLDKLPT", "PTDKTLLP"),
            ("Polish", "WSGHKGSW", "swhkwggs"),
            ("English", "RNBQKBNR", "nrqkrbbn"),
        ] {
            for (text, number) in [(orthodox, 518), (other, 334)] {
                let found = numbers_by_text(chess960, text).unwrap();
                assert_eq!(found, number..=number, "{language}");
            }
            let dfrc = StartSet::by_name("dfrc").unwrap();
            let found = by_text(dfrc, &format!("{orthodox}:{other}")).unwrap();
            assert_eq!(StartNumbers::of(&found), StartNumbers::new(518, 334), "{language}");
        }
        assert!(in_english("GSWGSKWH").eq("BNRBNKRQ") && in_english("startpos").eq("startpos"));
        // A mixture of languages is none.
        assert!(by_text(chess960, "TNLDKLNT").is_err());
    }

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
