//! The number of a Chess960 or double-Chess960 start position, as people write it.

use std::fmt;

use thiserror::Error;

use super::{CHESS960_COUNT, board_from_back_ranks, chess960_back_rank};
use crate::chess::board::Board;
use crate::chess::castling::CastlingRules;
use crate::chess::notation::shortened;
use crate::chess::startpos::StartCastling;

/// The numbers of White's and Black's back rank, each below 960.
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

/// Why a text is no number of a start position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum StartNumberError {
    /// Not a number of Chess960.
    #[error("expected a number from 0 to {max}, found '{0}'", max = CHESS960_COUNT - 1)]
    Single(String),
    /// Not a pair of them, nor a number of double Chess960.
    #[error(
        "expected WHITE:BLACK, two numbers from 0 to {each}, or one from 0 to {max}, found '{0}'",
        each = CHESS960_COUNT - 1, max = CHESS960_COUNT * CHESS960_COUNT - 1
    )]
    Double(String),
}

impl StartNumber {
    /// The position in which White has the back rank `white` and Black `black`; `None` unless both are below 960.
    pub fn new(white: u32, black: u32) -> Option<Self> {
        (white.max(black) < CHESS960_COUNT).then_some(Self { white, black })
    }

    /// Reads a Chess960 number: `334`.
    ///
    /// # Errors
    /// When it is none.
    pub fn single(text: &str) -> Result<Self, StartNumberError> {
        let number = text.parse().ok().and_then(|number| Self::new(number, number));
        number.ok_or_else(|| StartNumberError::Single(shortened(text)))
    }

    /// Reads a double-Chess960 number: `344:402`, or White's × 960 + Black's, `330642`.
    ///
    /// # Errors
    /// When it is none.
    pub fn double(text: &str) -> Result<Self, StartNumberError> {
        let pair = match text.split_once(':') {
            Some((white, black)) => white.parse().ok().zip(black.parse().ok()),
            None => text.parse().ok().map(|number: u32| (number / CHESS960_COUNT, number % CHESS960_COUNT)),
        };
        let number = pair.and_then(|(white, black)| Self::new(white, black));
        number.ok_or_else(|| StartNumberError::Double(shortened(text)))
    }

    /// The start position.
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
