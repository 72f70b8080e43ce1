//! Pieces with and without a colour, and their letters in FEN and SAN.

use std::fmt;

use super::Color;

/// A piece without its colour, in the order in which they capture in an exchange: pawns first, king last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum PieceKind {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

use PieceKind::*;

impl PieceKind {
    pub const ALL: [Self; 6] = [Pawn, Knight, Bishop, Rook, Queen, King];

    /// Returns 0 (pawn) to 5 (king).
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the English name in lower case, such as `knight`.
    pub const fn name(self) -> &'static str {
        ["pawn", "knight", "bishop", "rook", "queen", "king"][self as usize]
    }

    /// Returns the upper-case English letter that FEN and SAN use.
    pub const fn letter(self) -> char {
        b"PNBRQK"[self as usize] as char
    }

    /// Accepts upper and lower case; `None` for letters that name no piece.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_uppercase())
    }
}

/// A piece with its colour. `Option<Piece>` is one byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Piece {
    WhitePawn,
    BlackPawn,
    WhiteKnight,
    BlackKnight,
    WhiteBishop,
    BlackBishop,
    WhiteRook,
    BlackRook,
    WhiteQueen,
    BlackQueen,
    WhiteKing,
    BlackKing,
}

impl Piece {
    pub const COUNT: usize = 12;

    #[inline]
    pub const fn new(color: Color, kind: PieceKind) -> Self {
        // The compiler turns this into kind × 2 + colour; an indexed table would cost a load.
        match (color, kind) {
            (Color::White, Pawn) => Self::WhitePawn,
            (Color::Black, Pawn) => Self::BlackPawn,
            (Color::White, Knight) => Self::WhiteKnight,
            (Color::Black, Knight) => Self::BlackKnight,
            (Color::White, Bishop) => Self::WhiteBishop,
            (Color::Black, Bishop) => Self::BlackBishop,
            (Color::White, Rook) => Self::WhiteRook,
            (Color::Black, Rook) => Self::BlackRook,
            (Color::White, Queen) => Self::WhiteQueen,
            (Color::Black, Queen) => Self::BlackQueen,
            (Color::White, King) => Self::WhiteKing,
            (Color::Black, King) => Self::BlackKing,
        }
    }

    #[inline]
    pub const fn color(self) -> Color {
        if self as u8 & 1 == 0 { Color::White } else { Color::Black }
    }

    #[inline]
    pub const fn kind(self) -> PieceKind {
        // SAFETY: a discriminant is below 12, and half of it below 6, the number of kinds. A table or match is slower.
        unsafe { std::mem::transmute(self as u8 >> 1) }
    }

    /// Returns kind × 2 + colour, 0 to 11.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the FEN letter: upper case for White.
    pub const fn letter(self) -> char {
        let letter = self.kind().letter();
        if matches!(self.color(), Color::White) { letter } else { letter.to_ascii_lowercase() }
    }

    /// Takes the colour from the case of the letter: upper case is White.
    pub fn from_letter(letter: char) -> Option<Self> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        PieceKind::from_letter(letter).map(|kind| Self::new(color, kind))
    }
}

impl fmt::Display for Piece {
    /// Writes the FEN letter: upper case for White.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.letter(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn piece_letter_round_trip() {
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                let piece = Piece::new(color, kind);
                assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
            }
        }
        assert!([' ', 'x', '♘'].into_iter().all(|letter| Piece::from_letter(letter).is_none()));
    }
}
