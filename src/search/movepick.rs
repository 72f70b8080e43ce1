//! The move picker: generates moves in stages, only when they are needed, and returns the most promising ones first.
//!
//! The order is: TT move; captures and promotions that don't lose material by SEE, sorted by victim (MVV) and capture
//! history; quiet moves, sorted by history with a bonus for checks and escapes; losing captures and promotions.

use arrayvec::ArrayVec;

use super::history::{Histories, HistoryContext, QuietHistories, landing_square};
use super::move_list::ScoredMoves;
use super::params::parameters;
use super::score::Score;
use super::tt::TranspositionTable;
use crate::chess::movegen::legality::CheckInfo;
use crate::chess::movegen::{Sink, origin};
use crate::chess::moves::MAX_MOVES;
use crate::chess::see::see_value;
use crate::chess::{Bitboard, Board, GenType, Move, MoveKind, Piece, PieceKind, Square};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum Stage {
    TtMove,
    GenerateNoisy,
    GoodNoisy,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    Done,
}

parameters! {
    // Bonus for a quiet check, in units of history.
    order_check_bonus = 3600, 0, 20000, 1500;
    // Bonus for a quiet move that escapes an attack by a less valuable piece, and malus for a move into such an attack,
    // per centipawn of the moving piece's value.
    order_escape_bonus = 10, 0, 40, 2;
}

/// When ordering noisy moves, one centipawn of captured value weighs as much as this many points of capture history.
const VICTIM_WEIGHT: i32 = 32;

/// Which quiet moves a picker returns. It always returns captures and promotions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QuietLimit {
    All,
    Checks,
    None,
}

/// Picks the moves of one position: TT move, good noisy moves (captures and promotions), quiet moves, bad noisy moves.
pub struct MovePicker {
    stage: Stage,
    tt_move: Option<Move>,
    /// A noisy move is good if its SEE is at least this, centipawns.
    threshold: i32,
    quiets: QuietLimit,
    checks: CheckInfo,
    moves: ScoredMoves,
    bad_noisy: ArrayVec<Move, MAX_MOVES>,
    next_bad: usize,
    /// Whether the last move returned gives check; `None` except in the quiet stage, which finds checks when scoring.
    last_is_check: Option<bool>,
}

impl MovePicker {
    /// Picks all moves. `tt_move` may be illegal; then we ignore it.
    pub fn new(board: &Board, tt_move: Option<Move>) -> Self {
        let tt_move = tt_move.filter(|&mv| board.is_legal(mv));
        Self {
            stage: if tt_move.is_some() { Stage::TtMove } else { Stage::GenerateNoisy },
            tt_move,
            threshold: 0,
            quiets: QuietLimit::All,
            checks: board.check_info(),
            moves: ScoredMoves::new(),
            bad_noisy: ArrayVec::new(),
            next_bad: 0,
            last_is_check: None,
        }
    }

    /// Picks captures and promotions. A noisy TT move comes first; moves with a SEE below `threshold` come last.
    pub fn noisy_only(board: &Board, tt_move: Option<Move>, threshold: i32) -> Self {
        let mut picker = Self::new(board, tt_move.filter(|mv| mv.is_noisy()));
        picker.threshold = threshold;
        picker.quiets = QuietLimit::None;
        picker
    }

    /// From now on the picker returns only these quiet moves, even if it has already generated others.
    pub fn limit_quiets(&mut self, quiets: QuietLimit) {
        if self.stage == Stage::Quiet && self.quiets != quiets {
            match quiets {
                QuietLimit::All => {}
                QuietLimit::Checks => self.moves.retain_checks(),
                QuietLimit::None => self.moves.clear(),
            }
        }
        self.quiets = quiets;
    }

    /// Whether `mv`, the last move returned, gives check.
    #[inline]
    pub fn gives_check(&self, board: &Board, mv: Move) -> bool {
        self.last_is_check.unwrap_or_else(|| board.gives_check(mv, &self.checks))
    }

    #[inline]
    pub fn is_before_quiets(&self) -> bool {
        self.stage < Stage::Quiet
    }

    /// Whether the last move returned is a capture or promotion whose SEE reaches the threshold.
    pub fn is_at_good_moves(&self) -> bool {
        self.stage == Stage::GoodNoisy
    }

    /// Whether the last move returned is a capture or promotion whose SEE is below the threshold.
    pub fn is_at_bad_moves(&self) -> bool {
        self.stage >= Stage::BadNoisy
    }

    /// Returns the next move, and prefetches the TT entry of the position after it. `board` and `context` must be the
    /// same at every call.
    pub fn next(
        &mut self,
        board: &Board,
        histories: &Histories,
        tt: &TranspositionTable,
        context: &HistoryContext,
    ) -> Option<Move> {
        let prefetch = |mv: Move| tt.prefetch(board.key_after(mv));
        // We prefetch the TT entry one move ahead, so that it can load while the search is busy with the move before.
        let prefetch_best = |moves: &ScoredMoves| moves.peek().into_iter().for_each(prefetch);
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::GenerateNoisy;
                    self.tt_move.inspect(|&mv| prefetch(mv));
                    return self.tt_move;
                }
                Stage::GenerateNoisy => {
                    self.generate_noisy(board, histories);
                    prefetch_best(&self.moves);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.moves.pop() {
                    Some((mv, _)) => {
                        prefetch_best(&self.moves);
                        if board.see_at_least(mv, self.threshold) {
                            return Some(mv);
                        }
                        self.bad_noisy.push(mv);
                    }
                    None => self.stage = Stage::GenerateQuiet,
                },
                Stage::GenerateQuiet => {
                    self.stage = Stage::Quiet;
                    match self.quiets {
                        QuietLimit::All => self.generate_quiets::<false>(board, histories, context),
                        QuietLimit::Checks => self.generate_quiets::<true>(board, histories, context),
                        QuietLimit::None => {}
                    }
                    prefetch_best(&self.moves);
                }
                Stage::Quiet => match self.moves.pop() {
                    Some((mv, is_check)) => {
                        prefetch_best(&self.moves);
                        self.last_is_check = Some(is_check);
                        return Some(mv);
                    }
                    None => {
                        self.last_is_check = None;
                        self.stage = Stage::BadNoisy;
                    }
                },
                Stage::BadNoisy => {
                    if let Some(&mv) = self.bad_noisy.get(self.next_bad) {
                        self.next_bad += 1;
                        prefetch(mv);
                        return Some(mv);
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    // If this function were inlined, every call of `next` would save and restore registers for it.
    #[inline(never)]
    fn generate_noisy(&mut self, board: &Board, histories: &Histories) {
        let list = ScoredList { board, tt_move: self.tt_move, moves: &mut self.moves };
        let mut pieces = PieceTargets::new();
        let mut scorer = NoisyScorer { list, histories, pieces: &mut pieces };
        board.generate_into(GenType::Noisy, &mut scorer);
        scorer.score_pieces();
    }

    #[inline(never)]
    fn generate_quiets<const ONLY_CHECKS: bool>(
        &mut self,
        board: &Board,
        histories: &Histories,
        context: &HistoryContext,
    ) {
        self.moves.clear();
        let list = ScoredList { board, tt_move: self.tt_move, moves: &mut self.moves };
        let histories = histories.quiets(board, context);
        if !ONLY_CHECKS {
            histories.prefetch(board.side_to_move());
        }
        let mut pieces = PieceTargets::new();
        let (checks, pieces) = (&self.checks, &mut pieces);
        let mut scorer = QuietScorer::<ONLY_CHECKS> { list, histories, checks, pieces };
        board.generate_into(GenType::Quiet, &mut scorer);
        scorer.score_pieces();
    }
}

/// Collects scored moves, but not the TT move, which the picker has already returned.
struct ScoredList<'a> {
    board: &'a Board,
    tt_move: Option<Move>,
    moves: &'a mut ScoredMoves,
}

impl ScoredList<'_> {
    #[inline(always)]
    fn push(&mut self, mv: Move, is_check: bool, score: i32) {
        if Some(mv) != self.tt_move {
            self.moves.push(mv, is_check, score);
        }
    }

    #[inline]
    fn push_noisy(&mut self, histories: &Histories, mv: Move) {
        let score = capture_value(self.board, mv) * VICTIM_WEIGHT + histories.noisy(self.board, mv);
        self.push(mv, false, score);
    }
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

    fn as_slice(&self) -> &[(Square, Bitboard)] {
        &self.0
    }
}

/// Scores captures and promotions: the most valuable victim first, adjusted by capture history.
struct NoisyScorer<'a> {
    list: ScoredList<'a>,
    histories: &'a Histories,
    pieces: &'a mut PieceTargets,
}

impl NoisyScorer<'_> {
    #[inline(always)]
    fn score_pieces(self) {
        let Self { mut list, histories, pieces } = self;
        for &(from, targets) in pieces.as_slice() {
            for to in targets {
                list.push_noisy(histories, Move::new(from, to, MoveKind::Capture));
            }
        }
    }
}

impl Sink for NoisyScorer<'_> {
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: Bitboard, _: MoveKind) {
        self.pieces.push(from, targets);
    }

    #[inline]
    fn single(&mut self, mv: Move) {
        self.list.push_noisy(self.histories, mv);
    }
}

/// Scores quiet moves by history, with a bonus for checks and for escaping an attack by a less valuable piece.
struct QuietScorer<'a, const ONLY_CHECKS: bool> {
    list: ScoredList<'a>,
    histories: QuietHistories<'a>,
    checks: &'a CheckInfo,
    pieces: &'a mut PieceTargets,
}

impl<const ONLY_CHECKS: bool> QuietScorer<'_, ONLY_CHECKS> {
    fn score_pieces(&mut self) {
        for &(from, targets) in self.pieces.as_slice() {
            let piece = self.list.board.expect_piece(from);
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
                self.list.push(Move::new(from, to, MoveKind::Quiet), is_check, score);
            }
        }
    }
}

impl<const ONLY_CHECKS: bool> Sink for QuietScorer<'_, ONLY_CHECKS> {
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: Bitboard, _: MoveKind) {
        self.pieces.push(from, targets);
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, offset: i8, kind: MoveKind) {
        let piece = Piece::new(self.list.board.side_to_move(), PieceKind::Pawn);
        for to in targets {
            let from = origin(to, offset);
            let is_check = self.checks.has(PieceKind::Pawn, from, to);
            if ONLY_CHECKS && !is_check {
                continue;
            }
            let score =
                self.histories.of_piece(piece, from).of(to) + i32::from(is_check) * order_check_bonus();
            self.list.push(Move::new(from, to, kind), is_check, score);
        }
    }

    fn promotions(&mut self, targets: Bitboard, _: i8, _: bool) {
        debug_assert!(targets.is_empty(), "promotions are noisy");
    }

    /// Among quiet moves, the generator passes only castling here.
    fn single(&mut self, mv: Move) {
        let board = self.list.board;
        let piece = Piece::new(board.side_to_move(), PieceKind::King);
        let is_check = board.gives_check(mv, self.checks);
        if ONLY_CHECKS && !is_check {
            return;
        }
        let history = self.histories.of_piece(piece, mv.from()).of(landing_square(board, mv));
        self.list.push(mv, is_check, history + i32::from(is_check) * order_check_bonus());
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
