//! Futility pruning: nothing quiet lifts an evaluation this far below alpha. Wrong for checks, of whose consequences the
//! evaluation knows little, and in check.
//!
//! Worth +6 ± 26 (500 games); leaving checks out of it and of history pruning +8 ± 29 (400).

use crate::search::node::{Candidate, Node, Pruning};
use crate::search::params::parameters;
use crate::search::score::Score;

parameters! {
    /// Futility pruning: greatest depth, after reductions.
    futility_depth = 8, -1, 20, 1;
    /// Futility pruning: margin, centipawns, base and per ply.
    futility_base = 121, 0, 500, 20;
    /// Futility pruning: see [`futility_base`].
    futility_slope = 91, 20, 250, 10;
}

/// Whether this quiet move and those after it are futile.
pub(in crate::search) fn judge(node: &Node, candidate: &Candidate, alpha: Score) -> Pruning {
    let &Candidate { mv, gives_check, lmr_depth, .. } = candidate;
    let is_futile = mv.is_quiet()
        && !gives_check
        && lmr_depth <= futility_depth()
        && node
            .static_eval
            .is_some_and(|eval| eval + futility_base() + futility_slope() * lmr_depth <= alpha);
    if is_futile { Pruning::SkipQuiets } else { Pruning::Search }
}

#[cfg(test)]
mod tests {
    use super::super::test_nodes::{candidate, node};
    use super::*;
    use crate::chess::Board;

    #[test]
    fn quiet_moves_far_below_alpha_go_checks_and_captures_stay() {
        let board: Board = "4k3/8/8/3p4/4P3/8/8/R3K3 w - - 0 1".parse().unwrap();
        let judge = |text, eval, alpha| judge(&node(4, eval), &candidate(&board, text, 5, 2), alpha);
        assert_eq!(judge("e1d2", 0, 600), Pruning::SkipQuiets);
        assert_eq!(judge("e1d2", 0, 200), Pruning::Search);
        assert_eq!(judge("a1a8", 0, 600), Pruning::Search, "a check");
        assert_eq!(judge("e4d5", 0, 600), Pruning::Search, "a capture");
        let in_check = Node { static_eval: None, ..node(4, 0) };
        assert_eq!(super::judge(&in_check, &candidate(&board, "e1d2", 5, 2), 600), Pruning::Search);
    }
}
