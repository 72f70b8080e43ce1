//! Zobrist keys: XORs of random numbers for pieces, castling rights, en passant and side to move.

use crate::chess::{ByColor, ByPiece, BySquare, CastlingRights, Color, Piece, PieceKind, Square};
use crate::util::random::Random;

struct Numbers {
    pieces: ByPiece<BySquare<u64>>,
    castling: [u64; 16],
    en_passant: [u64; 8],
    black_to_move: u64,
}

const SEED: u64 = 960;

static NUMBERS: Numbers = {
    let mut random = Random::new(SEED);
    let mut pieces = [BySquare([0; Square::COUNT]); Piece::COUNT];
    let mut i = 0;
    while i < Piece::COUNT {
        pieces[i] = BySquare(draw(&mut random));
        i += 1;
    }
    let (castling, en_passant) = (draw(&mut random), draw(&mut random));
    Numbers { pieces: ByPiece(pieces), castling, en_passant, black_to_move: random.bits() }
};

const fn draw<const N: usize>(random: &mut Random) -> [u64; N] {
    let mut numbers = [0; N];
    let mut i = 0;
    while i < N {
        numbers[i] = random.bits();
        i += 1;
    }
    numbers
}

#[inline]
pub fn piece_key(piece: Piece, square: Square) -> u64 {
    NUMBERS.pieces[piece][square]
}

#[inline]
pub fn castling_key(rights: CastlingRights) -> u64 {
    NUMBERS.castling[rights.index()]
}

/// Returns 0 for `None`. Only the file of the square counts, because the side to move determines the rank.
#[inline]
pub fn en_passant_key(square: Option<Square>) -> u64 {
    square.map_or(0, |square| NUMBERS.en_passant[square.file().index()])
}

/// Returns the number that is part of the key when Black is to move.
#[inline]
pub fn side_key() -> u64 {
    NUMBERS.black_to_move
}

/// The keys of a position: the main key, and partial keys for correction histories.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Keys {
    /// Hashes all pieces, the side to move, castling rights and the en passant file.
    pub main: u64,
    /// Hashes the pawns of both colours.
    pub pawn: u64,
    /// For each colour, hashes all its pieces except pawns.
    pub non_pawn: ByColor<u64>,
    /// Hashes the knights and bishops of both colours.
    pub minor: u64,
    /// Hashes the rooks and queens of both colours.
    pub major: u64,
}

impl Keys {
    /// Adds or removes a piece, since XOR does both.
    #[inline]
    pub fn toggle(&mut self, piece: Piece, square: Square) {
        self.change(piece, piece_key(piece, square));
    }

    /// Moves a piece from one of the squares to the other.
    #[inline]
    pub fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        self.change(piece, piece_key(piece, from) ^ piece_key(piece, to));
    }

    /// XORs `number` into all keys that hash `piece`.
    #[inline]
    fn change(&mut self, piece: Piece, number: u64) {
        self.main ^= number;
        match piece.kind() {
            PieceKind::Pawn => {
                self.pawn ^= number;
                return;
            }
            PieceKind::Knight | PieceKind::Bishop => self.minor ^= number,
            PieceKind::Rook | PieceKind::Queen => self.major ^= number,
            PieceKind::King => {}
        }
        self.non_pawn[piece.color()] ^= number;
    }

    /// Computes the keys from scratch, when a position is set up.
    pub fn of(
        pieces: impl Iterator<Item = (Piece, Square)>,
        side_to_move: Color,
        rights: CastlingRights,
        en_passant: Option<Square>,
    ) -> Self {
        let mut keys = Self::default();
        pieces.for_each(|(piece, square)| keys.toggle(piece, square));
        keys.main ^= castling_key(rights) ^ en_passant_key(en_passant);
        if side_to_move == Color::Black {
            keys.main ^= side_key();
        }
        keys
    }
}
