//! Hindsight: the move that led here was reduced before its position was known. Where the evaluations of both sides say
//! that it was not as bad as thought, the node is searched a ply deeper; where it stands well for both, as seen by each,
//! a ply shallower.
//!
//! Worth, with razoring and internal iterative reduction together, +10 ± 28 (400 games at 0.5+0.005).

use crate::search::node::Node;
use crate::search::params::parameters;
use crate::search::stack::Stack;

parameters! {
    /// Hindsight: least reduction of the move before for a position that turned out bad to be searched deeper.
    hindsight_deeper = 3, 1, 100, 1;
    /// Hindsight: by how much both sides' evaluations must sum up for the search to be shallower, centipawns.
    hindsight_shallower = 130, 20, 10000, 20;
}

/// Plies by which the node deserves to be searched deeper than it was called for.
pub(in crate::search) fn adjustment(node: &Node, stack: &Stack) -> i32 {
    if node.ply == 0 {
        return 0;
    }
    let parent = stack.before(node.ply, 1);
    let Some((ours, theirs)) = node.static_eval.zip(parent.eval) else { return 0 };
    let sum = ours + theirs;
    if parent.reduction >= hindsight_deeper() && sum <= 0 {
        1
    } else if parent.reduction >= 2 && node.depth >= 2 && sum > hindsight_shallower() {
        -1
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_nodes::node;
    use super::*;

    #[test]
    fn a_reduced_move_is_judged_by_both_evaluations() {
        let mut stack = Stack::new();
        let mut with = |parent_eval, reduction, eval| {
            stack[2].eval = parent_eval;
            stack[2].reduction = reduction;
            adjustment(&node(5, eval), &stack)
        };
        assert_eq!(with(Some(-40), 3, 30), 1);
        assert_eq!(with(Some(-40), 1, 30), 0, "not reduced by much");
        assert_eq!(with(Some(40), 3, 30), 0, "it did not turn out bad for the mover");
        assert_eq!(with(Some(100), 2, 100), -1);
        assert_eq!(with(None, 4, 0), 0, "the parent was in check");
        stack[2].eval = Some(-40);
        let in_check = Node { static_eval: None, ..node(5, 0) };
        assert_eq!(adjustment(&in_check, &stack), 0);
    }
}
