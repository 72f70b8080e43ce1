//! The node of the main search: principal variation search (fail-soft alpha-beta) in fifteen numbered steps.
//!
//! Steps 1 to 7 try to return without searching a move: draws, TT and tablebase cutoffs, pruning by the static eval.
//! Steps 8 to 12 take the moves in the picker's order, skip the hopeless ones, extend a singular TT move and reduce
//! late moves. Steps 13 to 15 detect mate and stalemate and update histories and TT.
//!
//! The conditions and margins are in other files, each with a note on when the technique goes wrong: `node_pruning`
//! (step 7), `move_pruning` (steps 8 and 9), `extensions` (step 10) and `reductions` (steps 6 and 11).

use std::ops::ControlFlow::{Break, Continue};

use arrayvec::ArrayVec;

use super::history::{HistoryContext, PreviousMoves, Verdict};
use super::move_pruning::Pruned;
use super::movepick::{MovePicker, QuietLimit};
use super::node_state::{Candidate, Node, NodeKind};
use super::score::*;
use super::stack::Frame;
use super::stats::{self, Counter, Site};
use super::tt::{Probe, TtEntry};
use super::worker::{SearchedNode, Worker};
use super::{move_pruning, reductions};
use crate::chess::Move;
use crate::tablebase::Wdl;

/// Moves that get a malus if a later one fails high. Those beyond the capacity get none.
type SearchedMoves = ArrayVec<Move, 32>;

/// From this halfmove clock on we take no TT cutoffs, because TT scores ignore the fifty-move rule.
const NEAR_FIFTY_MOVES: u16 = 90;

/// We add this many plies to the depth stored with a tablebase result, so that the TT keeps the result for longer.
const TABLEBASE_DEPTH_BONUS: i32 = 6;

/// A node is improving if its static eval is higher than two plies ago or, if we were in check then, four plies ago.
const IMPROVING_PLIES: [usize; 2] = [2, 4];

impl Worker<'_> {
    /// Returns the score of the position `ply` plies from the root, searched to `depth` plies.
    ///
    /// A score outside the window is a bound (fail-soft). Once the search is stopped, the score means nothing.
    #[inline(always)]
    pub(super) fn search(&mut self, kind: NodeKind, ply: usize, depth: i32, window: Window) -> Score {
        // Compiled apart from the others, PV nodes are faster. Two functions for the other nodes would only fill the
        // processor's cache.
        match kind {
            NodeKind::Pv => self.search_node::<true>(kind, ply, depth, window),
            NodeKind::Cut | NodeKind::All => self.search_node::<false>(kind, ply, depth, window),
        }
    }

    fn search_node<const PV: bool>(
        &mut self,
        kind: NodeKind,
        ply: usize,
        depth: i32,
        window: Window,
    ) -> Score {
        let Window { mut alpha, mut beta } = window;
        let is_root = ply == 0;
        debug_assert!(-INFINITE <= alpha && alpha < beta && beta <= INFINITE);
        debug_assert!(PV || alpha == beta - 1);

        // 1. At the horizon, go on with quiescence search.
        if depth <= 0 {
            return self.qsearch::<PV>(ply, window);
        }
        let depth = depth.min(MAX_DEPTH);
        let site = Site::new(kind, depth);
        stats::count(site, Counter::Calls);
        if PV {
            self.stack.clear_pv(ply);
        }

        // 2. Return if the search is stopped, the game is drawn by rule, or this is the maximum ply.
        if self.must_stop() {
            return DRAW;
        }
        self.sel_depth = self.sel_depth.max(ply);
        let in_check = self.board.in_check();
        if !is_root && self.is_draw(ply) {
            return self.draw_score();
        }
        if !is_root && ply >= self.max_ply() {
            return if in_check { DRAW } else { self.raw_eval() };
        }

        // 3. Narrow the window: an upcoming repetition gives us at least a draw, and no line from here beats a shorter
        // mate that we already found.
        if !is_root {
            alpha = self.at_least_repetition(ply, alpha).max(mated_in(ply));
            beta = beta.min(mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // 4. Probe the TT, for a cutoff or at least a first move.
        if !in_check {
            self.update_accumulators();
        }
        let excluded = self.stack[ply].excluded;
        let probe = if excluded.is_some() { Probe::default() } else { self.probe_tt(ply) };
        let tt_hit = probe.entry;
        let tt_move = if is_root { Some(self.root.best_open().mv) } else { tt_hit.and_then(|hit| hit.mv) };
        if let Some(hit) = tt_hit.filter(|hit| !PV && hit.depth >= depth)
            && hit.bound.causes_cutoff(hit.score, alpha, beta)
            && self.board.halfmove_clock() < NEAR_FIFTY_MOVES
        {
            stats::count(site, Counter::TtCutoffs);
            return hit.score;
        }

        // 5. Probe the tablebases, for a cutoff or at least a bound.
        let (mut floor, mut ceiling) = (-INFINITE, INFINITE);
        if self.job.options.probing.is_some()
            && let Some((score, bound)) = self.probe_tablebases(ply, depth)
        {
            if bound.causes_cutoff(score, alpha, beta) {
                let depth = (depth + TABLEBASE_DEPTH_BONUS).min(MAX_DEPTH);
                let entry = TtEntry { mv: None, score, bound, eval: None, depth, tt_pv: PV };
                self.tt.store(self.board.key(), ply, entry);
                return score;
            }
            if bound == Bound::Lower {
                floor = score;
                alpha = alpha.max(score);
            } else {
                ceiling = score;
            }
        }

        // 6. Evaluate, then correct the depth: in hindsight if the move that led to this node was reduced, and by a
        // reduction if there is no TT move.
        let previous_moves = self.stack.previous_moves(ply);
        let is_singular_search = excluded.is_some();
        let mut node = Node { tt_hit, tt_move, is_singular_search, ..Node::new(kind, ply, depth) };
        self.evaluate_node(&mut node, probe.eval, previous_moves);
        self.stack.set_extension(ply, 0);
        let frame = &mut self.stack[ply];
        frame.eval = node.static_eval;
        frame.tt_pv = node.tt_pv;
        frame.reduction = 0;
        self.stack[ply + 1].cutoffs = 0;
        self.stack[ply + 1].excluded = None;

        // 7. Prune the node: razoring, reverse futility, null move, ProbCut.
        if let Some(score) = self.prune_node(&node, Window { alpha, beta }) {
            return score;
        }

        // 8. Loop over the moves, the most promising first; quiet moves only until they come too late.
        stats::count(&node, Counter::Loops);
        let threats = self.board.threats_by(!self.board.side_to_move());
        let context = HistoryContext { previous_moves, threats };
        let mut picker = MovePicker::new(&self.board, self.moves, tt_move);
        let mut best = floor;
        let mut best_move = None;
        let mut move_count = 0;
        let mut skip_quiets = false;
        let mut quiets = SearchedMoves::new();
        let mut captures = SearchedMoves::new();
        let old_alpha = alpha;
        loop {
            skip_quiets = skip_quiets || move_pruning::quiets_are_late(&node, move_count + 1, best);
            if skip_quiets && picker.is_before_quiets() {
                picker.limit_quiets(QuietLimit::Checks);
            }
            let Some(mv) = picker.next(&self.board, self.histories, self.tt, &context) else { break };
            if Some(mv) == excluded || is_root && !self.root.is_open(mv) {
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
            let base_reduction = reductions::base(node.depth, move_count, is_quiet);
            let candidate = Candidate {
                mv,
                move_count,
                history,
                gives_check: picker.gives_check(&self.board, mv),
                base_reduction,
                lmr_depth: reductions::lmr_depth(node.depth, base_reduction),
                is_losing_noisy: picker.is_at_bad_moves(),
                alpha_raised: best_move.is_some(),
                window_share: (PV && !self.seeks_mate()).then(|| self.root.window_share(beta - alpha)),
            };

            // 9. Prune the move: late move pruning, futility, history, SEE.
            let pruned = if move_pruning::may_prune(&node, best) {
                move_pruning::prunes(&node, &candidate, &self.board, threats.all(), alpha, skip_quiets)
            } else {
                Pruned::No
            };
            if let Pruned::Quiets { at_most } = pruned {
                best = best.max(at_most);
                skip_quiets = true;
            }
            if skip_quiets && is_quiet {
                picker.limit_quiets(QuietLimit::Checks);
            }
            if pruned != Pruned::No {
                continue;
            }

            // 10. Extend a singular TT move. If several moves beat beta, fail high at once (multicut).
            let extension = match self.extend(&node, &candidate, beta) {
                Continue(extension) => extension,
                Break(score) => return score,
            };

            // 11. Search the move: first reduced if it comes late, then in a null window, then in the full window.
            let nodes_before = self.nodes;
            self.make_move(ply, mv);
            let score = self.search_move(&node, &candidate, extension, Window { alpha, beta }, best);
            self.unmake_move(mv);
            if self.stopped {
                return DRAW;
            }
            if is_root {
                self.update_root_move(mv, score, Window { alpha, beta }, self.nodes - nodes_before);
            }

            // 12. Update best score, alpha and PV; stop if the move fails high.
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
            // A move that raised alpha deserves no malus if a later one fails high.
            if best_move != Some(mv) {
                let _ = if is_quiet { quiets.try_push(mv) } else { captures.try_push(mv) };
            }
        }

        // 13. Without a legal move it is checkmate or stalemate; a singular search fails low if only the TT move is
        // legal.
        if move_count == 0 {
            return match (excluded, in_check) {
                (Some(_), _) => alpha,
                (None, true) => mated_in(ply),
                (None, false) => self.draw_score(),
            };
        }
        best = best.min(ceiling);
        let bound = Bound::of(best, old_alpha, beta);

        // 14. Update the histories for the moves searched in this node and for the move that led to it, and the
        // correction histories.
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
            self.histories.update_correction(&self.board, previous_moves, node.depth, best - eval);
        }

        // 15. Store the result in the TT, unless we left moves out: in a singular search or a later MultiPV line.
        if excluded.is_none() && (!is_root || self.root.pv_index == 0) {
            let Node { raw_eval: eval, depth, .. } = node;
            // After a fail low the parent may choose the move to this node, so this node is on a PV if the parent is.
            let tt_pv = node.tt_pv || bound == Bound::Upper && self.stack.before(ply, 1).tt_pv;
            let entry = TtEntry { mv: best_move, score: best, bound, eval, depth, tt_pv };
            self.tt.store(self.board.key(), ply, entry);
            if let Some(observer) = self.observer.as_mut().filter(|_| !is_root) {
                observer.on_node(&self.board, SearchedNode { depth, score: best, bound, best_move });
            }
        }
        best
    }

    /// Step 5: returns what the tablebases say, as a score and a bound. Wins and losses are bounds, because the tables
    /// don't know the distance to mate. We can only probe right after a capture or pawn move, without castling rights.
    #[cold]
    fn probe_tablebases(&mut self, ply: usize, depth: i32) -> Option<(Score, Bound)> {
        let probing = self.job.options.probing.as_ref()?;
        let board = &self.board;
        let pieces = board.occupied().count();
        let is_probed =
            pieces < probing.max_pieces || pieces == probing.max_pieces && depth >= probing.min_depth;
        if !is_probed
            || ply == 0
            || self.stack[ply].excluded.is_some()
            || board.halfmove_clock() > 0
            || !board.castling_rights().is_empty()
        {
            return None;
        }
        let wdl = probing.tables.probe(board)?.under(probing.fifty_move_rule);
        self.tb_hits += 1;
        let bound = match wdl {
            Wdl::Win => Bound::Lower,
            Wdl::Loss => Bound::Upper,
            _ => Bound::Exact,
        };
        Some((self.tablebase_score(wdl, ply), bound))
    }

    /// Step 6: evaluates the position, collects what the later steps need to know about the node, and corrects its
    /// depth. A singular search reuses the static eval of the search that it belongs to.
    #[inline(always)]
    fn evaluate_node(&mut self, node: &mut Node, stored_eval: Option<Score>, previous_moves: PreviousMoves) {
        let &mut Node { ply, tt_hit, is_singular_search, .. } = node;
        let Frame { eval: earlier_eval, tt_pv: earlier_tt_pv, .. } = self.stack[ply];
        let (raw_eval, static_eval) = if self.board.in_check() {
            (None, None)
        } else if is_singular_search {
            (None, earlier_eval)
        } else {
            if node.is_cut() {
                self.tt.prefetch(self.board.key_after_null_move());
            }
            self.histories.prefetch_correction(&self.board, previous_moves);
            let raw_eval = self.raw_eval_with(stored_eval);
            (Some(raw_eval), Some(self.corrected(raw_eval, previous_moves)))
        };
        node.raw_eval = raw_eval;
        node.static_eval = static_eval;
        node.eval = match (static_eval, tt_hit) {
            (Some(eval), Some(hit)) => hit.refine(eval),
            (eval, _) => eval.unwrap_or(-INFINITE),
        };
        let was_pv = tt_hit.is_some_and(|hit| hit.tt_pv);
        node.tt_pv = if is_singular_search { earlier_tt_pv } else { node.is_pv() || was_pv };
        node.complexity = raw_eval.zip(static_eval).map_or(0, |(raw, corrected)| (raw - corrected).abs());
        let previous = IMPROVING_PLIES.into_iter().find_map(|plies| self.stack.before(ply, plies).eval);
        node.improving = static_eval.zip(previous).is_some_and(|(now, previous)| now > previous);
        node.depth += reductions::hindsight(node, self.stack);
        node.depth -= reductions::internal_iterative(node);
    }

    /// Step 11: searches the position after the move just made, up to three times, and returns the move's score.
    #[inline(always)]
    fn search_move(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        extension: i32,
        window: Window,
        best: Score,
    ) -> Score {
        let (ply, alpha) = (node.ply, window.alpha);
        let null_window = -Window::null_above(alpha);
        let mut new_depth = node.depth - 1 + extension;
        let mut score = -INFINITE;

        if reductions::is_late(node, candidate) {
            // A late move gets a reduced search and, if it raises alpha, another at about full depth.
            let child_cutoffs = self.stack[ply + 1].cutoffs;
            let reduced = reductions::reduced_depth(node, candidate, new_depth, child_cutoffs);
            self.stack[ply].reduction = new_depth - reduced;
            stats::count(node, Counter::LateMoves);
            stats::add(node, Counter::Reduction, new_depth - reduced);
            stats::add(node, Counter::HistoryReduction, -reductions::by_history(candidate));
            score = -self.search(NodeKind::Cut, ply + 1, reduced, null_window);
            self.stack[ply].reduction = 0;
            if score > alpha && reduced < new_depth && !self.stopped {
                new_depth += reductions::research_adjustment(node, score, best, new_depth);
                if new_depth > reduced {
                    stats::count(node, Counter::Researches);
                    score = -self.search(node.kind.child(), ply + 1, new_depth, null_window);
                    if self.stopped {
                        return DRAW;
                    }
                    if score <= alpha {
                        self.update_continuations(ply, Verdict::Bad(new_depth));
                    } else if score >= window.beta {
                        self.update_continuations(ply, Verdict::Good(new_depth));
                    }
                }
            }
        } else if !node.is_pv() || candidate.move_count > 1 {
            // We expect the move to stay below alpha, and a null window is the cheapest way to prove that.
            score = -self.search(node.kind.child(), ply + 1, new_depth, null_window);
        }

        // In a PV node the first move, and any that raises alpha, needs an exact score: full window.
        if node.is_pv() && (candidate.move_count == 1 || score > alpha) {
            score = -self.search(NodeKind::Pv, ply + 1, new_depth, -window);
        }
        score
    }

    /// After a fail high, gives `mv` a bonus and the moves searched before it a malus. Quiet moves get no malus if `mv`
    /// is a capture or promotion.
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

    /// Gives the move made at `ply` a bonus or malus in the continuation histories, unless it was a null move, a
    /// capture or a promotion.
    fn update_continuations(&mut self, ply: usize, verdict: Verdict) {
        let Frame { mv: Some(mv), piece_to, .. } = self.stack[ply] else { return };
        if mv.is_quiet() {
            self.histories.update_continuations(piece_to, self.stack.previous_moves(ply), verdict);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::worker::tests::with_worker;
    use super::*;
    use crate::chess::notation::fen::START_FEN;

    #[test]
    fn window_shrinks_to_possible_mates() {
        with_worker(START_FEN, &[], |worker| {
            let limit = mate_in(5);
            assert_eq!(worker.search(NodeKind::Cut, 6, 3, Window::null_above(limit)), limit);
            assert_eq!(worker.nodes, 0, "a mate found is shorter than any from here");
            worker.search(NodeKind::Cut, 2, 3, Window::null_above(limit));
            assert!(worker.nodes > 0, "a mate from here may be shorter");
        });
    }

    #[test]
    fn former_pv_after_fail_low_next_to_pv() {
        let is_former_pv = |parent_is, alpha| {
            let mut entry = None;
            with_worker(START_FEN, &[], |worker| {
                worker.stack[1].tt_pv = parent_is;
                worker.search(NodeKind::All, 2, 3, Window::null_above(alpha));
                entry = worker.probe_tt(2).entry;
            });
            entry.unwrap().tt_pv
        };
        assert!(is_former_pv(true, 300) && !is_former_pv(false, 300));
        assert!(!is_former_pv(true, -40), "fail high");
    }
}
