//! Attack sets of every piece, and the lines and gaps between two squares. Pure geometry: no board.

pub use super::magics::{bishop_attacks, rook_attacks};
use crate::chess::bitboard::Bitboard;
use crate::chess::color::Color;
use crate::chess::piece::PieceKind;
use crate::chess::square::Square;

type Table = [Bitboard; Square::COUNT];
type PairTable = [Table; Square::COUNT];

/// The squares one step away from each square, for each of the steps.
const fn leaper(steps: &[(i8, i8)]) -> Table {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < steps.len() {
            let (file, rank) = ((square % 8) as i8 + steps[i].0, (square / 8) as i8 + steps[i].1);
            if 0 <= file && file < 8 && 0 <= rank && rank < 8 {
                table[square].0 |= 1 << (rank * 8 + file);
            }
            i += 1;
        }
        square += 1;
    }
    table
}

const ALL_STEPS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const KNIGHT_STEPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

static KNIGHT: Table = leaper(&KNIGHT_STEPS);
static KING: Table = leaper(&ALL_STEPS);
static PAWN: [Table; 2] = [leaper(&[(-1, 1), (1, 1)]), leaper(&[(-1, -1), (1, -1)])];

/// The squares from `square` to the edge in one direction.
const fn ray(square: usize, (file_step, rank_step): (i8, i8)) -> u64 {
    let mut seen = 0;
    let (mut file, mut rank) = ((square % 8) as i8 + file_step, (square / 8) as i8 + rank_step);
    while 0 <= file && file < 8 && 0 <= rank && rank < 8 {
        seen |= 1 << (rank * 8 + file);
        file += file_step;
        rank += rank_step;
    }
    seen
}

/// For each pair of aligned squares the whole line through them, or just what lies between them.
const fn aligned_pairs(whole_line: bool) -> PairTable {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < ALL_STEPS.len() {
            let step = ALL_STEPS[i];
            let back = (-step.0, -step.1);
            let forward = ray(from, step);
            let mut targets = forward;
            while targets != 0 {
                let to = targets.trailing_zeros() as usize;
                table[from][to].0 =
                    if whole_line { forward | ray(from, back) | 1 << from } else { forward & ray(to, back) };
                targets &= targets - 1;
            }
            i += 1;
        }
        from += 1;
    }
    table
}

static BETWEEN: PairTable = aligned_pairs(false);
static LINE: PairTable = aligned_pairs(true);

/// A square's lines through the whole board, without the square: file and rank, or both diagonals.
const fn lines(diagonal: bool) -> Table {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = diagonal as usize;
        while i < ALL_STEPS.len() {
            table[square].0 |= ray(square, ALL_STEPS[i]);
            i += 2;
        }
        square += 1;
    }
    table
}

static ROOK_LINES: Table = lines(false);
static BISHOP_LINES: Table = lines(true);

/// The squares that a knight on `square` attacks.
#[inline]
pub fn knight_attacks(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares that a king on `square` attacks.
#[inline]
pub fn king_attacks(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares that a pawn of `color` on `square` attacks.
#[inline]
pub fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// The squares that all of `pawns`, of one `color`, attack.
#[inline]
pub fn pawn_attacks_all(color: Color, pawns: Bitboard) -> Bitboard {
    pawns.adjacent_files().forward(color)
}

/// The squares that a queen on `square` attacks.
#[inline]
pub fn queen_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    rook_attacks(square, occupied) | bishop_attacks(square, occupied)
}

/// The squares that a piece (no pawn) on `square` attacks.
#[inline]
pub fn piece_attacks(kind: PieceKind, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceKind::Pawn => Bitboard::EMPTY,
        PieceKind::Knight => knight_attacks(square),
        PieceKind::Bishop => bishop_attacks(square, occupied),
        PieceKind::Rook => rook_attacks(square, occupied),
        PieceKind::Queen => queen_attacks(square, occupied),
        PieceKind::King => king_attacks(square),
    }
}

/// The squares strictly between two squares of one line; none when they are not aligned.
#[inline]
pub const fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole line through two different squares, both included; none when they are not aligned.
#[inline]
pub fn line_through(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

/// The file and the rank of `square`, without it.
#[inline]
pub fn rook_lines(square: Square) -> Bitboard {
    ROOK_LINES[square.index()]
}

/// The two diagonals of `square`, without it.
#[inline]
pub fn bishop_lines(square: Square) -> Bitboard {
    BISHOP_LINES[square.index()]
}
