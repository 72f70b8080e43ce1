//! Legal move generation, of noisy moves, quiet moves or both, into any sink: a list of moves, or a mere count.

pub mod attacks;
pub mod legality;
mod magics;
pub mod obstacles;

use self::attacks::*;
use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::castling::{CastlingPath, CastlingSide};
use crate::chess::color::Color;
use crate::chess::moves::{Move, MoveKind, MoveList};
use crate::chess::piece::PieceKind;
use crate::chess::square::{Rank, Square};

/// The generation type: which moves to generate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GenType {
    /// Captures and promotions.
    Noisy,
    /// Everything else, castling included.
    Quiet,
    /// Noisy and quiet together.
    All,
}

/// Takes generated moves, in sets where they come in sets.
trait Sink {
    /// `true` when only the number of moves matters: captures and quiet moves may then come in one set.
    const COUNTS_ONLY: bool = false;

    /// A piece goes from `from` to any of `targets`.
    fn piece(&mut self, from: Square, targets: Bitboard, kind: MoveKind);
    /// Pawns reach `targets`, each from `offset` squares below (a target's index minus its origin's).
    fn pawns(&mut self, targets: Bitboard, offset: i8, kind: MoveKind);
    /// Pawns reach `targets` on the last rank, each by any of four promotions.
    fn promotions(&mut self, targets: Bitboard, offset: i8, capture: bool);
    /// One single move.
    fn single(&mut self, mv: Move);
}

#[inline(always)]
fn origin(target: Square, offset: i8) -> Square {
    Square::from_index((target.index() as i8).wrapping_sub(offset) as u8 as usize & 63)
}

/// Promotions in the order in which they are generated: plain, and capturing.
const PROMOTIONS: [[MoveKind; 4]; 2] = {
    use MoveKind::*;
    [
        [PromoteQueen, PromoteKnight, PromoteRook, PromoteBishop],
        [CapturePromoteQueen, CapturePromoteKnight, CapturePromoteRook, CapturePromoteBishop],
    ]
};

/// A list that was empty when the one generation that fills it began.
struct FreshList<'a>(&'a mut MoveList);

impl Sink for FreshList<'_> {
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: Bitboard, kind: MoveKind) {
        for to in targets {
            self.single(Move::new(from, to, kind));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, offset: i8, kind: MoveKind) {
        for to in targets {
            self.single(Move::new(origin(to, offset), to, kind));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, offset: i8, capture: bool) {
        for to in targets {
            for kind in PROMOTIONS[usize::from(capture)] {
                self.single(Move::new(origin(to, offset), to, kind));
            }
        }
    }

    #[inline(always)]
    fn single(&mut self, mv: Move) {
        debug_assert!(!self.0.is_full());
        // SAFETY: the list began empty, one generation emits each legal move once, and `MAX_MOVES` bounds the legal moves
        // of every board that `BoardBuilder` lets pass (see there).
        unsafe { self.0.push_unchecked(mv) };
    }
}

/// Counts moves without writing them down.
struct Counter(u64);

impl Sink for Counter {
    const COUNTS_ONLY: bool = true;

    #[inline(always)]
    fn piece(&mut self, _: Square, targets: Bitboard, _: MoveKind) {
        self.0 += u64::from(targets.count());
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _: i8, _: MoveKind) {
        self.0 += u64::from(targets.count());
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _: i8, _: bool) {
        self.0 += 4 * u64::from(targets.count());
    }

    #[inline(always)]
    fn single(&mut self, _: Move) {
        self.0 += 1;
    }
}

/// A pawn's way to capture, for one colour: the files it may start from, how far it goes, and which
/// diagonal through its king it moves along when pinned (0: a1–h8, 1: a8–h1).
struct PawnCapture {
    starts: Bitboard,
    offset: i8,
    diagonal: usize,
}

/// By colour, towards the a-file and towards the h-file.
const PAWN_CAPTURES: [[PawnCapture; 2]; 2] = {
    const NOT_A: Bitboard = Bitboard(!Bitboard::FILE_A.0);
    const NOT_H: Bitboard = Bitboard(!Bitboard::FILE_H.0);
    [
        [
            PawnCapture { starts: NOT_A, offset: 7, diagonal: 1 },
            PawnCapture { starts: NOT_H, offset: 9, diagonal: 0 },
        ],
        [
            PawnCapture { starts: NOT_A, offset: -9, diagonal: 0 },
            PawnCapture { starts: NOT_H, offset: -7, diagonal: 1 },
        ],
    ]
};

/// By colour: how far a single push goes.
const PAWN_PUSH: [i8; 2] = [8, -8];

/// The two diagonals through each square.
static DIAGONALS: [[Bitboard; 2]; Square::COUNT] = {
    let mut table = [[Bitboard::EMPTY; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let mut other = 0;
        while other < 64 {
            let (file, rank) = (other % 8 - square % 8, other / 8 - square / 8);
            if file == rank {
                table[square as usize][0].0 |= 1 << other;
            }
            if file == -rank {
                table[square as usize][1].0 |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    table
};

impl Board {
    /// All legal moves.
    ///
    /// ```
    /// use enroque::chess::Board;
    ///
    /// assert_eq!(Board::startpos().legal_moves().len(), 20);
    /// ```
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.emit::<true, true, _>(&mut FreshList(&mut list));
        list
    }

    /// Fills `list` anew with the legal moves of one type.
    #[inline]
    pub fn generate(&self, gen_type: GenType, list: &mut MoveList) {
        list.clear();
        let mut sink = FreshList(list);
        match gen_type {
            GenType::Noisy => self.emit::<true, false, _>(&mut sink),
            GenType::Quiet => self.emit::<false, true, _>(&mut sink),
            GenType::All => self.emit::<true, true, _>(&mut sink),
        }
    }

    /// Number of legal moves, cheaper than listing them.
    #[inline]
    pub fn count_legal_moves(&self) -> u64 {
        let mut counter = Counter(0);
        self.emit::<true, true, _>(&mut counter);
        counter.0
    }

    /// `true` when the side to move has a legal move.
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

    #[inline(always)]
    fn emit<const NOISY: bool, const QUIET: bool, S: Sink>(&self, sink: &mut S) {
        let checkers = self.checkers();
        if checkers.is_empty() {
            self.emit_pieces::<NOISY, QUIET, false, S>(Bitboard::ALL, sink);
        } else if !checkers.more_than_one() {
            let king = self.king(self.side_to_move());
            let evasions = between(king, checkers.first()) | checkers;
            self.emit_pieces::<NOISY, QUIET, true, S>(evasions, sink);
        }
        self.emit_king::<NOISY, QUIET, S>(sink);
    }

    /// Moves of everything but the king. `allowed` holds the squares that answer a check.
    #[inline(always)]
    fn emit_pieces<const NOISY: bool, const QUIET: bool, const CHECK: bool, S: Sink>(
        &self,
        allowed: Bitboard,
        sink: &mut S,
    ) {
        let us = self.side_to_move();
        let king = self.king(us);
        let own = self.by_color(us);
        let occupied = self.occupied();
        let pinned = self.king_blockers() & own;
        self.emit_pawns::<NOISY, QUIET, S>(allowed, pinned, sink);

        for from in self.by_kind(PieceKind::Knight) & own & !pinned {
            self.emit_split::<NOISY, QUIET, S>(from, knight_attacks(from) & allowed, sink);
        }
        let queens = self.by_kind(PieceKind::Queen);
        let diagonal = (self.by_kind(PieceKind::Bishop) | queens) & own;
        let straight = (self.by_kind(PieceKind::Rook) | queens) & own;
        for from in diagonal & !pinned {
            self.emit_split::<NOISY, QUIET, S>(from, bishop_attacks(from, occupied) & allowed, sink);
        }
        for from in straight & !pinned {
            self.emit_split::<NOISY, QUIET, S>(from, rook_attacks(from, occupied) & allowed, sink);
        }
        if CHECK {
            // A pinned piece never answers a check.
            return;
        }
        for from in diagonal & pinned {
            self.emit_split::<NOISY, QUIET, S>(
                from,
                bishop_attacks(from, occupied) & line_through(king, from),
                sink,
            );
        }
        for from in straight & pinned {
            self.emit_split::<NOISY, QUIET, S>(
                from,
                rook_attacks(from, occupied) & line_through(king, from),
                sink,
            );
        }
    }

    /// Splits what a piece attacks in captures and quiet moves.
    #[inline(always)]
    fn emit_split<const NOISY: bool, const QUIET: bool, S: Sink>(
        &self,
        from: Square,
        targets: Bitboard,
        sink: &mut S,
    ) {
        if NOISY && QUIET && S::COUNTS_ONLY {
            sink.piece(from, targets & !self.by_color(self.side_to_move()), MoveKind::Quiet);
            return;
        }
        if NOISY {
            sink.piece(from, targets & self.by_color(!self.side_to_move()), MoveKind::Capture);
        }
        if QUIET {
            sink.piece(from, targets & !self.occupied(), MoveKind::Quiet);
        }
    }

    #[inline(always)]
    fn emit_pawns<const NOISY: bool, const QUIET: bool, S: Sink>(
        &self,
        allowed: Bitboard,
        pinned: Bitboard,
        sink: &mut S,
    ) {
        let us = self.side_to_move();
        let king = self.king(us);
        let pawns = self.pieces(us, PieceKind::Pawn);
        let empty = !self.occupied();
        let last_rank = Bitboard::relative_rank(us, Rank::Eighth);

        // A pawn pinned along its king's file may still push, and along a diagonal capture on it.
        let pushable = pawns & (!pinned | Bitboard::file(king.file()));
        let push = PAWN_PUSH[us.index()];
        let once = pushable.forward(us) & empty;
        if QUIET {
            let twice = (once & Bitboard::relative_rank(us, Rank::Third)).forward(us) & empty;
            sink.pawns(once & allowed & !last_rank, push, MoveKind::Quiet);
            sink.pawns(twice & allowed, 2 * push, MoveKind::DoublePush);
        }
        if NOISY {
            sink.promotions(once & allowed & last_rank, push, false);
            let victims = self.by_color(!us) & allowed;
            for capture in &PAWN_CAPTURES[us.index()] {
                let able = pawns & capture.starts & (!pinned | DIAGONALS[king.index()][capture.diagonal]);
                let targets = Bitboard(able.0.rotate_left(capture.offset as u32 & 63)) & victims;
                sink.pawns(targets & !last_rank, capture.offset, MoveKind::Capture);
                sink.promotions(targets & last_rank, capture.offset, true);
            }
            if let Some(target) = self.en_passant() {
                for from in pawn_attacks(!us, target) & pawns {
                    if self.en_passant_is_safe(from, target) {
                        sink.single(Move::new(from, target, MoveKind::EnPassant));
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn emit_king<const NOISY: bool, const QUIET: bool, S: Sink>(&self, sink: &mut S) {
        let us = self.side_to_move();
        let king = self.king(us);
        let wanted = if NOISY && QUIET {
            !self.by_color(us)
        } else if NOISY {
            self.by_color(!us)
        } else {
            !self.occupied()
        };
        let near = wanted
            & king_attacks(king)
            & !king_attacks(self.king(!us))
            & !pawn_attacks_all(!us, self.pieces(!us, PieceKind::Pawn));
        if near.non_empty() {
            let without_king = self.occupied() ^ Bitboard::of(king);
            let safe = near.into_iter().filter(|&to| !self.is_attacked(to, !us, without_king)).collect();
            self.emit_split::<NOISY, QUIET, S>(king, safe, sink);
        }
        if QUIET && !self.in_check() {
            for side in CastlingSide::ALL {
                if let Some(path) = self.castling(us, side)
                    && self.castling_is_legal(us, path)
                {
                    sink.single(Move::new(path.king_from, path.rook_from, MoveKind::Castle));
                }
            }
        }
    }

    /// `true` when the castling along `path` may be played by a side that is not in check and has the right to
    /// it: the ways are free, the king's way is not attacked, and lifting the rook does not uncover an attack
    /// on its destination.
    #[inline]
    pub(super) fn castling_is_legal(&self, us: Color, path: &CastlingPath) -> bool {
        let occupied = self.occupied();
        if path.must_be_empty.intersects(occupied) {
            return false;
        }
        if path.must_be_safe.into_iter().any(|square| self.is_attacked(square, !us, occupied)) {
            return false;
        }
        // Only a slider on the same rank can have been shut out by the rook.
        let straight = self.by_kind(PieceKind::Rook) | self.by_kind(PieceKind::Queen);
        let beside = self.by_color(!us) & straight & Bitboard::rank(path.king_to.rank());
        if beside.is_empty() {
            return true;
        }
        let lifted = occupied & !(Bitboard::of(path.king_from) | Bitboard::of(path.rook_from));
        let after = lifted | Bitboard::of(path.king_to) | Bitboard::of(path.rook_to);
        !rook_attacks(path.king_to, after).intersects(beside)
    }

    /// `true` when the pawn on `from` may capture en passant to `target` without leaving its king in check.
    #[inline]
    pub(super) fn en_passant_is_safe(&self, from: Square, target: Square) -> bool {
        let us = self.side_to_move();
        let victim = Bitboard::of(target.forward(!us));
        let occupied = (self.occupied() ^ Bitboard::of(from) ^ victim) | Bitboard::of(target);
        let enemies = self.by_color(!us) & !victim;
        !self.attackers_to(self.king(us), occupied).intersects(enemies)
    }

    /// `true` when the side to move can legally capture en passant on `target`, a square that an enemy pawn
    /// has just passed.
    #[inline]
    pub(super) fn has_legal_en_passant(&self, target: Square) -> bool {
        let us = self.side_to_move();
        let capturers = pawn_attacks(!us, target) & self.pieces(us, PieceKind::Pawn);
        capturers.into_iter().any(|from| self.en_passant_is_safe(from, target))
    }
}
