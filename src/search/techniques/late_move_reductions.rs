//! Late move reductions (LMR): with a good ordering the first moves are the good ones, so later ones are searched less
//! deep at first, by the logarithms of depth and move count and by what is known of node and move; and deeper again when
//! they come out well.
//!
//! Worth: the terms for principal variation, cut node, improving, check, tt capture and child cutoffs together +17 ± 28
//! (400 games at 0.5+0.005), history +10 ± 28 (500 games); a deeper re-search −5 ± 27 (420 at 0.5+0.005); more
//! after alpha was raised +2.7 ± 5.8 (10,192 games in which other features varied, too).

use once_cell::sync::Lazy;

use crate::chess::Move;
use crate::search::node::{Candidate, Node};
use crate::search::params::parameters;
use crate::search::score::Score;

parameters! {
    /// Late move reductions (LMR), 1024ths of a ply: quiet moves, base.
    lmr_quiet_base = 738, 0, 2500, 100;
    /// LMR: quiet moves, per ln(depth) × ln(move count).
    lmr_quiet_slope = 455, 200, 800, 30;
    /// LMR: noisy moves, base.
    lmr_noisy_base = 100, -1000, 1500, 100;
    /// LMR: noisy moves, per ln(depth) × ln(move count).
    lmr_noisy_slope = 400, 100, 700, 30;
    /// LMR: less on the principal variation, now or once.
    lmr_was_pv = 861, 0, 2500, 100;
    /// LMR: more in nodes expected to fail high.
    lmr_cut_node = 1725, 0, 3000, 150;
    /// LMR: more when the evaluation does not improve.
    lmr_not_improving = 569, 0, 2000, 100;
    /// LMR: less for moves that check.
    lmr_check = 850, 0, 2500, 100;
    /// LMR: more when the tt move is a capture.
    lmr_tt_noisy = 740, 0, 2500, 100;
    /// LMR: more when the nodes after this one fail high often.
    lmr_child_cutoffs = 951, 0, 2500, 100;
    /// LMR: less by history, hundredths of a 1024th per unit.
    lmr_history = 10, 0, 40, 2;
    /// LMR: more for each earlier move that raised alpha.
    lmr_alpha_raised = 512, 0, 2500, 100;
    /// LMR: re-search one ply deeper when a reduced move comes out so far above the best, centipawns.
    lmr_deeper_margin = 39, 0, 10000, 10;
}

/// 1024ths of a ply.
const PLY: i32 = 1024;

const LOGARITHMS: usize = 256;

/// Natural logarithms, so that reductions take none.
static LN: Lazy<[f32; LOGARITHMS]> = Lazy::new(|| std::array::from_fn(|n| (n.max(1) as f32).ln()));

/// The reduction by depth and move count alone, 1024ths of a ply.
#[inline]
fn base(depth: i32, move_count: usize, is_quiet: bool) -> i32 {
    let ln = |n: usize| LN[n.min(LOGARITHMS - 1)];
    let product = ln(depth.max(1) as usize) * ln(move_count);
    let (base, slope) =
        if is_quiet { (lmr_quiet_base(), lmr_quiet_slope()) } else { (lmr_noisy_base(), lmr_noisy_slope()) };
    base + (slope as f32 * product) as i32
}

/// The depth that the reduction by depth and move count alone leaves, not below 0: what prunings of single moves go by.
#[inline]
pub(in crate::search) fn lmr_depth(depth: i32, move_count: usize, is_quiet: bool) -> i32 {
    (depth - base(depth, move_count, is_quiet) / PLY).max(0)
}

/// `true` for moves that are searched less deep first.
#[inline]
pub(in crate::search) fn applies(node: &Node, candidate: &Candidate) -> bool {
    node.depth >= 2 && candidate.move_count > 1 + usize::from(node.ply == 0)
}

/// The depth to which a late move is searched first, where `new_depth` would be the full one and its child nodes have
/// failed high `child_cutoffs` times so far.
pub(in crate::search) fn reduced_depth(
    node: &Node,
    candidate: &Candidate,
    new_depth: i32,
    child_cutoffs: u32,
) -> i32 {
    let &Candidate { mv, move_count, history, gives_check, alpha_raised, .. } = candidate;
    let mut reduction = base(node.depth, move_count, mv.is_quiet());
    let mut adjust = |condition: bool, amount: i32| reduction += if condition { amount } else { 0 };
    adjust(node.tt_pv, -lmr_was_pv());
    adjust(node.cut_node, lmr_cut_node());
    adjust(!node.improving, lmr_not_improving());
    adjust(gives_check, -lmr_check());
    adjust(node.tt_move.is_some_and(Move::is_noisy), lmr_tt_noisy());
    adjust(child_cutoffs > 2, lmr_child_cutoffs());
    reduction += alpha_raised * lmr_alpha_raised();
    reduction -= history * lmr_history() / 100;
    (new_depth - reduction.div_euclid(PLY)).clamp(1.min(new_depth), new_depth + i32::from(node.is_pv))
}

/// Plies by which a reduced move that raised alpha is searched again deeper than in full: more when it came out far
/// above the best so far, less when hardly.
pub(in crate::search) fn research_adjustment(score: Score, best: Score, new_depth: i32) -> i32 {
    let deeper = i32::from(score > best + lmr_deeper_margin() + 2 * new_depth);
    deeper - i32::from(score < best + new_depth + deeper)
}

#[cfg(test)]
mod tests {
    use super::super::test_nodes::{candidate, node};
    use super::*;
    use crate::chess::Board;

    #[test]
    fn reductions_grow_with_depth_and_move_count_and_never_leave_their_range() {
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
    fn what_speaks_for_a_move_reduces_it_less() {
        let board = Board::startpos();
        let depth = |node: &Node, history, cutoffs| {
            reduced_depth(node, &Candidate { history, ..candidate(&board, "e2e4", 12, 1) }, 14, cutoffs)
        };
        let plain = Node { cut_node: false, ..node(15, 0) };
        let usual = depth(&plain, 0, 0);
        assert!(depth(&plain, 30_000, 0) > usual && depth(&plain, -30_000, 0) < usual);
        assert!(depth(&node(15, 0), 0, 0) < usual, "a cut node");
        assert!(depth(&plain, 0, 5) <= usual);
        assert!(depth(&Node { tt_pv: true, ..plain }, 0, 0) >= usual);
        let late = Candidate { alpha_raised: 3, ..candidate(&board, "e2e4", 12, 1) };
        assert!(reduced_depth(&plain, &late, 14, 0) < usual, "after others raised alpha");
    }

    #[test]
    fn the_first_moves_are_searched_in_full() {
        let board = Board::startpos();
        let is_reduced = |ply, depth, count| {
            applies(&Node { ply, ..node(depth, 0) }, &candidate(&board, "e2e4", count, 1))
        };
        assert!(is_reduced(3, 5, 2) && !is_reduced(3, 5, 1) && !is_reduced(3, 1, 9) && !is_reduced(0, 5, 2));
    }

    #[test]
    fn a_move_that_comes_out_well_is_searched_again_deeper() {
        assert_eq!(research_adjustment(200, 0, 6), 1);
        assert_eq!(research_adjustment(30, 0, 6), 0);
        assert_eq!(research_adjustment(3, 0, 6), -1);
    }
}
