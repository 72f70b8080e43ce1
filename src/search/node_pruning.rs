//! Pruning of a whole node off the PV: razoring, reverse futility, null move and ProbCut.
//!
//! - **Razoring** drops into quiescence search if the eval is so far below alpha that only a capture could help. Wrong
//!   if a quiet move wins; the margin grows with the square of the depth, so it only happens near the horizon.
//! - **Reverse futility** (RFP, static null move) fails high if the eval is so far above beta that no single move of
//!   the opponent is likely to bring it below beta. Wrong if the eval is wrong, so we don't do it on a former PV, nor
//!   if the TT move is quiet, because that move may be needed against a threat.
//! - **Null move** (NMP) fails high if we still reach beta in a reduced search after passing. Wrong in zugzwang, so the
//!   side to move needs a piece, and at high depth a search without null moves must verify the cutoff.
//! - **ProbCut** fails high if a capture beats beta by a margin in a reduced search. Wrong if that search overlooks a
//!   refutation. We don't try it if the TT score is below beta plus the margin, nor if the TT move is quiet.

use super::history::HistoryContext;
use super::movepick::MovePicker;
use super::node_state::{Node, NodeKind};
use super::params::parameters;
use super::score::{Bound, DRAW, Score, Window, is_decisive};
use super::stats::{self, Counter};
use super::tt::TtEntry;
use super::worker::Worker;
use crate::chess::Move;

parameters! {
    // Razoring, if the eval is below alpha by base + slope × depth² centipawns.
    razor_base = 215, 50, 10000, 30;
    razor_slope = 165, 50, 600, 30;

    // Reverse futility, up to depth `rfp_depth`, if the eval is above beta by slope × depth + square × depth² / 16
    // centipawns, less `rfp_improving` in an improving node, plus `rfp_complexity` for every 100 centipawns by which
    // the static eval was corrected.
    rfp_depth = 12, -1, 20, 1;
    rfp_slope = 34, 0, 200, 6;
    rfp_square = 20, 0, 100, 4;
    rfp_improving = 55, 0, 200, 10;
    rfp_complexity = 50, 0, 300, 20;

    // Null move, from depth `nmp_depth` on. The reduction is base + slope × depth thousandths of a ply, plus a ply for
    // every `nmp_eval_divisor` centipawns by which the eval is above beta.
    nmp_depth = 3, 1, 100, 1;
    nmp_base = 4900, 2000, 7000, 250;
    nmp_slope = 333, 100, 600, 30;
    nmp_eval_divisor = 100, 20, 600, 10;
    // How far above beta the static eval must be for a null move, centipawns: base − slope × depth, but at least `min`.
    nmp_margin_base = 75, -100, 300, 15;
    nmp_margin_slope = 2, 0, 60, 1;
    nmp_margin_min = 20, -100, 300, 10;
    // From this depth on, we verify a null-move cutoff by a search without null moves.
    nmp_verify_depth = 15, 8, 100, 1;

    // ProbCut, from `probcut_depth` on, if a capture beats beta by `probcut_margin` centipawns, less
    // `probcut_improving` in an improving node.
    probcut_margin = 75, 20, 500, 15;
    probcut_improving = 17, 0, 200, 10;
    probcut_depth = 4, 3, 100, 1;
}

/// The margin of reverse futility grows by [`rfp_complexity`] per this many centipawns of eval correction.
const RFP_COMPLEXITY_UNIT: Score = 100;
/// [`rfp_square`] is in sixteenths of a centipawn.
const RFP_SQUARE_UNIT: Score = 16;
/// A cutoff by reverse futility returns beta + (eval − beta) / this, because the eval is only an estimate.
const RFP_KEPT_PART: Score = 3;

/// [`nmp_base`] and [`nmp_slope`] are in thousandths of a ply.
const NMP_PLY: i32 = 1000;
/// An eval above beta adds at most this many plies to the null-move reduction.
const NMP_MAX_EVAL_REDUCTION: i32 = 5;
/// A search that verifies a null-move cutoff makes no null moves in the first (numerator / denominator) of its depth.
const NMP_VERIFIED_PART: (i32, i32) = (3, 4);

/// How much shallower than the node ProbCut searches a capture, plies.
const PROBCUT_REDUCTION: i32 = 4;
/// ProbCut only tries captures whose SEE is at least this fraction of (beta + margin − static eval): numerator,
/// denominator. It is above 1, because SEE counts a pawn as 100 centipawns, but the network as about 70.
const PROBCUT_EXCHANGE_SCALE: (Score, Score) = (5, 4);

fn razors(node: &Node, alpha: Score) -> bool {
    node.eval < alpha - razor_base() - razor_slope() * node.depth * node.depth && !is_decisive(alpha)
}

/// If the eval is far enough above beta, returns a score between the two.
fn reverse_futility(node: &Node, beta: Score) -> Option<Score> {
    let &Node { depth, eval, .. } = node;
    let margin = || {
        let by_depth = rfp_slope() * depth + rfp_square() * depth * depth / RFP_SQUARE_UNIT;
        let improving = if node.improving { rfp_improving() } else { 0 };
        let by_correction = node.complexity * rfp_complexity() / RFP_COMPLEXITY_UNIT;
        (by_depth - improving + by_correction).max(0)
    };
    let applies = eval >= beta
        && !node.tt_pv
        && !node.tt_move.is_some_and(Move::is_quiet)
        && depth <= rfp_depth()
        && eval >= beta + margin()
        && !is_decisive(eval)
        && !is_decisive(beta);
    applies.then(|| beta + (eval - beta) / RFP_KEPT_PART)
}

/// Whether the node looks good enough to pass. Both `eval` and `static_eval` must reach beta, because an upper bound in
/// the TT may have lowered `eval`.
fn tries_null_move(node: &Node, beta: Score) -> bool {
    let margin = (nmp_margin_base() - nmp_margin_slope() * node.depth).max(nmp_margin_min());
    node.is_cut()
        && node.depth >= nmp_depth()
        && node.eval >= beta
        && node.static_eval.is_some_and(|eval| eval >= beta + margin)
        && !is_decisive(beta)
}

fn null_move_reduction(depth: i32, above_beta: Score) -> i32 {
    let by_eval = (above_beta / nmp_eval_divisor()).clamp(0, NMP_MAX_EVAL_REDUCTION);
    (nmp_base() + nmp_slope() * depth) / NMP_PLY + by_eval
}

fn probcut_margin_of(node: &Node) -> Score {
    probcut_margin() - if node.improving { probcut_improving() } else { 0 }
}

fn tries_probcut(node: &Node, raised_beta: Score) -> bool {
    node.is_cut()
        && node.depth >= probcut_depth()
        && !is_decisive(raised_beta)
        && !node.tt_move.is_some_and(Move::is_quiet)
        && node.tt_hit.is_none_or(|hit| hit.score >= raised_beta)
}

impl Worker<'_> {
    /// Step 7 of [`Self::search`]: returns a score if we prune the node. A stopped search returns a meaningless score.
    ///
    /// We don't prune a PV node, because it needs an exact score; in check, because the eval means nothing there; in a
    /// singular search, because it has to try the other moves; and in `go mate`, lest we miss a quiet mate.
    pub(super) fn prune_node(&mut self, node: &Node, window: Window) -> Option<Score> {
        let Window { alpha, beta } = window;
        if node.is_pv() || node.in_check() || node.is_singular_search || self.seeks_mate() {
            return None;
        }
        let (counter, score) = if razors(node, alpha) {
            (Counter::Razoring, self.qsearch::<false>(node.ply, window))
        } else if let Some(score) = reverse_futility(node, beta) {
            (Counter::ReverseFutility, score)
        } else if tries_null_move(node, beta)
            && let Some(score) = self.null_move(node, beta)
        {
            (Counter::NullMoveCutoffs, score)
        } else {
            let margin = probcut_margin_of(node);
            if !tries_probcut(node, beta + margin) {
                return None;
            }
            (Counter::ProbCut, self.probcut(node, beta, margin)?)
        };
        if !self.stopped {
            stats::count(node, counter);
        }
        Some(score)
    }

    /// Returns a score if we still reach beta after passing.
    // If this function and the next were inlined, every node would save registers for them.
    #[inline(never)]
    fn null_move(&mut self, node: &Node, beta: Score) -> Option<Score> {
        let &Node { ply, depth, eval, .. } = node;
        if self.stack.before(ply, 1).mv.is_none()
            || ply < self.null_move_min_ply
            || !self.board.has_non_pawn_material(self.board.side_to_move())
        {
            return None;
        }
        stats::count(node, Counter::NullMoves);
        let reduced = depth - null_move_reduction(depth, eval - beta);
        self.make_null_move(ply);
        let score = -self.search(NodeKind::All, ply + 1, reduced, -Window::null_below(beta));
        self.board.unmake_null_move();
        if self.stopped {
            return Some(DRAW);
        }
        if score < beta {
            return None;
        }
        // A mate after a null move isn't proven, so we don't return its score.
        let score = if is_decisive(score) { beta } else { score };
        if depth < nmp_verify_depth() || self.null_move_min_ply > 0 {
            return Some(score);
        }
        let (numerator, denominator) = NMP_VERIFIED_PART;
        self.null_move_min_ply = ply + (numerator * reduced.max(0) / denominator) as usize + 1;
        let verified = self.search(NodeKind::All, ply, reduced, Window::null_below(beta));
        self.null_move_min_ply = 0;
        (verified >= beta || self.stopped).then_some(score)
    }

    /// If a capture beats beta by the margin, returns its score less the margin.
    #[inline(never)]
    fn probcut(&mut self, node: &Node, beta: Score, margin: Score) -> Option<Score> {
        let raised_beta = beta + margin;
        let static_eval = node.static_eval?;
        let (ply, reduced) = (node.ply, node.depth - PROBCUT_REDUCTION);
        let window = -Window::null_below(raised_beta);
        let threshold = (raised_beta - static_eval) * PROBCUT_EXCHANGE_SCALE.0 / PROBCUT_EXCHANGE_SCALE.1;
        let mut picker = MovePicker::noisy_only(&self.board, self.moves, node.tt_move, threshold);
        while let Some(mv) = picker.next(&self.board, self.histories, self.tt, &HistoryContext::default()) {
            if picker.is_at_bad_moves() {
                break;
            }
            // The picker returns the TT move without comparing its SEE with the threshold.
            if !picker.is_at_good_moves() && !self.board.see_at_least(mv, threshold) {
                continue;
            }
            self.make_move(ply, mv);
            // We try the cheap quiescence search first, and search deeper only if it reaches the raised beta.
            let mut score = -self.qsearch::<false>(ply + 1, window);
            if score >= raised_beta && reduced > 0 && !self.stopped {
                score = -self.search(NodeKind::All, ply + 1, reduced, window);
            }
            self.unmake_move(mv);
            if self.stopped {
                return Some(DRAW);
            }
            if score >= raised_beta {
                let &Node { raw_eval: eval, tt_pv, .. } = node;
                let (bound, depth) = (Bound::Lower, reduced + 1);
                let entry = TtEntry { mv: Some(mv), score, bound, eval, depth, tt_pv };
                self.tt.store(self.board.key(), ply, entry);
                return Some(if is_decisive(score) { score } else { score - margin });
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::node_state::tests::node;
    use super::super::score::{mate_in, mated_in};
    use super::super::worker::tests::with_worker;
    use super::*;
    use crate::chess::notation::fen::START_FEN;

    #[test]
    fn only_usual_nodes_are_pruned() {
        with_worker(START_FEN, &[], |worker| {
            let mut is_pruned = |node| worker.prune_node(&node, Window::null_below(0)).is_some();
            assert!(is_pruned(node(2, 390)));
            assert!(!is_pruned(Node { kind: NodeKind::Pv, ..node(2, 390) }));
            assert!(!is_pruned(Node { static_eval: None, ..node(2, 390) }), "in check");
            assert!(!is_pruned(Node { is_singular_search: true, ..node(2, 390) }));
        });
    }

    #[test]
    fn razoring_far_below_alpha() {
        assert!(razors(&node(1, -1000), 0) && !razors(&node(1, -300), 0));
        assert!(!razors(&node(4, -1000), 0), "too deep for that margin");
        assert!(!razors(&node(1, -1000), mate_in(3)) && !razors(&node(1, -32_500), mated_in(3)));
    }

    #[test]
    fn reverse_futility_far_above_beta() {
        let prune = reverse_futility;
        assert_eq!(prune(&node(2, 390), 0), Some(130));
        assert_eq!(prune(&node(9, 350), 0), None, "too deep for that margin");
        assert_eq!(prune(&node(rfp_depth() + 1, 5_000), 0), None, "too deep");
        assert!(prune(&node(2, 73), 0).is_some() && prune(&node(2, 72), 0).is_none());
        assert!(prune(&Node { improving: true, ..node(2, 18) }, 0).is_some());
        assert!(prune(&Node { improving: true, ..node(1, -1) }, 0).is_none(), "below beta");
        assert!(prune(&Node { complexity: 100, ..node(2, 100) }, 0).is_none(), "large correction");
        assert!(prune(&Node { tt_move: Move::from_code(77), ..node(2, 400) }, 0).is_none(), "quiet TT move");
        assert!(prune(&Node { tt_pv: true, ..node(2, 400) }, 0).is_none(), "former PV");
        assert_eq!(prune(&node(1, 400), mated_in(5)), None, "beta is a mate");
        assert_eq!(prune(&node(1, mate_in(9)), 0), None, "the eval is a mate");
    }

    #[test]
    fn null_move_in_good_cut_node() {
        let tries = tries_null_move;
        assert!(tries(&node(8, 109), 50) && !tries(&node(8, 108), 50));
        assert!(tries(&node(40, 70), 50) && !tries(&node(40, 69), 50), "minimum margin");
        assert!(!tries(&node(2, 200), 50), "too shallow");
        assert!(!tries(&Node { eval: 40, ..node(8, 200) }, 50), "upper bound in the TT");
        assert!(!tries(&Node { kind: NodeKind::All, ..node(8, 200) }, 50));
        assert!(!tries(&node(8, 200), mated_in(4)));
        let reduction = null_move_reduction;
        assert!(reduction(12, 0) > reduction(4, 0));
        assert_eq!(reduction(8, 2 * nmp_eval_divisor()) - reduction(8, 0), 2);
        assert_eq!(reduction(8, 10_000) - reduction(8, 0), NMP_MAX_EVAL_REDUCTION);
    }

    #[test]
    fn probcut_unless_tt_refutes() {
        let tries = tries_probcut;
        assert!(tries(&node(6, 100), 50) && !tries(&node(6, 100), mate_in(8)));
        assert!(!tries(&Node { kind: NodeKind::All, ..node(6, 100) }, 50));
        assert!(!tries(&node(3, 100), 50), "too shallow");
        assert!(!tries(&Node { tt_move: Move::from_code(77), ..node(6, 100) }, 50), "quiet TT move");
        let with_score = |score| {
            let hit = TtEntry { mv: None, score, bound: Bound::Upper, eval: None, depth: 1, tt_pv: false };
            Node { tt_hit: Some(hit), ..node(6, 100) }
        };
        assert!(tries(&with_score(50), 50) && !tries(&with_score(49), 50));
        assert!(
            probcut_margin_of(&Node { improving: true, ..node(6, 100) }) < probcut_margin_of(&node(6, 100))
        );
    }
}
