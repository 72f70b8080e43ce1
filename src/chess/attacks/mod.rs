//! What each piece attacks, and the lines between squares: pure geometry without a board.

mod magics;

pub(in crate::chess) use magics::walk;
pub use magics::{bishop_attacks, rook_attacks};

use crate::chess::{Bitboard, ByColor, BySquare, Color, PieceKind, Square};

type Table = BySquare<Bitboard>;
type PairTable = BySquare<Table>;

/// Returns, for each square, the squares that a piece with these steps attacks from there.
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
    BySquare(table)
}

const ALL_STEPS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const KNIGHT_STEPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

static KNIGHT: Table = leaper(&KNIGHT_STEPS);
static KING: Table = leaper(&ALL_STEPS);
static PAWN: ByColor<Table> = ByColor([leaper(&[(-1, 1), (1, 1)]), leaper(&[(-1, -1), (1, -1)])]);

/// Returns, for each pair of aligned squares, the line through both or, if not `whole_line`, the squares between them.
const fn aligned_pairs(whole_line: bool) -> PairTable {
    let mut table = [BySquare([Bitboard::EMPTY; 64]); 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < ALL_STEPS.len() {
            let (there, back) = ([ALL_STEPS[i]], [(-ALL_STEPS[i].0, -ALL_STEPS[i].1)]);
            let forward = walk(from, 0, &there);
            let mut targets = forward;
            while targets != 0 {
                let to = targets.trailing_zeros() as usize;
                let line = if whole_line {
                    forward | walk(from, 0, &back) | 1 << from
                } else {
                    forward & walk(to, 0, &back)
                };
                table[from].0[to] = Bitboard(line);
                targets &= targets - 1;
            }
            i += 1;
        }
        from += 1;
    }
    BySquare(table)
}

static BETWEEN: PairTable = aligned_pairs(false);
static LINE: PairTable = aligned_pairs(true);

/// Returns the squares that a slider along `steps` reaches from each square on an empty board.
const fn lines(steps: &[(i8, i8)]) -> Table {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = Bitboard(walk(square, 0, steps));
        square += 1;
    }
    BySquare(table)
}

static ROOK_LINES: Table = lines(&[(0, 1), (1, 0), (0, -1), (-1, 0)]);
static BISHOP_LINES: Table = lines(&[(1, 1), (1, -1), (-1, -1), (-1, 1)]);

#[inline]
pub fn knight_attacks(square: Square) -> Bitboard {
    KNIGHT[square]
}

#[inline]
pub fn king_attacks(square: Square) -> Bitboard {
    KING[square]
}

#[inline]
pub fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    PAWN[color][square]
}

/// Returns all squares that `pawns` attack if they belong to `color`.
#[inline]
pub fn pawn_attacks_all(color: Color, pawns: Bitboard) -> Bitboard {
    pawns.adjacent_files().forward(color)
}

#[inline]
pub fn queen_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    rook_attacks(square, occupied) | bishop_attacks(square, occupied)
}

/// Returns the squares that a piece on `square` attacks. Empty for a pawn, whose attacks depend on its colour.
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

/// Returns the squares strictly between two squares; none if they are not aligned.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a][b]
}

/// Returns the whole line through two different squares, both included; none if they are not aligned.
#[inline]
pub fn line_through(a: Square, b: Square) -> Bitboard {
    LINE[a][b]
}

/// Returns the other squares on the file and rank of `square`.
#[inline]
pub fn rook_lines(square: Square) -> Bitboard {
    ROOK_LINES[square]
}

/// Returns the other squares on the two diagonals through `square`.
#[inline]
pub fn bishop_lines(square: Square) -> Bitboard {
    BISHOP_LINES[square]
}
