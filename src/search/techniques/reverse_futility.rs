//! Reverse futility pruning (RFP, also static null move pruning): cuts a node whose evaluation is so far above beta that
//! no single move of the opponent is likely to bring it below.
//!
//! Wrong where the evaluation is unreliable: not applied in check, near mates, on a former principal variation, or if the
//! TT has a quiet move, which may be needed against a threat. The margin is smaller if the evaluation is improving, and
//! wider after a large correction.

use crate::chess::Move;
use crate::search::node_state::Node;
use crate::search::params::parameters;
use crate::search::score::{Score, is_decisive};

parameters! {
    /// Reverse futility pruning (RFP): maximum depth, plies.
    rfp_depth = 12, -1, 20, 1;
    /// RFP: margin above beta per ply, centipawns.
    rfp_slope = 34, 0, 200, 6;
    /// RFP: margin above beta per squared ply of depth, sixteenths of a centipawn.
    rfp_square = 16, 0, 100, 4;
    /// RFP: margin less if the evaluation is improving, centipawns.
    rfp_improving = 55, 0, 200, 10;
    /// RFP: margin more per hundred centipawns of correction, centipawns.
    rfp_complexity = 50, 0, 300, 20;
}

/// Correction of the evaluation to which [`rfp_complexity`] refers, centipawns.
const COMPLEXITY_UNIT: Score = 100;
/// Unit of [`rfp_square`], per centipawn.
const SQUARE_UNIT: Score = 16;
/// Part of the distance from beta to the evaluation that the score keeps: the evaluation is only an estimate.
const KEPT_PART: Score = 3;

/// Returns a score between beta and the evaluation if the node is cut.
pub(in crate::search) fn prune(node: &Node, beta: Score) -> Option<Score> {
    let improving = if node.improving { rfp_improving() } else { 0 };
    let by_depth = rfp_slope() * node.depth + rfp_square() * node.depth * node.depth / SQUARE_UNIT;
    let by_correction = node.complexity * rfp_complexity() / COMPLEXITY_UNIT;
    let margin = (by_depth - improving + by_correction).max(0);
    let applies = node.static_eval.is_some()
        && !node.tt_pv
        && !node.tt_move.is_some_and(Move::is_quiet)
        && node.depth <= rfp_depth()
        && node.eval >= beta + margin
        && !is_decisive(node.eval)
        && !is_decisive(beta);
    applies.then(|| beta + (node.eval - beta) / KEPT_PART)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::node_state::tests::node;
    use crate::search::score::{mate_in, mated_in};

    #[test]
    fn prunes_far_above_beta() {
        assert_eq!(prune(&node(2, 390), 0), Some(130));
        assert_eq!(prune(&node(9, 350), 0), None, "too deep for that margin");
        assert_eq!(prune(&node(rfp_depth() + 1, 5_000), 0), None, "too deep");
        assert!(prune(&node(2, 72), 0).is_some() && prune(&node(2, 71), 0).is_none());
        assert!(prune(&Node { improving: true, ..node(2, 17) }, 0).is_some());
        assert!(prune(&Node { improving: true, ..node(1, -1) }, 0).is_none(), "below beta");
        assert!(prune(&Node { complexity: 100, ..node(2, 100) }, 0).is_none(), "large correction");
        assert!(prune(&Node { tt_move: Move::from_code(77), ..node(2, 400) }, 0).is_none(), "quiet tt move");
        assert!(prune(&Node { tt_pv: true, ..node(2, 400) }, 0).is_none(), "former principal variation");
        assert_eq!(prune(&Node { static_eval: None, ..node(2, 400) }, 0), None, "in check");
        assert_eq!(prune(&node(1, 400), mated_in(5)), None, "beta is a mate");
        assert_eq!(prune(&node(1, mate_in(9)), 0), None, "the evaluation is a mate");
    }
}
