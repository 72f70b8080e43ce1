//! The search node: principal variation search with its prunings, extensions and reductions.

use arrayvec::ArrayVec;

use super::Worker;
use super::history::landing_square;
use super::movepick::MovePicker;
use super::prune;
use super::score::*;
use super::tt::{Bound, Entry};
use crate::chess::{Move, Square};

/// Quiet moves remembered in a node to be punished when a later one refutes it.
const QUIETS_REMEMBERED: usize = 64;

impl Worker {
    /// Makes a move of the searched line.
    pub(super) fn make_move(&mut self, ply: usize, mv: Move) {
        self.stack[ply].mv = Some(mv);
        self.nodes += 1;
        self.job.table.prefetch(self.board.key_after(mv));
        self.board.make_move(mv);
    }

    /// Takes a move of the searched line back.
    pub(super) fn unmake_move(&mut self, mv: Move) {
        self.board.unmake_move(mv);
    }

    /// The score of the position `ply` plies from the root, searched `depth` plies deep, within
    /// `alpha..=beta` or a bound outside it.
    pub(super) fn search<const PV: bool>(
        &mut self,
        ply: usize,
        mut depth: i32,
        mut alpha: Score,
        mut beta: Score,
    ) -> Score {
        let is_root = ply == 0;
        debug_assert!(-INFINITE <= alpha && alpha < beta && beta <= INFINITE);
        debug_assert!(PV || alpha == beta - 1);

        // 1. A check is never left to quiescence.
        let in_check = self.board.in_check();
        if in_check {
            depth = depth.max(0) + 1;
        }
        if depth <= 0 {
            return self.qsearch::<PV>(ply, alpha, beta);
        }
        if PV {
            self.stack.clear_line(ply);
        }

        // 2. Stop, draws, end of the line.
        if self.must_stop() {
            return DRAW;
        }
        self.sel_depth = self.sel_depth.max(ply);
        if !is_root {
            if self.board.is_repetition(ply)
                || self.board.is_fifty_move_draw()
                || self.board.has_insufficient_material()
            {
                return DRAW;
            }
            if ply >= MAX_PLY {
                return if in_check { DRAW } else { self.raw_eval() };
            }
            // Mate-distance pruning: no line from here beats a shorter mate already found.
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // 3. The table may know the score, or at least a good move.
        let key = self.board.key();
        let entry = self.job.table.get(key);
        let table_move =
            if is_root { Some(self.root_moves[self.pv_index].mv) } else { entry.and_then(|entry| entry.mv) };
        if let Some(entry) = entry.filter(|entry| !PV && entry.depth >= depth) {
            let score = from_table(entry.score, ply, self.board.halfmove_clock());
            if entry.bound.settles(score, alpha, beta) {
                return score;
            }
        }
        let was_pv = PV || entry.is_some_and(|entry| entry.was_pv);

        // 4. Static evaluation.
        let raw_eval = if in_check {
            Entry::NO_EVAL
        } else {
            entry
                .map(|entry| entry.eval)
                .filter(|&eval| eval != Entry::NO_EVAL)
                .unwrap_or_else(|| self.raw_eval())
        };
        self.stack[ply].eval = raw_eval;

        // 5. Null move pruning: who stands well even after passing need not be searched in full. Zugzwang
        //    makes that wrong where only pawns are left.
        let passed_last = ply > 0 && self.stack[ply - 1].mv.is_none();
        if !PV
            && !in_check
            && !passed_last
            && depth >= 2
            && raw_eval >= beta
            && !is_mate(beta)
            && self.board.has_pieces(self.board.side_to_move())
        {
            self.stack[ply].mv = None;
            self.board.make_null_move();
            self.nodes += 1;
            let reduced = depth - prune::null_move_reduction(depth);
            let score = -self.search::<false>(ply + 1, reduced, -beta, 1 - beta);
            self.board.unmake_null_move();
            if self.stopped {
                return DRAW;
            }
            if score >= beta {
                return if is_mate(score) { beta } else { score };
            }
        }

        // 6. All moves, the likely best first.
        self.stack[ply + 1].killers = [None; 2];
        let mut picker = MovePicker::new(&self.board, table_move, self.stack[ply].killers);
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut number = 0;
        let mut quiets: ArrayVec<(Move, Square), QUIETS_REMEMBERED> = ArrayVec::new();
        let old_alpha = alpha;
        while let Some(mv) = picker.next(&self.board, &self.history) {
            if is_root && !self.root_moves[self.pv_index..].iter().any(|root| root.mv == mv) {
                continue;
            }
            number += 1;
            if is_root {
                self.report_current_move(mv, number);
            }
            let nodes_before = self.nodes;
            let landing = landing_square(&self.board, mv);
            self.make_move(ply, mv);

            // 7. Late moves are first searched less deep, all but the first with a null window.
            let new_depth = depth - 1;
            let mut score = -INFINITE;
            let mut needs_full_window = PV && number == 1;
            if number > 1 {
                let mut reduction = 0;
                if depth >= 3 && number > 1 + 2 * usize::from(PV) && mv.is_quiet() && !in_check {
                    reduction = prune::late_move_reduction(depth, number);
                    reduction -= i32::from(PV) + i32::from(self.board.in_check());
                    reduction = reduction.clamp(0, new_depth - 1);
                }
                score = -self.search::<false>(ply + 1, new_depth - reduction, -alpha - 1, -alpha);
                if score > alpha && reduction > 0 {
                    score = -self.search::<false>(ply + 1, new_depth, -alpha - 1, -alpha);
                }
                needs_full_window = PV && score > alpha;
            } else if !PV {
                score = -self.search::<false>(ply + 1, new_depth, -beta, -alpha);
            }
            if needs_full_window {
                score = -self.search::<true>(ply + 1, new_depth, -beta, -alpha);
            }
            self.unmake_move(mv);
            if self.stopped {
                return DRAW;
            }
            if is_root {
                self.update_root_move(mv, score, alpha, self.nodes - nodes_before);
            }

            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if PV {
                        self.stack.extend_line(ply, mv);
                    }
                    if score >= beta {
                        if mv.is_quiet() {
                            self.reward_quiet(ply, depth, mv, landing, &quiets);
                        }
                        break;
                    }
                    alpha = score;
                }
            }
            if mv.is_quiet() {
                // More than fit are not worth remembering.
                let _ = quiets.try_push((mv, landing));
            }
        }

        // 8. No legal move: checkmate or stalemate.
        if number == 0 {
            return if in_check { mated_in(ply) } else { DRAW };
        }

        // 9. Remember what was found, but for the later lines of MultiPV, which leave moves out.
        if !is_root || self.pv_index == 0 {
            let bound = if best >= beta {
                Bound::Lower
            } else if best > old_alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let score = to_table(best, ply);
            let entry = Entry { mv: best_move, score, eval: raw_eval, depth, bound, was_pv };
            self.job.table.put(key, entry);
        }
        best
    }

    fn reward_quiet(&mut self, ply: usize, depth: i32, mv: Move, landing: Square, tried: &[(Move, Square)]) {
        let us = self.board.side_to_move();
        let bonus = prune::history_bonus(depth);
        self.history.update(us, mv, landing, bonus);
        for &(other, to) in tried {
            self.history.update(us, other, to, -bonus);
        }
        let killers = &mut self.stack[ply].killers;
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }
}
