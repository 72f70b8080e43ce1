//! The move picker: generates moves in stages, only when they are needed, and returns the most promising ones first.
//!
//! ```text
//! TT move → captures and promotions → quiet moves → captures and promotions that lose material
//!           (most valuable victim,    (histories,   (those that the second stage deferred)
//!            capture history; SEE)     checks, escapes)
//! ```
//!
//! In a stage that needs moves, the generator emits them to `move_scoring`, which scores them and puts them on the
//! thread's stack of moves (`move_list`). There the picker always removes the best one. A captures-only picker, as
//! quiescence search and ProbCut use it, skips the quiet moves.

use super::history::{Histories, HistoryContext};
use super::move_list::{MoveStack, ScoredMoves};
use super::move_scoring::{list_noisy, list_quiets};
use super::tt::TranspositionTable;
use crate::chess::movegen::legality::CheckInfo;
use crate::chess::{Board, Move};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum Stage {
    TtMove,
    /// Before the first list.
    Start,
    GoodNoisy,
    Quiet,
    BadNoisy,
}

/// Which quiet moves a picker returns. It always returns captures and promotions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QuietLimit {
    All,
    Checks,
    None,
}

/// Picks the moves of one position: TT move, good noisy moves (captures and promotions), quiet moves, bad noisy moves.
pub struct MovePicker<'a> {
    stage: Stage,
    tt_move: Option<Move>,
    /// A noisy move is good if its SEE is at least this, centipawns.
    threshold: i32,
    quiets: QuietLimit,
    checks: CheckInfo,
    moves: ScoredMoves<'a>,
    /// From this key we guess those after other moves.
    key_after_null_move: u64,
    /// Whether the last move returned gives check; `None` except in the quiet stage, which finds checks when scoring.
    last_is_check: Option<bool>,
}

impl<'a> MovePicker<'a> {
    /// Picks all moves. `tt_move` may be illegal; then we ignore it. Of the pickers on one stack, the last one must be
    /// dropped before another returns a move.
    pub fn new(board: &Board, stack: &'a MoveStack, tt_move: Option<Move>) -> Self {
        let tt_move = tt_move.filter(|&mv| board.is_legal(mv));
        Self {
            stage: if tt_move.is_some() { Stage::TtMove } else { Stage::Start },
            tt_move,
            threshold: 0,
            quiets: QuietLimit::All,
            checks: board.check_info(),
            moves: ScoredMoves::new(stack, tt_move),
            key_after_null_move: board.key_after_null_move(),
            last_is_check: None,
        }
    }

    /// Picks captures and promotions. A noisy TT move comes first; moves with a SEE below `threshold` come last.
    pub fn noisy_only(board: &Board, stack: &'a MoveStack, tt_move: Option<Move>, threshold: i32) -> Self {
        let mut picker = Self::new(board, stack, tt_move.filter(|mv| mv.is_noisy()));
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
        let passed = self.key_after_null_move;
        let prefetch = |mv| tt.prefetch(board.key_after(mv, passed));
        if self.stage == Stage::TtMove {
            self.stage = Stage::Start;
            self.tt_move.inspect(|&mv| prefetch(mv));
            return self.tt_move;
        }
        loop {
            let mut picked = None;
            if let Some((mv, is_check)) = self.moves.best() {
                if self.stage == Stage::GoodNoisy && !board.see_at_least(mv, self.threshold) {
                    self.moves.defer_best();
                } else {
                    self.moves.take_best();
                    self.last_is_check = (self.stage == Stage::Quiet).then_some(is_check);
                    picked = Some(mv);
                }
            } else if !self.list_next(board, histories, context) {
                return None;
            }
            // We prefetch the TT entry one move ahead, so that it can load while the search is busy with the move before.
            self.moves.best().inspect(|&(mv, _)| prefetch(mv));
            if picked.is_some() {
                return picked;
            }
        }
    }

    /// Goes to the next stage, and lists its moves. Returns `false` after the last stage.
    fn list_next(&mut self, board: &Board, histories: &Histories, context: &HistoryContext) -> bool {
        let (checks, moves) = (&self.checks, &mut self.moves);
        self.stage = match self.stage {
            Stage::TtMove | Stage::Start => {
                list_noisy(board, histories, moves);
                Stage::GoodNoisy
            }
            Stage::GoodNoisy => {
                match self.quiets {
                    QuietLimit::All => list_quiets::<false>(board, histories, context, checks, moves),
                    QuietLimit::Checks => list_quiets::<true>(board, histories, context, checks, moves),
                    QuietLimit::None => {}
                }
                Stage::Quiet
            }
            Stage::Quiet => {
                moves.return_to_deferred();
                Stage::BadNoisy
            }
            Stage::BadNoisy => return false,
        };
        true
    }
}
