//! The search node: principal variation search. Its prunings, extensions and reductions are in `steps`.

use arrayvec::ArrayVec;

use super::Worker;
use super::history::{Arrival, Situation, landing_square};
use super::movepick::MovePicker;
use super::score::*;
use super::steps::{Candidate, Node, Singularity};
use super::tt::{Bound, Entry};
use super::{params, prune};
use crate::chess::Move;

/// Moves remembered in a node to be punished when a later one refutes it.
type Tried = ArrayVec<Move, 32>;

/// What a node asks of its next move.
#[derive(Clone, Copy)]
struct Window {
    alpha: Score,
    beta: Score,
    /// The best score so far; below `alpha` as long as no move has reached it.
    best: Score,
}

/// From this many plies without progress on, the table's scores are not trusted: they know nothing of it.
const NEAR_FIFTY_MOVES: u16 = 90;

impl Worker {
    /// Makes a move of the searched line.
    #[inline]
    pub(super) fn make_move(&mut self, ply: usize, mv: Move) {
        let landing = landing_square(&self.board, mv);
        let frame = &mut self.stack[ply];
        frame.mv = Some(mv);
        frame.arrival = self.board.piece_on(mv.from()).map(|piece| Arrival::new(piece, landing));
        self.nodes += 1;
        self.job.table.prefetch(self.board.key_after(mv));
        self.accumulators.make_move(&mut self.board, mv);
    }

    /// Takes a move of the searched line back.
    #[inline]
    pub(super) fn unmake_move(&mut self, mv: Move) {
        self.board.unmake_move(mv);
        self.accumulators.unmake_move();
    }

    /// The static evaluation as the table remembers it, or anew; before any correction.
    #[inline]
    pub(super) fn raw_eval_with(&mut self, entry: Option<Entry>) -> Score {
        let known = entry.map(|entry| entry.eval).filter(|&eval| eval != Entry::NO_EVAL);
        known.unwrap_or_else(|| self.raw_eval())
    }

    /// A raw evaluation with what was learnt of such positions added.
    #[inline]
    pub(super) fn corrected(&self, raw_eval: Score, situation: &Situation) -> Score {
        let corrected = raw_eval + self.histories.correction(&self.board, situation);
        corrected.clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }

    /// `true` for the draws that need no search: repetition, fifty moves, too little material.
    #[inline]
    pub(super) fn is_draw(&self, ply: usize) -> bool {
        self.board.is_repetition(ply)
            || self.board.is_fifty_move_draw()
            || self.board.has_insufficient_material()
    }

    /// The score of the position `ply` plies from the root, searched `depth` plies deep, within
    /// `alpha..=beta` or a bound outside it. `cut_node` tells that a fail-high is expected.
    pub(super) fn search<const PV: bool>(
        &mut self,
        ply: usize,
        depth: i32,
        mut alpha: Score,
        mut beta: Score,
        cut_node: bool,
    ) -> Score {
        let is_root = ply == 0;
        debug_assert!(-INFINITE <= alpha && alpha < beta && beta <= INFINITE);
        debug_assert!(PV || alpha == beta - 1);
        debug_assert!(!(PV && cut_node));
        if depth <= 0 {
            return self.qsearch::<PV>(ply, alpha, beta);
        }
        let depth = depth.min(MAX_PLY as i32 - 1);
        if PV {
            self.stack.clear_line(ply);
        }

        // 1. Stop, draws, end of the line.
        if self.must_stop() {
            return DRAW;
        }
        self.sel_depth = self.sel_depth.max(ply);
        let in_check = self.board.in_check();
        if !is_root {
            if self.is_draw(ply) {
                return DRAW;
            }
            if ply >= MAX_PLY {
                return if in_check { DRAW } else { self.raw_eval() };
            }
            // A repetition that the side to move can bring about is worth a draw to it at least.
            if alpha < DRAW && self.board.has_upcoming_repetition(ply) {
                alpha = DRAW;
                if alpha >= beta {
                    return alpha;
                }
            }
            // Mate-distance pruning: no line from here beats a shorter mate already found.
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // 2. The table may know the score, or at least a good move.
        let excluded = self.stack[ply].excluded;
        let key = self.board.key();
        let entry = if excluded.is_some() { None } else { self.job.table.get(key) };
        let table_move =
            if is_root { Some(self.root_moves[self.pv_index].mv) } else { entry.and_then(|entry| entry.mv) };
        if let Some(entry) = entry.filter(|entry| !PV && entry.depth >= depth) {
            let score = from_table(entry.score, ply, self.board.halfmove_clock());
            if entry.bound.settles(score, alpha, beta) && self.board.halfmove_clock() < NEAR_FIFTY_MOVES {
                return score;
            }
        }

        // 3. Tablebases know the outcome right after a capture or a pawn move.
        let mut floor = -INFINITE;
        let mut ceiling = INFINITE;
        if let Some((score, bound)) =
            self.probe_tablebases(ply, depth).filter(|_| !is_root && excluded.is_none())
        {
            if bound.settles(score, alpha, beta) {
                let (score, depth) = (to_table(score, ply), (depth + 6).min(MAX_PLY as i32 - 1));
                let entry = Entry { mv: None, score, eval: Entry::NO_EVAL, depth, bound, was_pv: PV };
                self.job.table.put(key, entry);
                return from_table(score, ply, 0);
            }
            match bound {
                Bound::Lower => {
                    floor = score;
                    alpha = alpha.max(score);
                }
                _ => ceiling = score,
            }
        }

        // 4. Static evaluation, corrected by what was learnt, and by the table where it knows better.
        let mut situation = self.stack.situation(ply, Default::default());
        let mut node = self.look_at::<PV>(ply, depth, cut_node, entry, table_move, &situation);
        self.stack[ply].eval = node.static_eval;
        self.stack[ply].reduction = 0;
        self.stack[ply + 1].cutoffs = 0;
        self.stack[ply + 1].excluded = None;

        // 5. Hindsight: the reduction that led here was too much, or too little.
        if !is_root {
            node.depth += self.hindsight(&node);
        }

        // 6. Prunings of the whole node, where a score within bounds is all that is asked for.
        if !PV
            && !in_check
            && excluded.is_none()
            && !self.seeks_mate()
            && let Some(score) = self.prune_node(&node, alpha, beta)
        {
            return score;
        }
        if self.stopped {
            return DRAW;
        }

        // 7. Internal iterative reduction: without a table move the ordering is poor, and a shallower search
        //    comes first.
        if (PV || cut_node) && node.depth >= params::iir_depth() && table_move.is_none() {
            node.depth -= 1;
        }

        // 8. All moves, the likely best first.
        situation.threats = self.board.threats_by(!self.board.side_to_move());
        let mut picker = MovePicker::new(&self.board, table_move);
        let mut best = floor;
        let mut best_move = None;
        let mut number = 0;
        let mut quiets = Tried::new();
        let mut captures = Tried::new();
        let old_alpha = alpha;
        while let Some(mv) = picker.next(&self.board, &self.histories, &situation) {
            if Some(mv) == excluded {
                continue;
            }
            if is_root && !self.root_moves[self.pv_index..].iter().any(|root| root.mv == mv) {
                continue;
            }
            number += 1;
            if is_root {
                self.report_current_move(mv, number);
            }
            let is_quiet = mv.is_quiet();
            let history = if is_quiet {
                self.histories.quiet(&self.board, mv, &situation)
            } else {
                self.histories.noisy(&self.board, mv)
            };
            let candidate = Candidate { mv, number, history };

            // 9. Prunings of single moves, once some move is known not to be mated.
            if !is_root && best > -DECISIVE_RANGE && self.is_futile(&node, &candidate, alpha, &mut picker) {
                continue;
            }

            // 10. Singular extension: a table move far better than all others is searched deeper.
            let mut extension = 0;
            if !is_root && Some(mv) == table_move && excluded.is_none() {
                match self.singular::<PV>(&node, mv, beta) {
                    Singularity::Extend(plies) => extension = plies,
                    Singularity::CutOff(score) => return score,
                }
                if self.stopped {
                    return DRAW;
                }
            }

            let nodes_before = self.nodes;
            self.make_move(ply, mv);
            if extension == 0 && self.seeks_mate() && self.board.in_check() {
                extension = 1;
            }
            let window = Window { alpha, beta, best };
            let score = self.search_candidate::<PV>(&node, &candidate, extension, window, &situation);
            self.unmake_move(mv);
            if self.stopped {
                return DRAW;
            }
            if is_root {
                self.update_root_move(mv, score, (alpha, beta), self.nodes - nodes_before);
            }

            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if PV {
                        self.stack.extend_line(ply, mv);
                    }
                    if score >= beta {
                        self.stack[ply].cutoffs += 1;
                        break;
                    }
                    alpha = score;
                }
            }
            // More than fit are not worth remembering.
            let _ = if is_quiet { quiets.try_push(mv) } else { captures.try_push(mv) };
        }

        // 13. No legal move: checkmate or stalemate. With the only one left out: worse than anything.
        if number == 0 {
            return if excluded.is_some() {
                alpha
            } else if in_check {
                mated_in(ply)
            } else {
                DRAW
            };
        }

        best = best.min(ceiling);

        // 14. Learn which moves did well, and how far the evaluation was off.
        if best <= old_alpha && !is_root && excluded.is_none() {
            self.learn_unrefuted(ply, depth);
        }
        if let Some(mv) = best_move.filter(|_| best >= beta) {
            self.learn_cutoff(&node, mv, &quiets, &captures, &situation);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > old_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if let (Some(eval), None) = (node.static_eval, excluded) {
            let is_told_by_score = match bound {
                Bound::Lower => best > eval,
                Bound::Upper => best < eval,
                _ => true,
            };
            if is_told_by_score && best_move.is_none_or(Move::is_quiet) && !is_decisive(best) {
                self.histories.update_correction(&self.board, &situation, depth, best - eval);
            }
        }

        // 15. Remember what was found, but not with moves left out: tests for singularity, later lines.
        if excluded.is_none() && (!is_root || self.pv_index == 0) {
            let score = to_table(best, ply);
            let Node { raw_eval: eval, depth, was_pv, .. } = node;
            let entry = Entry { mv: best_move, score, eval, depth, bound, was_pv };
            self.job.table.put(key, entry);
        }
        best
    }

    /// The score of a move that has just been made, searched as deep as it deserves.
    fn search_candidate<const PV: bool>(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        extension: i32,
        Window { alpha, beta, best }: Window,
        situation: &Situation,
    ) -> Score {
        let &Node { ply, cut_node, .. } = node;
        let &Candidate { mv, number, .. } = candidate;
        let mut new_depth = node.depth - 1 + extension;
        let mut score = -INFINITE;

        // 11. Late moves are searched less deep, and deeper again when they come out well.
        let mut needs_null_window = !PV || number > 1;
        if node.depth >= 2 && number > 1 + usize::from(ply == 0) {
            let reduced = self.reduced_depth::<PV>(node, candidate, new_depth);
            self.stack[ply].reduction = new_depth - reduced;
            score = -self.search::<false>(ply + 1, reduced, -alpha - 1, -alpha, true);
            self.stack[ply].reduction = 0;
            needs_null_window = score > alpha && reduced < new_depth;
            if needs_null_window {
                new_depth += i32::from(score > best + params::lmr_deeper_margin() + 2 * new_depth);
                new_depth -= i32::from(score < best + new_depth);
                needs_null_window = new_depth > reduced;
            }
            if needs_null_window {
                score = -self.search::<false>(ply + 1, new_depth, -alpha - 1, -alpha, !cut_node);
                if let (true, Some(arrival)) = (mv.is_quiet(), self.stack[ply].arrival) {
                    let bonus = if score <= alpha {
                        -prune::history_malus(new_depth)
                    } else if score >= beta {
                        prune::history_bonus(new_depth)
                    } else {
                        0
                    };
                    self.histories.update_continuations(arrival, situation, bonus);
                }
            }
        } else if needs_null_window {
            score = -self.search::<false>(ply + 1, new_depth, -alpha - 1, -alpha, !cut_node);
        }

        // 12. On the principal variation the first move, and any that beats it, gets the whole window.
        if PV && (number == 1 || score > alpha) {
            score = -self.search::<true>(ply + 1, new_depth, -beta, -alpha, false);
        }
        score
    }
}
