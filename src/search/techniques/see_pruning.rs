//! Pruning by static exchange evaluation (SEE): skips a move whose exchange on the target square loses too much. The limit
//! grows with the depth.
//!
//! Wrong for sacrifices. Static exchange evaluation ignores pins.

use crate::chess::Board;
use crate::search::node_state::{Candidate, Node};
use crate::search::params::parameters;
use crate::search::score::Score;

parameters! {
    /// SEE pruning: maximum loss of a quiet move per ply after reductions, centipawns.
    see_quiet_slope = 50, 10, 10000, 6;
    /// SEE pruning: maximum loss of a capture per ply, centipawns.
    see_noisy_slope = 95, 20, 10000, 8;
    /// SEE pruning: maximum loss of a check per ply, centipawns.
    see_check_slope = 135, 20, 10000, 15;
}

/// Returns the maximum loss of the move, centipawns.
fn max_loss(node: &Node, candidate: &Candidate) -> Score {
    if candidate.gives_check {
        see_check_slope() * node.depth
    } else if candidate.mv.is_quiet() {
        see_quiet_slope() * candidate.lmr_depth
    } else {
        see_noisy_slope() * node.depth
    }
}

/// Returns `true` for a move that loses too much. `board` is the position before it.
pub(in crate::search) fn applies(node: &Node, candidate: &Candidate, board: &Board) -> bool {
    !board.see_at_least(candidate.mv, -max_loss(node, candidate))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::node_state::tests::{candidate, node};

    #[test]
    fn losing_exchange_is_pruned() {
        // Queen moves: to a safe square, to a check that loses her, to a capture of a guarded pawn.
        let board: Board = "4k3/1p6/p7/8/8/8/3Q4/4K3 w - - 0 1".parse().unwrap();
        let skipped = |text, depth| applies(&node(depth, 0), &candidate(&board, text, 5, depth), &board);
        assert!(!skipped("d2b4", 1), "safe square");
        assert!(skipped("d2d8", 1), "check that loses the queen");
        assert!(!skipped("d2d8", 8), "too deep for that loss");
        assert!(!skipped("d2a5", 1));
        let guarded: Board = "4k3/1p6/p7/8/8/8/Q7/4K3 w - - 0 1".parse().unwrap();
        let capture = candidate(&guarded, "a2a6", 5, 1);
        assert!(applies(&node(1, 0), &capture, &guarded));
    }
}
