//! Null move pruning (NMP): who stands well even after passing need not be searched in full. Zugzwang makes that wrong
//! where only pawns are left, so it is not tried there; deep in the tree a search without null moves verifies the cutoff.
//!
//! Worth +9 ± 25 (500 games).

use crate::search::node::Node;
use crate::search::params::parameters;
use crate::search::score::{Score, is_decisive};
use crate::search::worker::Worker;

parameters! {
    /// Null move pruning (NMP): least depth.
    nmp_depth = 3, 1, 100, 1;
    /// NMP: plies less, thousandths: base, and per ply of depth.
    nmp_base = 4050, 2000, 7000, 250;
    /// NMP: see [`nmp_base`].
    nmp_slope = 270, 100, 600, 30;
    /// NMP: one more ply less for every so many centipawns above beta, at most three.
    nmp_eval_divisor = 197, 50, 600, 20;
    /// NMP: from this depth on the cutoff is verified without null moves.
    nmp_verify_depth = 14, 8, 100, 1;
}

/// Plies by which the search after passing is shallower.
fn reduction(depth: i32, above_beta: Score) -> i32 {
    (nmp_base() + nmp_slope() * depth) / 1000 + (above_beta / nmp_eval_divisor()).clamp(0, 3)
}

/// What the node itself must be like.
fn applies(node: &Node, beta: Score) -> bool {
    node.cut_node
        && node.depth >= nmp_depth()
        && node.eval >= beta
        && node.static_eval.is_some_and(|eval| eval + 15 * node.depth - 60 >= beta)
        && !is_decisive(beta)
}

/// What position and path must be like: no pass before, none forbidden by a verification, and no pawn ending.
fn may_pass(worker: &Worker<'_>, ply: usize) -> bool {
    worker.stack.before(ply, 1).mv.is_some()
        && ply >= worker.null_move_min_ply
        && worker.board.has_non_pawn_material(worker.board.side_to_move())
}

/// A score at or above beta, where passing keeps it there.
pub(in crate::search) fn prune(worker: &mut Worker<'_>, node: &Node, beta: Score) -> Option<Score> {
    let &Node { ply, depth, eval, .. } = node;
    if !applies(node, beta) || !may_pass(worker, ply) {
        return None;
    }
    let reduced = depth - reduction(depth, eval - beta);
    worker.make_null_move(ply);
    let score = -worker.search::<false>(ply + 1, reduced, -beta, 1 - beta, false);
    worker.board.unmake_null_move();
    if worker.stopped || score < beta {
        return None;
    }
    // A mate after passing is not one.
    let score = if is_decisive(score) { beta } else { score };
    if depth < nmp_verify_depth() || worker.null_move_min_ply > 0 {
        return Some(score);
    }
    worker.null_move_min_ply = ply + (3 * reduced.max(0) / 4) as usize + 1;
    let verified = worker.search::<false>(ply, reduced, beta - 1, beta, true);
    worker.null_move_min_ply = 0;
    (verified >= beta && !worker.stopped).then_some(score)
}

#[cfg(test)]
mod tests {
    use super::super::test_nodes::node;
    use super::*;
    use crate::search::score::mated_in;

    #[test]
    fn it_takes_a_cut_node_that_stands_well() {
        assert!(applies(&node(8, 60), 50));
        assert!(!applies(&node(2, 60), 50), "too shallow");
        assert!(!applies(&node(8, 40), 50));
        assert!(!applies(&Node { cut_node: false, ..node(8, 60) }, 50));
        assert!(!applies(&Node { static_eval: None, ..node(8, 60) }, 50), "in check");
        assert!(!applies(&node(8, 60), mated_in(4)));
    }

    #[test]
    fn it_reduces_more_the_deeper_and_the_better() {
        assert!(reduction(12, 0) > reduction(4, 0));
        assert_eq!(reduction(8, 2 * nmp_eval_divisor()) - reduction(8, 0), 2);
        assert_eq!(reduction(8, 10_000) - reduction(8, 0), 3);
    }
}
