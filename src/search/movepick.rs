//! The move picker: generates moves in stages as required and returns them one at a time, the most promising first.

use arrayvec::ArrayVec;

use super::history::{Histories, HistoryContext, landing_square};
use super::params::parameters;
use super::score::Score;
use crate::chess::board::Threats;
use crate::chess::movegen::legality::CheckInfo;
use crate::chess::moves::{MAX_MOVES, MoveList};
use crate::chess::see::see_value;
use crate::chess::{Board, GenType, Move, PieceKind};

/// Next stage of the picker.
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
    /// Move ordering: bonus for a quiet check, in units of history.
    order_check_bonus = 3600, 0, 20000, 1500;
    /// Move ordering: bonus for a quiet move out of the attack of a lesser piece, and malus for one into it, in units of
    /// history per centipawn of the moving piece.
    order_escape_bonus = 10, 0, 40, 2;
}

/// Weight of the captured value in the order of noisy moves, units of history per centipawn.
const VICTIM_WEIGHT: i32 = 32;

#[derive(Clone, Copy)]
struct Scored {
    mv: Move,
    /// `true` for a quiet move that gives check; `false` for every noisy move.
    is_check: bool,
    score: i32,
}

/// Quiet moves that a picker returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QuietLimit {
    /// All quiet moves.
    All,
    /// Quiet moves that give check.
    Checks,
    /// No quiet moves.
    None,
}

/// Picker of the moves of one position: tt move, good noisy moves, quiet moves, bad noisy moves.
pub struct MovePicker {
    stage: Stage,
    tt_move: Option<Move>,
    /// Minimum static exchange evaluation of a good noisy move, centipawns.
    threshold: i32,
    quiets: QuietLimit,
    checks: CheckInfo,
    moves: ArrayVec<Scored, MAX_MOVES>,
    bad_noisy: ArrayVec<Move, MAX_MOVES>,
    next_bad: usize,
    /// Check flag of the last move returned, if it was a quiet one.
    last_is_check: Option<bool>,
}

impl MovePicker {
    /// Returns a picker of all moves. `tt_move` is ignored if it is illegal.
    pub fn new(board: &Board, tt_move: Option<Move>) -> Self {
        let tt_move = tt_move.filter(|&mv| board.is_legal(mv));
        Self {
            stage: if tt_move.is_some() { Stage::TtMove } else { Stage::GenerateNoisy },
            tt_move,
            threshold: 0,
            quiets: QuietLimit::All,
            checks: board.check_info(),
            moves: ArrayVec::new(),
            bad_noisy: ArrayVec::new(),
            next_bad: 0,
            last_is_check: None,
        }
    }

    /// Returns a picker of captures and promotions. Those with a static exchange evaluation below `threshold` centipawns
    /// come last.
    pub fn noisy_only(board: &Board, tt_move: Option<Move>, threshold: i32) -> Self {
        let mut picker = Self::new(board, tt_move.filter(|mv| mv.is_noisy()));
        picker.threshold = threshold;
        picker.quiets = QuietLimit::None;
        picker
    }

    /// Limits the quiet moves returned from now on.
    pub fn limit_quiets(&mut self, quiets: QuietLimit) {
        self.quiets = quiets;
        if self.stage == Stage::Quiet {
            self.apply_quiet_limit();
        }
    }

    fn apply_quiet_limit(&mut self) {
        match self.quiets {
            QuietLimit::All => {}
            QuietLimit::Checks => self.moves.retain(|scored| scored.is_check),
            QuietLimit::None => self.moves.clear(),
        }
    }

    /// Returns `true` if `mv`, the last move returned, gives check.
    #[inline]
    pub fn gives_check(&self, board: &Board, mv: Move) -> bool {
        self.last_is_check.unwrap_or_else(|| board.gives_check(mv, &self.checks))
    }

    /// Returns `true` if the last move returned is a noisy move whose exchange reaches the threshold.
    pub fn is_at_good_moves(&self) -> bool {
        self.stage == Stage::GoodNoisy
    }

    /// Returns `true` if the last move returned is a noisy move whose exchange misses the threshold.
    pub fn is_at_bad_moves(&self) -> bool {
        self.stage >= Stage::BadNoisy
    }

    /// Returns the next move. `board` and `context` are those of the position that the picker was made for.
    pub fn next(&mut self, board: &Board, histories: &Histories, context: &HistoryContext) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::GenerateNoisy;
                    return self.tt_move;
                }
                Stage::GenerateNoisy => {
                    self.generate(board, GenType::Noisy, |mv| Scored {
                        mv,
                        is_check: false,
                        score: noisy_score(board, mv, histories),
                    });
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.pop_best().map(|scored| scored.mv) {
                    Some(mv) if board.see_at_least(mv, self.threshold) => return Some(mv),
                    Some(mv) => self.bad_noisy.push(mv),
                    None => self.stage = Stage::GenerateQuiet,
                },
                Stage::GenerateQuiet => {
                    self.stage = Stage::Quiet;
                    if self.quiets != QuietLimit::None {
                        let checks = self.checks;
                        let histories = histories.quiets(board, context);
                        histories.prefetch(board.side_to_move());
                        self.generate(board, GenType::Quiet, |mv| {
                            let piece = board.expect_piece(mv.from());
                            let is_check = board.gives_check(mv, &checks);
                            let score = histories.of(piece, mv.from(), landing_square(board, mv))
                                + i32::from(is_check) * order_check_bonus()
                                + escape_bonus(piece.kind(), mv, &context.threats);
                            Scored { mv, is_check, score }
                        });
                        self.apply_quiet_limit();
                    }
                }
                Stage::Quiet => match self.pop_best() {
                    Some(Scored { mv, is_check, .. }) => {
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
                        return Some(mv);
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    fn generate(&mut self, board: &Board, gen_type: GenType, scored: impl Fn(Move) -> Scored) {
        let mut list = MoveList::new();
        board.generate(gen_type, &mut list);
        self.moves.clear();
        let moves = list.iter().copied().filter(|&mv| Some(mv) != self.tt_move);
        self.moves.extend(moves.map(scored));
    }

    /// Removes the move with the highest score, the first of equals, and returns it.
    fn pop_best(&mut self) -> Option<Scored> {
        let (first, rest) = self.moves.split_first()?;
        let (mut best, mut highest) = (0, first.score);
        for (i, scored) in rest.iter().enumerate() {
            if scored.score > highest {
                (best, highest) = (i + 1, scored.score);
            }
        }
        Some(self.moves.swap_remove(best))
    }
}

/// Returns the bonus for leaving the attack of a lesser piece, or the malus for entering it, in units of history.
fn escape_bonus(kind: PieceKind, mv: Move, threats: &Threats) -> i32 {
    if matches!(kind, PieceKind::Pawn | PieceKind::King) {
        return 0;
    }
    let threatened = threats.to(kind);
    let gain = i32::from(threatened.has(mv.from())) - i32::from(threatened.has(mv.to()));
    gain * see_value(kind) * order_escape_bonus()
}

/// Returns the score of a noisy move for the ordering: most valuable victim first, adjusted by capture history.
fn noisy_score(board: &Board, mv: Move, histories: &Histories) -> i32 {
    capture_value(board, mv) * VICTIM_WEIGHT + histories.noisy(board, mv)
}

/// Returns the material that a capture or promotion wins before any recapture, centipawns.
pub(super) fn capture_value(board: &Board, mv: Move) -> Score {
    let victim = if mv.is_capture() {
        board.piece_on(mv.to()).map_or(see_value(PieceKind::Pawn), |piece| see_value(piece.kind()))
    } else {
        0
    };
    victim + mv.promotion().map_or(0, |kind| see_value(kind) - see_value(PieceKind::Pawn))
}
