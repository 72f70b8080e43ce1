//! Static exchange evaluation: what a sequence of captures on one square wins or loses.

use super::bitboard::Bitboard;
use super::board::Board;
use super::board::makemove::{capture_square, occupancy_after};
use super::movegen::attacks::{bishop_attacks, rook_attacks};
use super::moves::Move;
use super::piece::PieceKind;

/// Exchange values in centipawns, by kind; the king's never enters a sum.
pub const SEE_VALUES: [i32; 6] = [100, 320, 330, 500, 950, 0];

/// The value of one kind of piece in exchanges.
#[inline]
pub const fn see_value(kind: PieceKind) -> i32 {
    SEE_VALUES[kind as usize]
}

impl Board {
    /// `true` when the exchange that the legal move `mv` starts on its target square, both sides taking with
    /// their least valuable pieces and stopping when that is better, wins at least `threshold` centipawns.
    ///
    /// Castling exchanges nothing. Pins are not looked at, x-rays are.
    pub fn see_at_least(&self, mv: Move, threshold: i32) -> bool {
        if mv.is_castle() {
            return threshold <= 0;
        }
        let us = self.side_to_move();
        let to = mv.to();
        let Some(piece) = self.piece_on(mv.from()) else { return threshold <= 0 };
        let arriving = mv.promotion().unwrap_or(piece.kind());
        let mut gain = see_value(arriving) - see_value(piece.kind());
        if mv.is_capture() {
            gain += self.piece_on(capture_square(mv, us)).map_or(0, |victim| see_value(victim.kind()));
        }

        // `balance` is what the side that has just moved is ahead of its need, its last piece hanging or not.
        let mut balance = gain - threshold;
        if balance < 0 {
            return false;
        }
        balance -= see_value(arriving);
        if balance >= 0 {
            return true;
        }

        let mut occupied = occupancy_after(self, mv);
        let queens = self.by_kind(PieceKind::Queen);
        let diagonal = self.by_kind(PieceKind::Bishop) | queens;
        let straight = self.by_kind(PieceKind::Rook) | queens;
        let mut attackers = self.attackers_to(to, occupied) & occupied & !Bitboard::of(to);
        let mut side = !us;
        loop {
            let own = attackers & self.by_color(side);
            if own.is_empty() {
                break;
            }
            let kind = self.least_valuable(own);
            if kind == PieceKind::King && attackers.intersects(self.by_color(!side)) {
                // The king may not step into an attack.
                break;
            }
            side = !side;
            // Seen from the other side, this capture has to win what the last one was ahead.
            balance = -balance - 1 - see_value(kind);
            if balance >= 0 {
                break;
            }
            let from = (own & self.by_kind(kind)).first();
            occupied ^= Bitboard::of(from);
            if matches!(kind, PieceKind::Pawn | PieceKind::Bishop | PieceKind::Queen) {
                attackers |= bishop_attacks(to, occupied) & diagonal;
            }
            if matches!(kind, PieceKind::Rook | PieceKind::Queen) {
                attackers |= rook_attacks(to, occupied) & straight;
            }
            attackers &= occupied;
        }
        // Whoever is to move now has no good capture left.
        side != us
    }

    #[inline]
    fn least_valuable(&self, pieces: Bitboard) -> PieceKind {
        PieceKind::ALL
            .into_iter()
            .find(|&kind| pieces.intersects(self.by_kind(kind)))
            .unwrap_or(PieceKind::King)
    }
}
