//! Colours, kinds of piece and coloured pieces, with their letters.

use std::ops::Not;

/// The two sides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Color {
    /// Moves first.
    White,
    /// Moves second.
    Black,
}

impl Color {
    /// Both colours, in index order.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// 0 for White, 1 for Black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The back rank as the board counts it: 0 for White, 7 for Black.
    #[inline]
    pub const fn back_rank(self) -> u8 {
        self as u8 * 7
    }

    /// `white` or `black`.
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

/// What a piece is, whatever its colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
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

    /// 0 (pawn) to 5 (king).
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its name in English.
    pub const fn name(self) -> &'static str {
        ["pawn", "knight", "bishop", "rook", "queen", "king"][self as usize]
    }

    /// The upper-case letter used in FEN and SAN.
    pub const fn letter(self) -> char {
        b"PNBRQK"[self as usize] as char
    }

    /// The kind that an upper- or lower-case letter names.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_uppercase())
    }
}

/// A piece with its colour. `Option<Piece>` is one byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
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

    /// The piece of that colour and kind.
    #[inline]
    pub const fn new(color: Color, kind: PieceKind) -> Self {
        // SAFETY: the discriminants run from 0 to 11 and kind * 2 + colour stays in that range.
        unsafe { std::mem::transmute((kind as u8) << 1 | color as u8) }
    }

    /// Whose piece this is.
    #[inline]
    pub const fn color(self) -> Color {
        if self as u8 & 1 == 0 { Color::White } else { Color::Black }
    }

    /// What piece this is.
    #[inline]
    pub const fn kind(self) -> PieceKind {
        // SAFETY: half of a discriminant below 12 is below 6.
        unsafe { std::mem::transmute(self as u8 >> 1) }
    }

    /// 0..=11: kind × 2 + colour.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The FEN letter: upper case for White.
    pub const fn letter(self) -> char {
        let letter = self.kind().letter();
        if matches!(self.color(), Color::White) { letter } else { letter.to_ascii_lowercase() }
    }

    /// The piece that a FEN letter names.
    pub fn from_letter(letter: char) -> Option<Self> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        PieceKind::from_letter(letter).map(|kind| Self::new(color, kind))
    }
}
