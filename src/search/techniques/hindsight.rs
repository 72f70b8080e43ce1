//! Hindsight depth adjustment: corrects the reduction of the move that led here, which was chosen before its position was
//! evaluated. The sum of both sides' evaluations, each from its own view, is the loss of that move: if it lost nothing,
//! the node is searched a ply deeper; if it lost much, a ply shallower.
//!
//! Wrong where the two evaluations differ by error alone.

use crate::search::node_state::Node;
use crate::search::params::parameters;
use crate::search::stack::Stack;

parameters! {
    /// Hindsight: minimum reduction of the parent's move for a deeper search, plies.
    hindsight_deeper = 3, 1, 100, 1;
    /// Hindsight: minimum sum of both evaluations for a shallower search, centipawns.
    hindsight_shallower = 130, 20, 10000, 20;
}

/// Minimum reduction of the parent's move for a shallower search, plies.
const MIN_SHALLOWER_REDUCTION: i32 = 2;
/// Minimum depth of a node that can be searched shallower, plies.
const MIN_SHALLOWER_DEPTH: i32 = 2;

/// Returns the change of the node's depth, plies.
pub(in crate::search) fn adjustment(node: &Node, stack: &Stack) -> i32 {
    if node.ply == 0 {
        return 0;
    }
    let parent = stack.before(node.ply, 1);
    let Some((ours, theirs)) = node.static_eval.zip(parent.eval) else { return 0 };
    let sum = ours + theirs;
    if parent.reduction >= hindsight_deeper() && sum <= 0 {
        1
    } else if parent.reduction >= MIN_SHALLOWER_REDUCTION
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
        let mut with = |parent_eval, reduction, eval| {
            stack[2].eval = parent_eval;
            stack[2].reduction = reduction;
            adjustment(&node(5, eval), &stack)
        };
        assert_eq!(with(Some(-40), 3, 30), 1);
        assert_eq!(with(Some(-40), 1, 30), 0, "small reduction");
        assert_eq!(with(Some(40), 3, 30), 0, "the move lost something");
        assert_eq!(with(Some(100), 2, 100), -1);
        assert_eq!(with(None, 4, 0), 0, "parent in check");
        stack[2].eval = Some(-40);
        let in_check = Node { static_eval: None, ..node(5, 0) };
        assert_eq!(adjustment(&in_check, &stack), 0);
    }
}
