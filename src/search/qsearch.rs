//! Quiescence: captures and promotions until nothing hangs, so that evaluations are of quiet positions.

use super::Worker;
use super::movepick::MovePicker;
use super::score::*;
use super::tt::{Bound, Entry};

impl Worker {
    /// The score of the position when only noisy moves are played, or every evasion of a check.
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
        if self.board.is_repetition(ply)
            || self.board.is_fifty_move_draw()
            || self.board.has_insufficient_material()
        {
            return DRAW;
        }
        let in_check = self.board.in_check();
        if ply >= MAX_PLY {
            return if in_check { DRAW } else { self.raw_eval() };
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
        let raw_eval = if in_check {
            Entry::NO_EVAL
        } else {
            entry
                .map(|entry| entry.eval)
                .filter(|&eval| eval != Entry::NO_EVAL)
                .unwrap_or_else(|| self.raw_eval())
        };
        let mut best = mated_in(ply);
        if !in_check {
            best = raw_eval;
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }

        // 4. Noisy moves that lose nothing; in check every move.
        let table_move = entry.and_then(|entry| entry.mv);
        let mut picker = if in_check {
            MovePicker::new(&self.board, table_move, [None; 2])
        } else {
            MovePicker::noisy_only(&self.board, table_move)
        };
        let mut best_move = None;
        while let Some(mv) = picker.next(&self.board, &self.history) {
            let found_escape = best > -MATE_RANGE;
            if found_escape && !self.board.see_at_least(mv, 0) {
                continue;
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
        self.job.table.put(
            key,
            Entry {
                mv: best_move,
                score: to_table(best, ply),
                eval: raw_eval,
                depth: 0,
                bound,
                was_pv: entry.is_some_and(|entry| entry.was_pv),
            },
        );
        best
    }
}
