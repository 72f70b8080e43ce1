//! Internal iterative reduction (IIR): searches a node without a tt move a ply shallower. Its move ordering is poor, and
//! the shallower search finds a tt move for the next visit.
//!
//! Only where good ordering matters: on the principal variation and in cut nodes. It comes before the pruning of the
//! node, which uses the reduced depth. A singular search has no tt move on purpose and is not reduced.

use crate::search::node_state::Node;
use crate::search::params::parameters;

parameters! {
    /// Internal iterative reduction (IIR): minimum depth, plies.
    iir_depth = 4, 2, 100, 1;
}

/// Returns the reduction of the node's depth, plies.
pub(in crate::search) fn reduction(node: &Node) -> i32 {
    let applies = (node.is_pv || node.cut_node)
        && node.depth >= iir_depth()
        && node.tt_move.is_none()
        && !node.is_singular_search;
    i32::from(applies)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Move;
    use crate::search::node_state::tests::node;

    #[test]
    fn reduces_without_tt_move() {
        assert_eq!(reduction(&node(6, 0)), 1);
        assert_eq!(reduction(&node(3, 0)), 0);
        assert_eq!(reduction(&Node { tt_move: Move::from_code(77), ..node(6, 0) }), 0);
        assert_eq!(reduction(&Node { cut_node: false, ..node(6, 0) }), 0);
        assert_eq!(reduction(&Node { is_singular_search: true, ..node(6, 0) }), 0);
        assert_eq!(reduction(&Node { cut_node: false, is_pv: true, ..node(6, 0) }), 1);
    }
}
