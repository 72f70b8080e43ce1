//! Numbers of Chess960 and double Chess960 start positions, as written by users.

use std::fmt;

use thiserror::Error;

use super::{CHESS960_COUNT, board_from_back_ranks, chess960_back_rank};
use crate::chess::board::Board;
use crate::chess::castling::CastlingRules;
use crate::chess::notation::shortened;
use crate::chess::startpos::StartCastling;

/// Start position number: the back ranks of White and Black, each below 960.
///
/// ```
/// use enroque::chess::Board;
/// use enroque::chess::startpos::StartNumber;
///
/// let orthodox = StartNumber::single("518")?;
/// assert_eq!(orthodox.board(), Board::startpos());
/// assert_eq!(StartNumber::double("518:518")?, orthodox);
/// assert_eq!(StartNumber::double("330642")?.to_string(), "344:402");
/// assert!(StartNumber::single("960").is_err());
/// # Ok::<(), enroque::chess::startpos::StartNumberError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StartNumber {
    white: u32,
    black: u32,
}

/// Error of parsing the number of a start position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum StartNumberError {
    /// A text that is not a Chess960 number.
    #[error("expected a number from 0 to {max}, found '{0}'", max = CHESS960_COUNT - 1)]
    Single(String),
    /// A text that is neither a pair of Chess960 numbers nor a double Chess960 number.
    #[error(
        "expected WHITE:BLACK, two numbers from 0 to {each}, or one from 0 to {max}, found '{0}'",
        each = CHESS960_COUNT - 1, max = CHESS960_COUNT * CHESS960_COUNT - 1
    )]
    Double(String),
}

impl StartNumber {
    /// Returns the number with these back ranks; `None` unless both are below 960.
    pub fn new(white: u32, black: u32) -> Option<Self> {
        (white.max(black) < CHESS960_COUNT).then_some(Self { white, black })
    }

    /// Parses a Chess960 number: `334`.
    ///
    /// # Errors
    /// Returns an error if the text is not a number below 960.
    pub fn single(text: &str) -> Result<Self, StartNumberError> {
        let number = text.parse().ok().and_then(|number| Self::new(number, number));
        number.ok_or_else(|| StartNumberError::Single(shortened(text)))
    }

    /// Parses a double Chess960 number: `344:402`, or White's × 960 + Black's, `330642`.
    ///
    /// # Errors
    /// Returns an error if the text has neither form or a number is too large.
    pub fn double(text: &str) -> Result<Self, StartNumberError> {
        let pair = match text.split_once(':') {
            Some((white, black)) => white.parse().ok().zip(black.parse().ok()),
            None => text.parse().ok().map(|number: u32| (number / CHESS960_COUNT, number % CHESS960_COUNT)),
        };
        let number = pair.and_then(|(white, black)| Self::new(white, black));
        number.ok_or_else(|| StartNumberError::Double(shortened(text)))
    }

    /// Returns the start position.
    pub fn board(self) -> Board {
        let [white, black] = [self.white, self.black].map(chess960_back_rank);
        board_from_back_ranks(&white, &black, StartCastling::Rules(CastlingRules::Fischer))
    }
}

impl fmt::Display for StartNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.white, self.black)
    }
}
