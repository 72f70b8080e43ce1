//! Positions as a person names them on the command line.

use thiserror::Error;

use crate::chess::startpos::{StartNumber, StartNumberError};
use crate::chess::{Board, CastlingRules, FenError};

/// Why a word names no position.
#[derive(Debug, Error)]
pub enum PositionError {
    /// A FEN with a mistake.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A number that is none.
    #[error("{text}: {reason}")]
    Number {
        /// What was given.
        text: String,
        /// What is wrong with it.
        reason: StartNumberError,
    },
    /// None of the forms.
    #[error("expected a FEN, startpos, sp:NUMBER or dfrc:WHITE:BLACK, found '{0}'")]
    Unknown(String),
}

/// `true` when `text` is meant to name a position, rightly or not, rather than a file.
pub fn is_position(text: &str) -> bool {
    text == "startpos"
        || text.starts_with("sp:")
        || text.starts_with("dfrc:")
        || text.trim().contains(' ')
        || text.split('/').count() == 8
}

/// The position that `text` names: a FEN in any dialect, `startpos`, `sp:518`, `dfrc:502:532` or `dfrc:482452`.
///
/// # Errors
/// When it names none.
pub fn parse(text: &str, rules: CastlingRules) -> Result<Board, PositionError> {
    if text == "startpos" {
        return Ok(Board::startpos());
    }
    let number_error = |reason| PositionError::Number { text: text.to_owned(), reason };
    if let Some(number) = text.strip_prefix("sp:") {
        return Ok(StartNumber::single(number).map_err(number_error)?.board());
    }
    if let Some(number) = text.strip_prefix("dfrc:") {
        return Ok(StartNumber::double(number).map_err(number_error)?.board());
    }
    if text.contains('/') {
        return Ok(Board::from_fen(text, rules)?);
    }
    Err(PositionError::Unknown(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_understood() {
        let read = |text| parse(text, CastlingRules::Fischer);
        assert_eq!(read("startpos").unwrap(), read("sp:518").unwrap());
        assert_eq!(read("dfrc:518:518").unwrap(), Board::startpos());
        assert_eq!(read("dfrc:497798").unwrap(), Board::startpos());
        assert_eq!(read("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha -").unwrap(), Board::startpos());
        for wrong in ["sp:960", "sp:x", "dfrc:1:960", "dfrc:921600", "dfrc:", "8/8", "nonsense", ""] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert!(is_position("8/8/8/8/8/8/8/8") && is_position("sp:1000") && is_position("8/8 w"));
        assert!(!is_position("games/my.pgn") && !is_position("-"));
    }
}
