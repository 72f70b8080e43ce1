//! History pruning: quiet moves that never did well are left out near the horizon. Checks are kept, as in futility
//! pruning.
//!
//! Worth +28 ± 39 (200 games).

use crate::search::node::{Candidate, Node, Pruning};
use crate::search::params::parameters;

parameters! {
    /// History pruning: greatest depth, after reductions.
    history_prune_depth = 4, -1, 20, 1;
    /// History pruning: limit per ply.
    history_prune_slope = 4482, 500, 15000, 400;
}

/// Whether this move's history is too bad.
pub(in crate::search) fn verdict(_: &Node, candidate: &Candidate) -> Pruning {
    let &Candidate { mv, gives_check, lmr_depth, history, .. } = candidate;
    let is_bad = mv.is_quiet()
        && !gives_check
        && lmr_depth <= history_prune_depth()
        && history < -history_prune_slope() * lmr_depth;
    if is_bad { Pruning::Skip } else { Pruning::Search }
}

#[cfg(test)]
mod tests {
    use super::super::test_nodes::{candidate, node};
    use super::*;
    use crate::chess::Board;

    #[test]
    fn quiet_moves_of_bad_repute_go() {
        let board: Board = "4k3/8/8/3p4/4P3/8/8/R3K3 w - - 0 1".parse().unwrap();
        let verdict = |text, history, lmr_depth| {
            verdict(&node(4, 0), &Candidate { history, ..candidate(&board, text, 5, lmr_depth) })
        };
        assert_eq!(verdict("e1d2", -20_000, 2), Pruning::Skip);
        assert_eq!(verdict("e1d2", -100, 2), Pruning::Search);
        assert_eq!(verdict("e1d2", -30_000, 6), Pruning::Search);
        assert_eq!(verdict("a1a8", -20_000, 2), Pruning::Search, "a check");
        assert_eq!(verdict("e4d5", -20_000, 2), Pruning::Search, "a capture");
    }
}
