//! Tests whether a single move is legal, and whether it gives check.

use crate::chess::attacks::*;
use crate::chess::board::makemove::occupancy_after;
use crate::chess::{Bitboard, Board, ByKind, Color, Move, MoveKind, PieceKind, Rank, Square};

/// Facts about a position, computed once so that [`Board::gives_check`] needs only a lookup for most moves.
#[derive(Clone, Copy, Debug)]
pub struct CheckInfo {
    /// Where a piece of the side to move would check the enemy king: one set of squares for each kind of piece.
    pub squares: ByKind<Bitboard>,
    /// Pieces of the side to move that can give a discovered check.
    pub discoverers: Bitboard,
    /// Where the enemy king stands.
    pub king: Square,
}

impl CheckInfo {
    /// Returns the squares where the piece on `from` would give check, directly or by discovery. Not valid for
    /// castling, en passant and promotions.
    #[inline]
    pub fn targets(&self, kind: PieceKind, from: Square) -> Bitboard {
        let direct = self.squares[kind];
        if self.discoverers.has(from) { direct | !line_through(from, self.king) } else { direct }
    }

    /// Returns `true` if a piece of this `kind` that goes from `from` to `to` gives check; see [`Self::targets`].
    #[inline]
    pub fn has(&self, kind: PieceKind, from: Square, to: Square) -> bool {
        self.targets(kind, from).has(to)
    }
}

impl Board {
    /// Returns `true` if `mv` is legal in this position. It may come from anywhere, such as the TT entry of another
    /// position.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.is_pseudo_legal(mv) && self.leaves_king_safe(mv)
    }

    /// Returns `true` if a piece of the side to move can move like `mv`, and the [`MoveKind`] of `mv` fits this board.
    /// Checks and pins are ignored, except for castling.
    fn is_pseudo_legal(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from).filter(|piece| piece.color() == us) else {
            return false;
        };
        if mv.is_castle() {
            let side = self.castling_geometry().side_of_rook(us, to);
            let path = side.and_then(|side| self.castling(us, side));
            return piece.kind() == PieceKind::King
                && !self.in_check()
                && path.is_some_and(|path| path.king_from == from && self.castling_is_legal(us, path));
        }
        if piece.kind() == PieceKind::Pawn {
            return self.is_pseudo_legal_pawn_move(mv, us, from, to);
        }
        let expected = match self.piece_on(to) {
            Some(target) if target.color() == us => return false,
            Some(_) => MoveKind::Capture,
            None => MoveKind::Quiet,
        };
        mv.is(expected) && piece_attacks(piece.kind(), from, self.occupied()).has(to)
    }

    fn is_pseudo_legal_pawn_move(&self, mv: Move, us: Color, from: Square, to: Square) -> bool {
        let promotes = to.relative_rank(us) == Rank::Eighth;
        if mv.is(MoveKind::EnPassant) {
            return self.en_passant() == Some(to) && pawn_attacks(us, from).has(to);
        }
        let captures = self.by_color(!us).has(to) && pawn_attacks(us, from).has(to);
        let is_kind = |plain| {
            if promotes { mv.promotion().is_some() && mv.is_capture() == captures } else { mv.is(plain) }
        };
        if captures {
            return is_kind(MoveKind::Capture);
        }
        if self.occupied().has(to) {
            return false;
        }
        let ahead = from.forward(us);
        if to == ahead {
            return is_kind(MoveKind::Quiet);
        }
        mv.is(MoveKind::DoublePush)
            && from.relative_rank(us) == Rank::Second
            && to == ahead.forward(us)
            && !self.occupied().has(ahead)
    }

    /// Returns `true` if a pseudo-legal move leaves its own king out of check.
    fn leaves_king_safe(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let (from, to) = (mv.from(), mv.to());
        let king = self.king(us);
        if mv.is_castle() {
            return true;
        }
        if from == king {
            return !self.is_attacked(to, !us, self.occupied() ^ Bitboard::of(from));
        }
        if mv.is(MoveKind::EnPassant) {
            return self.en_passant_is_safe(from, to);
        }
        let checkers = self.checkers();
        if checkers.more_than_one()
            || checkers.non_empty() && !(between(king, checkers.first()) | checkers).has(to)
        {
            return false;
        }
        !self.pinned().has(from) || line_through(king, from).has(to)
    }

    /// Returns what [`Board::gives_check`] needs to know about this position.
    pub fn check_info(&self) -> CheckInfo {
        let us = self.side_to_move();
        let king = self.king(!us);
        let occupied = self.occupied();
        let (bishop, rook) = (bishop_attacks(king, occupied), rook_attacks(king, occupied));
        let squares =
            [pawn_attacks(!us, king), knight_attacks(king), bishop, rook, bishop | rook, Bitboard::EMPTY];

        let own = self.by_color(us);
        let queens = self.by_kind(PieceKind::Queen);
        let sliders = own
            & (rook_lines(king) & (self.by_kind(PieceKind::Rook) | queens)
                | bishop_lines(king) & (self.by_kind(PieceKind::Bishop) | queens));
        let mut discoverers = Bitboard::EMPTY;
        for slider in sliders {
            let blockers = between(king, slider) & occupied;
            if !blockers.more_than_one() {
                discoverers |= blockers & own;
            }
        }
        CheckInfo { squares: ByKind(squares), discoverers, king }
    }

    /// Returns `true` if the legal move `mv` gives check. `info` is the [`Board::check_info`] of this position.
    #[inline]
    pub fn gives_check(&self, mv: Move, info: &CheckInfo) -> bool {
        let is_ordinary = !mv.is_castle() && !mv.is(MoveKind::EnPassant) && mv.promotion().is_none();
        if is_ordinary {
            info.has(self.expect_piece(mv.from()).kind(), mv.from(), mv.to())
        } else {
            self.special_move_gives_check(mv)
        }
    }

    /// Castling, en passant and promotions change more than two squares or the piece itself, so we look at the
    /// occupancy after the move.
    #[cold]
    fn special_move_gives_check(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let king = self.king(!us);
        let (from, to) = (mv.from(), mv.to());
        let occupied = occupancy_after(self, mv);
        let moved = Bitboard::of(from) | Bitboard::of(to);
        let staying = self.by_color(us) & !moved;
        let queens = self.by_kind(PieceKind::Queen);
        let mut diagonal = (self.by_kind(PieceKind::Bishop) | queens) & staying;
        let mut straight = (self.by_kind(PieceKind::Rook) | queens) & staying;
        let mut leapers = pawn_attacks(!us, king) & self.by_kind(PieceKind::Pawn) & staying;
        if mv.is_castle() {
            straight |= Bitboard::of(self.castling_path(us, to).rook_to);
        } else {
            let arrived = Bitboard::of(to);
            match mv.promotion() {
                None => leapers |= pawn_attacks(!us, king) & arrived,
                Some(PieceKind::Knight) => leapers |= knight_attacks(king) & arrived,
                Some(PieceKind::Bishop) => diagonal |= arrived,
                Some(PieceKind::Rook) => straight |= arrived,
                Some(_) => {
                    diagonal |= arrived;
                    straight |= arrived;
                }
            }
        }
        leapers.non_empty()
            || bishop_attacks(king, occupied).intersects(diagonal)
            || rook_attacks(king, occupied).intersects(straight)
    }
}
