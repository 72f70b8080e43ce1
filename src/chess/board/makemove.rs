//! Making and unmaking moves, with incremental keys, checkers and pins.

use super::zobrist::{castling_key, en_passant_key, piece_key, side_key};
use crate::chess::{Bitboard, Board, CastlingPath, Color, Move, MoveKind, Piece, PieceKind, Square};

/// How many moves of the side to move [`Board::takes_back`] looks at.
const REMEMBERED_MOVES: usize = 4;

/// Receives every piece that a move removes or adds, so that the NNUE can update its accumulators. `()` does nothing.
pub trait Observer {
    fn removed(&mut self, piece: Piece, square: Square);
    fn added(&mut self, piece: Piece, square: Square);
}

impl Observer for () {
    #[inline(always)]
    fn removed(&mut self, _: Piece, _: Square) {}
    #[inline(always)]
    fn added(&mut self, _: Piece, _: Square) {}
}

impl Board {
    /// Plays a legal move. If `mv` may be illegal, call [`Self::is_legal`] first: an illegal move panics or leaves an
    /// invalid board. Using an invalid board is memory-safe, but its results are meaningless.
    #[inline]
    pub fn make_move(&mut self, mv: Move) {
        self.play::<true>(mv, &mut ());
    }

    /// Plays a legal move, and tells `observer` which pieces it removes and adds.
    #[inline]
    pub fn make_move_observed(&mut self, mv: Move, observer: &mut impl Observer) {
        self.play::<true>(mv, observer);
    }

    /// Plays a legal move without updating the keys, for perft.
    #[inline]
    pub(in crate::chess) fn make_move_keyless(&mut self, mv: Move) {
        self.play::<false>(mv, &mut ());
    }

    #[inline(always)]
    fn play<const KEYS: bool>(&mut self, mv: Move, observer: &mut impl Observer) {
        self.save_state();
        let us = self.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        let old_rights = self.state.rights;
        let old_en_passant = self.state.en_passant.take();
        self.state.halfmove_clock = self.state.halfmove_clock.saturating_add(1);
        self.state.plies_from_null += 1;
        self.state.captured = None;

        let mut double_push = false;
        if mv.is_castle() {
            let path = self.castling_path(us, to);
            let (king, rook) = (Piece::new(us, PieceKind::King), Piece::new(us, PieceKind::Rook));
            // We remove both pieces before we place either: in Chess960 one may land where the other started.
            self.remove_piece::<KEYS>(king, path.king_from, observer);
            self.remove_piece::<KEYS>(rook, path.rook_from, observer);
            self.place_piece::<KEYS>(king, path.king_to, observer);
            self.place_piece::<KEYS>(rook, path.rook_to, observer);
        } else {
            let piece = self.expect_piece(from);
            if mv.is_capture() {
                let victim_square = capture_square(mv, us);
                let victim = self.expect_piece(victim_square);
                self.remove_piece::<KEYS>(victim, victim_square, observer);
                self.state.captured = Some(victim);
                self.state.halfmove_clock = 0;
            }
            if piece.kind() == PieceKind::Pawn {
                self.state.halfmove_clock = 0;
                double_push = mv.is(MoveKind::DoublePush);
            }
            if let Some(kind) = mv.promotion() {
                self.remove_piece::<KEYS>(piece, from, observer);
                self.place_piece::<KEYS>(Piece::new(us, kind), to, observer);
            } else {
                self.shift_piece::<KEYS>(piece, from, to, observer);
            }
        }

        let lost = self.geometry.rights_lost_at(from).union(self.geometry.rights_lost_at(to));
        self.state.rights = old_rights.without(lost);
        self.fullmove_number += u32::from(us == Color::Black);
        self.side_to_move = !us;
        self.update_checks_and_blockers();
        if double_push {
            let passed = from.forward(us);
            if self.has_legal_en_passant(passed) {
                self.state.en_passant = Some(passed);
            }
        }
        if KEYS {
            self.state.keys.main ^= castling_key(old_rights)
                ^ castling_key(self.state.rights)
                ^ en_passant_key(old_en_passant)
                ^ en_passant_key(self.state.en_passant)
                ^ side_key();
        }
    }

    /// Takes back `mv`, which must be the last move made.
    #[inline]
    pub fn unmake_move(&mut self, mv: Move) {
        let us = !self.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        let captured = self.state.captured;
        if mv.is_castle() {
            let path = self.castling_path(us, to);
            let (king, rook) = (Piece::new(us, PieceKind::King), Piece::new(us, PieceKind::Rook));
            self.remove_piece_raw(king, path.king_to);
            self.remove_piece_raw(rook, path.rook_to);
            self.place_piece_raw(king, path.king_from);
            self.place_piece_raw(rook, path.rook_from);
        } else {
            let arrived = self.expect_piece(to);
            if mv.promotion().is_some() {
                self.remove_piece_raw(arrived, to);
                self.place_piece_raw(Piece::new(us, PieceKind::Pawn), from);
            } else {
                self.shift_piece_raw(arrived, to, from);
            }
            if let Some(victim) = captured {
                self.place_piece_raw(victim, capture_square(mv, us));
            }
        }
        self.restore(us);
    }

    /// Passes the turn to the opponent. The side to move must not be in check.
    pub fn make_null_move(&mut self) {
        debug_assert!(!self.in_check());
        self.save_state();
        let us = self.side_to_move;
        let old_en_passant = self.state.en_passant.take();
        self.state.captured = None;
        self.state.halfmove_clock = self.state.halfmove_clock.saturating_add(1);
        self.state.plies_from_null = 0;
        self.state.keys.main ^= en_passant_key(old_en_passant) ^ side_key();
        self.fullmove_number += u32::from(us == Color::Black);
        self.side_to_move = !us;
        self.update_checks_and_blockers();
    }

    /// Returns the exact key after a null move, so that the search can prefetch the TT entry.
    #[inline]
    pub fn key_after_null_move(&self) -> u64 {
        self.key() ^ en_passant_key(self.state.en_passant) ^ side_key()
    }

    /// Takes back a null move, which must be the last move made.
    pub fn unmake_null_move(&mut self) {
        self.restore(!self.side_to_move);
    }

    #[inline(always)]
    fn save_state(&mut self) {
        // `push` would first build a copy on the stack, and the CPU would stall on reading back what it just stored.
        self.history.extend_from_slice(std::slice::from_ref(&self.state));
    }

    #[inline]
    fn restore(&mut self, mover: Color) {
        debug_assert!(!self.history.is_empty());
        if let Some(state) = self.history.pop() {
            self.state = state;
        }
        self.side_to_move = mover;
        self.fullmove_number -= u32::from(mover == Color::Black);
    }

    /// Drops the history that is too old for a repetition and for [`Self::takes_back`], so that copying the board stays
    /// cheap late in a game.
    pub fn trim_history(&mut self) {
        let reach = (self.reversible_plies() + 1).max(2 * REMEMBERED_MOVES);
        let excess = self.history.len().saturating_sub(reach);
        self.history.drain(..excess);
    }

    /// Returns `true` if the legal move `mv` takes one of its side's last four moves back: it moves a piece, not a
    /// pawn, between the same two squares.
    pub fn takes_back(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let Some(piece) = self.piece_on(mv.from()).filter(|piece| piece.kind() != PieceKind::Pawn) else {
            return false;
        };
        // A move back changes the key as the move there did.
        let change = piece_key(piece, mv.from()) ^ piece_key(piece, mv.to());
        let own_moves = self.history.rchunks_exact(2).take(REMEMBERED_MOVES);
        own_moves
            .map(|states| states[0].keys.non_pawn[us] ^ states[1].keys.non_pawn[us])
            .any(|key| key == change)
    }

    /// Returns the castling of `color` with the rook that starts on `rook`. Panics if there is none.
    #[inline]
    pub(in crate::chess) fn castling_path(&self, color: Color, rook: Square) -> CastlingPath {
        match self.geometry.path_of_rook(color, rook) {
            Some(path) => *path,
            None => unreachable!("no castling with a rook on {rook}"),
        }
    }

    /// Returns the piece on a square that we know isn't empty, such as the origin of a legal move. Panics otherwise.
    #[inline]
    pub fn expect_piece(&self, square: Square) -> Piece {
        match self.mailbox[square] {
            Some(piece) => piece,
            None => unreachable!("no piece on {square}"),
        }
    }

    #[inline]
    fn remove_piece<const KEYS: bool>(&mut self, piece: Piece, square: Square, observer: &mut impl Observer) {
        self.remove_piece_raw(piece, square);
        if KEYS {
            self.state.keys.toggle(piece, square);
        }
        observer.removed(piece, square);
    }

    #[inline]
    fn place_piece<const KEYS: bool>(&mut self, piece: Piece, square: Square, observer: &mut impl Observer) {
        self.place_piece_raw(piece, square);
        if KEYS {
            self.state.keys.toggle(piece, square);
        }
        observer.added(piece, square);
    }

    #[inline]
    fn shift_piece<const KEYS: bool>(
        &mut self,
        piece: Piece,
        from: Square,
        to: Square,
        observer: &mut impl Observer,
    ) {
        self.shift_piece_raw(piece, from, to);
        if KEYS {
            self.state.keys.shift(piece, from, to);
        }
        observer.removed(piece, from);
        observer.added(piece, to);
    }

    /// Guesses the key after `mv`, to prefetch the TT entry; `passed` is [`Self::key_after_null_move`]. The guess ignores
    /// lost castling rights and new en passant squares, and is wrong for castling, promotions and en passant captures.
    #[inline]
    pub fn key_after(&self, mv: Move, passed: u64) -> u64 {
        let mut key = passed;
        let (from, to) = (mv.from(), mv.to());
        if let Some(piece) = self.piece_on(from) {
            key ^= piece_key(piece, from) ^ piece_key(piece, to);
        }
        if let Some(victim) = self.piece_on(to) {
            key ^= piece_key(victim, to);
        }
        key
    }
}

/// Returns where the captured piece stands: behind the target if `us` captures en passant.
#[inline]
pub(in crate::chess) fn capture_square(mv: Move, us: Color) -> Square {
    if mv.is(MoveKind::EnPassant) { mv.to().forward(!us) } else { mv.to() }
}

#[inline]
pub(in crate::chess) fn occupancy_after(board: &Board, mv: Move) -> Bitboard {
    let us = board.side_to_move();
    let occupied = board.occupied();
    let (from, to) = (Bitboard::of(mv.from()), Bitboard::of(mv.to()));
    if mv.is_castle() {
        let path = board.castling_path(us, mv.to());
        return (occupied & !(from | to)) | Bitboard::of(path.king_to) | Bitboard::of(path.rook_to);
    }
    let cleared = if mv.is_capture() { Bitboard::of(capture_square(mv, us)) } else { Bitboard::EMPTY };
    (occupied & !(from | cleared)) | to
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predicted_keys_equal_real_ones() {
        let board: Board = "4k3/8/5n2/3pP3/8/8/8/3QK3 w - d6 0 1".parse().unwrap();
        let plain = |mv: &Move| mv.is(MoveKind::Quiet) || mv.is(MoveKind::Capture);
        let moves: Vec<Move> = board.legal_moves().into_iter().filter(plain).collect();
        assert!(moves.iter().filter(|mv| mv.is_capture()).count() == 2 && moves.len() > 10);
        let passed = board.key_after_null_move();
        for mv in moves {
            let mut after = board.clone();
            after.make_move(mv);
            assert_eq!(board.key_after(mv, passed), after.key(), "{mv}");
        }
        let mut after = board.clone();
        after.make_null_move();
        assert_eq!(passed, after.key());
    }
}
