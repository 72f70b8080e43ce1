//! The hand-written evaluation: material, piece-square values, mobility, pawns, king safety and the cornered
//! bishops of Chess960. A stop-gap: untuned, and to be replaced by a network behind the same function.

use crate::chess::attacks::*;
use crate::chess::{Bitboard, Board, Color, PieceKind, Square};

/// What evaluates, for the records of self-play.
pub const NAME: &str = "hand-written";

/// A middlegame and an endgame value, centipawns.
#[derive(Clone, Copy)]
struct Taper(i32, i32);

impl std::ops::AddAssign for Taper {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
        self.1 += other.1;
    }
}

impl std::ops::SubAssign for Taper {
    fn sub_assign(&mut self, other: Self) {
        self.0 -= other.0;
        self.1 -= other.1;
    }
}

impl std::ops::Mul<i32> for Taper {
    type Output = Self;

    fn mul(self, factor: i32) -> Self {
        Self(self.0 * factor, self.1 * factor)
    }
}

const MATERIAL: [Taper; 6] =
    [Taper(85, 110), Taper(330, 310), Taper(345, 330), Taper(470, 560), Taper(980, 1010), Taper(0, 0)];

/// How much each kind counts towards the middlegame; a full board has [`FULL_PHASE`].
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
const FULL_PHASE: i32 = 24;

/// Distance from the four centre squares, 0..=3, by file or rank.
const OUTWARD: [i32; 8] = [3, 2, 1, 0, 0, 1, 2, 3];

/// Worth of being nearer the centre, per step and kind, from ranks and files alike.
const CENTRE: [Taper; 6] = [Taper(5, 0), Taper(9, 6), Taper(5, 3), Taper(3, 0), Taper(2, 5), Taper(-9, 11)];

/// Worth of each rank of advance, by kind.
const ADVANCE: [Taper; 6] = [Taper(2, 6), Taper(4, 2), Taper(2, 1), Taper(2, 3), Taper(1, 4), Taper(-12, 3)];

/// Per square attacked beyond the usual number.
const MOBILITY: [Taper; 6] = [Taper(0, 0), Taper(5, 4), Taper(5, 5), Taper(3, 5), Taper(2, 4), Taper(0, 0)];
const USUAL_MOBILITY: [i32; 6] = [0, 4, 6, 7, 13, 0];

/// A passed pawn by the rank it has reached.
const PASSED: [Taper; 8] = [
    Taper(0, 0),
    Taper(2, 8),
    Taper(4, 12),
    Taper(8, 28),
    Taper(22, 52),
    Taper(48, 95),
    Taper(85, 150),
    Taper(0, 0),
];
const ISOLATED: Taper = Taper(-10, -12);
const DOUBLED: Taper = Taper(-8, -18);
const DEFENDED_PAWN: Taper = Taper(9, 6);
const BISHOP_PAIR: Taper = Taper(28, 45);
const ROOK_ON_OPEN_FILE: Taper = Taper(30, 8);
const ROOK_ON_HALF_OPEN_FILE: Taper = Taper(14, 6);
const ATTACKED_BY_PAWN: Taper = Taper(-42, -30);
/// A bishop in a corner behind its own pawn: it may not come out for the whole game.
const CORNERED_BISHOP: Taper = Taper(-45, -45);
/// A pawn within two ranks before its king.
const SHIELD: Taper = Taper(14, 0);
/// Pressure on the king's surroundings: squares attacked there, weighted by kind, squared and divided.
const KING_ATTACK: [i32; 6] = [0, 3, 3, 4, 6, 0];
const KING_ATTACK_DIVISOR: i32 = 6;
const KING_ATTACK_LIMIT: i32 = 400;
const TEMPO: i32 = 12;

/// The static evaluation in centipawns for the side to move, well inside the range of non-mate scores.
pub fn evaluate(board: &Board) -> i32 {
    let mut sum = Taper(0, 0);
    let mut phase = 0;
    let us = board.side_to_move();
    for color in Color::ALL {
        let value = evaluate_side(board, color, &mut phase);
        if color == us { sum += value } else { sum -= value }
    }
    let phase = phase.min(FULL_PHASE);
    let value = (sum.0 * phase + sum.1 * (FULL_PHASE - phase)) / FULL_PHASE;
    let value = value * winning_chances(board, if value > 0 { us } else { !us }) / 64;
    // What makes no headway is worth less and less.
    value * (220 - i32::from(board.halfmove_clock().min(100))) / 220 + TEMPO
}

/// How far a lead of `color` can be turned into a win, in 64ths: hardly without pawns and a rook's lead.
fn winning_chances(board: &Board, color: Color) -> i32 {
    if board.pieces(color, PieceKind::Pawn).non_empty() {
        return 64;
    }
    let force = |color| -> i32 {
        PieceKind::ALL
            .into_iter()
            .map(|kind| PIECE_FORCE[kind.index()] * board.pieces(color, kind).count() as i32)
            .sum()
    };
    if force(color) - force(!color) >= PIECE_FORCE[PieceKind::Rook.index()] { 64 } else { 12 }
}

/// Material for judging bare endings.
const PIECE_FORCE: [i32; 6] = [0, 3, 3, 5, 9, 0];

fn evaluate_side(board: &Board, us: Color, phase: &mut i32) -> Taper {
    let mut sum = Taper(0, 0);
    let occupied = board.occupied();
    let pawns = board.pieces(us, PieceKind::Pawn);
    let their_pawns = board.pieces(!us, PieceKind::Pawn);
    let pawn_shield = pawn_attacks_all(us, pawns);
    let attacked_by_pawn = pawn_attacks_all(!us, their_pawns);
    let their_king = board.king(!us);
    let king_zone = king_attacks(their_king) | Bitboard::of(their_king);
    let mut pressure = 0;

    for kind in PieceKind::ALL {
        for square in board.pieces(us, kind) {
            let seen = square.relative_to(us);
            let outward = OUTWARD[seen.file() as usize] + OUTWARD[seen.rank() as usize];
            sum += MATERIAL[kind.index()];
            sum += CENTRE[kind.index()] * (3 - outward);
            sum += ADVANCE[kind.index()] * i32::from(seen.rank());
            *phase += PHASE[kind.index()];
            if matches!(kind, PieceKind::Pawn | PieceKind::King) {
                continue;
            }
            let attacks = piece_attacks(kind, square, occupied);
            let reach = (attacks & !board.colored(us) & !attacked_by_pawn).count() as i32;
            sum += MOBILITY[kind.index()] * (reach - USUAL_MOBILITY[kind.index()]);
            pressure += KING_ATTACK[kind.index()] * (attacks & king_zone).count() as i32;
            if attacked_by_pawn.has(square) {
                sum += ATTACKED_BY_PAWN;
            }
        }
    }

    for square in pawns {
        sum += pawn_structure(square, us, pawns, their_pawns);
    }
    sum += DEFENDED_PAWN * (pawns & pawn_shield).count() as i32;

    for square in board.pieces(us, PieceKind::Rook) {
        let file = Bitboard::file(square.file());
        if !file.intersects(pawns) {
            sum += if file.intersects(their_pawns) { ROOK_ON_HALF_OPEN_FILE } else { ROOK_ON_OPEN_FILE };
        }
    }
    let bishops = board.pieces(us, PieceKind::Bishop);
    if bishops.intersects(Bitboard::LIGHT) && bishops.intersects(!Bitboard::LIGHT) {
        sum += BISHOP_PAIR;
    }
    for bishop in bishops {
        if is_cornered(bishop, us, pawns) {
            sum += CORNERED_BISHOP;
        }
    }

    let king = board.king(us);
    let before_king = king_attacks(king).forward(us) | king_attacks(king);
    let ahead = ranks_ahead(king, us);
    sum += SHIELD * (before_king & ahead & pawns).count().min(3) as i32;
    sum += Taper((pressure * pressure / KING_ATTACK_DIVISOR).min(KING_ATTACK_LIMIT), 0);
    sum
}

/// All squares on ranks beyond that of `square`, as `us` advances.
fn ranks_ahead(square: Square, us: Color) -> Bitboard {
    let rank = square.relative_rank(us);
    let ahead = if rank == 7 { 0 } else { u64::MAX << ((rank + 1) * 8) };
    Bitboard(ahead).relative_to(us)
}

fn pawn_structure(square: Square, us: Color, pawns: Bitboard, their_pawns: Bitboard) -> Taper {
    let mut sum = Taper(0, 0);
    let file = Bitboard::file(square.file());
    let neighbours = file.beside();
    let ahead = ranks_ahead(square, us);
    if !neighbours.intersects(pawns) {
        sum += ISOLATED;
    }
    if (file & ahead).intersects(pawns) {
        sum += DOUBLED;
    } else if !((file | neighbours) & ahead).intersects(their_pawns) {
        sum += PASSED[square.relative_rank(us) as usize];
    }
    sum
}

/// `true` for a bishop in one of its own corners with its own pawn before it.
fn is_cornered(bishop: Square, us: Color, pawns: Bitboard) -> bool {
    let seen = bishop.relative_to(us);
    if seen.rank() != 0 || OUTWARD[seen.file() as usize] != 3 {
        return false;
    }
    let exit = if seen.file() == 0 { Square::new(1, 1) } else { Square::new(6, 1) };
    pawns.has(exit.relative_to(us))
}
