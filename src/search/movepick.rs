//! Handing out moves one at a time, the likely best first, generating no more than is asked for.

use arrayvec::ArrayVec;

use super::history::{QuietHistory, landing_square};
use crate::chess::moves::MAX_MOVES;
use crate::chess::see::see_value;
use crate::chess::{Board, Move, MoveList, PieceKind, Stage};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum Step {
    TableMove,
    GenerateNoisy,
    GoodNoisy,
    Killers,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    Done,
}

#[derive(Clone, Copy)]
struct Scored {
    mv: Move,
    score: i32,
}

/// Picks moves in order: table move, good captures and promotions, killers, quiet moves, bad captures.
pub struct MovePicker {
    step: Step,
    table_move: Option<Move>,
    killers: [Option<Move>; 2],
    next_killer: usize,
    skip_quiets: bool,
    moves: ArrayVec<Scored, MAX_MOVES>,
    bad_noisy: ArrayVec<Move, MAX_MOVES>,
    next_bad: usize,
}

impl MovePicker {
    /// All moves of a position. `table_move` and `killers` may come from elsewhere: they are checked.
    pub fn new(board: &Board, table_move: Option<Move>, killers: [Option<Move>; 2]) -> Self {
        let table_move = table_move.filter(|&mv| board.is_legal(mv));
        Self {
            step: Step::TableMove,
            table_move,
            killers,
            next_killer: 0,
            skip_quiets: false,
            moves: ArrayVec::new(),
            bad_noisy: ArrayVec::new(),
            next_bad: 0,
        }
    }

    /// Captures and promotions only, for quiescence.
    pub fn noisy_only(board: &Board, table_move: Option<Move>) -> Self {
        let mut picker = Self::new(board, table_move.filter(|mv| mv.is_noisy()), [None; 2]);
        picker.skip_quiets = true;
        picker
    }

    /// From now on no quiet move is handed out.
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move.
    pub fn next(&mut self, board: &Board, history: &QuietHistory) -> Option<Move> {
        loop {
            match self.step {
                Step::TableMove => {
                    self.step = Step::GenerateNoisy;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Step::GenerateNoisy => {
                    self.generate(board, Stage::Noisy, |mv| noisy_score(board, mv));
                    self.step = Step::GoodNoisy;
                }
                Step::GoodNoisy => match self.pop_best() {
                    Some(mv) if board.see_at_least(mv, 0) => return Some(mv),
                    Some(mv) => self.bad_noisy.push(mv),
                    None => self.step = Step::Killers,
                },
                Step::Killers => {
                    let killer = self.killers.get(self.next_killer).copied();
                    self.next_killer += 1;
                    match killer {
                        None => self.step = Step::GenerateQuiet,
                        Some(_) if self.skip_quiets => {}
                        Some(Some(mv)) if Some(mv) != self.table_move && board.is_legal(mv) => {
                            return Some(mv);
                        }
                        Some(_) => {}
                    }
                }
                Step::GenerateQuiet => {
                    self.step = Step::Quiet;
                    if !self.skip_quiets {
                        let us = board.side_to_move();
                        let killers = self.killers;
                        self.generate(board, Stage::Quiet, |mv| {
                            history.get(us, mv, landing_square(board, mv))
                        });
                        self.moves.retain(|scored| !killers.contains(&Some(scored.mv)));
                    }
                }
                Step::Quiet => {
                    if self.skip_quiets {
                        self.moves.clear();
                    }
                    match self.pop_best() {
                        Some(mv) => return Some(mv),
                        None => self.step = Step::BadNoisy,
                    }
                }
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

    fn generate(&mut self, board: &Board, stage: Stage, score: impl Fn(Move) -> i32) {
        let mut list = MoveList::new();
        board.generate(stage, &mut list);
        self.moves.clear();
        let wanted = list.into_iter().filter(|&mv| Some(mv) != self.table_move);
        self.moves.extend(wanted.map(|mv| Scored { mv, score: score(mv) }));
    }

    /// Takes the highest-scored move out of the list; the first of equals.
    fn pop_best(&mut self) -> Option<Move> {
        let mut best = 0;
        for i in 1..self.moves.len() {
            if self.moves[i].score > self.moves[best].score {
                best = i;
            }
        }
        (!self.moves.is_empty()).then(|| self.moves.swap_remove(best).mv)
    }
}

/// Most valuable victim first, least valuable attacker among equals; promotions by what they gain.
fn noisy_score(board: &Board, mv: Move) -> i32 {
    let kind_on = |square| board.piece_on(square).map_or(PieceKind::Pawn, |piece| piece.kind());
    let victim = if mv.is_capture() { see_value(kind_on(mv.to())) } else { 0 };
    let promotion = mv.promotion().map_or(0, |kind| see_value(kind) - see_value(PieceKind::Pawn));
    (victim + promotion) * 16 - kind_on(mv.from()) as i32
}
