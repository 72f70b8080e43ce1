//! Late move pruning (LMP, also move count pruning): skips the remaining quiet moves after a number of moves. With good
//! ordering a late one is unlikely to be better.
//!
//! Wrong where the ordering is poor. Checks are kept, because their history does not show their strength.

use crate::search::node_state::{Candidate, Node};
use crate::search::params::parameters;

parameters! {
    /// Late move pruning (LMP): moves before pruning at depth 0, hundredths.
    lmp_base = 410, 50, 2000, 40;
    /// LMP: moves before pruning per squared ply of depth, hundredths.
    lmp_slope = 145, 30, 300, 10;
    /// LMP: maximum depth, plies.
    lmp_depth = 9, -1, 20, 1;
}

/// Unit of [`lmp_base`] and [`lmp_slope`], per move.
const MOVE: i32 = 100;
/// Divisor of the number of moves if the evaluation is not improving.
const NOT_IMPROVING_DIVISOR: i32 = 2;

/// Returns the number of moves before pruning.
fn limit(depth: i32, improving: bool) -> usize {
    let moves = (lmp_base() + lmp_slope() * depth * depth) / MOVE;
    (if improving { moves } else { moves / NOT_IMPROVING_DIVISOR }) as usize
}

/// Returns `true` if a quiet move with number `move_count` comes too late.
pub(in crate::search) fn applies_to_quiets(node: &Node, move_count: usize) -> bool {
    node.depth <= lmp_depth() && move_count > limit(node.depth, node.improving)
}

/// Returns `true` for a quiet move that comes too late.
pub(in crate::search) fn applies(node: &Node, candidate: &Candidate) -> bool {
    candidate.mv.is_quiet() && applies_to_quiets(node, candidate.move_count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Board;
    use crate::search::node_state::tests::{candidate, node};

    #[test]
    fn late_quiet_moves_are_pruned() {
        let board: Board = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1".parse().unwrap();
        let skipped = |text, count, depth| applies(&node(depth, 0), &candidate(&board, text, count, 1));
        assert!(skipped("e1d1", 30, 3));
        assert!(!skipped("e1d1", 3, 3));
        assert!(!skipped("e1d1", 30, 15), "too deep");
        assert!(!skipped("e4d5", 30, 3), "capture");
        assert!(limit(4, true) > limit(4, false) && limit(5, false) > limit(4, false));
    }
}
