//! The move picker: moves one at a time, the likely best first, no more generated than is asked for.
//!
//! Worth, at 0.5+0.005: checks and escapes first among the quiet moves +8 ± 25 (400 games, both together).

use arrayvec::ArrayVec;

use super::history::{Histories, HistoryContext, landing_square};
use super::params::parameters;
use super::score::Score;
use crate::chess::board::Threats;
use crate::chess::movegen::legality::CheckInfo;
use crate::chess::moves::{MAX_MOVES, MoveList};
use crate::chess::see::see_value;
use crate::chess::{Board, GenType, Move, PieceKind};

/// What the picker does next.
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
    /// Move ordering: moves that check are ordered as if their history were this much better.
    order_check_bonus = 3600, 0, 20000, 1500;
    /// Move ordering: quiet moves out of a lesser piece's attack are ordered as if their history were better by this for
    /// each centipawn of the piece's worth, those into one as much worse.
    order_escape_bonus = 10, 0, 40, 2;
}

#[derive(Clone, Copy)]
struct Scored {
    mv: Move,
    /// Known of quiet moves only.
    is_check: bool,
    score: i32,
}

/// Which quiet moves a picker hands out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QuietLimit {
    /// All of them.
    All,
    /// Only those that check.
    Checks,
    None,
}

/// Picks moves in order: tt move, good captures and promotions, quiet moves, bad captures.
pub struct MovePicker {
    stage: Stage,
    tt_move: Option<Move>,
    /// Captures that exchange for less than this are bad.
    threshold: i32,
    quiets: QuietLimit,
    checks: CheckInfo,
    moves: ArrayVec<Scored, MAX_MOVES>,
    bad_noisy: ArrayVec<Move, MAX_MOVES>,
    next_bad: usize,
    /// Whether the move handed out last checks, where ordering it told.
    last_is_check: Option<bool>,
}

impl MovePicker {
    /// All moves of a position. `tt_move` may come from elsewhere: it is checked.
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

    /// Captures and promotions only; those that exchange for less than `threshold` come last.
    pub fn noisy_only(board: &Board, tt_move: Option<Move>, threshold: i32) -> Self {
        let mut picker = Self::new(board, tt_move.filter(|mv| mv.is_noisy()));
        picker.threshold = threshold;
        picker.quiets = QuietLimit::None;
        picker
    }

    /// From now on only these quiet moves are handed out.
    pub fn limit_quiets(&mut self, quiets: QuietLimit) {
        self.quiets = quiets;
        if self.stage == Stage::Quiet {
            self.drop_unwanted_quiets();
        }
    }

    fn drop_unwanted_quiets(&mut self) {
        match self.quiets {
            QuietLimit::All => {}
            QuietLimit::Checks => self.moves.retain(|scored| scored.is_check),
            QuietLimit::None => self.moves.clear(),
        }
    }

    /// `true` when `mv`, the move handed out last, gives check.
    #[inline]
    pub fn gives_check(&self, board: &Board, mv: Move) -> bool {
        self.last_is_check.unwrap_or_else(|| board.gives_check(mv, &self.checks))
    }

    /// `true` when the move handed out last is a capture or promotion whose exchange reached the threshold.
    pub fn is_at_good_moves(&self) -> bool {
        self.stage == Stage::GoodNoisy
    }

    /// `true` once only bad captures are left.
    pub fn is_at_bad_moves(&self) -> bool {
        self.stage >= Stage::BadNoisy
    }

    /// The next move.
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
                        self.drop_unwanted_quiets();
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
        let wanted = list.iter().copied().filter(|&mv| Some(mv) != self.tt_move);
        self.moves.extend(wanted.map(scored));
    }

    /// Takes the highest-scored move out of the list; the first of equals.
    fn pop_best(&mut self) -> Option<Scored> {
        let (first, others) = self.moves.split_first()?;
        let (mut best, mut highest) = (0, first.score);
        for (i, other) in others.iter().enumerate() {
            if other.score > highest {
                (best, highest) = (i + 1, other.score);
            }
        }
        Some(self.moves.swap_remove(best))
    }
}

/// A piece is better away from a lesser one's attack, and better not on such a square; more so the more it is worth.
fn escape_bonus(kind: PieceKind, mv: Move, threats: &Threats) -> i32 {
    if matches!(kind, PieceKind::Pawn | PieceKind::King) {
        return 0;
    }
    let threatened = threats.to(kind);
    let gain = i32::from(threatened.has(mv.from())) - i32::from(threatened.has(mv.to()));
    gain * see_value(kind) * order_escape_bonus()
}

/// Most valuable victim first, adjusted by what such captures led to before.
fn noisy_score(board: &Board, mv: Move, histories: &Histories) -> i32 {
    capture_value(board, mv) * 32 + histories.noisy(board, mv)
}

/// The most that a capture or promotion can win at once, centipawns.
pub(super) fn capture_value(board: &Board, mv: Move) -> Score {
    let victim = if mv.is_capture() {
        board.piece_on(mv.to()).map_or(see_value(PieceKind::Pawn), |piece| see_value(piece.kind()))
    } else {
        0
    };
    victim + mv.promotion().map_or(0, |kind| see_value(kind) - see_value(PieceKind::Pawn))
}
