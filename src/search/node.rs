//! The search node: principal variation search in fifteen steps, numbered in the order in which they happen.
//!
//! Each technique that a step applies has a file of its own under `techniques`.

use arrayvec::ArrayVec;

use super::history::{HistoryContext, Verdict};
use super::movepick::{MovePicker, QuietLimit};
use super::node_state::{Candidate, Node};
use super::score::*;
use super::stack::Frame;
use super::stats::{self, Counter, Site};
use super::techniques::singular_extension::SingularResult;
use super::techniques::{
    futility, hindsight, history_pruning, internal_iterative_reduction, late_move_pruning,
    late_move_reductions, mate_distance, null_move, probcut, razoring, reverse_futility, see_pruning,
    singular_extension, tablebase_probe, upcoming_repetition,
};
use super::tt::TtEntry;
use super::worker::{SearchedNode, Worker};
use crate::chess::Move;

/// Window of a node, and its best score before the next move.
#[derive(Clone, Copy)]
struct Window {
    alpha: Score,
    beta: Score,
    /// Best score so far; below `alpha` until a move raises alpha.
    best: Score,
}

/// Unit of the share of a window in the root's.
const WHOLE_WINDOW: i32 = 1024;

/// Moves of a node that get a malus if a later one refutes it; those beyond the capacity get none.
type SearchedMoves = ArrayVec<Move, 32>;

/// Halfmove clock from which the transposition table causes no cutoffs: its scores ignore the fifty-move rule.
const NEAR_FIFTY_MOVES: u16 = 90;

/// Plies back to the evaluations that define an improving one: the second is for a check at the first.
const IMPROVING_PLIES: [usize; 2] = [2, 4];

impl Worker<'_> {
    /// Returns the score of the position `ply` plies from the root, searched to `depth` plies.
    ///
    /// A score outside of `alpha` to `beta` is a bound (fail-soft). `cut_node` marks a node that is expected to fail
    /// high. A stopped search returns a score without meaning.
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

        // 1. Quiescence search at the horizon.
        if depth <= 0 {
            return self.qsearch::<PV>(ply, alpha, beta);
        }
        let depth = depth.min(MAX_PLY as i32 - 1);
        let site = Site::new(PV, cut_node, depth);
        stats::count(site, Counter::Calls);
        if PV {
            self.stack.clear_pv(ply);
        }

        // 2. Stop, draw by rule, maximum ply.
        if self.must_stop() {
            return DRAW;
        }
        self.sel_depth = self.sel_depth.max(ply);
        let in_check = self.board.in_check();
        if !is_root && self.is_draw(ply) {
            return DRAW;
        }
        if !is_root && ply >= MAX_PLY {
            return if in_check { DRAW } else { self.raw_eval() };
        }

        // 3. The window without impossible scores.
        if !is_root {
            if let Some(score) = upcoming_repetition::raise_alpha(self, ply, &mut alpha, beta) {
                return score;
            }
            if let Some(score) = mate_distance::narrow(ply, &mut alpha, &mut beta) {
                return score;
            }
        }

        // 4. Transposition table: a cutoff, or at least a first move.
        if !in_check {
            self.update_accumulators();
        }
        let excluded = self.stack[ply].excluded;
        let tt_hit = if excluded.is_some() { None } else { self.probe_tt(ply) };
        let tt_move =
            if is_root { Some(self.root_moves[self.pv_index].mv) } else { tt_hit.and_then(|hit| hit.mv) };
        if let Some(hit) = tt_hit.filter(|hit| !PV && hit.depth >= depth)
            && hit.causes_cutoff(alpha, beta)
            && self.board.halfmove_clock() < NEAR_FIFTY_MOVES
        {
            stats::count(site, Counter::TtCutoffs);
            return hit.score;
        }

        // 5. Tablebases: a cutoff, or at least a bound of the score.
        let (mut floor, mut ceiling) = (-INFINITE, INFINITE);
        if !is_root
            && excluded.is_none()
            && let Some((score, bound)) = tablebase_probe::probe(self, ply, depth)
        {
            if bound.causes_cutoff(score, alpha, beta) {
                tablebase_probe::store(self, ply, depth, score, bound, PV);
                return score;
            }
            if bound == Bound::Lower {
                floor = score;
                alpha = alpha.max(score);
            } else {
                ceiling = score;
            }
        }

        // 6. Static evaluation, and the depth adjusted by it and by the lack of a tt move.
        let mut context = self.stack.history_context(ply, Default::default());
        let mut node = self.evaluate_node::<PV>(ply, depth, cut_node, tt_hit, tt_move, &context);
        self.stack[ply].eval = node.static_eval;
        self.stack[ply].tt_pv = node.tt_pv;
        self.stack[ply].reduction = 0;
        let double_extensions = self.stack.before(ply, 1).double_extensions;
        self.stack[ply].double_extensions = double_extensions;
        self.stack[ply + 1].cutoffs = 0;
        self.stack[ply + 1].excluded = None;
        node.depth += hindsight::adjustment(&node, self.stack);
        node.depth -= internal_iterative_reduction::reduction(&node);
        let node = node;

        // 7. Pruning of the whole node, off the principal variation.
        if !PV && !in_check && excluded.is_none() && !self.seeks_mate() {
            if let Some(score) = razoring::prune(self, &node, alpha, beta) {
                stats::count(&node, Counter::Razoring);
                return score;
            }
            if let Some(score) = reverse_futility::prune(&node, beta) {
                stats::count(&node, Counter::ReverseFutility);
                return score;
            }
            if let Some(score) = null_move::prune(self, &node, beta) {
                stats::count(&node, Counter::NullMoveCutoffs);
                return score;
            }
            if let Some(score) = probcut::prune(self, &node, beta) {
                stats::count(&node, Counter::ProbCut);
                return score;
            }
        }

        // 8. Loop over all moves, the most promising first.
        stats::count(&node, Counter::Loops);
        context.threats = self.board.threats_by(!self.board.side_to_move());
        let mut picker = MovePicker::new(&self.board, tt_move);
        let mut best = floor;
        let mut best_move = None;
        let mut move_count = 0;
        let mut quiets = SearchedMoves::new();
        let mut captures = SearchedMoves::new();
        let old_alpha = alpha;
        loop {
            // The tablebases may give a score before the first move, without which the node would look like a stalemate.
            if move_count > 0
                && best > -DECISIVE_RANGE
                && !is_root
                && picker.is_before_quiets()
                && late_move_pruning::applies_to_quiets(&node, move_count + 1, best)
            {
                picker.limit_quiets(QuietLimit::Checks);
            }
            let Some(mv) = picker.next(&self.board, self.histories, self.tt, &context) else { break };
            if Some(mv) == excluded || is_root && !self.is_open_root_move(mv) {
                continue;
            }
            move_count += 1;
            if is_root {
                self.report_current_move(mv, move_count);
            }
            let is_quiet = mv.is_quiet();
            let history = if is_quiet {
                self.histories.quiet(&self.board, mv, &context)
            } else {
                self.histories.noisy(&self.board, mv)
            };
            let gives_check = picker.gives_check(&self.board, mv);
            let lmr_depth = late_move_reductions::lmr_depth(node.depth, move_count, is_quiet);
            let is_losing_noisy = picker.is_at_bad_moves();
            let alpha_raised = best_move.is_some();
            let window_share = WHOLE_WINDOW * (beta - alpha) / self.root_window;
            let candidate = Candidate {
                mv,
                move_count,
                history,
                gives_check,
                lmr_depth,
                is_losing_noisy,
                alpha_raised,
                window_share,
            };

            // 9. Pruning of the move, once another one is known not to lose by force.
            if !is_root && best > -DECISIVE_RANGE {
                if late_move_pruning::applies(&node, &candidate, best) {
                    picker.limit_quiets(QuietLimit::Checks);
                    if !gives_check {
                        continue;
                    }
                }
                if let Some(hope) = futility::prune(&node, &candidate, alpha) {
                    if is_quiet {
                        best = best.max(hope);
                        picker.limit_quiets(QuietLimit::Checks);
                    }
                    continue;
                }
                if history_pruning::applies(&node, &candidate) {
                    continue;
                }
                if see_pruning::applies(&node, &candidate, &self.board) {
                    continue;
                }
            }

            // 10. Extension: of a singular tt move; of a check in a search for mate.
            let mut extension = 0;
            if !is_root && Some(mv) == tt_move && excluded.is_none() {
                match singular_extension::test(self, &node, mv, beta) {
                    SingularResult::Extend(plies) => extension = plies,
                    SingularResult::Multicut(score) => return score,
                }
                if self.stopped {
                    return DRAW;
                }
            }
            if extension == 0 && gives_check && self.seeks_mate() {
                extension = 1;
            }

            self.stack[ply].double_extensions = double_extensions + i32::from(extension >= 2);

            // 11. Search of the move: reduced, with a null window, with the full window.
            let nodes_before = self.nodes;
            self.make_move(ply, mv);
            let window = Window { alpha, beta, best };
            let score = self.search_move::<PV>(&node, &candidate, extension, window);
            self.unmake_move(mv);
            if self.stopped {
                return DRAW;
            }
            if is_root {
                self.update_root_move(mv, score, (alpha, beta), self.nodes - nodes_before);
            }

            // 12. New best move, raised alpha, beta cutoff.
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if PV {
                        self.stack.update_pv(ply, mv);
                    }
                    if score >= beta {
                        self.stack[ply].cutoffs += 1;
                        stats::count(&node, Counter::Cutoffs);
                        if move_count == 1 {
                            stats::count(&node, Counter::FirstMoveCutoffs);
                        }
                        break;
                    }
                    alpha = score;
                }
            }
            // A move that raised alpha deserves no malus if a later one refutes the node.
            if best_move != Some(mv) {
                let _ = if is_quiet { quiets.try_push(mv) } else { captures.try_push(mv) };
            }
        }

        // 13. No legal move: checkmate, stalemate, or a singular search without alternatives.
        if move_count == 0 {
            return match (excluded, in_check) {
                (Some(_), _) => alpha,
                (None, true) => mated_in(ply),
                (None, false) => DRAW,
            };
        }
        best = best.min(ceiling);
        let bound = if best >= beta {
            Bound::Lower
        } else if best > old_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };

        // 14. Histories: of the moves searched here, of the move that led here, of the error of the static evaluation.
        if let Some(mv) = best_move.filter(|_| bound == Bound::Lower) {
            self.update_histories(&node, mv, &quiets, &captures, &context);
        }
        if bound == Bound::Upper && !is_root && excluded.is_none() {
            self.update_continuations(ply - 1, Verdict::Good(node.depth));
        }
        if let (Some(eval), None) = (node.static_eval, excluded)
            && bound.improves(best, eval)
            && best != eval
            && best_move.is_none_or(Move::is_quiet)
            && !is_decisive(best)
        {
            self.histories.update_correction(&self.board, &context, node.depth, best - eval);
        }

        // 15. Transposition table: stores the result of a search of all moves.
        if excluded.is_none() && (!is_root || self.pv_index == 0) {
            let Node { raw_eval: eval, depth, tt_pv, .. } = node;
            let hit = TtEntry { mv: best_move, score: best, bound, eval, depth, tt_pv };
            self.tt.store(self.board.key(), ply, hit);
            if let Some(observer) = self.observer.as_mut().filter(|_| !is_root) {
                observer.on_node(&self.board, SearchedNode { depth, score: best, bound, best_move });
            }
        }
        best
    }

    /// Evaluates the position (step 6 of the node) and returns the state of the node.
    fn evaluate_node<const PV: bool>(
        &mut self,
        ply: usize,
        depth: i32,
        cut_node: bool,
        tt_hit: Option<TtEntry>,
        tt_move: Option<Move>,
        context: &HistoryContext,
    ) -> Node {
        let is_singular_search = self.stack[ply].excluded.is_some();
        let (raw_eval, static_eval) = if self.board.in_check() {
            (None, None)
        } else if is_singular_search {
            (None, self.stack[ply].eval)
        } else {
            if cut_node {
                self.tt.prefetch(self.board.key_after_null_move());
            }
            self.histories.prefetch_correction(&self.board, context);
            let raw_eval = self.raw_eval_with(tt_hit.as_ref());
            (Some(raw_eval), Some(self.corrected(raw_eval, context)))
        };
        let eval = match (static_eval, tt_hit) {
            (Some(eval), Some(hit)) => hit.refine(eval),
            (eval, _) => eval.unwrap_or(-INFINITE),
        };
        let tt_pv = if is_singular_search {
            self.stack[ply].tt_pv
        } else {
            PV || tt_hit.is_some_and(|hit| hit.tt_pv)
        };
        let previous = IMPROVING_PLIES.into_iter().find_map(|plies| self.stack.before(ply, plies).eval);
        Node {
            ply,
            depth,
            raw_eval,
            static_eval,
            eval,
            complexity: raw_eval.zip(static_eval).map_or(0, |(raw, corrected)| (raw - corrected).abs()),
            improving: static_eval.zip(previous).is_some_and(|(now, previous)| now > previous),
            is_pv: PV,
            tt_pv,
            cut_node,
            is_singular_search,
            tt_hit,
            tt_move,
        }
    }

    /// Returns `true` for a root move outside the principal variations already found in this iteration, which the
    /// tablebases rank equal to the best of these moves.
    fn is_open_root_move(&self, mv: Move) -> bool {
        let open = &self.root_moves[self.pv_index..];
        open.iter().any(|root| root.mv == mv && root.rank == open[0].rank)
    }

    /// Searches the move just made (step 11 of the node) and returns its score.
    fn search_move<const PV: bool>(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        extension: i32,
        Window { alpha, beta, best }: Window,
    ) -> Score {
        let &Node { ply, cut_node, .. } = node;
        let mut new_depth = node.depth - 1 + extension;
        let mut score = -INFINITE;

        if late_move_reductions::applies(node, candidate) {
            // A late move: reduced, and again at about the full depth if it raises alpha.
            let child_cutoffs = self.stack[ply + 1].cutoffs;
            let reduced = late_move_reductions::reduced_depth(node, candidate, new_depth, child_cutoffs);
            self.stack[ply].reduction = new_depth - reduced;
            stats::count(node, Counter::LateMoves);
            stats::add(node, Counter::Reduction, new_depth - reduced);
            stats::add(node, Counter::HistoryReduction, -late_move_reductions::history_part(candidate));
            score = -self.search::<false>(ply + 1, reduced, -alpha - 1, -alpha, true);
            self.stack[ply].reduction = 0;
            if score > alpha && reduced < new_depth {
                new_depth += late_move_reductions::research_adjustment(node, score, best, new_depth);
                if new_depth > reduced {
                    stats::count(node, Counter::Researches);
                    score = -self.search::<false>(ply + 1, new_depth, -alpha - 1, -alpha, !cut_node);
                    if score > alpha {
                        stats::count(node, Counter::RaisedAgain);
                    }
                    if score <= alpha {
                        self.update_continuations(ply, Verdict::Bad(new_depth));
                    } else if score >= beta {
                        self.update_continuations(ply, Verdict::Good(new_depth));
                    }
                }
            }
        } else if !PV || candidate.move_count > 1 {
            // A move that is expected to stay below alpha: null window.
            score = -self.search::<false>(ply + 1, new_depth, -alpha - 1, -alpha, !cut_node);
        }

        // On the principal variation the first move, and any that raises alpha: full window.
        if PV && (candidate.move_count == 1 || score > alpha) {
            score = -self.search::<true>(ply + 1, new_depth, -beta, -alpha, false);
        }
        score
    }

    /// Rewards the move that refuted a node and gives a malus to those searched before it.
    fn update_histories(
        &mut self,
        node: &Node,
        mv: Move,
        quiets: &[Move],
        captures: &[Move],
        context: &HistoryContext,
    ) {
        let (good, bad) = (Verdict::Good(node.depth), Verdict::Bad(node.depth));
        if mv.is_quiet() {
            self.histories.update_quiet(&self.board, mv, context, good);
            for &other in quiets {
                self.histories.update_quiet(&self.board, other, context, bad);
            }
        } else {
            self.histories.update_noisy(&self.board, mv, good);
        }
        for &other in captures {
            self.histories.update_noisy(&self.board, other, bad);
        }
    }

    /// Updates the continuation histories of the move made at `ply`, if it is quiet.
    fn update_continuations(&mut self, ply: usize, verdict: Verdict) {
        let Frame { mv: Some(mv), piece_to, .. } = self.stack[ply] else { return };
        if mv.is_quiet() {
            let context = self.stack.history_context(ply, Default::default());
            self.histories.update_continuations(piece_to, &context, verdict);
        }
    }
}
