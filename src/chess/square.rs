//! Squares, files and ranks, seen from White or from either side.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::color::Color;

/// A file of the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum File {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
}

impl File {
    /// All files, in index order.
    pub const ALL: [Self; 8] = {
        use File::*;
        [A, B, C, D, E, F, G, H]
    };

    /// Returns the index, 0 (a) to 7 (h).
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the file with an index from 0 (a) to 7 (h).
    #[inline]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < 8 { Some(Self::wrapping(index as u8)) } else { None }
    }

    /// Returns the file with this index modulo 8. The match costs no instruction; a table would be a load.
    #[inline]
    const fn wrapping(index: u8) -> Self {
        match index & 7 {
            0 => Self::A,
            1 => Self::B,
            2 => Self::C,
            3 => Self::D,
            4 => Self::E,
            5 => Self::F,
            6 => Self::G,
            _ => Self::H,
        }
    }

    /// Returns the lower-case letter.
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// Returns the file of a lower-case letter, `a` to `h`.
    pub const fn from_letter(letter: char) -> Option<Self> {
        match (letter as u32).checked_sub('a' as u32) {
            Some(index) => Self::from_index(index as usize),
            None => None,
        }
    }
}

/// A rank of the board, seen from White.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Rank {
    First,
    Second,
    Third,
    Fourth,
    Fifth,
    Sixth,
    Seventh,
    Eighth,
}

impl Rank {
    /// All ranks, in index order.
    pub const ALL: [Self; 8] = {
        use Rank::*;
        [First, Second, Third, Fourth, Fifth, Sixth, Seventh, Eighth]
    };

    /// Returns the index, 0 (first) to 7 (eighth).
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the rank with an index from 0 (first) to 7 (eighth).
    #[inline]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < 8 { Some(Self::wrapping(index as u8)) } else { None }
    }

    /// Returns the rank with this index modulo 8. A match for the same reason as [`File::wrapping`].
    #[inline]
    const fn wrapping(index: u8) -> Self {
        match index & 7 {
            0 => Self::First,
            1 => Self::Second,
            2 => Self::Third,
            3 => Self::Fourth,
            4 => Self::Fifth,
            5 => Self::Sixth,
            6 => Self::Seventh,
            _ => Self::Eighth,
        }
    }

    /// Returns the digit, `1` to `8`.
    pub const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }

    /// Returns the rank of a digit, `1` to `8`.
    pub const fn from_digit(digit: char) -> Option<Self> {
        match (digit as u32).checked_sub('1' as u32) {
            Some(index) => Self::from_index(index as usize),
            None => None,
        }
    }

    /// Returns this rank counted from the side of `color`: its own back rank is the first.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Self {
        Self::wrapping(self as u8 ^ (color as u8 * 7))
    }
}

/// Error of parsing a square.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("expected a square from a1 to h8, found '{0}'")]
pub struct ParseSquareError(String);

/// One of the 64 squares, numbered 0 (a1) to 63 (h8) rank by rank.
///
/// ```
/// use enroque::chess::Square;
/// use enroque::chess::square::{File, Rank};
///
/// let e4 = Square::new(File::E, Rank::Fourth);
/// assert_eq!("e4".parse(), Ok(e4));
/// assert_eq!((e4.index(), e4.flip_rank().to_string()), (28, "e5".to_owned()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Square(u8);

impl Square {
    /// Number of squares.
    pub const COUNT: usize = 64;

    /// Returns the square on `file` and `rank`.
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self((rank as u8) << 3 | file as u8)
    }

    /// Returns the square with an index from 0 to 63. Release builds take larger ones modulo 64.
    #[inline]
    pub const fn from_index(index: usize) -> Self {
        debug_assert!(index < 64);
        Self(index as u8 & 63)
    }

    /// Returns the index, 0 (a1) to 63 (h8).
    #[inline]
    pub const fn index(self) -> usize {
        // SAFETY: the field is private to this file, and every constructor keeps it below 64: `new` by its types, the
        // others by a mask, by an exclusive or with 56, or by their range.
        unsafe { std::hint::assert_unchecked(self.0 < 64) };
        self.0 as usize
    }

    /// Returns the file.
    #[inline]
    pub const fn file(self) -> File {
        File::wrapping(self.0)
    }

    /// Returns the rank, seen from White.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::wrapping(self.0 >> 3)
    }

    /// Returns the rank counted from the side of `color`: its own back rank is the first.
    #[inline]
    pub const fn relative_rank(self, color: Color) -> Rank {
        self.relative_to(color).rank()
    }

    /// Returns the square from the point of view of `color`: unchanged for White, mirrored top to bottom for Black.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Self {
        Self(self.0 ^ (color as u8 * 56))
    }

    /// Returns the square one rank forward for `color`. The last rank wraps around to the first.
    #[inline]
    pub const fn forward(self, color: Color) -> Self {
        Self(if matches!(color, Color::White) { self.0.wrapping_add(8) } else { self.0.wrapping_sub(8) } & 63)
    }

    /// Mirrors the square top to bottom (a1 ↔ a8).
    #[inline]
    pub const fn flip_rank(self) -> Self {
        Self(self.0 ^ 56)
    }

    /// Returns all squares, a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (0..64).map(Self)
    }

    /// Parses algebraic coordinates (`e4`); the [`FromStr`] form returns an error with the text.
    pub fn parse(text: &str) -> Option<Self> {
        let mut letters = text.chars();
        let file = File::from_letter(letters.next()?)?;
        let rank = Rank::from_digit(letters.next()?)?;
        letters.next().is_none().then_some(Self::new(file, rank))
    }
}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Self, ParseSquareError> {
        Self::parse(text).ok_or_else(|| ParseSquareError(text.to_owned()))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank().digit())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn square_text_round_trip() {
        assert!(Square::all().all(|square| square.to_string().parse() == Ok(square)));
        for text in ["", "e", "e9", "i1", "E4", "e4 ", "e44", "4e"] {
            let error = text.parse::<Square>().unwrap_err().to_string();
            assert_eq!(error, format!("expected a square from a1 to h8, found '{text}'"));
        }
    }
}
