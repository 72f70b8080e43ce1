//! Quiescence: captures and promotions until nothing hangs, so that evaluations are of quiet positions.

use super::movepick::{MovePicker, Quiets};
use super::score::*;
use super::steps::greatest_gain;
use super::tt::{Bound, Entry};
use super::{Worker, params};

impl Worker {
    /// The score of the position when only noisy moves are played, or evasions of a check.
    pub(super) fn qsearch<const PV: bool>(&mut self, ply: usize, mut alpha: Score, beta: Score) -> Score {
        debug_assert!(alpha < beta);
        if PV {
            self.stack.clear_line(ply);
        }
        // 1. Stop, draw, end of the line.
        if self.must_stop() {
            return DRAW;
        }
        self.sel_depth = self.sel_depth.max(ply);
        if self.is_draw(ply) {
            return DRAW;
        }
        let in_check = self.board.in_check();
        if ply >= MAX_PLY {
            return if in_check { DRAW } else { self.raw_eval() };
        }
        if alpha < DRAW && self.board.has_upcoming_repetition(ply) {
            alpha = DRAW;
            if alpha >= beta {
                return alpha;
            }
        }

        // 2. The table may know the score.
        let key = self.board.key();
        let entry = self.job.table.get(key);
        if let Some(entry) = entry.filter(|_| !PV) {
            let score = from_table(entry.score, ply, self.board.halfmove_clock());
            if entry.bound.settles(score, alpha, beta) {
                return score;
            }
        }

        // 3. Not in check, the side to move may be content with what it has.
        let situation = self.stack.situation(ply, Default::default());
        let raw_eval = if in_check { Entry::NO_EVAL } else { self.raw_eval_with(entry) };
        let mut best = mated_in(ply);
        let mut futility = best;
        if !in_check {
            best = self.corrected(raw_eval, &situation);
            if let Some(entry) = entry {
                let score = from_table(entry.score, ply, self.board.halfmove_clock());
                if !is_decisive(score) && entry.bound.settles(score, best.min(score), best.max(score)) {
                    best = score;
                }
            }
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
            futility = best + params::qs_futility();
        }

        // 4. Noisy moves that lose nothing; in check every move until one escapes.
        let table_move = entry.and_then(|entry| entry.mv);
        let mut picker = if in_check {
            MovePicker::new(&self.board, table_move)
        } else {
            MovePicker::noisy_only(&self.board, table_move, params::qs_see())
        };
        let mut best_move = None;
        let mut number = 0;
        while let Some(mv) = picker.next(&self.board, &self.histories, &situation) {
            number += 1;
            if best > -DECISIVE_RANGE {
                if in_check {
                    // One escape is known: of the others only captures are looked at.
                    picker.limit_quiets(Quiets::None);
                    if mv.is_quiet() {
                        continue;
                    }
                } else if !picker.gives_check(&self.board, mv) {
                    if number > params::qs_moves() as usize {
                        break;
                    }
                    // Not even winning all of it would do.
                    let hope = futility + greatest_gain(&self.board, mv);
                    if hope <= alpha {
                        best = best.max(hope);
                        continue;
                    }
                }
                if picker.is_at_bad_moves() || !self.board.see_at_least(mv, params::qs_see()) {
                    continue;
                }
            }
            self.make_move(ply, mv);
            let score = -self.qsearch::<PV>(ply + 1, -beta, -alpha);
            self.unmake_move(mv);
            if self.stopped {
                return DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if PV {
                        self.stack.extend_line(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }

        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        let was_pv = entry.is_some_and(|entry| entry.was_pv);
        let score = to_table(best, ply);
        self.job.table.put(key, Entry { mv: best_move, score, eval: raw_eval, depth: 0, bound, was_pv });
        best
    }
}
