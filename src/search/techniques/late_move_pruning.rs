//! Late move pruning (LMP, move count pruning): after so many moves no quiet one is likely to do better, as the ordering
//! is good. Moves that check are kept: they are not judged well by their history.
//!
//! Worth +210 ± 51 (148 games, SPRT); keeping checks, with their own margin of static exchange evaluation, +10 ± 29 (400).

use crate::search::node::{Candidate, Node, Pruning};
use crate::search::params::parameters;

parameters! {
    /// Late move pruning (LMP): hundredths of moves: base, and per squared ply.
    lmp_base = 410, 50, 2000, 40;
    /// LMP: see [`lmp_base`].
    lmp_slope = 145, 30, 300, 10;
    /// LMP: greatest depth.
    lmp_depth = 9, -1, 20, 1;
}

/// Moves after which quiet ones are left out.
fn limit(depth: i32, improving: bool) -> usize {
    let limit = lmp_base() + lmp_slope() * depth * depth;
    (limit / if improving { 100 } else { 200 }) as usize
}

/// Whether this move and the quiet ones after it come too late.
pub(in crate::search) fn verdict(node: &Node, candidate: &Candidate) -> Pruning {
    let is_late = candidate.mv.is_quiet()
        && node.depth <= lmp_depth()
        && candidate.move_count > limit(node.depth, node.improving);
    if is_late { Pruning::SkipQuiets } else { Pruning::Search }
}

#[cfg(test)]
mod tests {
    use super::super::test_nodes::{candidate, node};
    use super::*;
    use crate::chess::Board;

    #[test]
    fn late_quiet_moves_go_captures_stay() {
        let board: Board = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1".parse().unwrap();
        let verdict = |text, count, depth| verdict(&node(depth, 0), &candidate(&board, text, count, 1));
        assert_eq!(verdict("e1d1", 30, 3), Pruning::SkipQuiets);
        assert_eq!(verdict("e1d1", 3, 3), Pruning::Search);
        assert_eq!(verdict("e1d1", 30, 15), Pruning::Search, "deep nodes look at all");
        assert_eq!(verdict("e4d5", 30, 3), Pruning::Search);
        assert!(limit(4, true) > limit(4, false) && limit(5, false) > limit(4, false));
    }
}
