//! Singular extension: where every other move stays a margin below the tt move's score, that move is alone, and is
//! searched deeper; the more, the farther the others stay below. What the same search tells besides: where even the others
//! beat beta, the node is cut (multicut); where the tt move is not alone, it is searched shallower (negative extension).
//!
//! Worth: the test for singularity +24 ± 27 (500 games), double and triple extensions +10 ± 27 (400 at 0.5+0.005),
//! multicut +16 ± 28 (400), negative extensions −1 ± 27 (400).

use crate::chess::Move;
use crate::search::node::Node;
use crate::search::params::parameters;
use crate::search::score::{Bound, Score, is_decisive};
use crate::search::worker::Worker;

parameters! {
    /// Singular extension: least depth.
    singular_depth = 6, 4, 100, 1;
    /// Singular extension: margin below the table's score per ply, sixteenths of a centipawn.
    singular_slope = 19, 4, 64, 3;
    /// Double extension: by how much more the others must fail, centipawns.
    double_extension_margin = 30, 0, 10000, 5;
    /// Triple extension: the same.
    triple_extension_margin = 85, 20, 10000, 15;
}

/// What the test says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::search) enum SingularResult {
    /// Search the tt move so many plies deeper.
    Extend(i32),
    /// The node is cut with this score.
    Multicut(Score),
}

/// The tt move's score, where it is known well enough to test it.
fn tested_score(node: &Node, root_depth: i32) -> Option<Score> {
    let hit = node.tt_hit?;
    let applies = node.depth >= singular_depth()
        && hit.depth >= node.depth - 3
        && hit.bound != Bound::Upper
        && !is_decisive(hit.score)
        && node.ply < 2 * root_depth as usize;
    applies.then_some(hit.score)
}

/// What the score of all other moves, searched with the window just below `limit`, means for the tt move.
fn result(node: &Node, mv: Move, tt_score: Score, score: Score, limit: Score, beta: Score) -> SingularResult {
    if score < limit {
        let far = |margin| !node.is_pv && score < limit - margin;
        let plies = 1
            + i32::from(far(double_extension_margin()))
            + i32::from(far(triple_extension_margin()) && mv.is_quiet());
        return SingularResult::Extend(plies);
    }
    if limit >= beta && !is_decisive(limit) {
        return SingularResult::Multicut(limit);
    }
    if tt_score >= beta {
        SingularResult::Extend(-2)
    } else if node.cut_node {
        SingularResult::Extend(-1)
    } else {
        SingularResult::Extend(0)
    }
}

/// Searches all moves but the tt move `mv` with a window below its score, to see whether it is alone.
pub(in crate::search) fn test(worker: &mut Worker<'_>, node: &Node, mv: Move, beta: Score) -> SingularResult {
    let Some(tt_score) = tested_score(node, worker.root_depth) else { return SingularResult::Extend(0) };
    let limit = tt_score - singular_slope() * node.depth / 16;
    worker.stack[node.ply].excluded = Some(mv);
    let score = worker.search::<false>(node.ply, (node.depth - 1) / 2, limit - 1, limit, node.cut_node);
    worker.stack[node.ply].excluded = None;
    if worker.stopped { SingularResult::Extend(0) } else { result(node, mv, tt_score, score, limit, beta) }
}

#[cfg(test)]
mod tests {
    use super::super::test_nodes::node;
    use super::*;
    use crate::chess::Board;
    use crate::search::score::mate_in;
    use crate::search::tt::TtEntry;

    fn with_hit(score: Score, bound: Bound, depth: i32) -> Node {
        let hit = TtEntry { mv: None, score, bound, eval: None, depth, tt_pv: false };
        Node { tt_hit: Some(hit), ..node(8, 0) }
    }

    #[test]
    fn only_a_score_that_is_known_well_is_tested() {
        assert_eq!(tested_score(&with_hit(40, Bound::Lower, 6), 10), Some(40));
        assert_eq!(tested_score(&with_hit(40, Bound::Upper, 6), 10), None);
        assert_eq!(tested_score(&with_hit(40, Bound::Lower, 3), 10), None, "too shallow");
        assert_eq!(tested_score(&with_hit(mate_in(9), Bound::Lower, 6), 10), None);
        assert_eq!(tested_score(&with_hit(40, Bound::Lower, 6), 1), None, "far beyond the iteration");
    }

    #[test]
    fn the_farther_the_others_fail_the_deeper() {
        let quiet = Board::startpos().parse_move("e2e4").unwrap();
        let say = |score, beta| result(&node(8, 0), quiet, 40, score, 32, beta);
        assert_eq!(say(20, 100), SingularResult::Extend(1));
        assert_eq!(say(0, 100), SingularResult::Extend(2));
        assert_eq!(say(-200, 100), SingularResult::Extend(3));
        assert_eq!(say(50, 20), SingularResult::Multicut(32));
        assert_eq!(say(50, 40), SingularResult::Extend(-2));
        assert_eq!(say(50, 100), SingularResult::Extend(-1));
        let pv = Node { is_pv: true, cut_node: false, ..node(8, 0) };
        assert_eq!(result(&pv, quiet, 40, -200, 32, 100), SingularResult::Extend(1));
    }
}
