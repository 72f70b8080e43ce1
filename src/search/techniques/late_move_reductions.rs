//! Late move reductions (LMR): searches late moves shallower first, because good ordering puts the best moves first. The
//! reduction grows with the logarithms of depth and move count and depends on node and move. A move that raises alpha is
//! searched again deeper.
//!
//! Wrong for a late move whose strength shows only at the full depth.

use once_cell::sync::Lazy;

use crate::chess::Move;
use crate::search::node_state::{Candidate, Node};
use crate::search::params::parameters;
use crate::search::score::Score;

parameters! {
    /// Late move reductions (LMR): base for quiet moves, 1024ths of a ply.
    lmr_quiet_base = 1300, 0, 2500, 100;
    /// LMR: quiet moves, 1024ths of a ply per ln(depth) × ln(move count).
    lmr_quiet_slope = 430, 200, 800, 30;
    /// LMR: base for noisy moves, 1024ths of a ply.
    lmr_noisy_base = 600, -1000, 1500, 100;
    /// LMR: noisy moves, 1024ths of a ply per ln(depth) × ln(move count).
    lmr_noisy_slope = 400, 100, 700, 30;
    /// LMR: less on a principal variation of this or an earlier search, 1024ths of a ply.
    lmr_tt_pv = 861, 0, 2500, 100;
    /// LMR: further less on the principal variation of this search, 1024ths of a ply.
    lmr_pv = 2000, 0, 4000, 200;
    /// LMR: further less on the principal variation with a window as wide as the root's, 1024ths of a ply.
    lmr_window = 500, 0, 2500, 100;
    /// LMR: more in a cut node, 1024ths of a ply.
    lmr_cut_node = 1700, 0, 3000, 150;
    /// LMR: more if the evaluation is not improving, 1024ths of a ply.
    lmr_not_improving = 650, 0, 2000, 100;
    /// LMR: less for a check, 1024ths of a ply.
    lmr_check = 1100, 0, 2500, 100;
    /// LMR: more if the tt move is noisy, 1024ths of a ply.
    lmr_tt_noisy = 950, 0, 2500, 100;
    /// LMR: more if the child nodes fail high often, 1024ths of a ply.
    lmr_child_cutoffs = 951, 0, 2500, 100;
    /// LMR: further more in an all node if the child nodes fail high often, 1024ths of a ply.
    lmr_child_cutoffs_all = 400, 0, 2500, 100;
    /// LMR: less per centipawn by which the static eval was corrected, 1024ths of a ply.
    lmr_complexity = 6, 0, 40, 2;
    /// LMR: less per unit of history, hundredths of a 1024th of a ply.
    lmr_history = 10, 0, 40, 2;
    /// LMR: more once a move has raised alpha, 1024ths of a ply.
    lmr_alpha_raised = 900, 0, 2500, 100;
    /// LMR: margin above the best score for a re-search one ply deeper, centipawns.
    lmr_deeper_margin = 20, 0, 10000, 10;
    /// LMR: margin above the best score below which a re-search is one ply shallower, centipawns.
    lmr_shallower_margin = 3, 0, 100, 2;
}

/// Unit of reductions, per ply.
const PLY: i32 = 1024;
/// Unit of [`lmr_history`], per 1024th of a ply.
const HISTORY_UNIT: i32 = 100;
/// Minimum depth of a node with reductions, plies.
const MIN_DEPTH: i32 = 2;
/// Moves that are not reduced; at the root one more.
const UNREDUCED_MOVES: usize = 1;
/// Cutoffs of the child nodes above which moves are reduced more.
const FEW_CUTOFFS: u32 = 2;
/// Plies of depth that add a centipawn to the margin for a deeper re-search.
const DEEPER_PLIES: i32 = 2;

/// Length of the table of logarithms.
const LOGARITHMS: usize = 256;

/// Natural logarithms by argument; 0 for 0.
static LN: Lazy<[f32; LOGARITHMS]> = Lazy::new(|| std::array::from_fn(|n| (n.max(1) as f32).ln()));

/// Returns the reduction by depth and move count alone, 1024ths of a ply.
#[inline]
fn base(depth: i32, move_count: usize, is_quiet: bool) -> i32 {
    let ln = |n: usize| LN[n.min(LOGARITHMS - 1)];
    let product = ln(depth.max(1) as usize) * ln(move_count);
    let (base, slope) =
        if is_quiet { (lmr_quiet_base(), lmr_quiet_slope()) } else { (lmr_noisy_base(), lmr_noisy_slope()) };
    base + (slope as f32 * product) as i32
}

/// Returns the depth less the reduction by depth and move count alone, plies; at least 0. The pruning of moves uses it.
#[inline]
pub(in crate::search) fn lmr_depth(depth: i32, move_count: usize, is_quiet: bool) -> i32 {
    (depth - base(depth, move_count, is_quiet) / PLY).max(0)
}

/// Returns `true` for a move that is searched with reduced depth first.
#[inline]
pub(in crate::search) fn applies(node: &Node, candidate: &Candidate) -> bool {
    node.depth >= MIN_DEPTH && candidate.move_count > UNREDUCED_MOVES + usize::from(node.ply == 0)
}

/// Returns the part of the reduction that a good history takes away, 1024ths of a ply; negative for a bad one.
#[inline]
pub(in crate::search) fn history_part(candidate: &Candidate) -> i32 {
    candidate.history * lmr_history() / HISTORY_UNIT
}

/// Returns the depth of the first search of a late move, plies.
///
/// `new_depth` is the full depth, `child_cutoffs` the number of cutoffs of the child nodes so far.
pub(in crate::search) fn reduced_depth(
    node: &Node,
    candidate: &Candidate,
    new_depth: i32,
    child_cutoffs: u32,
) -> i32 {
    let &Candidate { mv, move_count, gives_check, alpha_raised, window_share, .. } = candidate;
    let mut reduction = base(node.depth, move_count, mv.is_quiet());
    let mut adjust = |condition: bool, amount: i32| reduction += if condition { amount } else { 0 };
    adjust(node.tt_pv, -lmr_tt_pv());
    adjust(node.cut_node, lmr_cut_node());
    adjust(!node.improving, lmr_not_improving());
    adjust(gives_check, -lmr_check());
    adjust(node.tt_move.is_some_and(Move::is_noisy), lmr_tt_noisy());
    adjust(child_cutoffs > FEW_CUTOFFS, lmr_child_cutoffs());
    adjust(child_cutoffs > FEW_CUTOFFS && node.is_all(), lmr_child_cutoffs_all());
    adjust(alpha_raised, lmr_alpha_raised());
    adjust(node.is_pv, -lmr_pv() - lmr_window() * window_share / PLY);
    reduction -= lmr_complexity() * node.complexity;
    reduction -= history_part(candidate);
    (new_depth - reduction.div_euclid(PLY)).clamp(1.min(new_depth), new_depth + i32::from(node.is_pv))
}

/// Returns the change of `new_depth` for the re-search of a reduced move that raised alpha, plies: deeper if its score is
/// far above the best so far, shallower if barely. The root searches every move to the depth it reports.
pub(in crate::search) fn research_adjustment(node: &Node, score: Score, best: Score, new_depth: i32) -> i32 {
    if node.ply == 0 {
        0
    } else if score > best + lmr_deeper_margin() + new_depth / DEEPER_PLIES {
        1
    } else if score < best + lmr_shallower_margin() {
        -1
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Board;
    use crate::search::node_state::tests::{candidate, node};

    #[test]
    fn reduced_depth_stays_in_range() {
        assert!(base(12, 20, true) > base(6, 20, true) && base(12, 20, true) > base(12, 5, true));
        assert!(base(12, 20, true) > base(12, 20, false));
        let board = Board::startpos();
        for depth in 2..40 {
            for count in [2, 5, 30, 200] {
                for history in [-60_000, 0, 60_000] {
                    let move_ = Candidate { history, ..candidate(&board, "e2e4", count, 1) };
                    let reduced = reduced_depth(&node(depth, 0), &move_, depth - 1, 0);
                    assert!((1..depth).contains(&reduced), "{depth} {count} {history}: {reduced}");
                }
            }
        }
    }

    #[test]
    fn good_moves_are_reduced_less() {
        let board = Board::startpos();
        let depth = |node: &Node, history, cutoffs| {
            reduced_depth(node, &Candidate { history, ..candidate(&board, "e2e4", 12, 1) }, 14, cutoffs)
        };
        let plain = Node { cut_node: false, ..node(15, 0) };
        let usual = depth(&plain, 0, 0);
        assert!(depth(&plain, 30_000, 0) > usual && depth(&plain, -30_000, 0) < usual);
        assert!(depth(&node(15, 0), 0, 0) < usual, "cut node");
        assert!(depth(&plain, 0, 5) < usual, "child nodes fail high");
        assert!(
            depth(&node(15, 0), 0, 0) - depth(&node(15, 0), 0, 5) < usual - depth(&plain, 0, 5),
            "all node"
        );
        assert!(depth(&Node { tt_pv: true, ..plain }, 0, 0) > usual, "former principal variation");
        assert!(depth(&Node { complexity: 200, ..plain }, 0, 0) > usual, "large correction");
        let late = Candidate { alpha_raised: true, ..candidate(&board, "e2e4", 12, 1) };
        assert!(reduced_depth(&plain, &late, 14, 0) < usual, "another move raised alpha");
        let on_pv = Node { is_pv: true, tt_pv: true, ..plain };
        let wide = Candidate { window_share: 2 * PLY, ..candidate(&board, "e2e4", 12, 1) };
        let former_pv = Node { tt_pv: true, ..plain };
        assert_eq!(depth(&on_pv, 0, 0), depth(&former_pv, 0, 0) + 2, "principal variation");
        assert_eq!(reduced_depth(&on_pv, &wide, 14, 0), depth(&on_pv, 0, 0) + 1, "wide window");
    }

    #[test]
    fn first_moves_are_not_reduced() {
        let board = Board::startpos();
        let is_reduced = |ply, depth, count| {
            applies(&Node { ply, ..node(depth, 0) }, &candidate(&board, "e2e4", count, 1))
        };
        assert!(is_reduced(3, 5, 2) && !is_reduced(3, 5, 1) && !is_reduced(3, 1, 9) && !is_reduced(0, 5, 2));
    }

    #[test]
    fn research_depth_follows_score() {
        let adjustment = |score| research_adjustment(&node(8, 0), score, 0, 6);
        assert_eq!([24, 23, 3, 2].map(adjustment), [1, 0, 0, -1]);
        let root = Node { ply: 0, ..node(8, 0) };
        assert_eq!([200, 2].map(|score| research_adjustment(&root, score, 0, 6)), [0, 0]);
    }
}
