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
    /// Singular extension: minimum depth, plies.
    singular_depth = 6, 4, 100, 1;
    /// Singular extension: margin below the tt score per ply, sixteenths of a centipawn.
    singular_slope = 19, 4, 64, 3;
    /// Double extension: further margin of the other moves, centipawns.
    double_extension_margin = 30, 0, 10000, 5;
    /// Triple extension: further margin of the other moves, centipawns.
    triple_extension_margin = 85, 20, 10000, 15;
}

/// Unit of [`singular_slope`], per centipawn.
const CENTIPAWN: i32 = 16;
/// Plies that the tt score may be shallower than the node.
const MAX_TT_DEPTH_DEFICIT: i32 = 3;
/// Maximum ply with extensions, as a multiple of the depth of the iteration.
const MAX_PLY_FACTOR: usize = 2;
/// Divisor of the depth for the search of the other moves.
const DEPTH_DIVISOR: i32 = 2;
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
    let applies = node.depth >= singular_depth()
        && hit.depth >= node.depth - MAX_TT_DEPTH_DEFICIT
        && hit.bound != Bound::Upper
        && !is_decisive(hit.score)
        && node.ply < MAX_PLY_FACTOR * root_depth as usize;
    applies.then_some(hit.score)
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
    if limit >= beta && !is_decisive(limit) {
        return SingularResult::Multicut(limit);
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
    let limit = tt_score - singular_slope() * node.depth / CENTIPAWN;
    let depth = (node.depth - 1) / DEPTH_DIVISOR;
    worker.stack[node.ply].excluded = Some(mv);
    let score = worker.search::<false>(node.ply, depth, limit - 1, limit, node.cut_node);
    worker.stack[node.ply].excluded = None;
    if worker.stopped {
        return SingularResult::Extend(0);
    }
    let result = result(node, mv, tt_score, score, limit, beta);
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
    }

    #[test]
    fn extension_grows_with_margin() {
        let quiet = Board::startpos().parse_move("e2e4").unwrap();
        let verdict = |score, beta| result(&node(8, 0), quiet, 40, score, 32, beta);
        assert_eq!(verdict(20, 100), SingularResult::Extend(1));
        assert_eq!(verdict(0, 100), SingularResult::Extend(2));
        assert_eq!(verdict(-200, 100), SingularResult::Extend(3));
        assert_eq!(verdict(50, 20), SingularResult::Multicut(32));
        assert_eq!(verdict(50, 40), SingularResult::Extend(-2));
        assert_eq!(verdict(50, 100), SingularResult::Extend(-1));
        let pv = Node { is_pv: true, cut_node: false, ..node(8, 0) };
        assert_eq!(result(&pv, quiet, 40, -200, 32, 100), SingularResult::Extend(1));
    }
}
