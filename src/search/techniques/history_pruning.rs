//! History pruning: skips a quiet move with a bad history near the horizon. Checks are kept, as in futility pruning.
//!
//! Wrong where a move that usually fails is strong.

use crate::search::node_state::Candidate;
use crate::search::params::parameters;

parameters! {
    /// History pruning: maximum depth after reductions, plies.
    history_prune_depth = 4, -1, 20, 1;
    /// History pruning: lowest history kept, negated, per ply.
    history_prune_slope = 4482, 500, 15000, 400;
}

/// Returns `true` for a move whose history is too bad.
pub(in crate::search) fn applies(candidate: &Candidate) -> bool {
    let &Candidate { mv, gives_check, lmr_depth, history, .. } = candidate;
    mv.is_quiet()
        && !gives_check
        && lmr_depth <= history_prune_depth()
        && history < -history_prune_slope() * lmr_depth
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Board;
    use crate::search::node_state::tests::candidate;

    #[test]
    fn bad_quiet_history_is_pruned() {
        let board: Board = "4k3/8/8/3p4/4P3/8/8/R3K3 w - - 0 1".parse().unwrap();
        let skipped = |text, history, lmr_depth| {
            applies(&Candidate { history, ..candidate(&board, text, 5, lmr_depth) })
        };
        assert!(skipped("e1d2", -20_000, 2));
        assert!(!skipped("e1d2", -100, 2));
        assert!(!skipped("e1d2", -30_000, 6));
        assert!(!skipped("a1a8", -20_000, 2), "check");
        assert!(!skipped("e4d5", -20_000, 2), "capture");
    }
}
