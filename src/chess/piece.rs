//! Piece kinds and coloured pieces, with their letters.

use std::fmt;

use super::Color;

/// The kind of a piece, without its colour.
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
    /// All kinds, in index order.
    pub const ALL: [Self; 6] = [Pawn, Knight, Bishop, Rook, Queen, King];

    /// Returns the index, 0 (pawn) to 5 (king).
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the English name, in lower case.
    pub const fn name(self) -> &'static str {
        ["pawn", "knight", "bishop", "rook", "queen", "king"][self as usize]
    }

    /// Returns the upper-case letter of FEN and SAN.
    pub const fn letter(self) -> char {
        b"PNBRQK"[self as usize] as char
    }

    /// Returns the kind of a letter in either case.
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
    /// Number of coloured pieces.
    pub const COUNT: usize = 12;

    /// Returns the piece of this colour and kind.
    #[inline]
    pub const fn new(color: Color, kind: PieceKind) -> Self {
        // The compiler turns this into kind × 2 + colour; an indexed table would be a load.
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

    /// Returns the colour.
    #[inline]
    pub const fn color(self) -> Color {
        if self as u8 & 1 == 0 { Color::White } else { Color::Black }
    }

    /// Returns the kind.
    #[inline]
    pub const fn kind(self) -> PieceKind {
        // SAFETY: discriminants are below 12, so the half is below 6, the number of kinds. A table or match is slower.
        unsafe { std::mem::transmute(self as u8 >> 1) }
    }

    /// Returns the index, 0 to 11: kind × 2 + colour.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the FEN letter: upper case for White.
    pub const fn letter(self) -> char {
        let letter = self.kind().letter();
        if matches!(self.color(), Color::White) { letter } else { letter.to_ascii_lowercase() }
    }

    /// Returns the piece of a FEN letter.
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
