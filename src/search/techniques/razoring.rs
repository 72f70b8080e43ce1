//! Razoring: so far below alpha only a capture could help, and quiescence tells whether one does. Wrong where a quiet
//! move wins; the margin grows with the square of the depth, so that this is believed near the horizon only.
//!
//! Worth, with internal iterative reduction and hindsight together, +10 ± 28 (400 games at 0.5+0.005).

use crate::search::node::Node;
use crate::search::params::parameters;
use crate::search::score::{Score, is_decisive};
use crate::search::worker::Worker;

parameters! {
    /// Razoring: margin below alpha, centipawns, and what depth squared adds.
    razor_base = 215, 50, 10000, 30;
    /// Razoring: see [`razor_base`].
    razor_slope = 165, 50, 600, 30;
}

fn applies(node: &Node, alpha: Score) -> bool {
    let margin = razor_base() + razor_slope() * node.depth * node.depth;
    node.static_eval.is_some() && node.eval < alpha - margin && !is_decisive(alpha)
}

/// The score of quiescence, where the node is razored.
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
    use super::super::test_nodes::node;
    use super::*;
    use crate::search::score::{mate_in, mated_in};

    #[test]
    fn it_takes_a_hopeless_evaluation() {
        assert!(applies(&node(1, -1000), 0));
        assert!(!applies(&node(1, -300), 0));
        assert!(!applies(&node(4, -1000), 0), "too deep for that margin");
        assert!(!applies(&Node { static_eval: None, ..node(1, -1000) }, 0), "in check");
        assert!(!applies(&node(1, -1000), mate_in(3)) && !applies(&node(1, -32_500), mated_in(3)));
    }
}
