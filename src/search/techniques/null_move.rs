//! Null move pruning (NMP): cuts a node that stays at or above beta in a reduced search after the side to move passes.
//!
//! Wrong in zugzwang: not tried with pawns and king alone, and at high depth a search without null moves verifies the
//! cutoff.

use crate::search::node_state::Node;
use crate::search::params::parameters;
use crate::search::score::{DRAW, Score, is_decisive};
use crate::search::stats::{self, Counter};
use crate::search::worker::Worker;

parameters! {
    /// Null move pruning (NMP): minimum depth, plies.
    nmp_depth = 3, 1, 100, 1;
    /// NMP: reduction at depth 0, thousandths of a ply.
    nmp_base = 4300, 2000, 7000, 250;
    /// NMP: reduction per ply of depth, thousandths of a ply.
    nmp_slope = 333, 100, 600, 30;
    /// NMP: evaluation above beta that adds a ply to the reduction, centipawns.
    nmp_eval_divisor = 75, 20, 600, 10;
    /// NMP: minimum of the static evaluation above beta at depth 0, centipawns.
    nmp_margin_base = 75, -100, 300, 15;
    /// NMP: decrease of that minimum per ply of depth, centipawns.
    nmp_margin_slope = 2, 0, 60, 1;
    /// NMP: least value of that minimum, centipawns.
    nmp_margin_min = 20, -100, 300, 10;
    /// NMP: minimum depth of a cutoff that is verified, plies.
    nmp_verify_depth = 15, 8, 100, 1;
}

/// Unit of [`nmp_base`] and [`nmp_slope`], per ply.
const PLY: i32 = 1000;
/// Maximum of the reduction by evaluation, plies.
const MAX_EVAL_REDUCTION: i32 = 5;
/// Part of the verification's depth that is searched without null moves, as a fraction.
const VERIFIED_PART: (i32, i32) = (3, 4);

/// Returns the reduction of the search after passing, plies.
fn reduction(depth: i32, above_beta: Score) -> i32 {
    (nmp_base() + nmp_slope() * depth) / PLY + (above_beta / nmp_eval_divisor()).clamp(0, MAX_EVAL_REDUCTION)
}

/// Returns `true` for a node that is good enough to pass. `eval` is below beta if the table has an upper bound there.
fn applies(node: &Node, beta: Score) -> bool {
    let margin = (nmp_margin_base() - nmp_margin_slope() * node.depth).max(nmp_margin_min());
    node.cut_node
        && node.depth >= nmp_depth()
        && node.eval >= beta
        && node.static_eval.is_some_and(|eval| eval >= beta + margin)
        && !is_decisive(beta)
}

/// Returns `true` if passing is allowed: not after a null move, not above the ply of a verification, not in a pawn ending.
fn may_pass(worker: &Worker<'_>, ply: usize) -> bool {
    worker.stack.before(ply, 1).mv.is_some()
        && ply >= worker.null_move_min_ply
        && worker.board.has_non_pawn_material(worker.board.side_to_move())
}

/// Returns a score at or above beta if passing keeps the node there; any score if the search is stopped.
pub(in crate::search) fn prune(worker: &mut Worker<'_>, node: &Node, beta: Score) -> Option<Score> {
    let &Node { ply, depth, eval, .. } = node;
    if !applies(node, beta) || !may_pass(worker, ply) {
        return None;
    }
    stats::count(node, Counter::NullMoves);
    let reduced = depth - reduction(depth, eval - beta);
    worker.make_null_move(ply);
    let score = -worker.search::<false>(ply + 1, reduced, -beta, 1 - beta, false);
    worker.board.unmake_null_move();
    if worker.stopped {
        return Some(DRAW);
    }
    if score < beta {
        return None;
    }
    // A mate after a null move is not proven.
    let score = if is_decisive(score) { beta } else { score };
    if depth < nmp_verify_depth() || worker.null_move_min_ply > 0 {
        return Some(score);
    }
    let (numerator, denominator) = VERIFIED_PART;
    worker.null_move_min_ply = ply + (numerator * reduced.max(0) / denominator) as usize + 1;
    let verified = worker.search::<false>(ply, reduced, beta - 1, beta, false);
    worker.null_move_min_ply = 0;
    if worker.stopped {
        return Some(DRAW);
    }
    (verified >= beta).then_some(score)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::node_state::tests::node;
    use crate::search::score::mated_in;

    #[test]
    fn applies_in_good_cut_node() {
        assert!(applies(&node(8, 109), 50) && !applies(&node(8, 108), 50));
        assert!(applies(&node(40, 70), 50) && !applies(&node(40, 69), 50), "least margin");
        assert!(!applies(&node(2, 200), 50), "too shallow");
        assert!(!applies(&Node { eval: 40, ..node(8, 200) }, 50), "upper bound in the table");
        assert!(!applies(&Node { cut_node: false, ..node(8, 200) }, 50));
        assert!(!applies(&Node { static_eval: None, ..node(8, 200) }, 50), "in check");
        assert!(!applies(&node(8, 200), mated_in(4)));
    }

    #[test]
    fn reduction_grows_with_depth_and_eval() {
        assert!(reduction(12, 0) > reduction(4, 0));
        assert_eq!(reduction(8, 2 * nmp_eval_divisor()) - reduction(8, 0), 2);
        assert_eq!(reduction(8, 10_000) - reduction(8, 0), MAX_EVAL_REDUCTION);
    }
}
