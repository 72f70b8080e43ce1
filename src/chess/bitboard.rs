//! Sets of squares as 64-bit words, with the set operators `&`, `|`, `^` and `!`.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::{Color, File, Rank, Square};

/// A set of squares in which bit *i* stands for square *i*: bit 0 is a1, bit 63 is h8.
///
/// ```
/// use enroque::chess::square::{File, Rank};
/// use enroque::chess::{Bitboard, Square};
///
/// let cross = Bitboard::file(File::D) | Bitboard::rank(Rank::Fourth);
/// assert_eq!(cross.count(), 15);
/// assert_eq!(cross.first().to_string(), "d1");
/// assert!((cross & !Bitboard::LIGHT).has(Square::parse("d4").unwrap()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Bitboard(pub u64);

impl Bitboard {
    pub const EMPTY: Self = Self(0);
    pub const ALL: Self = Self(!0);
    pub const FILE_A: Self = Self(0x0101_0101_0101_0101);
    pub const FILE_H: Self = Self(0x8080_8080_8080_8080);
    /// The 32 light squares, such as h1.
    pub const LIGHT: Self = Self(0x55AA_55AA_55AA_55AA);

    #[inline]
    pub const fn file(file: File) -> Self {
        Self(Self::FILE_A.0 << file as u8)
    }

    /// Returns the squares of `rank`, counted from White's side.
    #[inline]
    pub const fn rank(rank: Rank) -> Self {
        Self(0xFF << (rank as u8 * 8))
    }

    /// Returns the squares of `rank`, counted from the side of `color`.
    #[inline]
    pub const fn relative_rank(color: Color, rank: Rank) -> Self {
        Self::rank(rank.relative_to(color))
    }

    #[inline]
    pub const fn of(square: Square) -> Self {
        Self(1 << square.index())
    }

    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub const fn non_empty(self) -> bool {
        self.0 != 0
    }

    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    #[inline]
    pub const fn more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    #[inline]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    #[inline]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the lowest square. Debug builds panic on an empty set; release builds return a1.
    #[inline]
    pub const fn first(self) -> Square {
        debug_assert!(self.0 != 0);
        Square::from_index((self.0.trailing_zeros() & 63) as usize)
    }

    /// Moves every square one rank forward for `color`. The last rank, where pawns never stand, wraps to the first.
    #[inline]
    pub const fn forward(self, color: Color) -> Self {
        Self(self.0.rotate_left([8, 56][color as usize]))
    }

    /// Mirrors the set top to bottom (a1 ↔ a8).
    #[inline]
    pub const fn flip_ranks(self) -> Self {
        Self(self.0.swap_bytes())
    }

    /// Returns the squares directly to the left and right of those in the set. Nothing wraps around the edge.
    #[inline]
    pub const fn adjacent_files(self) -> Self {
        Self((self.0 & !Self::FILE_A.0) >> 1 | (self.0 & !Self::FILE_H.0) << 1)
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// Iterator over the squares of a bitboard, lowest first.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let set = &mut self.0;
        if set.is_empty() {
            return None;
        }
        let square = set.first();
        set.0 &= set.0 - 1;
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | Self::of(square))
    }
}

macro_rules! operators {
    ($($operator:ident $method:ident $assign:ident $assign_method:ident $symbol:tt;)*) => {$(
        impl $operator for Bitboard {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                Self(self.0 $symbol other.0)
            }
        }
        impl $assign for Bitboard {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                self.0 = self.0 $symbol other.0;
            }
        }
    )*};
}

operators! {
    BitAnd bitand BitAndAssign bitand_assign &;
    BitOr bitor BitOrAssign bitor_assign |;
    BitXor bitxor BitXorAssign bitxor_assign ^;
}

impl Not for Bitboard {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}
