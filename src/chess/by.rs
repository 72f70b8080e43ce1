//! Arrays with one value for each colour, castling side, kind of piece, piece or square, indexed by that type.

use std::ops::{Index, IndexMut};

use super::{CastlingSide, Color, Piece, PieceKind, Square};

macro_rules! array_by {
    ($(#[$attribute:meta])* $name:ident[$key:ty; $length:expr]) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(transparent)]
        pub struct $name<T>(pub [T; $length]);

        impl<T> Index<$key> for $name<T> {
            type Output = T;

            #[inline(always)]
            fn index(&self, key: $key) -> &T {
                &self.0[key as usize]
            }
        }

        impl<T> IndexMut<$key> for $name<T> {
            #[inline(always)]
            fn index_mut(&mut self, key: $key) -> &mut T {
                &mut self.0[key as usize]
            }
        }
    };
}

array_by! {
    /// A value for each colour, White's first.
    ///
    /// ```
    /// use enroque::chess::{ByColor, Color};
    ///
    /// let letters = ByColor(['w', 'b']);
    /// assert_eq!(letters[Color::Black], 'b');
    /// ```
    #[derive(Default)]
    ByColor[Color; 2]
}
array_by! {
    /// A value for each castling side, the a-side's first.
    BySide[CastlingSide; 2]
}
array_by! {
    /// A value for each kind of piece, from pawn to king.
    ByKind[PieceKind; 6]
}
array_by! {
    /// A value for each piece, in the order of [`Piece::index`].
    ByPiece[Piece; Piece::COUNT]
}

/// A value for each square, a1 first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct BySquare<T>(pub [T; Square::COUNT]);

impl<T> Index<Square> for BySquare<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, square: Square) -> &T {
        &self.0[square.index()]
    }
}

impl<T> IndexMut<Square> for BySquare<T> {
    #[inline(always)]
    fn index_mut(&mut self, square: Square) -> &mut T {
        &mut self.0[square.index()]
    }
}
