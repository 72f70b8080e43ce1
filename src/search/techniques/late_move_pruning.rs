//! Late move pruning (LMP, also move count pruning): skips the remaining quiet moves after a number of moves. With good
//! ordering a late one is unlikely to be better.
//!
//! Wrong where the ordering is poor, as in check. Near the horizon it also waits while every move so far loses against the
//! static eval: the opponent threatens something, and the answer may be a quiet move without a history. Checks are kept,
//! because their history does not show how strong they are.

use crate::search::node_state::{Candidate, Node};
use crate::search::params::parameters;
use crate::search::score::Score;

parameters! {
    /// Late move pruning (LMP): moves before pruning at depth 0, hundredths.
    lmp_base = 300, 50, 2000, 40;
    /// LMP: moves before pruning per squared ply of depth, hundredths.
    lmp_slope = 100, 30, 300, 10;
    /// LMP: maximum depth at which pruning waits for a move that loses little, plies.
    lmp_wait_depth = 5, -1, 20, 1;
    /// LMP: maximum loss of the best move so far against the static evaluation, centipawns.
    lmp_max_loss = 50, -100, 10000, 25;
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

/// Returns `true` if a quiet move with number `move_count` comes too late; `best` is the best score so far.
pub(in crate::search) fn applies_to_quiets(node: &Node, move_count: usize, best: Score) -> bool {
    let Some(eval) = node.static_eval else { return false };
    let is_threatened = node.depth <= lmp_wait_depth() && best < eval - lmp_max_loss();
    move_count > limit(node.depth, node.improving) && !is_threatened
}

/// Returns `true` for a quiet move that comes too late.
pub(in crate::search) fn applies(node: &Node, candidate: &Candidate, best: Score) -> bool {
    candidate.mv.is_quiet() && applies_to_quiets(node, candidate.move_count, best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Board;
    use crate::search::node_state::tests::{candidate, node};

    #[test]
    fn late_quiet_moves_are_pruned() {
        let board: Board = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1".parse().unwrap();
        let skipped = |text, count, depth| applies(&node(depth, 0), &candidate(&board, text, count, 1), 0);
        assert!(skipped("e1d1", 30, 3));
        assert!(!skipped("e1d1", 3, 3));
        assert!(!skipped("e1d1", 30, 15) && skipped("e1d1", 120, 15), "more moves at greater depth");
        assert!(!skipped("e4d5", 30, 3), "capture");
        let after = |depth, best| applies(&node(depth, 0), &candidate(&board, "e1d1", 60, 1), best);
        assert!(after(3, -20) && !after(3, -300), "every move so far loses");
        assert!(after(6, -300), "too deep to wait");
        let in_check = Node { static_eval: None, ..node(3, 0) };
        assert!(!applies(&in_check, &candidate(&board, "e1d1", 30, 1), 0), "in check");
        assert!(limit(4, true) > limit(4, false) && limit(5, false) > limit(4, false));
    }
}
