//! Positions as users write them: by number, by letters, or as FEN.

use thiserror::Error;

use super::{Fen, FenError};
use crate::chess::startpos::{
    CHESS960_COUNT, ORTHODOX, SetNumberError, StartCastling, StartNumbers, StartSet, parse_back_rank,
};
use crate::chess::{Board, CastlingRules};
use crate::util::text::shortened;

/// Why [`parse`] does not understand a position.
#[derive(Clone, Debug, Error)]
pub enum PositionError {
    #[error(transparent)]
    Fen(#[from] FenError),
    /// The set of start positions exists, but has no such number.
    #[error("{text}: {reason}")]
    Number { text: String, reason: SetNumberError },
    #[error(
        "expected a FEN, startpos, a number, WHITE:BLACK, SET:NUMBER or a back rank such as NRQKRBBN, found '{0}'"
    )]
    Unknown(String),
}

const FEN_RANKS: usize = 8;

/// Start position numbers may have this prefix, as in `sp334`.
const NUMBER_PREFIX: &str = "sp";

/// Returns `true` for a number such as `334`, and for two as in `344:402`.
pub fn is_number(text: &str) -> bool {
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let (white, black) = text.split_once(':').unwrap_or((text, text));
    is_digits(white) && is_digits(black)
}

/// Splits `SET:NUMBER`. Without a set, one number means Chess960, and two mean double Chess960. A prefix `sp` is
/// skipped.
fn split_set(text: &str) -> Option<(&'static StartSet, &str)> {
    let prefix = text.get(..NUMBER_PREFIX.len()).filter(|prefix| prefix.eq_ignore_ascii_case(NUMBER_PREFIX));
    let after_prefix = prefix.map(|prefix| text[prefix.len()..].trim_start_matches([':', ' ']));
    let (name, number) = match after_prefix.unwrap_or(text) {
        number if is_number(number) => (if number.contains(':') { "dfrc" } else { "chess960" }, number),
        _ => text.split_once(':')?,
    };
    let name = if name.eq_ignore_ascii_case(NUMBER_PREFIX) { "chess960" } else { name };
    StartSet::by_name(name).map(|set| (set, number))
}

/// Parses one back rank in letters (`NRQKRBBN`), or White's and Black's (`NRQKRBBN:RNBQKBNR`), into their numbers.
fn parse_letters(text: &str) -> Option<StartNumbers> {
    let (white, black) = text.split_once(':').unwrap_or((text, text));
    StartNumbers::of_ranks(&parse_back_rank(white)?, &parse_back_rank(black)?)
}

/// Returns `true` if `text` looks like a position, valid or not, rather than a file name.
pub fn is_position(text: &str) -> bool {
    text == "startpos"
        || split_set(text).is_some()
        || parse_letters(text).is_some()
        || text.trim().contains(' ')
        || text.split('/').count() == FEN_RANKS
}

/// Parses a position: a FEN in any dialect, `startpos`, `518` (also `sp518` and `sp:518`), `502:532` (also
/// `dfrc:502:532` and `dfrc:482452`), a number of another set (`chess90:7`), or back ranks in letters.
///
/// A FEN's position castles by `rules`. A start position castles as its set says, unless `rules` are other than
/// Fischer's.
///
/// ```
/// use enroque::chess::{CastlingRules, position};
///
/// let board = position::parse("334", CastlingRules::Fischer)?;
/// for text in ["sp334", "sp:334", "NRQKRBBN"] {
///     assert_eq!(position::parse(text, CastlingRules::Fischer)?, board);
/// }
/// # Ok::<(), position::PositionError>(())
/// ```
///
/// # Errors
/// Returns an error if `text` names no position.
pub fn parse(text: &str, rules: CastlingRules) -> Result<Board, PositionError> {
    parse_fen(text, rules).map(|fen| fen.board)
}

/// Parses a position as [`parse`] does, and also returns the false castling rights of a FEN.
///
/// # Errors
/// Returns an error if `text` names no position.
pub fn parse_fen(text: &str, rules: CastlingRules) -> Result<Fen, PositionError> {
    let text = text.trim();
    if text.contains('/') && split_set(text).is_none() {
        return Ok(Fen::parse(text, rules)?);
    }
    let board = parse_start(text, rules)?;
    Ok(Fen { board, false_rights: Vec::new() })
}

fn parse_start(text: &str, rules: CastlingRules) -> Result<Board, PositionError> {
    if let Some((set, number)) = split_set(text) {
        let numbers = set.parse(number).map(|index| set.numbers(index));
        let numbers = numbers.map_err(|reason| PositionError::Number { text: shortened(text), reason })?;
        let Some(numbers) = numbers else { unreachable!("a set parses only numbers that it has") };
        return Ok(start(Some(set), numbers, rules));
    }
    let numbers =
        if text == "startpos" { StartNumbers::new(ORTHODOX, ORTHODOX) } else { parse_letters(text) };
    if let Some(numbers) = numbers {
        let set = StartSet::of_rank(numbers.white().max(numbers.black()));
        return Ok(start(set, numbers, rules));
    }
    Err(PositionError::Unknown(shortened(text)))
}

/// Sets up a start position. It castles by `rules` if they aren't Fischer's and suit both ranks, else as `set` says.
fn start(set: Option<&StartSet>, numbers: StartNumbers, rules: CastlingRules) -> Board {
    numbers.board(match set {
        // `Orthodox480` needs a king between the rooks, as all Chess960 ranks have.
        _ if rules != CastlingRules::Fischer
            && (rules != CastlingRules::Orthodox480
                || numbers.white().max(numbers.black()) < CHESS960_COUNT) =>
        {
            StartCastling::Rules(rules)
        }
        Some(set) => set.castling,
        None => StartCastling::Rules(CastlingRules::None),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_parsed() {
        let read = |text| parse(text, CastlingRules::Fischer);
        assert_eq!(read("startpos").unwrap(), read("sp:518").unwrap());
        assert_eq!(read("dfrc:518:518").unwrap(), Board::startpos());
        assert_eq!(read("dfrc:497798").unwrap(), Board::startpos());
        assert_eq!(read("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha -").unwrap(), Board::startpos());
        assert_eq!(read("RNBQKBNR").unwrap(), Board::startpos());
        assert_eq!(read("bbqnnrkr").unwrap(), read("sp:0").unwrap());
        assert_eq!(read("BBQNNRKR:RNBQKBNR").unwrap(), read("dfrc:0:518").unwrap());
        for word in ["334", "sp334", "SP 334", "sp:334", "nrqkrbbn", "chess960:334", " 334 "] {
            assert_eq!(read(word).unwrap(), read("NRQKRBBN").unwrap(), "{word}");
        }
        for word in ["344:402", "sp:344:402", "dfrc:330642"] {
            assert_eq!(read(word).unwrap(), read("dfrc:344:402").unwrap(), "{word}");
        }
        assert_eq!(read("chess18:0").unwrap(), read("RQNNKBBR").unwrap());
        // The set decides how to castle, unless the caller asks for rules other than Fischer's.
        let rules = |text, rules| parse(text, rules).unwrap().castling_geometry().rules();
        assert_eq!(rules("chess2880:2000", CastlingRules::Fischer), CastlingRules::NearestRook);
        assert_eq!(rules("KRRBBQNN", CastlingRules::Fischer), CastlingRules::NearestRook);
        assert!(parse("sp:334", CastlingRules::None).unwrap().castling_rights().is_empty());
        assert_eq!(rules("startpos", CastlingRules::Orthodox480), CastlingRules::Orthodox480);
        assert_eq!(rules("chess2880:2000", CastlingRules::Orthodox480), CastlingRules::NearestRook);
        for wrong in [
            "sp:960",
            "sp:x",
            "960",
            "sp960",
            "sp",
            "-1",
            "334:",
            "1:2:3",
            "ép1",
            "dfrc:1:960",
            "dfrc:921600",
            "dfrc:",
            "chess90:1:2",
            "chess90:90",
            "8/8",
            "nonsense",
            "",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert!(
            is_position("8/8/8/8/8/8/8/8")
                && is_position("sp:1000")
                && is_position("334")
                && is_position("8/8 w")
        );
        assert!(!is_position("games/my.pgn") && !is_position("-"));
    }
}
