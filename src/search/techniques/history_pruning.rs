//! History pruning: skips a quiet move with a bad history near the horizon. Checks are kept, as in futility pruning.
//!
//! Wrong where a move that usually fails is strong; not applied in check, where every quiet evasion has a poor history.

use crate::search::node_state::{Candidate, Node};
use crate::search::params::parameters;

parameters! {
    /// History pruning: maximum depth after reductions, plies.
    history_prune_depth = 5, -1, 20, 1;
    /// History pruning: lowest history kept, negated, per ply of the node's depth.
    history_prune_slope = 4200, 500, 15000, 400;
}

/// Returns `true` for a move whose history is too bad.
pub(in crate::search) fn applies(node: &Node, candidate: &Candidate) -> bool {
    let &Candidate { mv, gives_check, lmr_depth, history, .. } = candidate;
    mv.is_quiet()
        && !gives_check
        && node.static_eval.is_some()
        && lmr_depth <= history_prune_depth()
        && history < -history_prune_slope() * node.depth
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Board;
    use crate::search::node_state::tests::{candidate, node};

    #[test]
    fn bad_quiet_history_is_pruned() {
        let board: Board = "4k3/8/8/3p4/4P3/8/8/R3K3 w - - 0 1".parse().unwrap();
        let skipped = |text, history, lmr_depth| {
            applies(&node(4, 0), &Candidate { history, ..candidate(&board, text, 5, lmr_depth) })
        };
        assert!(skipped("e1d2", -20_000, 2));
        assert!(!skipped("e1d2", -16_000, 2), "not bad enough at depth 4");
        assert!(!skipped("e1d2", -30_000, 6));
        assert!(!skipped("a1a8", -20_000, 2), "check");
        assert!(!skipped("e4d5", -20_000, 2), "capture");
        let in_check = Node { static_eval: None, ..node(4, 0) };
        let evasion = Candidate { history: -20_000, ..candidate(&board, "e1d2", 5, 2) };
        assert!(!applies(&in_check, &evasion), "in check");
    }
}
