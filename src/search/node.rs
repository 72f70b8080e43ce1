//! The search node: principal variation search, its steps in the order in which they happen. What each technique is,
//! when it applies and what it is worth stands in its own file under `techniques`.

use arrayvec::ArrayVec;

use super::history::{HistoryContext, bonus, malus};
use super::movepick::{MovePicker, QuietLimit};
use super::score::*;
use super::techniques::*;
use super::tt::TtEntry;
use super::worker::{SearchedNode, Worker};
use crate::chess::Move;

/// What a node knows of itself before any move is made in it.
pub(super) struct Node {
    pub(super) ply: usize,
    /// Plies to search; settled once the evaluation is known.
    pub(super) depth: i32,
    /// The evaluation before any correction, for the transposition table; `None` in check and with a move left out.
    pub(super) raw_eval: Option<Score>,
    /// The corrected static evaluation; `None` in check.
    pub(super) static_eval: Option<Score>,
    /// The static evaluation, or what the transposition table knows better.
    pub(super) eval: Score,
    /// By how much the correction history mended the static evaluation, centipawns.
    pub(super) complexity: Score,
    /// The side to move stands better than two plies ago.
    pub(super) improving: bool,
    /// On the principal variation.
    pub(super) is_pv: bool,
    /// On the principal variation, now or once.
    pub(super) tt_pv: bool,
    /// Expected to fail high.
    pub(super) cut_node: bool,
    pub(super) tt_hit: Option<TtEntry>,
    pub(super) tt_move: Option<Move>,
}

/// A move about to be searched.
pub(super) struct Candidate {
    pub(super) mv: Move,
    /// Its place among the moves of its node, counted from 1.
    pub(super) move_count: usize,
    pub(super) history: i32,
    pub(super) gives_check: bool,
    /// The depth that late move reductions would leave, from depth and move count alone; not below 0.
    pub(super) lmr_depth: i32,
    /// A capture or promotion whose exchange loses material.
    pub(super) is_losing_noisy: bool,
    /// Moves before it that raised alpha.
    pub(super) alpha_raised: i32,
}

/// What a pruning of single moves asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pruning {
    /// Search the move.
    Search,
    /// Leave it out.
    Skip,
    /// Leave it out, and all quiet moves to come, but for those that check.
    SkipQuiets,
}

/// What a node asks of its next move.
#[derive(Clone, Copy)]
struct Window {
    alpha: Score,
    beta: Score,
    /// The best score so far; below `alpha` as long as no move has reached it.
    best: Score,
}

/// Moves remembered in a node to be punished when a later one refutes it; more than fit are not worth it.
type SearchedMoves = ArrayVec<Move, 32>;

/// From this many plies without progress on, the transposition table's scores are not trusted: they know nothing of it.
const NEAR_FIFTY_MOVES: u16 = 90;

/// Ends the node with the score of a step that settles it, or when the search is stopped.
macro_rules! settle {
    ($worker:ident, $step:expr) => {
        match $step {
            Some(score) => return score,
            None if $worker.stopped => return DRAW,
            None => {}
        }
    };
}

/// Asks a pruning of single moves about the candidate.
macro_rules! consider {
    ($picker:ident, $candidate:ident, $step:expr) => {
        match $step {
            Pruning::Search => {}
            Pruning::Skip => continue,
            Pruning::SkipQuiets => {
                $picker.limit_quiets(QuietLimit::Checks);
                if !$candidate.gives_check {
                    continue;
                }
            }
        }
    };
}

impl Worker<'_> {
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

        // 1. At the horizon: quiescence.
        if depth <= 0 {
            return self.qsearch::<PV>(ply, alpha, beta);
        }
        let depth = depth.min(MAX_PLY as i32 - 1);
        if PV {
            self.stack.clear_pv(ply);
        }

        // 2. Stop, draws, end of the path.
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
            settle!(self, upcoming_repetition::raise_alpha(self, ply, &mut alpha, beta));
            settle!(self, mate_distance::narrow(ply, &mut alpha, &mut beta));
        }

        // 3. The transposition table may know the score, or at least a good move.
        let excluded = self.stack[ply].excluded;
        let tt_hit = if excluded.is_some() { None } else { self.probe_tt(ply) };
        let tt_move =
            if is_root { Some(self.root_moves[self.pv_index].mv) } else { tt_hit.and_then(|hit| hit.mv) };
        if let Some(hit) = tt_hit.filter(|hit| !PV && hit.depth >= depth)
            && hit.causes_cutoff(alpha, beta)
            && self.board.halfmove_clock() < NEAR_FIFTY_MOVES
        {
            return hit.score;
        }

        // 4. Tablebases know the outcome right after a capture or a pawn move.
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

        // 5. Static evaluation. Then the depth is settled: by hindsight on the reduction that led here, and a ply less
        //    where no tt move is known.
        let mut context = self.stack.history_context(ply, Default::default());
        let mut node = self.evaluate::<PV>(ply, depth, cut_node, tt_hit, tt_move, &context);
        self.stack[ply].eval = node.static_eval;
        self.stack[ply].reduction = 0;
        self.stack[ply + 1].cutoffs = 0;
        self.stack[ply + 1].excluded = None;
        node.depth += hindsight::adjustment(&node, self.stack);
        node.depth -= internal_iterative_reduction::reduction(&node);
        let node = node;

        // 6. Prunings of the whole node, where a score within bounds is all that is asked for.
        if !PV && !in_check && excluded.is_none() && !self.seeks_mate() {
            settle!(self, razoring::prune(self, &node, alpha, beta));
            settle!(self, reverse_futility::prune(&node, beta));
            settle!(self, null_move::prune(self, &node, beta));
            settle!(self, probcut::prune(self, &node, beta));
        }

        // 7. All moves, the likely best first.
        context.threats = self.board.threats_by(!self.board.side_to_move());
        let mut picker = MovePicker::new(&self.board, tt_move);
        let mut best = floor;
        let mut best_move = None;
        let mut move_count = 0;
        let mut quiets = SearchedMoves::new();
        let mut captures = SearchedMoves::new();
        let old_alpha = alpha;
        let mut alpha_raised = 0;
        while let Some(mv) = picker.next(&self.board, self.histories, &context) {
            if Some(mv) == excluded {
                continue;
            }
            if is_root && !self.root_moves[self.pv_index..].iter().any(|root| root.mv == mv) {
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
            let candidate =
                Candidate { mv, move_count, history, gives_check, lmr_depth, is_losing_noisy, alpha_raised };

            // 8. Prunings of single moves, once some move is known not to be mated.
            if !is_root && best > -DECISIVE_RANGE {
                consider!(picker, candidate, late_move_pruning::verdict(&node, &candidate));
                consider!(picker, candidate, futility::verdict(&node, &candidate, alpha));
                consider!(picker, candidate, history_pruning::verdict(&node, &candidate));
                self.prefetch_tt(mv);
                consider!(picker, candidate, see_pruning::verdict(&node, &candidate, &self.board));
            }

            // 9. Extensions: of a tt move far better than all others; of checks in a search for mate.
            let mut extension = 0;
            if !is_root && Some(mv) == tt_move && excluded.is_none() {
                match singular_extension::test(self, &node, mv, beta) {
                    singular_extension::SingularResult::Extend(plies) => extension = plies,
                    singular_extension::SingularResult::Multicut(score) => return score,
                }
                if self.stopped {
                    return DRAW;
                }
            }
            if extension == 0 && gives_check && self.seeks_mate() {
                extension = 1;
            }

            let nodes_before = self.nodes;
            self.make_move(ply, mv);
            let window = Window { alpha, beta, best };
            let score = self.search_move::<PV>(&node, &candidate, extension, window, &context);
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
                        self.stack.update_pv(ply, mv);
                    }
                    if score >= beta {
                        self.stack[ply].cutoffs += 1;
                        break;
                    }
                    alpha = score;
                    alpha_raised += 1;
                }
            }
            let _ = if is_quiet { quiets.try_push(mv) } else { captures.try_push(mv) };
        }

        // 12. No legal move: checkmate or stalemate. With the only one left out: worse than anything.
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

        // 13. Histories: which moves did well here, and whether the move before was good.
        if let Some(mv) = best_move.filter(|_| bound == Bound::Lower) {
            self.update_histories(&node, mv, &quiets, &captures, &context);
        }
        if bound == Bound::Upper && !is_root && excluded.is_none() {
            self.reward_parent_move(&node);
        }

        // 14. Correction history: how far the static evaluation was off.
        if let (Some(eval), None) = (node.static_eval, excluded)
            && bound.improves(best, eval)
            && best != eval
            && best_move.is_none_or(Move::is_quiet)
            && !is_decisive(best)
        {
            self.histories.update_correction(&self.board, &context, node.depth, best - eval);
        }

        // 15. Remember what was found, but not with moves left out: tests for singularity, later variations.
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

    /// What is to be known of a node before any move is made in it.
    fn evaluate<const PV: bool>(
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
            let raw_eval = self.raw_eval_with(tt_hit.as_ref());
            (Some(raw_eval), Some(self.corrected(raw_eval, context)))
        };
        let eval = match (static_eval, tt_hit) {
            (Some(eval), Some(hit)) => hit.refine(eval),
            (eval, _) => eval.unwrap_or(-INFINITE),
        };
        let before = [2, 4].into_iter().find_map(|plies| self.stack.before(ply, plies).eval);
        Node {
            ply,
            depth,
            raw_eval,
            static_eval,
            eval,
            complexity: raw_eval.zip(static_eval).map_or(0, |(raw, corrected)| (raw - corrected).abs()),
            improving: static_eval.zip(before).is_some_and(|(now, before)| now > before),
            is_pv: PV,
            tt_pv: PV || tt_hit.is_some_and(|hit| hit.tt_pv),
            cut_node,
            tt_hit,
            tt_move,
        }
    }

    /// The score of a move that has just been made, searched as deep as it deserves.
    fn search_move<const PV: bool>(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        extension: i32,
        Window { alpha, beta, best }: Window,
        context: &HistoryContext,
    ) -> Score {
        let &Node { ply, cut_node, .. } = node;
        let &Candidate { mv, move_count, .. } = candidate;
        let mut new_depth = node.depth - 1 + extension;
        let mut score = -INFINITE;

        // 10. Late moves are searched less deep, and deeper again when they come out well.
        let mut needs_null_window = !PV || move_count > 1;
        if late_move_reductions::applies(node, candidate) {
            let child_cutoffs = self.stack[ply + 1].cutoffs;
            let reduced = late_move_reductions::reduced_depth(node, candidate, new_depth, child_cutoffs);
            self.stack[ply].reduction = new_depth - reduced;
            score = -self.search::<false>(ply + 1, reduced, -alpha - 1, -alpha, true);
            self.stack[ply].reduction = 0;
            needs_null_window = score > alpha && reduced < new_depth;
            if needs_null_window {
                new_depth += late_move_reductions::research_adjustment(score, best, new_depth);
                needs_null_window = new_depth > reduced;
            }
            if needs_null_window {
                score = -self.search::<false>(ply + 1, new_depth, -alpha - 1, -alpha, !cut_node);
                if let (true, Some(piece_to)) = (mv.is_quiet(), self.stack[ply].piece_to) {
                    let change = if score <= alpha {
                        -malus(new_depth)
                    } else if score >= beta {
                        bonus(new_depth)
                    } else {
                        0
                    };
                    self.histories.update_continuations(piece_to, context, change);
                }
            }
        } else if needs_null_window {
            score = -self.search::<false>(ply + 1, new_depth, -alpha - 1, -alpha, !cut_node);
        }

        // 11. On the principal variation the first move, and any that beats it, gets the whole window.
        if PV && (move_count == 1 || score > alpha) {
            score = -self.search::<true>(ply + 1, new_depth, -beta, -alpha, false);
        }
        score
    }

    /// Rewards the move that refuted a node and punishes those searched before it.
    fn update_histories(
        &mut self,
        node: &Node,
        mv: Move,
        quiets: &[Move],
        captures: &[Move],
        context: &HistoryContext,
    ) {
        let (bonus, malus) = (bonus(node.depth), malus(node.depth));
        if mv.is_quiet() {
            self.histories.update_quiet(&self.board, mv, context, bonus);
            for &other in quiets {
                self.histories.update_quiet(&self.board, other, context, -malus);
            }
        } else {
            self.histories.update_noisy(&self.board, mv, bonus);
        }
        for &other in captures {
            self.histories.update_noisy(&self.board, other, -malus);
        }
    }

    /// Rewards the quiet move that led to a node where nothing helps the side to move: +9 ± 27 in 400 games at 8,000
    /// nodes.
    fn reward_parent_move(&mut self, node: &Node) {
        let &Node { ply, depth, .. } = node;
        let parent = *self.stack.before(ply, 1);
        if let (Some(mv), Some(piece_to)) = (parent.mv, parent.piece_to)
            && mv.is_quiet()
        {
            let context = self.stack.history_context(ply - 1, Default::default());
            self.histories.update_continuations(piece_to, &context, bonus(depth));
        }
    }
}
