//! Futility pruning: nothing quiet lifts an evaluation this far below alpha. Wrong for checks, of whose consequences the
//! evaluation knows little, and in check. Captures that lose material are little better: they are left out one by one.
//!
//! Worth +6 ± 26 (500 games); leaving checks out of it and of history pruning +8 ± 29 (400); captures +3.4 ± 5.8 (10,192
//! games in which other features varied, too).

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
    /// Futility pruning of losing captures: greatest depth, after reductions.
    bad_noisy_depth = 8, -1, 20, 1;
    /// Futility pruning of losing captures: margin, centipawns, base and per ply.
    bad_noisy_base = 15, -100, 300, 15;
    /// Futility pruning of losing captures: see [`bad_noisy_base`].
    bad_noisy_slope = 40, 10, 200, 8;
    /// Futility pruning of losing captures: capture history per centipawn.
    bad_noisy_history = 20, 5, 10000, 4;
}

/// Whether this move is futile: a quiet one and those after it, or a capture that loses material.
pub(in crate::search) fn verdict(node: &Node, candidate: &Candidate, alpha: Score) -> Pruning {
    let &Candidate { mv, gives_check, lmr_depth, history, is_losing_noisy, .. } = candidate;
    let (verdict, depth, margin) = if mv.is_quiet() {
        (Pruning::SkipQuiets, futility_depth(), futility_base() + futility_slope() * lmr_depth)
    } else if is_losing_noisy {
        let margin = bad_noisy_base() + bad_noisy_slope() * lmr_depth + history / bad_noisy_history();
        (Pruning::Skip, bad_noisy_depth(), margin)
    } else {
        return Pruning::Search;
    };
    let is_futile =
        !gives_check && lmr_depth <= depth && node.static_eval.is_some_and(|eval| eval + margin <= alpha);
    if is_futile { verdict } else { Pruning::Search }
}

#[cfg(test)]
mod tests {
    use super::super::test_nodes::{candidate, node};
    use super::*;
    use crate::chess::Board;

    #[test]
    fn quiet_moves_far_below_alpha_go_checks_and_captures_stay() {
        let board: Board = "4k3/8/8/3p4/4P3/8/8/R3K3 w - - 0 1".parse().unwrap();
        let verdict = |text, eval, alpha| verdict(&node(4, eval), &candidate(&board, text, 5, 2), alpha);
        assert_eq!(verdict("e1d2", 0, 600), Pruning::SkipQuiets);
        assert_eq!(verdict("e1d2", 0, 200), Pruning::Search);
        assert_eq!(verdict("a1a8", 0, 600), Pruning::Search, "a check");
        assert_eq!(verdict("e4d5", 0, 600), Pruning::Search, "a capture");
        let losing = |history, alpha| {
            let capture = Candidate { is_losing_noisy: true, history, ..candidate(&board, "e4d5", 5, 2) };
            super::verdict(&node(4, 0), &capture, alpha)
        };
        assert_eq!(losing(0, 600), Pruning::Skip, "a capture that loses");
        assert_eq!(losing(0, 50), Pruning::Search);
        assert_eq!(losing(16_000, 600), Pruning::Search, "one that did well");
        let in_check = Node { static_eval: None, ..node(4, 0) };
        assert_eq!(super::verdict(&in_check, &candidate(&board, "e1d2", 5, 2), 600), Pruning::Search);
    }
}
