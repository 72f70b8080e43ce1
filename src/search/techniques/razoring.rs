//! Razoring: replaces the search by quiescence search if the evaluation is far below alpha, where only a capture could
//! help.
//!
//! Wrong where a quiet move wins. The margin grows with the square of the depth, so it applies near the horizon only.

use crate::search::node_state::Node;
use crate::search::params::parameters;
use crate::search::score::{Score, is_decisive};
use crate::search::worker::Worker;

parameters! {
    /// Razoring: margin below alpha at depth 0, centipawns.
    razor_base = 215, 50, 10000, 30;
    /// Razoring: margin per squared ply of depth, centipawns.
    razor_slope = 165, 50, 600, 30;
}

/// Returns `true` for a node with a hopeless evaluation.
fn applies(node: &Node, alpha: Score) -> bool {
    let margin = razor_base() + razor_slope() * node.depth * node.depth;
    node.static_eval.is_some() && node.eval < alpha - margin && !is_decisive(alpha)
}

/// Returns the score of quiescence search if the node is razored.
pub(in crate::search) fn prune(
    worker: &mut Worker<'_>,
    node: &Node,
    alpha: Score,
    beta: Score,
) -> Option<Score> {
    applies(node, alpha).then(|| worker.qsearch::<false>(node.ply, alpha, beta))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::node_state::tests::node;
    use crate::search::score::{mate_in, mated_in};

    #[test]
    fn applies_far_below_alpha() {
        assert!(applies(&node(1, -1000), 0));
        assert!(!applies(&node(1, -300), 0));
        assert!(!applies(&node(4, -1000), 0), "too deep for that margin");
        assert!(!applies(&Node { static_eval: None, ..node(1, -1000) }, 0), "in check");
        assert!(!applies(&node(1, -1000), mate_in(3)) && !applies(&node(1, -32_500), mated_in(3)));
    }
}
