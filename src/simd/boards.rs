//! Vectors of bitboards, with which one operation computes sets of squares for both sides.

use std::ops::{BitAnd, BitOr, Not};

/// Four bitboards: two that belong to one side, and the same two for the other side, `[[a, b], [c, d]]`.
///
/// The first side moves up the board, the second one down.
pub trait Boards: Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {
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
    fn not(self) -> Self;
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

/// Implements functions of [`Halves`] with those that [`Half`] has: each half alone, or the same halves of two vectors
/// together.
macro_rules! by_halves {
    ($(map $map:ident($($argument:ident: $type:ty)?);)* $(zip $zip:ident by $half:ident;)*) => {
        $(
            #[inline(always)]
            fn $map(self $(, $argument: $type)?) -> Self {
                Self(self.0.map(|half| half.$map($($argument)?)))
            }
        )*
        $(
            #[inline(always)]
            fn $zip(self, other: Self) -> Self {
                Self([self.0[0].$half(other.0[0]), self.0[1].$half(other.0[1])])
            }
        )*
    };
}

impl<H: Half> BitAnd for Halves<H> {
    type Output = Self;
    by_halves! { zip bitand by and; }
}

impl<H: Half> BitOr for Halves<H> {
    type Output = Self;
    by_halves! { zip bitor by or; }
}

impl<H: Half> Not for Halves<H> {
    type Output = Self;
    by_halves! { map not(); }
}

impl<H: Half> Boards for Halves<H> {
    by_halves! {
        map shift(squares: i32);
        map swap_pairs();
        map counts();
        zip firsts by firsts;
        zip seconds by seconds;
        zip mix by mix;
        zip plus by plus;
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
    fn to_array(self) -> [u64; 4] {
        let [[a, b], [c, d]] = self.0.map(H::to_array);
        [a, b, c, d]
    }
}
