//! Futility pruning: skips a quiet move, and the quiet moves after it, if the static evaluation is far below alpha. A
//! capture that loses material is skipped alone, by a margin of its own.
//!
//! Wrong for checks, whose consequences the evaluation does not show, and in check.

use crate::search::node_state::{Candidate, Node};
use crate::search::params::parameters;
use crate::search::score::Score;

parameters! {
    /// Futility pruning: maximum depth after reductions, plies.
    futility_depth = 8, -1, 20, 1;
    /// Futility pruning: margin below alpha at depth 0, centipawns.
    futility_base = 121, 0, 500, 20;
    /// Futility pruning: margin per ply, centipawns.
    futility_slope = 91, 20, 250, 10;
    /// Futility pruning of losing captures: maximum depth after reductions, plies.
    bad_noisy_depth = 8, -1, 20, 1;
    /// Futility pruning of losing captures: margin below alpha at depth 0, centipawns.
    bad_noisy_base = 15, -100, 300, 15;
    /// Futility pruning of losing captures: margin per ply, centipawns.
    bad_noisy_slope = 40, 10, 200, 8;
    /// Futility pruning of losing captures: capture history that widens the margin by a centipawn.
    bad_noisy_history = 20, 5, 10000, 4;
}

/// Returns `true` if the static evaluation is below alpha by the margin and the depth is at most `max_depth`.
fn is_below(node: &Node, lmr_depth: i32, max_depth: i32, margin: Score, alpha: Score) -> bool {
    lmr_depth <= max_depth && node.static_eval.is_some_and(|eval| eval + margin <= alpha)
}

/// Returns `true` if all quiet moves of this depth that give no check are futile.
pub(in crate::search) fn applies_to_quiets(node: &Node, lmr_depth: i32, alpha: Score) -> bool {
    is_below(node, lmr_depth, futility_depth(), futility_base() + futility_slope() * lmr_depth, alpha)
}

/// Returns `true` for a futile move.
pub(in crate::search) fn applies(node: &Node, candidate: &Candidate, alpha: Score) -> bool {
    let &Candidate { mv, gives_check, lmr_depth, history, is_losing_noisy, .. } = candidate;
    if gives_check {
        return false;
    }
    if mv.is_quiet() {
        return applies_to_quiets(node, lmr_depth, alpha);
    }
    let margin = bad_noisy_base() + bad_noisy_slope() * lmr_depth + history / bad_noisy_history();
    is_losing_noisy && is_below(node, lmr_depth, bad_noisy_depth(), margin, alpha)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Board;
    use crate::search::node_state::tests::{candidate, node};

    #[test]
    fn futile_moves_are_skipped() {
        let board: Board = "4k3/8/8/3p4/4P3/8/8/R3K3 w - - 0 1".parse().unwrap();
        let skipped = |text, eval, alpha| applies(&node(4, eval), &candidate(&board, text, 5, 2), alpha);
        assert!(skipped("e1d2", 0, 600));
        assert!(!skipped("e1d2", 0, 200));
        assert!(!skipped("a1a8", 0, 600), "check");
        assert!(!skipped("e4d5", 0, 600), "capture");
        let losing = |history, alpha| {
            let capture = Candidate { is_losing_noisy: true, history, ..candidate(&board, "e4d5", 5, 2) };
            applies(&node(4, 0), &capture, alpha)
        };
        assert!(losing(0, 600), "losing capture");
        assert!(!losing(0, 50));
        assert!(!losing(16_000, 600), "good history");
        let in_check = Node { static_eval: None, ..node(4, 0) };
        assert!(!applies(&in_check, &candidate(&board, "e1d2", 5, 2), 600));
    }
}
