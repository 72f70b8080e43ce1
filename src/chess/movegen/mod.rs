//! Legal move generation: noisy moves, quiet moves or both, into a move list or a counter.

pub mod legality;
pub mod obstacles;

use crate::chess::attacks::*;
use crate::chess::{
    Bitboard, Board, ByColor, BySquare, CastlingPath, CastlingSide, Color, Move, MoveKind, MoveList,
    PieceKind, Rank, Square,
};

/// Which moves to generate. The search often needs no quiet moves, and asks for them last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GenType {
    /// Captures and promotions.
    Noisy,
    /// Moves that are neither captures nor promotions, castling included.
    Quiet,
    All,
}

/// Receives the generated moves, one by one or as sets of target squares.
pub trait Sink {
    /// Whether only the number of moves matters. Then captures and quiet moves may arrive together, all as `Quiet`.
    const COUNTS_ONLY: bool = false;

    fn single(&mut self, mv: Move);

    /// Receives one move from `from` to each of `targets`.
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: Bitboard, kind: MoveKind) {
        for to in targets {
            self.single(Move::new(from, to, kind));
        }
    }

    /// Receives one pawn move to each of `targets`. `offset` is the index of the target minus that of the origin.
    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, offset: i8, kind: MoveKind) {
        for to in targets {
            self.single(Move::new(origin(to, offset), to, kind));
        }
    }

    /// Receives promotions on `targets`, four for each; `offset` as in [`Self::pawns`].
    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, offset: i8, capture: bool) {
        for to in targets {
            for kind in PROMOTIONS[usize::from(capture)] {
                self.single(Move::new(origin(to, offset), to, kind));
            }
        }
    }
}

/// Returns the square where a pawn move to `target` starts; `offset` as in [`Sink::pawns`].
#[inline(always)]
pub fn origin(target: Square, offset: i8) -> Square {
    Square::from_index((target.index() as i8).wrapping_sub(offset) as u8 as usize & 63)
}

/// Promotions in generation order, first without and then with capture.
const PROMOTIONS: [[MoveKind; 4]; 2] = {
    use MoveKind::*;
    [
        [PromoteQueen, PromoteKnight, PromoteRook, PromoteBishop],
        [CapturePromoteQueen, CapturePromoteKnight, CapturePromoteRook, CapturePromoteBishop],
    ]
};

/// A list that was empty and receives the moves of only one position, so that it cannot overflow.
struct FreshList<'a>(&'a mut MoveList);

impl Sink for FreshList<'_> {
    #[inline(always)]
    fn single(&mut self, mv: Move) {
        debug_assert!(!self.0.is_full());
        // SAFETY: the list was empty before this generation, and no generation has more than `MAX_MOVES` moves,
        // whatever the bitboards hold, even after illegal moves.
        unsafe { self.0.push_unchecked(mv) };
    }
}

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

/// How pawns capture in one direction, such as White's pawns towards the a-file.
struct PawnCapture {
    /// All squares except those on the file from which this capture would leave the board.
    starts: Bitboard,
    /// The index of the target square minus that of the origin.
    offset: i8,
    /// The index in [`DIAGONALS`] of the capture's direction. A pawn pinned along this diagonal may still capture.
    diagonal: usize,
}

/// Pawn captures by White, then by Black: first towards the a-file, then towards the h-file.
const PAWN_CAPTURES: ByColor<[PawnCapture; 2]> = {
    const NOT_A: Bitboard = Bitboard(!Bitboard::FILE_A.0);
    const NOT_H: Bitboard = Bitboard(!Bitboard::FILE_H.0);
    ByColor([
        [
            PawnCapture { starts: NOT_A, offset: 7, diagonal: 1 },
            PawnCapture { starts: NOT_H, offset: 9, diagonal: 0 },
        ],
        [
            PawnCapture { starts: NOT_A, offset: -9, diagonal: 0 },
            PawnCapture { starts: NOT_H, offset: -7, diagonal: 1 },
        ],
    ])
};

/// What a single push adds to the index of a pawn's square, for White and for Black.
const PAWN_PUSH: ByColor<i8> = ByColor([8, -8]);

/// Both diagonals through each square, the square included: first the one parallel to a1–h8, then to a8–h1.
static DIAGONALS: BySquare<[Bitboard; 2]> = {
    let mut table = [[Bitboard::EMPTY; 2]; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = [
            Bitboard(1 << square | walk(square, 0, &[(1, 1), (-1, -1)])),
            Bitboard(1 << square | walk(square, 0, &[(1, -1), (-1, 1)])),
        ];
        square += 1;
    }
    BySquare(table)
};

impl Board {
    /// Returns all legal moves. If only their number matters, [`Self::count_legal_moves`] is faster.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.emit::<true, true, _>(&mut FreshList(&mut list));
        list
    }

    /// Replaces the contents of `list` with the legal moves of this type.
    #[inline]
    pub fn generate(&self, gen_type: GenType, list: &mut MoveList) {
        list.clear();
        self.generate_into(gen_type, &mut FreshList(list));
    }

    /// Like [`Self::generate`], but for any [`Sink`]. The move picker scores moves as it receives them.
    #[inline]
    pub fn generate_into(&self, gen_type: GenType, sink: &mut impl Sink) {
        match gen_type {
            GenType::Noisy => self.emit::<true, false, _>(sink),
            GenType::Quiet => self.emit::<false, true, _>(sink),
            GenType::All => self.emit::<true, true, _>(sink),
        }
    }

    /// Counts the legal moves. This is faster than listing them, because it counts the bits of whole target sets.
    #[inline]
    pub fn count_legal_moves(&self) -> u64 {
        let mut counter = Counter(0);
        self.emit::<true, true, _>(&mut counter);
        counter.0
    }

    /// Returns `false` if the position is checkmate or stalemate.
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

    /// Emits the moves to `allowed` squares, except the king's. In check, a move there captures or blocks the checker.
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
            // A pinned piece cannot evade a check.
            return;
        }
        for from in diagonal & pinned {
            let targets = bishop_attacks(from, occupied) & line_through(king, from);
            self.emit_split::<NOISY, QUIET, S>(from, targets, sink);
        }
        for from in straight & pinned {
            let targets = rook_attacks(from, occupied) & line_through(king, from);
            self.emit_split::<NOISY, QUIET, S>(from, targets, sink);
        }
    }

    /// Splits the attacks of a piece into captures and quiet moves.
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

        // A pawn pinned on the file of its king may push; a pawn pinned on a diagonal may capture along that diagonal.
        let pushable = pawns & (!pinned | Bitboard::file(king.file()));
        let push = PAWN_PUSH[us];
        let once = pushable.forward(us) & empty;
        if QUIET {
            let twice = (once & Bitboard::relative_rank(us, Rank::Third)).forward(us) & empty;
            sink.pawns(once & allowed & !last_rank, push, MoveKind::Quiet);
            sink.pawns(twice & allowed, 2 * push, MoveKind::DoublePush);
        }
        if NOISY {
            sink.promotions(once & allowed & last_rank, push, false);
            let victims = self.by_color(!us) & allowed;
            for capture in &PAWN_CAPTURES[us] {
                let able = pawns & capture.starts & (!pinned | DIAGONALS[king][capture.diagonal]);
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
        let targets = if NOISY && QUIET {
            !self.by_color(us)
        } else if NOISY {
            self.by_color(!us)
        } else {
            !self.occupied()
        };
        let candidates = targets
            & king_attacks(king)
            & !king_attacks(self.king(!us))
            & !pawn_attacks_all(!us, self.pieces(!us, PieceKind::Pawn));
        if candidates.non_empty() {
            let without_king = self.occupied() ^ Bitboard::of(king);
            let safe =
                candidates.into_iter().filter(|&to| !self.is_attacked(to, !us, without_king)).collect();
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

    /// Returns `true` if the castling along `path` is legal for a side that has the right and is not in check: the
    /// paths of king and rook are empty, no square of the king's path is attacked, and the rook's departure does not
    /// expose the king.
    #[inline]
    pub(super) fn castling_is_legal(&self, us: Color, path: &CastlingPath) -> bool {
        let occupied = self.occupied();
        if path.must_be_empty.intersects(occupied)
            || path.must_be_safe.into_iter().any(|square| self.is_attacked(square, !us, occupied))
        {
            return false;
        }
        // The rook's departure can only expose the king to an attack along the back rank.
        let straight = self.by_kind(PieceKind::Rook) | self.by_kind(PieceKind::Queen);
        let sliders = self.by_color(!us) & straight & Bitboard::rank(path.king_to.rank());
        if sliders.is_empty() {
            return true;
        }
        let remaining = occupied & !(Bitboard::of(path.king_from) | Bitboard::of(path.rook_from));
        let after = remaining | Bitboard::of(path.king_to) | Bitboard::of(path.rook_to);
        !rook_attacks(path.king_to, after).intersects(sliders)
    }

    /// Returns `true` if the pawn on `from` can capture en passant on `target` without leaving its king in check.
    #[inline]
    pub(super) fn en_passant_is_safe(&self, from: Square, target: Square) -> bool {
        let us = self.side_to_move();
        let victim = Bitboard::of(target.forward(!us));
        let occupied = (self.occupied() ^ Bitboard::of(from) ^ victim) | Bitboard::of(target);
        let enemies = self.by_color(!us) & !victim;
        !self.attackers_to(self.king(us), occupied).intersects(enemies)
    }

    /// Returns `true` if a pawn can legally capture en passant on `target`, which an enemy pawn has just passed.
    #[inline]
    pub(super) fn has_legal_en_passant(&self, target: Square) -> bool {
        let us = self.side_to_move();
        let capturers = pawn_attacks(!us, target) & self.pieces(us, PieceKind::Pawn);
        capturers.into_iter().any(|from| self.en_passant_is_safe(from, target))
    }
}
