//! Reductions: of late moves (LMR) and of nodes without a TT move (IIR), and how we correct a reduction in hindsight.
//!
//! - **Late move reductions** search late moves shallower first, because good ordering puts the best moves first. The
//!   reduction grows with the logarithms of depth and move count, and what we know about node and move adjusts it. A
//!   move that raises alpha is searched again deeper. Wrong for a late move whose strength only shows at full depth.
//! - **Internal iterative reduction** searches a node without a TT move a ply shallower: its move ordering is poor, and
//!   the shallower search finds a TT move for the next visit. We do it only in PV and cut nodes, where ordering
//!   matters.
//! - **Hindsight** corrects the reduction of the move that led to this node, which we chose before we evaluated the
//!   position after that move. If we add up the static evals before and after that move, each from the view of the side
//!   to move, we get what the move lost. If the sum is negative, the move gained something, and we search a ply deeper.
//!   If it lost much, we search a ply shallower, unless we are on a former PV. Wrong if the evals differ only because
//!   one is wrong.
//!
//! A singular search lacks a TT move on purpose and starts from the corrected depth, so IIR and hindsight leave it
//! alone.

use super::node_state::{Candidate, Node};
use super::params::parameters;
use super::root::WHOLE_WINDOW;
use super::score::Score;
use super::stack::Stack;
use crate::chess::Move;

parameters! {
    // Late move reductions of quiet and of noisy moves, 1024ths of a ply: base + slope × ln(depth) × ln(move count).
    lmr_quiet_base = 1300, 0, 2500, 100;
    lmr_quiet_slope = 430, 200, 800, 30;
    lmr_noisy_base = 600, -1000, 1500, 100;
    lmr_noisy_slope = 400, 100, 700, 30;
    // In a node that is or was on a PV, we reduce by `lmr_tt_pv` less; on the PV of this search, by another `lmr_pv` +
    // `lmr_window` × (width of the window / width of the root's) less.
    lmr_tt_pv = 861, 0, 2500, 100;
    lmr_pv = 2000, 0, 4000, 200;
    lmr_window = 500, 0, 2500, 100;
    // We reduce less if the move gives check, for every centipawn by which the static eval was corrected, and for every
    // 100 points of the move's history.
    lmr_check = 1100, 0, 2500, 100;
    lmr_complexity = 8, 0, 40, 2;
    lmr_history = 10, 0, 40, 2;
    // We reduce more in a cut node, if the node isn't improving, and if the TT move is a capture or promotion.
    lmr_cut_node = 1700, 0, 3000, 150;
    lmr_not_improving = 500, 0, 2000, 100;
    lmr_tt_noisy = 950, 0, 2500, 100;
    // We reduce more if several child nodes have failed high (in an all node still more), and if an earlier move raised
    // alpha.
    lmr_child_cutoffs = 951, 0, 2500, 100;
    lmr_child_cutoffs_all = 400, 0, 2500, 100;
    lmr_alpha_raised = 900, 0, 2500, 100;
    // By how many centipawns a reduced search must beat the best score so far: by more than the first margin, and the
    // re-search is one ply deeper; by more than the second, two plies; by less than the third, one ply shallower.
    lmr_deeper_margin = 20, 0, 10000, 10;
    lmr_much_deeper_margin = 90, 0, 10000, 20;
    lmr_shallower_margin = 3, 0, 100, 2;

    // Internal iterative reduction, from this depth on.
    iir_depth = 4, 2, 100, 1;

    // Hindsight: we go deeper only if the move that led here was reduced by at least `hindsight_deeper` plies,
    // shallower only if the evals before and after it add up to more than `hindsight_shallower` centipawns.
    hindsight_deeper = 1, 1, 100, 1;
    hindsight_shallower = 50, 0, 10000, 15;
}

/// Late move reductions are in 1024ths of a ply.
const PLY: i32 = 1024;
/// The reduction changes by [`lmr_history`] per this many points of the move's history.
const HISTORY_UNIT: i32 = 100;
/// We reduce late moves from this depth on; below, every move leads straight into quiescence search.
const MIN_LMR_DEPTH: i32 = 2;
/// How many moves we search in a node before we reduce any; at the root it is one more.
const UNREDUCED_MOVES: usize = 1;
/// If more child nodes than this have failed high, we reduce by [`lmr_child_cutoffs`] more.
const FEW_CUTOFFS: u32 = 2;
/// The margin for a deeper re-search grows by a centipawn per this many plies of depth.
const DEEPER_PLIES: i32 = 2;

/// `LN[n]` is the natural logarithm of n; 0 for n = 0.
static LN: [f32; 256] = {
    let mut table = [0.0; 256];
    let (mut ln, mut n) = (0.0, 2);
    while n < table.len() {
        // ln(n) − ln(n − 1) = 2 artanh(z) = 2 (z + z³/3 + z⁵/5 + …), where z = 1 / (2n − 1).
        let z = 1.0 / (2 * n - 1) as f64;
        let (mut power, mut exponent) = (2.0 * z, 1);
        while power > f64::EPSILON {
            ln += power / exponent as f64;
            power *= z * z;
            exponent += 2;
        }
        table[n] = ln as f32;
        n += 1;
    }
    table
};

/// Returns the late move reduction before any adjustment, 1024ths of a ply.
#[inline]
pub(super) fn base(depth: i32, move_count: usize, is_quiet: bool) -> i32 {
    let ln = |n: usize| LN[n.min(LN.len() - 1)];
    let product = ln(depth.max(1) as usize) * ln(move_count);
    let (base, slope) =
        if is_quiet { (lmr_quiet_base(), lmr_quiet_slope()) } else { (lmr_noisy_base(), lmr_noisy_slope()) };
    base + (slope as f32 * product) as i32
}

/// Returns the depth minus the [`base`] reduction, at least 0. Move pruning judges a move by this depth.
#[inline]
pub(super) fn lmr_depth(depth: i32, base_reduction: i32) -> i32 {
    (depth - base_reduction / PLY).max(0)
}

/// Whether the move comes late enough to be searched with reduced depth first.
#[inline]
pub(super) fn is_late(node: &Node, candidate: &Candidate) -> bool {
    node.depth >= MIN_LMR_DEPTH && candidate.move_count > UNREDUCED_MOVES + usize::from(node.ply == 0)
}

/// Returns how much a good history lowers the reduction, 1024ths of a ply; negative for a bad one.
#[inline]
pub(super) fn by_history(candidate: &Candidate) -> i32 {
    candidate.history * lmr_history() / HISTORY_UNIT
}

/// Returns the depth of the first search of a late move, which without a reduction would be `new_depth`.
/// `child_cutoffs` says how many child nodes have failed high so far.
// The compiler can only keep a candidate in registers if it inlines all functions that look at one.
#[inline(always)]
pub(super) fn reduced_depth(node: &Node, candidate: &Candidate, new_depth: i32, child_cutoffs: u32) -> i32 {
    let &Candidate { gives_check, alpha_raised, window_share, .. } = candidate;
    let mut reduction = candidate.base_reduction;
    let mut adjust = |condition: bool, amount: i32| reduction += if condition { amount } else { 0 };
    adjust(node.tt_pv, -lmr_tt_pv());
    adjust(node.is_cut(), lmr_cut_node());
    adjust(!node.improving, lmr_not_improving());
    adjust(gives_check, -lmr_check());
    adjust(node.tt_move.is_some_and(Move::is_noisy), lmr_tt_noisy());
    adjust(child_cutoffs > FEW_CUTOFFS, lmr_child_cutoffs());
    adjust(child_cutoffs > FEW_CUTOFFS && node.is_all(), lmr_child_cutoffs_all());
    adjust(alpha_raised, lmr_alpha_raised());
    if let Some(share) = window_share {
        reduction -= lmr_pv() + lmr_window() * share / WHOLE_WINDOW;
    }
    reduction -= lmr_complexity() * node.complexity + by_history(candidate);
    (new_depth - reduction.div_euclid(PLY)).clamp(1.min(new_depth), new_depth + i32::from(node.is_pv()))
}

/// Returns how many plies to add when we search a reduced move again because it raised alpha: 1 or 2 if its score is
/// far above the best so far, −1 if it is barely above, 0 at the root, where the depth must be the one that we report.
pub(super) fn research_adjustment(node: &Node, score: Score, best: Score, new_depth: i32) -> i32 {
    if node.ply == 0 {
        0
    } else if score > best + lmr_deeper_margin() + new_depth / DEEPER_PLIES {
        1 + i32::from(score > best + lmr_much_deeper_margin())
    } else if score < best + lmr_shallower_margin() {
        -1
    } else {
        0
    }
}

/// Returns by how many plies we reduce the node because it has no TT move.
pub(super) fn internal_iterative(node: &Node) -> i32 {
    let applies =
        !node.is_all() && node.depth >= iir_depth() && node.tt_move.is_none() && !node.is_singular_search;
    i32::from(applies)
}

/// Returns the hindsight adjustment of the depth, in plies: 1 if the two static evals say that the opponent's last move
/// gained something for the opponent, −1 if they say that it lost much.
pub(super) fn hindsight(node: &Node, stack: &Stack) -> i32 {
    if node.ply == 0 || node.is_singular_search {
        return 0;
    }
    let parent = stack.before(node.ply, 1);
    let Some((ours, theirs)) = node.static_eval.zip(parent.eval) else { return 0 };
    let sum = ours + theirs;
    if parent.reduction >= hindsight_deeper() && sum < 0 {
        1
    } else if parent.reduction > 0 && !node.tt_pv && node.depth > 1 && sum > hindsight_shallower() {
        -1
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::super::node_state::NodeKind;
    use super::super::node_state::tests::{candidate, node};
    use super::*;
    use crate::chess::Board;

    #[test]
    fn reduced_depth_stays_in_range() {
        assert!(base(12, 20, true) > base(6, 20, true) && base(12, 20, true) > base(12, 5, true));
        assert!(base(12, 20, true) > base(12, 20, false));
        let board = Board::startpos();
        for depth in 2..40 {
            for count in [2, 5, 30, 200] {
                for history in [-60_000, 0, 60_000] {
                    let base_reduction = base(depth, count, true);
                    let move_ = Candidate { history, base_reduction, ..candidate(&board, "e2e4", count, 1) };
                    let reduced = reduced_depth(&node(depth, 0), &move_, depth - 1, 0);
                    assert!((1..depth).contains(&reduced), "{depth} {count} {history}: {reduced}");
                }
            }
        }
    }

    #[test]
    fn logarithms_are_those_of_the_library() {
        assert!(LN.iter().enumerate().all(|(n, &ln)| ln == (n.max(1) as f32).ln()));
    }

    #[test]
    fn good_moves_are_reduced_less() {
        let board = Board::startpos();
        let late = Candidate { base_reduction: base(15, 12, true), ..candidate(&board, "e2e4", 12, 1) };
        let depth =
            |node: &Node, history, cutoffs| reduced_depth(node, &Candidate { history, ..late }, 14, cutoffs);
        let plain = Node { kind: NodeKind::All, ..node(15, 0) };
        let usual = depth(&plain, 0, 0);
        assert!(depth(&plain, 30_000, 0) > usual && depth(&plain, -30_000, 0) < usual);
        assert!(depth(&node(15, 0), 0, 0) < usual, "cut node");
        assert!(depth(&plain, 0, 5) < usual, "child nodes fail high");
        // Depths are in whole plies, so we sum over ten histories, each worth a tenth of a ply more than the last.
        let lost = |node: &Node| -> i32 {
            (0..10).map(|part| depth(node, part * 1000, 0) - depth(node, part * 1000, 5)).sum()
        };
        assert!(lost(&plain) > lost(&node(15, 0)), "all node");
        assert!(depth(&Node { tt_pv: true, ..plain }, 0, 0) > usual, "former PV");
        assert!(depth(&Node { complexity: 200, ..plain }, 0, 0) > usual, "large correction");
        let alpha_raised = Candidate { alpha_raised: true, ..late };
        assert!(reduced_depth(&plain, &alpha_raised, 14, 0) < usual, "another move raised alpha");
        let on_pv = Node { kind: NodeKind::Pv, tt_pv: true, ..plain };
        let in_window = |window_share| reduced_depth(&on_pv, &Candidate { window_share, ..late }, 14, 0);
        let former_pv = depth(&Node { tt_pv: true, ..plain }, 0, 0);
        assert_eq!([None, Some(0)].map(in_window), [former_pv, former_pv + 2], "PV");
        assert_eq!(in_window(Some(2 * WHOLE_WINDOW)), former_pv + 3, "wide window");
    }

    #[test]
    fn first_moves_are_not_reduced() {
        let board = Board::startpos();
        let is_reduced = |ply, depth, count| {
            is_late(&Node { ply, ..node(depth, 0) }, &candidate(&board, "e2e4", count, 1))
        };
        assert!(is_reduced(3, 5, 2) && !is_reduced(3, 5, 1) && !is_reduced(3, 1, 9) && !is_reduced(0, 5, 2));
    }

    #[test]
    fn research_depth_follows_score() {
        let adjustment = |score| research_adjustment(&node(8, 0), score, 0, 6);
        assert_eq!([91, 90, 24, 23, 3, 2].map(adjustment), [2, 1, 1, 0, 0, -1]);
        let root = Node { ply: 0, ..node(8, 0) };
        assert_eq!([200, 2].map(|score| research_adjustment(&root, score, 0, 6)), [0, 0]);
    }

    #[test]
    fn node_without_tt_move_is_reduced() {
        let reduction = internal_iterative;
        assert_eq!((reduction(&node(6, 0)), reduction(&node(3, 0))), (1, 0));
        assert_eq!(reduction(&Node { tt_move: Move::from_code(77), ..node(6, 0) }), 0);
        assert_eq!(reduction(&Node { kind: NodeKind::All, ..node(6, 0) }), 0);
        assert_eq!(reduction(&Node { is_singular_search: true, ..node(6, 0) }), 0);
        assert_eq!(reduction(&Node { kind: NodeKind::Pv, ..node(6, 0) }), 1);
    }

    #[test]
    fn hindsight_corrects_depth() {
        let mut stack = Stack::new();
        let mut with = |parent_eval, reduction, node: Node| {
            stack[2].eval = parent_eval;
            stack[2].reduction = reduction;
            hindsight(&node, &stack)
        };
        assert_eq!(with(Some(-40), 2, node(5, 30)), 1);
        assert_eq!(with(Some(-40), 0, node(5, 30)), 0, "no reduction");
        assert_eq!(with(Some(-30), 2, node(5, 30)), 0, "the move lost nothing and gained nothing");
        assert_eq!(with(Some(40), 2, node(5, 30)), -1);
        assert_eq!(with(Some(40), 0, node(5, 30)), 0, "no reduction");
        assert_eq!(with(Some(40), 2, node(1, 30)), 0, "near the horizon");
        assert_eq!(with(Some(40), 2, Node { tt_pv: true, ..node(5, 30) }), 0, "former PV");
        assert_eq!(with(None, 4, node(5, 0)), 0, "parent in check");
        assert_eq!(with(Some(-40), 4, Node { static_eval: None, ..node(5, 0) }), 0, "in check");
        for eval in [-100, 200] {
            let singular = Node { is_singular_search: true, ..node(5, eval) };
            assert_eq!(with(Some(0), 4, singular), 0, "singular search");
        }
    }
}
