//! Pruning by static exchange evaluation (SEE): a move after which the exchange on its target square loses too much is
//! left out, the more readily the nearer the horizon. Wrong for sacrifices; pins are not looked at.
//!
//! Worth +63 ± 29 for captures (342 games, SPRT), +20 ± 26 for quiet moves (500).

use crate::chess::Board;
use crate::search::node::{Candidate, Node, Pruning};
use crate::search::params::parameters;
use crate::search::score::Score;

parameters! {
    /// SEE pruning: centipawns that a quiet move may lose per ply.
    see_quiet_slope = 50, 10, 10000, 6;
    /// SEE pruning: centipawns that a capture may lose per ply.
    see_noisy_slope = 95, 20, 10000, 8;
    /// SEE pruning: centipawns that a move that checks may lose per ply.
    see_check_slope = 135, 20, 10000, 15;
}

/// Centipawns that the exchange may lose.
fn margin(node: &Node, candidate: &Candidate) -> Score {
    if candidate.gives_check {
        see_check_slope() * node.depth
    } else if candidate.mv.is_quiet() {
        see_quiet_slope() * candidate.lmr_depth
    } else {
        see_noisy_slope() * node.depth
    }
}

/// Whether this move loses too much on `board`, where it is to be made.
pub(in crate::search) fn verdict(node: &Node, candidate: &Candidate, board: &Board) -> Pruning {
    let holds = board.see_at_least(candidate.mv, -margin(node, candidate));
    if holds { Pruning::Search } else { Pruning::Skip }
}

#[cfg(test)]
mod tests {
    use super::super::test_nodes::{candidate, node};
    use super::*;

    #[test]
    fn moves_that_give_away_too_much_go() {
        // The queen may take a guarded pawn, go to a guarded square, or check where the king takes her.
        let board: Board = "4k3/1p6/p7/8/8/8/3Q4/4K3 w - - 0 1".parse().unwrap();
        let verdict = |text, depth| verdict(&node(depth, 0), &candidate(&board, text, 5, depth), &board);
        assert_eq!(verdict("d2b4", 1), Pruning::Search, "nothing is lost there");
        assert_eq!(verdict("d2d8", 1), Pruning::Skip, "a check that loses the queen");
        assert_eq!(verdict("d2d8", 8), Pruning::Search, "far from the horizon it may be a sacrifice");
        assert_eq!(verdict("d2a5", 1), Pruning::Search);
        let guarded: Board = "4k3/1p6/p7/8/8/8/Q7/4K3 w - - 0 1".parse().unwrap();
        let capture = candidate(&guarded, "a2a6", 5, 1);
        assert_eq!(super::verdict(&node(1, 0), &capture, &guarded), Pruning::Skip);
    }
}
