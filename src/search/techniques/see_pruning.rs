//! Pruning by static exchange evaluation (SEE): skips a move whose exchange on the target square loses too much. The limit
//! grows with the depth, and for captures and checks with their history.
//!
//! Wrong for sacrifices. Static exchange evaluation ignores pins.

use crate::chess::Board;
use crate::search::node_state::{Candidate, Node};
use crate::search::params::parameters;
use crate::search::score::Score;

parameters! {
    /// SEE pruning: maximum loss of a quiet move per ply after reductions, centipawns.
    see_quiet_slope = 10, 0, 10000, 4;
    /// SEE pruning: maximum loss of a quiet move per squared ply after reductions, centipawns.
    see_quiet_square = 12, 0, 10000, 2;
    /// SEE pruning: maximum loss of a capture or check per ply, centipawns.
    see_noisy_slope = 85, 20, 10000, 8;
    /// SEE pruning: history of a capture or check that adds a centipawn to its maximum loss.
    see_history = 64, 10, 10000, 10;
    /// SEE pruning: limit of that addition per ply, centipawns.
    see_history_limit = 60, 0, 200, 8;
}

/// Returns the maximum loss of the move, centipawns.
fn max_loss(node: &Node, candidate: &Candidate) -> Score {
    let &Candidate { mv, gives_check, lmr_depth, history, .. } = candidate;
    if mv.is_quiet() && !gives_check {
        return (see_quiet_slope() + see_quiet_square() * lmr_depth) * lmr_depth;
    }
    let limit = see_history_limit() * node.depth;
    see_noisy_slope() * node.depth + (history / see_history()).clamp(-limit, limit)
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
        assert!(!skipped("d2d8", 12), "too deep for that loss");
        let losing_check = candidate(&board, "d2d8", 5, 8);
        let with_history = |history| max_loss(&node(8, 0), &Candidate { history, ..losing_check });
        assert_eq!([0, 6_400, 64_000, -64_000].map(with_history), [680, 780, 1160, 200]);
        assert!(!skipped("d2a5", 1));
        let guarded: Board = "4k3/1p6/p7/8/8/8/Q7/4K3 w - - 0 1".parse().unwrap();
        let capture = candidate(&guarded, "a2a6", 5, 1);
        assert!(applies(&node(1, 0), &capture, &guarded));
    }
}
