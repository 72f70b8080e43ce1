//! Futility pruning: skips a quiet move, and the quiet moves after it, if the static eval is far below alpha. Later quiets
//! have worse histories, so they would be skipped as well. A losing capture is skipped alone, by a margin of its own.
//!
//! Wrong for checks, whose consequences the evaluation does not show, and in check.

use crate::search::node_state::{Candidate, Node};
use crate::search::params::parameters;
use crate::search::score::Score;

parameters! {
    /// Futility pruning: maximum depth after reductions, plies.
    futility_depth = 10, -1, 20, 1;
    /// Futility pruning: margin below alpha at depth 0, centipawns.
    futility_base = 60, 0, 500, 20;
    /// Futility pruning: margin per ply, centipawns.
    futility_slope = 50, 20, 250, 10;
    /// Futility pruning: quiet history that widens the margin by a centipawn.
    futility_history = 180, 20, 10000, 30;
    /// Futility pruning of losing captures: maximum depth after reductions, plies.
    bad_noisy_depth = 8, -1, 20, 1;
    /// Futility pruning of losing captures: margin below alpha at depth 0, centipawns.
    bad_noisy_base = 15, -100, 300, 15;
    /// Futility pruning of losing captures: margin per ply, centipawns.
    bad_noisy_slope = 40, 10, 200, 8;
    /// Futility pruning of losing captures: capture history that widens the margin by a centipawn.
    bad_noisy_history = 20, 5, 10000, 4;
}

/// Returns the score that a futile move can hope for, at most alpha; `None` for a move that has to be searched.
pub(in crate::search) fn prune(node: &Node, candidate: &Candidate, alpha: Score) -> Option<Score> {
    let &Candidate { mv, gives_check, lmr_depth, history, is_losing_noisy, .. } = candidate;
    let (margin, max_depth) = if mv.is_quiet() {
        (futility_base() + futility_slope() * lmr_depth + history / futility_history(), futility_depth())
    } else if is_losing_noisy {
        let margin = bad_noisy_base() + bad_noisy_slope() * lmr_depth + history / bad_noisy_history();
        (margin, bad_noisy_depth())
    } else {
        return None;
    };
    let hope = node.static_eval? + margin;
    (!gives_check && lmr_depth <= max_depth && hope <= alpha).then_some(hope)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Board;
    use crate::search::node_state::tests::{candidate, node};

    #[test]
    fn futile_moves_are_skipped() {
        let board: Board = "4k3/8/8/3p4/4P3/8/8/R3K3 w - - 0 1".parse().unwrap();
        let skipped = |text, history, alpha| {
            prune(&node(4, 0), &Candidate { history, ..candidate(&board, text, 5, 2) }, alpha)
        };
        assert_eq!(skipped("e1d2", 0, 600), Some(160));
        assert_eq!(skipped("e1d2", 0, 159), None);
        assert_eq!(skipped("e1d2", 18_000, 600), Some(260), "good history");
        assert_eq!(skipped("e1d2", 18_000, 200), None, "good history");
        assert_eq!(skipped("a1a8", 0, 600), None, "check");
        assert_eq!(skipped("e4d5", 0, 600), None, "capture");
        let deep = candidate(&board, "e1d2", 5, futility_depth() + 1);
        assert_eq!(prune(&node(12, 0), &deep, 5_000), None, "too deep");
        let losing = |history, alpha| {
            let capture = Candidate { is_losing_noisy: true, history, ..candidate(&board, "e4d5", 5, 2) };
            prune(&node(4, 0), &capture, alpha)
        };
        assert!(losing(0, 600).is_some(), "losing capture");
        assert_eq!(losing(0, 50), None);
        assert_eq!(losing(16_000, 600), None, "good history");
        let in_check = Node { static_eval: None, ..node(4, 0) };
        assert_eq!(prune(&in_check, &candidate(&board, "e1d2", 5, 2), 600), None);
    }
}
