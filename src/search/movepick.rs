//! Handing out moves one at a time, the likely best first, generating no more than is asked for.

use arrayvec::ArrayVec;

use super::history::{Histories, Situation};
use super::params;
use super::steps::greatest_gain;
use crate::chess::board::Threats;
use crate::chess::movegen::legality::CheckInfo;
use crate::chess::moves::MAX_MOVES;
use crate::chess::see::see_value;
use crate::chess::{Board, GenType, Move, PieceKind};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum Step {
    TableMove,
    GenerateNoisy,
    GoodNoisy,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    Done,
}

#[derive(Clone, Copy)]
struct Scored {
    mv: Move,
    /// Known of quiet moves only.
    is_check: bool,
    score: i32,
}

/// The quiet moves that a picker hands out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quiets {
    /// All of them.
    All,
    /// Only those that check.
    Checks,
    /// None.
    None,
}

/// Picks moves in order: table move, good captures and promotions, quiet moves, bad captures.
pub struct MovePicker {
    step: Step,
    table_move: Option<Move>,
    /// Captures that exchange for less than this are bad.
    threshold: i32,
    quiets: Quiets,
    checks: CheckInfo,
    moves: ArrayVec<Scored, MAX_MOVES>,
    bad_noisy: ArrayVec<Move, MAX_MOVES>,
    next_bad: usize,
}

impl MovePicker {
    /// All moves of a position. `table_move` may come from elsewhere: it is checked.
    pub fn new(board: &Board, table_move: Option<Move>) -> Self {
        let table_move = table_move.filter(|&mv| board.is_legal(mv));
        Self {
            step: if table_move.is_some() { Step::TableMove } else { Step::GenerateNoisy },
            table_move,
            threshold: 0,
            quiets: Quiets::All,
            checks: board.check_info(),
            moves: ArrayVec::new(),
            bad_noisy: ArrayVec::new(),
            next_bad: 0,
        }
    }

    /// Captures and promotions only; those that exchange for less than `threshold` come last.
    pub fn noisy_only(board: &Board, table_move: Option<Move>, threshold: i32) -> Self {
        let mut picker = Self::new(board, table_move.filter(|mv| mv.is_noisy()));
        picker.threshold = threshold;
        picker.quiets = Quiets::None;
        picker
    }

    /// From now on only these quiet moves are handed out.
    pub fn limit_quiets(&mut self, quiets: Quiets) {
        self.quiets = quiets;
        if self.step == Step::Quiet {
            self.drop_unwanted_quiets();
        }
    }

    fn drop_unwanted_quiets(&mut self) {
        match self.quiets {
            Quiets::All => {}
            Quiets::Checks => self.moves.retain(|scored| scored.is_check),
            Quiets::None => self.moves.clear(),
        }
    }

    /// `true` when `mv`, a legal move of the picker's position, gives check.
    #[inline]
    pub fn gives_check(&self, board: &Board, mv: Move) -> bool {
        board.gives_check(mv, &self.checks)
    }

    /// `true` once only bad captures are left.
    pub fn is_at_bad_moves(&self) -> bool {
        self.step >= Step::BadNoisy
    }

    /// The next move.
    pub fn next(&mut self, board: &Board, histories: &Histories, situation: &Situation) -> Option<Move> {
        loop {
            match self.step {
                Step::TableMove => {
                    self.step = Step::GenerateNoisy;
                    return self.table_move;
                }
                Step::GenerateNoisy => {
                    self.generate(board, GenType::Noisy, |mv| Scored {
                        mv,
                        is_check: false,
                        score: noisy_score(board, mv, histories),
                    });
                    self.step = Step::GoodNoisy;
                }
                Step::GoodNoisy => match self.pop_best() {
                    Some(mv) if board.see_at_least(mv, self.threshold) => return Some(mv),
                    Some(mv) => self.bad_noisy.push(mv),
                    None => self.step = Step::GenerateQuiet,
                },
                Step::GenerateQuiet => {
                    self.step = Step::Quiet;
                    if self.quiets != Quiets::None {
                        let checks = self.checks;
                        self.generate(board, GenType::Quiet, |mv| {
                            let is_check = board.gives_check(mv, &checks);
                            let score = histories.quiet(board, mv, situation)
                                + i32::from(is_check) * params::order_check_bonus()
                                + escape_bonus(board, mv, &situation.threats);
                            Scored { mv, is_check, score }
                        });
                        self.drop_unwanted_quiets();
                    }
                }
                Step::Quiet => match self.pop_best() {
                    Some(mv) => return Some(mv),
                    None => self.step = Step::BadNoisy,
                },
                Step::BadNoisy => {
                    if let Some(&mv) = self.bad_noisy.get(self.next_bad) {
                        self.next_bad += 1;
                        return Some(mv);
                    }
                    self.step = Step::Done;
                }
                Step::Done => return None,
            }
        }
    }

    fn generate(&mut self, board: &Board, stage: GenType, scored: impl Fn(Move) -> Scored) {
        let list = board.generate(stage);
        self.moves.clear();
        let wanted = list.iter().copied().filter(|&mv| Some(mv) != self.table_move);
        self.moves.extend(wanted.map(scored));
    }

    /// Takes the highest-scored move out of the list; the first of equals.
    fn pop_best(&mut self) -> Option<Move> {
        let (first, others) = self.moves.split_first()?;
        let (mut best, mut highest) = (0, first.score);
        for (i, other) in others.iter().enumerate() {
            if other.score > highest {
                (best, highest) = (i + 1, other.score);
            }
        }
        Some(self.moves.swap_remove(best).mv)
    }
}

/// A piece is better away from a lesser one's attack, and better not on such a square; more so the more it is worth.
fn escape_bonus(board: &Board, mv: Move, threats: &Threats) -> i32 {
    let Some(kind) = board.piece_on(mv.from()).map(|piece| piece.kind()) else { return 0 };
    if matches!(kind, PieceKind::Pawn | PieceKind::King) {
        return 0;
    }
    let threatened = threats.to(kind);
    let gain = i32::from(threatened.has(mv.from())) - i32::from(threatened.has(mv.to()));
    gain * see_value(kind) * params::order_escape_bonus()
}

/// Most valuable victim first, adjusted by what such captures led to before.
fn noisy_score(board: &Board, mv: Move, histories: &Histories) -> i32 {
    greatest_gain(board, mv) * 32 + histories.noisy(board, mv)
}
