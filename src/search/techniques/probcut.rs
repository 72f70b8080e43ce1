//! ProbCut: cuts a node if a capture beats beta by a margin in a reduced search, because the full search would then almost
//! always beat beta. A quiescence search comes first, at little cost.
//!
//! Wrong where the reduced search overlooks a refutation. Tried only where the node is expected to fail high, and not if
//! the TT has a score below the raised beta or a quiet move.

use crate::chess::Move;
use crate::search::history::HistoryContext;
use crate::search::movepick::MovePicker;
use crate::search::node_state::Node;
use crate::search::params::parameters;
use crate::search::score::{Bound, DRAW, Score, is_decisive};
use crate::search::tt::TtEntry;
use crate::search::worker::Worker;

parameters! {
    /// ProbCut: margin above beta that a capture must reach, centipawns.
    probcut_margin = 75, 20, 500, 15;
    /// ProbCut: margin less if the evaluation is improving, centipawns.
    probcut_improving = 25, 0, 200, 10;
    /// ProbCut: minimum depth, plies.
    probcut_depth = 4, 3, 100, 1;
}

/// Reduction of the search of a capture, plies below the depth of the node.
const REDUCTION: i32 = 4;
/// Material that a capture must win by static exchange evaluation, per centipawn of static eval that is missing: exchanges
/// count a pawn as 100, the network about 70.
const EXCHANGE_SCALE: (Score, Score) = (5, 4);

/// Returns the margin above beta, centipawns.
fn margin(node: &Node) -> Score {
    probcut_margin() - if node.improving { probcut_improving() } else { 0 }
}

/// Returns `true` for a node in which a capture may beat `raised_beta`, beta and the margin.
fn applies(node: &Node, raised_beta: Score) -> bool {
    let is_refuted =
        node.tt_move.is_some_and(Move::is_quiet) || node.tt_hit.is_some_and(|hit| hit.score < raised_beta);
    node.cut_node
        && node.static_eval.is_some()
        && node.depth >= probcut_depth()
        && !is_decisive(raised_beta)
        && !is_refuted
}

/// Returns the score less the margin; a decisive one unchanged.
fn less_margin(score: Score, margin: Score) -> Score {
    if is_decisive(score) { score } else { score - margin }
}

/// Returns the score, less the margin, of a capture that beats beta by the margin; any score if the search is stopped.
pub(in crate::search) fn prune(worker: &mut Worker<'_>, node: &Node, beta: Score) -> Option<Score> {
    let margin = margin(node);
    let raised_beta = beta + margin;
    let static_eval = node.static_eval.filter(|_| applies(node, raised_beta))?;
    let (ply, reduced) = (node.ply, node.depth - REDUCTION);
    let threshold = (raised_beta - static_eval) * EXCHANGE_SCALE.0 / EXCHANGE_SCALE.1;
    let mut picker = MovePicker::noisy_only(&worker.board, node.tt_move, threshold);
    while let Some(mv) = picker.next(&worker.board, worker.histories, worker.tt, &HistoryContext::default()) {
        if picker.is_at_bad_moves() {
            break;
        }
        // The picker does not compare the exchange of the tt move with the threshold.
        if !picker.is_at_good_moves() && !worker.board.see_at_least(mv, threshold) {
            continue;
        }
        worker.make_move(ply, mv);
        let mut score = -worker.qsearch::<false>(ply + 1, -raised_beta, 1 - raised_beta);
        if score >= raised_beta && reduced > 0 && !worker.stopped {
            score = -worker.search::<false>(ply + 1, reduced, -raised_beta, 1 - raised_beta, !node.cut_node);
        }
        worker.unmake_move(mv);
        if worker.stopped {
            return Some(DRAW);
        }
        if score >= raised_beta {
            let hit = TtEntry {
                mv: Some(mv),
                score,
                bound: Bound::Lower,
                eval: node.raw_eval,
                depth: reduced + 1,
                tt_pv: node.tt_pv,
            };
            worker.tt.store(worker.board.key(), ply, hit);
            return Some(less_margin(score, margin));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::node_state::tests::node;
    use crate::search::score::mate_in;

    #[test]
    fn applies_unless_table_refutes() {
        assert!(applies(&node(6, 100), 50));
        assert!(!applies(&Node { cut_node: false, ..node(6, 100) }, 50));
        assert!(!applies(&node(3, 100), 50), "too shallow");
        assert!(!applies(&Node { static_eval: None, ..node(6, 100) }, 50), "in check");
        assert!(!applies(&Node { tt_move: Move::from_code(77), ..node(6, 100) }, 50), "quiet tt move");
        assert!(!applies(&node(6, 100), mate_in(8)));
        let hit =
            |score, depth| TtEntry { mv: None, score, bound: Bound::Upper, eval: None, depth, tt_pv: false };
        assert!(!applies(&Node { tt_hit: Some(hit(49, 1)), ..node(6, 100) }, 50), "score in the table");
        assert!(applies(&Node { tt_hit: Some(hit(50, 1)), ..node(6, 100) }, 50));
        assert!(margin(&Node { improving: true, ..node(6, 100) }) < margin(&node(6, 100)));
    }

    #[test]
    fn score_is_reduced_by_margin() {
        assert_eq!(less_margin(125, 75), 50);
        assert_eq!(less_margin(mate_in(9), 75), mate_in(9));
    }
}
