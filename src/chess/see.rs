//! Static exchange evaluation (SEE): what the captures on one square win or lose.

use super::attacks::{bishop_attacks, rook_attacks};
use super::board::makemove::capture_square;
use super::{Bitboard, Board, ByKind, Move, MoveKind, PieceKind};

/// Returns the value of a piece in exchanges, in centipawns; 0 for the king, which is never captured.
#[inline]
pub fn see_value(kind: PieceKind) -> i32 {
    const VALUES: ByKind<i32> = ByKind([100, 320, 330, 500, 950, 0]);
    VALUES[kind]
}

impl Board {
    /// Returns `true` if the static exchange evaluation of the legal move `mv` is at least `threshold` centipawns.
    ///
    /// Both sides capture on the target square, least valuable piece first, for as long as it pays. Castling is worth
    /// 0. We count X-ray attackers and ignore pins.
    ///
    /// ```
    /// use enroque::chess::Board;
    ///
    /// let board: Board = "4k3/8/2p5/3p4/8/8/3R4/4K3 w - - 0 1".parse()?;
    /// let capture = board.parse_move("d2d5").unwrap();
    /// // The rook takes a defended pawn: 100 - 500 = -400.
    /// assert!(board.see_at_least(capture, -400) && !board.see_at_least(capture, 0));
    /// # Ok::<(), enroque::chess::FenError>(())
    /// ```
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

        // By how much the side to move exceeds `threshold`: first if its piece survives on the target square, then if
        // it is captured there and the exchange ends.
        let mut balance = gain - threshold;
        if balance < 0 {
            return false;
        }
        balance -= see_value(arriving);
        if balance >= 0 {
            return true;
        }

        let mut occupied = (self.occupied() ^ Bitboard::of(mv.from())) | Bitboard::of(to);
        if mv.is(MoveKind::EnPassant) {
            occupied ^= Bitboard::of(capture_square(mv, us));
        }
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
                // The king cannot capture a defended piece.
                break;
            }
            side = !side;
            // We now take the view of the side that captures. If it is ahead even after losing the capturing piece for
            // nothing, it has won the exchange.
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
        // `side` has lost the exchange: it is to capture, but has no capture that helps.
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
