//! Hindsight depth adjustment: corrects the reduction of the move that led here, which was chosen before its position was
//! evaluated. The sum of both sides' evaluations, each from its own view, is the loss of that move: if it lost nothing,
//! the node is searched a ply deeper; if it lost much, a ply shallower, unless it was once on the principal variation.
//!
//! Wrong where the two evaluations differ by error alone. Not applied again in a singular search, which starts from the
//! adjusted depth.

use crate::search::node_state::Node;
use crate::search::params::parameters;
use crate::search::stack::Stack;

parameters! {
    /// Hindsight: minimum reduction of the parent's move for a deeper search, plies.
    hindsight_deeper = 2, 1, 100, 1;
    /// Hindsight: minimum sum of both evaluations for a shallower search, centipawns.
    hindsight_shallower = 60, 0, 10000, 15;
}

/// Minimum reduction of the parent's move for a shallower search, plies.
const MIN_SHALLOWER_REDUCTION: i32 = 1;
/// Minimum depth of a node that can be searched shallower, plies.
const MIN_SHALLOWER_DEPTH: i32 = 2;

/// Returns the change of the node's depth, plies.
pub(in crate::search) fn adjustment(node: &Node, stack: &Stack) -> i32 {
    if node.ply == 0 || node.is_singular_search {
        return 0;
    }
    let parent = stack.before(node.ply, 1);
    let Some((ours, theirs)) = node.static_eval.zip(parent.eval) else { return 0 };
    let sum = ours + theirs;
    if parent.reduction >= hindsight_deeper() && sum < 0 {
        1
    } else if parent.reduction >= MIN_SHALLOWER_REDUCTION
        && !node.tt_pv
        && node.depth >= MIN_SHALLOWER_DEPTH
        && sum > hindsight_shallower()
    {
        -1
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::node_state::tests::node;

    #[test]
    fn reduced_move_adjusts_depth() {
        let mut stack = Stack::new();
        let mut with = |parent_eval, reduction, node: Node| {
            stack[2].eval = parent_eval;
            stack[2].reduction = reduction;
            adjustment(&node, &stack)
        };
        assert_eq!(with(Some(-40), 2, node(5, 30)), 1);
        assert_eq!(with(Some(-40), 1, node(5, 30)), 0, "small reduction");
        assert_eq!(with(Some(-30), 2, node(5, 30)), 0, "the move lost nothing and gained nothing");
        assert_eq!(with(Some(40), 2, node(5, 30)), -1);
        assert_eq!(with(Some(40), 0, node(5, 30)), 0, "no reduction");
        assert_eq!(with(Some(40), 2, node(1, 30)), 0, "near the horizon");
        assert_eq!(with(Some(40), 2, Node { tt_pv: true, ..node(5, 30) }), 0, "former principal variation");
        assert_eq!(with(None, 4, node(5, 0)), 0, "parent in check");
        assert_eq!(with(Some(-40), 4, Node { static_eval: None, ..node(5, 0) }), 0, "in check");
        for eval in [-100, 200] {
            let singular = Node { is_singular_search: true, ..node(5, eval) };
            assert_eq!(with(Some(0), 4, singular), 0, "singular search");
        }
    }
}
