//! Reverse futility pruning (RFP, also static null move pruning): cuts a node whose evaluation is so far above beta that
//! no single move of the opponent is likely to bring it below.
//!
//! Wrong where the evaluation is unreliable: not applied in check, near mates and on a former principal variation. The
//! margin is smaller if the evaluation is improving, and wider after a large correction of it.

use crate::search::node_state::Node;
use crate::search::params::parameters;
use crate::search::score::{Score, is_decisive};

parameters! {
    /// Reverse futility pruning (RFP): maximum depth, plies.
    rfp_depth = 10, -1, 20, 1;
    /// RFP: margin above beta per ply, centipawns.
    rfp_slope = 64, 20, 200, 8;
    /// RFP: margin less if the evaluation is improving, centipawns.
    rfp_improving = 78, 0, 200, 10;
    /// RFP: margin more per hundred centipawns of correction, centipawns.
    rfp_complexity = 60, 0, 300, 20;
}

/// Correction of the evaluation to which [`rfp_complexity`] refers, centipawns.
const COMPLEXITY_UNIT: Score = 100;

/// Returns the midpoint of beta and the evaluation if the node is cut.
pub(in crate::search) fn prune(node: &Node, beta: Score) -> Option<Score> {
    let improving = if node.improving { rfp_improving() } else { 0 };
    let margin = rfp_slope() * node.depth - improving + node.complexity * rfp_complexity() / COMPLEXITY_UNIT;
    let applies = node.static_eval.is_some()
        && !node.tt_pv
        && node.depth <= rfp_depth()
        && node.eval >= beta + margin
        && !is_decisive(node.eval)
        && !is_decisive(beta);
    applies.then(|| beta.midpoint(node.eval))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::node_state::tests::node;
    use crate::search::score::{mate_in, mated_in};

    #[test]
    fn prunes_far_above_beta() {
        assert_eq!(prune(&node(2, 400), 0), Some(200));
        assert_eq!(prune(&node(8, 400), 0), None, "too deep for that margin");
        assert!(prune(&Node { improving: true, ..node(2, 100) }, 0).is_some());
        assert!(prune(&node(2, 100), 0).is_none());
        assert!(prune(&node(2, 180), 0).is_some());
        assert!(prune(&Node { complexity: 100, ..node(2, 180) }, 0).is_none(), "large correction");
        assert!(prune(&Node { tt_pv: true, ..node(2, 400) }, 0).is_none(), "former principal variation");
        assert_eq!(prune(&Node { static_eval: None, ..node(2, 400) }, 0), None, "in check");
        assert_eq!(prune(&node(1, 400), mated_in(5)), None, "beta is a mate");
        assert_eq!(prune(&node(1, mate_in(9)), 0), None, "the evaluation is a mate");
    }
}
