//! ProbCut: a capture that beats beta by a margin in a shallower search would beat beta in a full one, almost always.
//! Quiescence asks first, cheaply. Wrong where the shallow search overlooks the recapture; not tried where the
//! transposition table says that nothing comes out so high, or that a quiet move is best.
//!
//! Worth +20 ± 26 (500 games); its score less the margin +4.5 ± 5.8, not with a quiet tt move +3.2 ± 5.8 (10,192 games in
//! which other features varied, too).

use crate::chess::Move;
use crate::search::history::HistoryContext;
use crate::search::movepick::MovePicker;
use crate::search::node::Node;
use crate::search::params::parameters;
use crate::search::score::{Bound, Score, is_decisive};
use crate::search::tt::TtEntry;
use crate::search::worker::Worker;

parameters! {
    /// ProbCut: how far above beta a capture must come out, centipawns.
    probcut_margin = 190, 50, 500, 20;
    /// ProbCut: least depth.
    probcut_depth = 5, 3, 100, 1;
}

/// Plies by which the search of the capture is shallower than the node.
const REDUCTION: i32 = 4;

fn applies(node: &Node, beta: Score) -> bool {
    let beyond = beta + probcut_margin();
    let tt_says_no = node.tt_hit.is_some_and(|hit| hit.depth >= node.depth - 3 && hit.score < beyond)
        || node.tt_move.is_some_and(Move::is_quiet);
    node.static_eval.is_some() && node.depth >= probcut_depth() && !is_decisive(beta) && !tt_says_no
}

/// What a score beyond the margin says of beta: less by the margin, unless it is decided.
fn less_margin(score: Score) -> Score {
    if is_decisive(score) { score } else { score - probcut_margin() }
}

/// The score of a capture that beats beta by the margin, less the margin.
pub(in crate::search) fn prune(worker: &mut Worker<'_>, node: &Node, beta: Score) -> Option<Score> {
    let static_eval = node.static_eval.filter(|_| applies(node, beta))?;
    let beyond = beta + probcut_margin();
    let (ply, reduced) = (node.ply, node.depth - REDUCTION);
    let mut picker = MovePicker::noisy_only(&worker.board, node.tt_move, beyond - static_eval);
    while let Some(mv) = picker.next(&worker.board, worker.histories, &HistoryContext::default()) {
        if picker.is_at_bad_moves() {
            break;
        }
        // Of the tt move alone the picker does not know what its exchange gains.
        if !picker.is_at_good_moves() && !worker.board.see_at_least(mv, beyond - static_eval) {
            continue;
        }
        worker.make_move(ply, mv);
        let mut score = -worker.qsearch::<false>(ply + 1, -beyond, 1 - beyond);
        if score >= beyond && reduced > 0 && !worker.stopped {
            score = -worker.search::<false>(ply + 1, reduced, -beyond, 1 - beyond, !node.cut_node);
        }
        worker.unmake_move(mv);
        if worker.stopped {
            return None;
        }
        if score >= beyond {
            let depth = reduced + 1;
            let hit = TtEntry {
                mv: Some(mv),
                score,
                bound: Bound::Lower,
                eval: node.raw_eval,
                depth,
                tt_pv: node.tt_pv,
            };
            worker.tt.store(worker.board.key(), ply, hit);
            return Some(less_margin(score));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::test_nodes::node;
    use super::*;
    use crate::search::score::mate_in;

    #[test]
    fn it_is_tried_deep_enough_unless_the_table_knows_better() {
        assert!(applies(&node(6, 100), 50));
        assert!(!applies(&node(4, 100), 50), "too shallow");
        assert!(!applies(&Node { static_eval: None, ..node(6, 100) }, 50), "in check");
        assert!(!applies(&Node { tt_move: Move::from_code(77), ..node(6, 100) }, 50), "a quiet tt move");
        assert!(!applies(&node(6, 100), mate_in(8)));
        let hit =
            |score, depth| TtEntry { mv: None, score, bound: Bound::Upper, eval: None, depth, tt_pv: false };
        assert!(!applies(&Node { tt_hit: Some(hit(60, 5)), ..node(6, 100) }, 50));
        assert!(applies(&Node { tt_hit: Some(hit(60, 1)), ..node(6, 100) }, 50), "too shallow to say no");
    }

    #[test]
    fn only_what_is_beyond_the_margin_counts() {
        assert_eq!(less_margin(50 + probcut_margin()), 50);
        assert_eq!(less_margin(mate_in(9)), mate_in(9));
    }
}
