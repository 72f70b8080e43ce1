//! Singular extension: searches the tt move deeper if all other moves stay a margin below its score in a reduced search.
//! The extension grows with the distance. The same search yields two more decisions:
//!
//! - Multicut: the node is cut if the other moves reach beta, too.
//! - Negative extension: a tt move that is not singular is searched shallower.
//!
//! Wrong where the reduced search overlooks an alternative.

use crate::chess::Move;
use crate::search::node_state::Node;
use crate::search::params::parameters;
use crate::search::score::{Bound, Score, is_decisive};
use crate::search::stats::{self, Counter};
use crate::search::worker::Worker;

parameters! {
    /// Singular extension: minimum depth, plies; on a former principal variation one more.
    singular_depth = 5, 4, 100, 1;
    /// Singular extension: margin below the tt score per ply, sixteenths of a centipawn.
    singular_slope = 8, 2, 64, 2;
    /// Singular extension: addition to [`singular_slope`] on a former principal variation.
    singular_former_pv = 8, 0, 64, 2;
    /// Double extension: further margin of the other moves, centipawns.
    double_extension_margin = 15, 0, 10000, 4;
    /// Triple extension: further margin of the other moves, centipawns.
    triple_extension_margin = 45, 0, 10000, 8;
}

/// Unit of [`singular_slope`], per centipawn.
const CENTIPAWN: i32 = 16;
/// Plies that the tt score may be shallower than the node.
const MAX_TT_DEPTH_DEFICIT: i32 = 3;
/// Maximum ply with extensions, as a multiple of the depth of the iteration.
const MAX_PLY_FACTOR: usize = 2;
/// Divisor of the depth for the search of the other moves.
const DEPTH_DIVISOR: i32 = 2;
/// Maximum number of double extensions on the path from the root, which could grow without end otherwise.
const MAX_DOUBLE_EXTENSIONS: i32 = 10;
/// Extension of a tt move that is not singular and whose score reaches beta, plies.
const TT_ABOVE_BETA_EXTENSION: i32 = -2;
/// Extension of a tt move that is not singular in a cut node, plies.
const CUT_NODE_EXTENSION: i32 = -1;

/// Result of the test for singularity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::search) enum SingularResult {
    /// Extension of the tt move, plies.
    Extend(i32),
    /// Score that cuts the node.
    Multicut(Score),
}

impl SingularResult {
    fn counter(self) -> Option<Counter> {
        match self {
            Self::Extend(0) => None,
            Self::Extend(1) => Some(Counter::Extended1),
            Self::Extend(2) => Some(Counter::Extended2),
            Self::Extend(3..) => Some(Counter::Extended3),
            Self::Extend(_) => Some(Counter::Shortened),
            Self::Multicut(_) => Some(Counter::Multicuts),
        }
    }
}

/// Returns the score of the tt move if it is reliable enough for the test.
fn tested_score(node: &Node, root_depth: i32) -> Option<Score> {
    let hit = node.tt_hit?;
    let applies = node.depth >= singular_depth() + i32::from(node.tt_pv)
        && hit.depth >= node.depth - MAX_TT_DEPTH_DEFICIT
        && hit.bound != Bound::Upper
        && !is_decisive(hit.score)
        && node.ply < MAX_PLY_FACTOR * root_depth as usize;
    applies.then_some(hit.score)
}

/// Returns how far below the tt score the other moves must stay, centipawns.
fn margin(node: &Node) -> Score {
    let former_pv = if node.tt_pv && !node.is_pv { singular_former_pv() } else { 0 };
    (singular_slope() + former_pv) * node.depth / CENTIPAWN
}

/// Returns the result for the tt move `mv`. `score` is that of the other moves, searched with the null window below
/// `limit`.
fn result(node: &Node, mv: Move, tt_score: Score, score: Score, limit: Score, beta: Score) -> SingularResult {
    if score < limit {
        let is_below = |margin| !node.is_pv && score < limit - margin;
        let plies = 1
            + i32::from(is_below(double_extension_margin()))
            + i32::from(is_below(triple_extension_margin()) && mv.is_quiet());
        return SingularResult::Extend(plies);
    }
    if score >= beta && !is_decisive(score) {
        return SingularResult::Multicut(score);
    }
    if tt_score >= beta {
        SingularResult::Extend(TT_ABOVE_BETA_EXTENSION)
    } else if node.cut_node {
        SingularResult::Extend(CUT_NODE_EXTENSION)
    } else {
        SingularResult::Extend(0)
    }
}

/// Searches all moves but the tt move `mv` with a null window below its score and returns the result for `mv`.
pub(in crate::search) fn test(worker: &mut Worker<'_>, node: &Node, mv: Move, beta: Score) -> SingularResult {
    let Some(tt_score) = tested_score(node, worker.root_depth) else { return SingularResult::Extend(0) };
    let limit = tt_score - margin(node);
    let depth = (node.depth - 1) / DEPTH_DIVISOR;
    worker.stack[node.ply].excluded = Some(mv);
    let score = worker.search::<false>(node.ply, depth, limit - 1, limit, node.cut_node);
    worker.stack[node.ply].excluded = None;
    if worker.stopped {
        return SingularResult::Extend(0);
    }
    let mut result = result(node, mv, tt_score, score, limit, beta);
    if worker.stack.before(node.ply, 1).double_extensions >= MAX_DOUBLE_EXTENSIONS
        && let SingularResult::Extend(plies @ 2..) = &mut result
    {
        *plies = 1;
    }
    stats::count(node, Counter::SingularTests);
    if let Some(counter) = result.counter() {
        stats::count(node, counter);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Board;
    use crate::search::node_state::tests::node;
    use crate::search::score::mate_in;
    use crate::search::tt::TtEntry;

    fn with_hit(score: Score, bound: Bound, depth: i32) -> Node {
        let hit = TtEntry { mv: None, score, bound, eval: None, depth, tt_pv: false };
        Node { tt_hit: Some(hit), ..node(8, 0) }
    }

    #[test]
    fn only_reliable_scores_are_tested() {
        assert_eq!(tested_score(&with_hit(40, Bound::Lower, 6), 10), Some(40));
        assert_eq!(tested_score(&with_hit(40, Bound::Upper, 6), 10), None);
        assert_eq!(tested_score(&with_hit(40, Bound::Lower, 3), 10), None, "too shallow");
        assert_eq!(tested_score(&with_hit(mate_in(9), Bound::Lower, 6), 10), None);
        assert_eq!(tested_score(&with_hit(40, Bound::Lower, 6), 1), None, "ply beyond twice the iteration");
        let at_depth = |depth, tt_pv| Node { depth, tt_pv, ..with_hit(40, Bound::Lower, 6) };
        assert!(tested_score(&at_depth(5, false), 10).is_some());
        assert_eq!(tested_score(&at_depth(5, true), 10), None, "former principal variation");
        assert_eq!(tested_score(&at_depth(4, false), 10), None);
        assert_eq!(margin(&node(8, 0)), 4);
        assert_eq!(margin(&Node { tt_pv: true, ..node(8, 0) }), 8);
        assert_eq!(margin(&Node { tt_pv: true, is_pv: true, ..node(8, 0) }), 4);
    }

    #[test]
    fn extension_grows_with_margin() {
        let board: Board = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1".parse().unwrap();
        let [quiet, capture] = ["e1d1", "e4d5"].map(|text| board.parse_move(text).unwrap());
        let pv = Node { is_pv: true, cut_node: false, ..node(8, 0) };
        let extension = |node: &Node, mv, below: Score| match result(node, mv, 40, 32 - below, 32, 100) {
            SingularResult::Extend(plies) => plies,
            multicut => panic!("{multicut:?}"),
        };
        let double = double_extension_margin();
        assert_eq!([1, double, double + 1].map(|below| extension(&node(8, 0), quiet, below)), [1, 1, 2]);
        let triple = triple_extension_margin();
        assert_eq!([triple, triple + 1].map(|below| extension(&node(8, 0), quiet, below)), [2, 3]);
        assert_eq!(extension(&node(8, 0), capture, 500), 2);
        assert_eq!(extension(&pv, quiet, 500), 1, "principal variation");
    }

    #[test]
    fn move_with_alternatives_is_not_extended() {
        let quiet = Board::startpos().parse_move("e2e4").unwrap();
        let verdict = |tt_score, score, beta| result(&node(8, 0), quiet, tt_score, score, 32, beta);
        assert_eq!(verdict(40, 50, 45), SingularResult::Multicut(50));
        assert_eq!(verdict(40, 35, 38), SingularResult::Extend(-2), "tt score above beta");
        assert_eq!(verdict(40, 50, 100), SingularResult::Extend(-1), "cut node");
        assert_eq!(verdict(40, mate_in(9), 20), SingularResult::Extend(-2), "a mate is no multicut");
        let pv = Node { is_pv: true, cut_node: false, ..node(8, 0) };
        assert_eq!(result(&pv, quiet, 40, 50, 32, 100), SingularResult::Extend(0));
    }
}
