//! Extensions: we search a singular TT move deeper and, in `go mate`, every check.
//!
//! The TT move is singular if, in a reduced search, all other moves stay a margin below its TT score. Then we search
//! the TT move deeper, the more so the further the other moves stay below. The same search yields two more decisions:
//!
//! - **Multicut:** if another move reaches beta, too, the node fails high at once.
//! - **Negative extension:** a TT move that isn't singular is searched shallower.
//!
//! All three are wrong if the reduced search misjudges the other moves.

use std::ops::ControlFlow::{self, Break, Continue};

use super::node_state::{Candidate, Node};
use super::params::parameters;
use super::score::{Bound, DRAW, Score, Window, is_decisive};
use super::stats::{self, Counter};
use super::worker::Worker;
use crate::chess::Move;

parameters! {
    // Minimum depth for a singular search; one ply more if the node is or was on a PV.
    singular_depth = 6, 4, 100, 1;
    // How far the other moves must stay below the TT score, sixteenths of a centipawn per ply of depth. On a former PV,
    // `singular_former_pv` is added.
    singular_slope = 8, 2, 64, 2;
    singular_former_pv = 8, 0, 64, 2;
    // How much lower the other moves must stay for a double or triple extension than for a single one, centipawns.
    double_extension_margin = 15, 0, 10000, 4;
    triple_extension_margin = 45, 0, 10000, 8;
}

/// [`singular_slope`] and [`singular_former_pv`] are in sixteenths of a centipawn.
const CENTIPAWN: i32 = 16;
/// We only trust a TT score from a search at most this many plies shallower than the node.
const MAX_TT_DEPTH_DEFICIT: i32 = 3;
/// From ply (this × the iteration's depth) on we run no singular searches, so that extensions can't blow up the tree.
const MAX_PLY_FACTOR: usize = 2;
/// The depth of a singular search is (the node's depth − 1) / this.
const DEPTH_DIVISOR: i32 = 2;
/// We extend at most this many moves of a line by two plies or more, because otherwise the line could grow without end.
const MAX_DOUBLE_EXTENSIONS: i32 = 10;
/// Negative extension of a TT move that isn't singular, if its TT score reaches beta.
const TT_ABOVE_BETA_EXTENSION: i32 = -2;
/// Negative extension of any other TT move that isn't singular.
const TT_BELOW_BETA_EXTENSION: i32 = -1;

/// What decides whether a TT move is singular.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct SingularTest {
    tt_score: Score,
    /// If the other moves stay below this, the TT move is singular.
    limit: Score,
}

/// Returns the test that the TT move must pass to be singular; `None` if we don't test it.
fn singular_test(node: &Node, root_depth: i32) -> Option<SingularTest> {
    let hit = node.tt_hit?;
    let applies = node.depth >= singular_depth() + i32::from(node.tt_pv)
        && hit.depth >= node.depth - MAX_TT_DEPTH_DEFICIT
        && hit.bound != Bound::Upper
        && !is_decisive(hit.score)
        && node.ply < MAX_PLY_FACTOR * root_depth as usize;
    applies.then(|| SingularTest { tt_score: hit.score, limit: hit.score - margin(node) })
}

/// Returns how far below the TT score the other moves must stay, centipawns.
fn margin(node: &Node) -> Score {
    let former_pv = if node.tt_pv && !node.is_pv() { singular_former_pv() } else { 0 };
    (singular_slope() + former_pv) * node.depth / CENTIPAWN
}

impl SingularTest {
    /// Judges a singular search, in which the other moves reached `score` in the null window below the limit. Returns
    /// the extension of the TT move `mv`, or the score of a multicut.
    fn verdict(self, node: &Node, mv: Move, beta: Score, score: Score) -> ControlFlow<Score, i32> {
        if score < self.limit {
            let is_below = |margin| !node.is_pv() && score < self.limit - margin;
            let is_double = is_below(double_extension_margin());
            let is_triple = is_below(triple_extension_margin()) && mv.is_quiet();
            Continue(1 + i32::from(is_double) + i32::from(is_triple))
        } else if score >= beta && !is_decisive(score) {
            Break(score)
        } else if self.tt_score >= beta {
            Continue(TT_ABOVE_BETA_EXTENSION)
        } else {
            Continue(TT_BELOW_BETA_EXTENSION)
        }
    }
}

fn count(node: &Node, verdict: ControlFlow<Score, i32>) {
    stats::count(node, Counter::SingularTests);
    let counter = match verdict {
        Continue(0) => return,
        Continue(1) => Counter::Extended1,
        Continue(2) => Counter::Extended2,
        Continue(3..) => Counter::Extended3,
        Continue(_) => Counter::Shortened,
        Break(_) => Counter::Multicuts,
    };
    stats::count(node, counter);
}

impl Worker<'_> {
    /// Step 10 of [`Self::search`]: returns how much deeper to search the move, or a score that ends the node.
    #[inline(always)]
    pub(super) fn extend(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        beta: Score,
    ) -> ControlFlow<Score, i32> {
        let &Candidate { mv, gives_check, .. } = candidate;
        let mut extension = 0;
        if self.seeks_mate() {
            extension = i32::from(gives_check);
        } else if node.ply > 0 && Some(mv) == node.tt_move && !node.is_singular_search {
            extension = self.test_singularity(node, mv, beta)?;
        }
        self.stack.set_extension(node.ply, extension);
        Continue(extension)
    }

    fn test_singularity(&mut self, node: &Node, mv: Move, beta: Score) -> ControlFlow<Score, i32> {
        let Some(test) = singular_test(node, self.root.depth) else { return Continue(0) };
        let depth = (node.depth - 1) / DEPTH_DIVISOR;
        let window = Window::null_below(test.limit);
        self.stack[node.ply].excluded = Some(mv);
        let score = self.search(node.kind.in_null_window(), node.ply, depth, window);
        self.stack[node.ply].excluded = None;
        if self.stopped {
            return Break(DRAW);
        }
        let mut verdict = test.verdict(node, mv, beta, score);
        if self.stack.before(node.ply, 1).double_extensions >= MAX_DOUBLE_EXTENSIONS {
            verdict = verdict.map_continue(|extension| extension.min(1));
        }
        count(node, verdict);
        verdict
    }
}

#[cfg(test)]
mod tests {
    use super::super::node_state::NodeKind;
    use super::super::node_state::tests::node;
    use super::super::score::mate_in;
    use super::super::tt::TtEntry;
    use super::*;
    use crate::chess::Board;

    fn tested_score(node: &Node, root_depth: i32) -> Option<Score> {
        singular_test(node, root_depth).map(|test| test.tt_score)
    }

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
        assert!(tested_score(&at_depth(6, false), 10).is_some());
        assert_eq!(tested_score(&at_depth(6, true), 10), None, "former PV");
        assert_eq!(tested_score(&at_depth(5, false), 10), None);
        assert_eq!(margin(&node(8, 0)), 4);
        assert_eq!(margin(&Node { tt_pv: true, ..node(8, 0) }), 8);
        assert_eq!(margin(&Node { tt_pv: true, kind: NodeKind::Pv, ..node(8, 0) }), 4);
    }

    #[test]
    fn extension_grows_with_margin() {
        let board: Board = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1".parse().unwrap();
        let [quiet, capture] = ["e1d1", "e4d5"].map(|text| board.parse_move(text).unwrap());
        let pv = Node { kind: NodeKind::Pv, ..node(8, 0) };
        let test = SingularTest { tt_score: 40, limit: 32 };
        let extension = |node: &Node, mv, below: Score| match test.verdict(node, mv, 100, 32 - below) {
            Continue(plies) => plies,
            multicut => panic!("{multicut:?}"),
        };
        let double = double_extension_margin();
        assert_eq!([1, double, double + 1].map(|below| extension(&node(8, 0), quiet, below)), [1, 1, 2]);
        let triple = triple_extension_margin();
        assert_eq!([triple, triple + 1].map(|below| extension(&node(8, 0), quiet, below)), [2, 3]);
        assert_eq!(extension(&node(8, 0), capture, 500), 2);
        assert_eq!(extension(&pv, quiet, 500), 1, "PV");
    }

    #[test]
    fn move_with_alternatives_is_not_extended() {
        let quiet = Board::startpos().parse_move("e2e4").unwrap();
        let after = |tt_score, score, beta| {
            SingularTest { tt_score, limit: 32 }.verdict(&node(8, 0), quiet, beta, score)
        };
        assert_eq!(after(40, 50, 45), Break(50));
        assert_eq!(after(40, 35, 38), Continue(-2), "TT score above beta");
        assert_eq!(after(40, 50, 100), Continue(-1), "TT score below beta");
        assert_eq!(after(40, mate_in(9), 20), Continue(-2), "a mate is no multicut");
    }
}
