//! The two sides, White and Black.

use std::ops::Not;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Color {
    White,
    Black,
}

impl Color {
    /// Both colours, in index order.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// Returns the index: 0 for White, 1 for Black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns `white` or `black`.
    pub const fn name(self) -> &'static str {
        ["white", "black"][self as usize]
    }
}

impl Not for Color {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        if self == Self::White { Self::Black } else { Self::White }
    }
}
