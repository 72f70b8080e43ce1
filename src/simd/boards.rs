//! Vectors of bitboards, with which one operation computes sets of squares for both sides.

use std::ops::{BitAnd, BitOr, BitXor, Not};

/// Four bitboards: two that belong to one side, and the same two for the other side, `[[a, b], [c, d]]`.
///
/// The first side moves up the board, the second one down.
pub trait Boards:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// Shifts each board by this many squares towards h8 or, if negative, towards a1. Squares beyond drop out.
    fn shift(self, squares: i32) -> Self;
    /// Shifts each board by this many ranks as its side moves. Squares beyond the last rank drop out.
    fn forward(self, ranks: i32) -> Self;
    /// Mirrors each board top to bottom if `condition`.
    fn flip_ranks_if(self, condition: bool) -> Self;
    /// Returns `[[c, d], [a, b]]`: each side sees what belongs to its opponent.
    fn swap_sides(self) -> Self;
    /// Returns `[[b, a], [d, c]]`.
    fn swap_pairs(self) -> Self;
    /// Returns the first board of each side from `self`, then that from `other`.
    fn firsts(self, other: Self) -> Self;
    /// Returns the second board of each side from `self`, then that from `other`.
    fn seconds(self, other: Self) -> Self;
    /// Returns the first board of each side from `self`, and the second from `other`.
    fn mix(self, other: Self) -> Self;
    /// Replaces each board by the number of its squares.
    fn counts(self) -> Self;
    /// Adds numbers, as [`Self::counts`] returns them, wrapping.
    fn plus(self, other: Self) -> Self;
    fn to_array(self) -> [u64; 4];

    /// Returns the union of both boards of each side, twice.
    #[inline(always)]
    fn union(self) -> Self {
        self | self.swap_pairs()
    }
}

/// A vector of two bitboards, `[a, b]`. See [`Boards`] for what the functions do.
pub trait Half: Copy {
    fn new(boards: [u64; 2]) -> Self;
    fn to_array(self) -> [u64; 2];
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn shift(self, squares: i32) -> Self;
    fn flip_ranks(self) -> Self;
    fn swap_pairs(self) -> Self;
    fn firsts(self, other: Self) -> Self;
    fn seconds(self, other: Self) -> Self;
    fn mix(self, other: Self) -> Self;
    fn counts(self) -> Self;
    fn plus(self, other: Self) -> Self;
}

/// [`Boards`] for instruction sets with vectors of two bitboards: one vector for each side.
#[derive(Clone, Copy)]
pub struct Halves<H>(pub(super) [H; 2]);

impl<H: Half> Halves<H> {
    #[inline(always)]
    fn zip(self, other: Self, operation: impl Fn(H, H) -> H) -> Self {
        Self([operation(self.0[0], other.0[0]), operation(self.0[1], other.0[1])])
    }
}

impl<H: Half> BitAnd for Halves<H> {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        self.zip(other, H::and)
    }
}

impl<H: Half> BitOr for Halves<H> {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        self.zip(other, H::or)
    }
}

impl<H: Half> BitXor for Halves<H> {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        self.zip(other, H::xor)
    }
}

impl<H: Half> Not for Halves<H> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self(self.0.map(|half| half.xor(H::new([!0; 2]))))
    }
}

impl<H: Half> Boards for Halves<H> {
    #[inline(always)]
    fn shift(self, squares: i32) -> Self {
        Self(self.0.map(|half| half.shift(squares)))
    }

    #[inline(always)]
    fn forward(self, ranks: i32) -> Self {
        Self([self.0[0].shift(8 * ranks), self.0[1].shift(-8 * ranks)])
    }

    #[inline(always)]
    fn flip_ranks_if(self, condition: bool) -> Self {
        if condition { Self(self.0.map(H::flip_ranks)) } else { self }
    }

    #[inline(always)]
    fn swap_sides(self) -> Self {
        Self([self.0[1], self.0[0]])
    }

    #[inline(always)]
    fn swap_pairs(self) -> Self {
        Self(self.0.map(H::swap_pairs))
    }

    #[inline(always)]
    fn firsts(self, other: Self) -> Self {
        self.zip(other, H::firsts)
    }

    #[inline(always)]
    fn seconds(self, other: Self) -> Self {
        self.zip(other, H::seconds)
    }

    #[inline(always)]
    fn mix(self, other: Self) -> Self {
        self.zip(other, H::mix)
    }

    #[inline(always)]
    fn counts(self) -> Self {
        Self(self.0.map(H::counts))
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.zip(other, H::plus)
    }

    #[inline(always)]
    fn to_array(self) -> [u64; 4] {
        let [[a, b], [c, d]] = self.0.map(H::to_array);
        [a, b, c, d]
    }
}
