//! Squares, files and ranks, and the two directions they look in. No pieces and no sets of squares.

use std::fmt;

use super::piece::Color;

/// One of the 64 squares, numbered 0 (a1) to 63 (h8) rank by rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Square(u8);

/// A file, 0 (a) to 7 (h).
pub type File = u8;

/// A rank, 0 (first) to 7 (eighth), seen from White.
pub type Rank = u8;

impl Square {
    /// Number of squares.
    pub const COUNT: usize = 64;

    /// The square on `file` and `rank`, both 0..=7.
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Self {
        debug_assert!(file < 8 && rank < 8);
        Self(rank << 3 | file & 7)
    }

    /// The square numbered `index`, which must be below 64.
    #[inline]
    pub const fn from_index(index: usize) -> Self {
        debug_assert!(index < 64);
        Self(index as u8 & 63)
    }

    /// The number of this square, 0..=63.
    #[inline]
    pub const fn index(self) -> usize {
        debug_assert!(self.0 < 64);
        // SAFETY: every constructor masks to six bits.
        unsafe { std::hint::assert_unchecked(self.0 < 64) };
        self.0 as usize
    }

    /// The file, 0 (a) to 7 (h).
    #[inline]
    pub const fn file(self) -> File {
        self.0 & 7
    }

    /// The rank, 0 to 7, seen from White.
    #[inline]
    pub const fn rank(self) -> Rank {
        self.0 >> 3
    }

    /// The rank as `color` counts it: 0 is its own back rank.
    #[inline]
    pub const fn relative_rank(self, color: Color) -> Rank {
        self.relative_to(color).rank()
    }

    /// This square as `color` sees the board: unchanged for White, mirrored top to bottom for Black.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Self {
        Self(self.0 ^ (color as u8 * 56))
    }

    /// The square one step ahead for `color`; a pawn is never on its last rank.
    #[inline]
    pub const fn forward(self, color: Color) -> Self {
        Self(if matches!(color, Color::White) { self.0.wrapping_add(8) } else { self.0.wrapping_sub(8) } & 63)
    }

    /// The square mirrored top to bottom (a1 ↔ a8).
    #[inline]
    pub const fn flip_rank(self) -> Self {
        Self(self.0 ^ 56)
    }

    /// All squares, a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (0..64).map(Self)
    }

    /// Reads algebraic coordinates (`e4`).
    pub fn parse(text: &str) -> Option<Self> {
        match text.as_bytes() {
            &[file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some(Self::new(file - b'a', rank - b'1')),
            _ => None,
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", file_letter(self.file()), self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The lower-case letter of a file.
pub const fn file_letter(file: File) -> char {
    (b'a' + file) as char
}
