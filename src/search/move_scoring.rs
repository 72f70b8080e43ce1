//! Scores the moves of the move picker while the generator emits them.

use arrayvec::ArrayVec;

use super::history::{Histories, HistoryContext, QuietHistories, landing_square};
use super::move_list::ScoredMoves;
use super::params::parameters;
use super::score::Score;
use crate::chess::movegen::legality::CheckInfo;
use crate::chess::movegen::{Sink, origin};
use crate::chess::see::see_value;
use crate::chess::{Bitboard, Board, GenType, Move, MoveKind, Piece, PieceKind, Square};

parameters! {
    // Bonus for a quiet check, in units of history.
    order_check_bonus = 3600, 0, 20000, 1500;
    // Bonus for a quiet move that escapes an attack by a less valuable piece, and malus for a move into such an attack,
    // per centipawn of the moving piece's value.
    order_escape_bonus = 10, 0, 40, 2;
}

/// When ordering noisy moves, one centipawn of captured value weighs as much as this many points of capture history.
const VICTIM_WEIGHT: i32 = 32;

/// Lists captures and promotions, in the first list of `moves`.
// If this function were inlined, every call of `MovePicker::next` would save and restore registers for it.
#[inline(never)]
pub(super) fn list_noisy(board: &Board, histories: &Histories, moves: &mut ScoredMoves) {
    let mut scorer = NoisyScorer { board, histories, moves, pieces: PieceTargets::new() };
    board.generate_into(GenType::Noisy, &mut scorer);
    for index in 0..scorer.pieces.0.len() {
        let (from, targets) = scorer.pieces.0[index];
        for to in targets {
            scorer.score(Move::new(from, to, MoveKind::Capture));
        }
    }
    moves.end_list();
}

/// Lists quiet moves, perhaps only those that give check, in another list of `moves`.
#[inline(never)]
pub(super) fn list_quiets<const ONLY_CHECKS: bool>(
    board: &Board,
    histories: &Histories,
    context: &HistoryContext,
    checks: &CheckInfo,
    moves: &mut ScoredMoves,
) {
    moves.begin_list();
    let histories = histories.quiets(board, context);
    if !ONLY_CHECKS {
        histories.prefetch(board.side_to_move());
    }
    let pieces = PieceTargets::new();
    let mut scorer = QuietScorer::<ONLY_CHECKS> { board, histories, checks, moves, pieces };
    board.generate_into(GenType::Quiet, &mut scorer);
    scorer.score_pieces();
    moves.end_list();
}

/// Pieces with their target squares. We score their moves afterwards in a single loop, because scoring code in every
/// loop of the generator would fill the instruction cache.
struct PieceTargets(ArrayVec<(Square, Bitboard), { Self::CAPACITY }>);

impl PieceTargets {
    /// The generator adds a queen twice: with her diagonal and with her straight targets.
    const CAPACITY: usize = 2 * Square::COUNT;

    fn new() -> Self {
        Self(ArrayVec::new())
    }

    /// Adds a piece if it has targets. We do without a branch, because it would be hard to predict.
    ///
    /// Panics if the list is full, which only happens if illegal moves were made on the board.
    #[inline(always)]
    fn push(&mut self, from: Square, targets: Bitboard) {
        let len = self.0.len();
        assert!(len < Self::CAPACITY);
        // SAFETY: `len` is below the capacity, and the length grows at most by the element just written.
        unsafe {
            self.0.as_mut_ptr().add(len).write((from, targets));
            self.0.set_len(len + usize::from(targets.non_empty()));
        }
    }
}

/// Scores captures and promotions: the most valuable victim first, adjusted by capture history.
struct NoisyScorer<'a, 'b> {
    board: &'a Board,
    histories: &'a Histories,
    moves: &'a mut ScoredMoves<'b>,
    pieces: PieceTargets,
}

impl NoisyScorer<'_, '_> {
    #[inline(always)]
    fn score(&mut self, mv: Move) {
        let score = capture_value(self.board, mv) * VICTIM_WEIGHT + self.histories.noisy(self.board, mv);
        self.moves.push(mv, false, score);
    }
}

impl Sink for NoisyScorer<'_, '_> {
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: Bitboard, _: MoveKind) {
        self.pieces.push(from, targets);
    }

    #[inline]
    fn single(&mut self, mv: Move) {
        self.score(mv);
    }
}

/// Scores quiet moves by history, with a bonus for checks and for escaping an attack by a less valuable piece.
struct QuietScorer<'a, 'b, const ONLY_CHECKS: bool> {
    board: &'a Board,
    histories: QuietHistories<'a>,
    checks: &'a CheckInfo,
    moves: &'a mut ScoredMoves<'b>,
    pieces: PieceTargets,
}

impl<const ONLY_CHECKS: bool> QuietScorer<'_, '_, ONLY_CHECKS> {
    fn score_pieces(&mut self) {
        for &(from, targets) in &self.pieces.0 {
            let piece = self.board.expect_piece(from);
            let kind = piece.kind();
            let histories = self.histories.of_piece(piece, from);
            let checks = self.checks.targets(kind, from);
            let targets = if ONLY_CHECKS { targets & checks } else { targets };
            // The king gets no bonus for leaving an attacked square, because all its moves go to safe ones.
            let escape_bonus =
                if kind == PieceKind::King { 0 } else { see_value(kind) * order_escape_bonus() };
            let escape_from = i32::from(histories.threatened().has(from));
            for to in targets {
                let is_check = checks.has(to);
                let escapes = escape_from - i32::from(histories.threatened().has(to));
                let score =
                    histories.of(to) + i32::from(is_check) * order_check_bonus() + escapes * escape_bonus;
                self.moves.push(Move::new(from, to, MoveKind::Quiet), is_check, score);
            }
        }
    }
}

impl<const ONLY_CHECKS: bool> Sink for QuietScorer<'_, '_, ONLY_CHECKS> {
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: Bitboard, _: MoveKind) {
        self.pieces.push(from, targets);
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, offset: i8, kind: MoveKind) {
        let piece = Piece::new(self.board.side_to_move(), PieceKind::Pawn);
        for to in targets {
            let from = origin(to, offset);
            let is_check = self.checks.has(PieceKind::Pawn, from, to);
            if ONLY_CHECKS && !is_check {
                continue;
            }
            let score =
                self.histories.of_piece(piece, from).of(to) + i32::from(is_check) * order_check_bonus();
            self.moves.push(Move::new(from, to, kind), is_check, score);
        }
    }

    fn promotions(&mut self, targets: Bitboard, _: i8, _: bool) {
        debug_assert!(targets.is_empty(), "promotions are noisy");
    }

    /// Among quiet moves, the generator passes only castling here.
    fn single(&mut self, mv: Move) {
        let board = self.board;
        let piece = Piece::new(board.side_to_move(), PieceKind::King);
        let is_check = board.gives_check(mv, self.checks);
        if ONLY_CHECKS && !is_check {
            return;
        }
        let history = self.histories.of_piece(piece, mv.from()).of(landing_square(board, mv));
        self.moves.push(mv, is_check, history + i32::from(is_check) * order_check_bonus());
    }
}

/// Returns what a capture or promotion wins before any recapture, centipawns.
pub(super) fn capture_value(board: &Board, mv: Move) -> Score {
    let victim = if mv.is_capture() {
        board.piece_on(mv.to()).map_or(see_value(PieceKind::Pawn), |piece| see_value(piece.kind()))
    } else {
        0
    };
    victim + mv.promotion().map_or(0, |kind| see_value(kind) - see_value(PieceKind::Pawn))
}
