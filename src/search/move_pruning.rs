//! Pruning of single moves: late moves, futility, history, and exchanges (SEE).
//!
//! - **Late moves** (LMP, move count pruning): with good ordering a late quiet move is unlikely to be better. Wrong if the
//!   ordering is poor. Near the horizon we wait as long as every move so far loses against the static eval: the opponent
//!   threatens something, and the answer may be a quiet move without a history.
//! - **Futility** skips a quiet move if the static eval is far below alpha. Later quiet moves have worse histories, so all
//!   of them are skipped. A losing capture is skipped alone, by its own margin.
//! - **History** skips a quiet move near the horizon that usually fails. Wrong if it is strong this time.
//! - **Exchanges** skips a move that loses too much on its target square. Wrong for sacrifices; SEE ignores pins.
//!
//! Except for exchanges we keep checks, because neither eval nor history show how strong they are, and prune nothing in
//! check, where the eval means nothing and every quiet evasion has a poor history.

use super::node_state::{Candidate, Node};
use super::params::parameters;
use super::score::{DECISIVE_RANGE, Score};
use crate::chess::Board;

parameters! {
    // Late moves: how many moves are searched at least, in hundredths.
    lmp_base = 300, 50, 2000, 40;
    lmp_slope = 100, 30, 300, 10; // × depth²
    lmp_wait_depth = 5, -1, 20, 1; // maximum depth at which we wait for a move that loses little
    lmp_max_loss = 50, -100, 10000, 25; // what "little" is, centipawns

    // Futility: margin below alpha, centipawns; depth here is the depth after the reduction.
    futility_depth = 10, -1, 20, 1; // maximum
    futility_base = 60, 0, 500, 20;
    futility_slope = 50, 20, 250, 10; // × depth
    futility_history = 180, 20, 10000, 30; // history that widens the margin by a centipawn
    bad_noisy_depth = 8, -1, 20, 1; // the same for losing captures
    bad_noisy_base = 15, -100, 300, 15;
    bad_noisy_slope = 40, 10, 200, 8;
    bad_noisy_history = 20, 5, 10000, 4;

    // History: maximum depth after the reduction; a move below minus this × the node's depth is pruned.
    history_prune_depth = 5, -1, 20, 1;
    history_prune_slope = 4200, 500, 15000, 400;

    // Exchanges: how much a move may lose, centipawns.
    see_quiet_slope = 10, 0, 10000, 4; // quiet: × depth after the reduction
    see_quiet_square = 12, 0, 10000, 2; // quiet: × depth²
    see_noisy_slope = 85, 20, 10000, 8; // captures and checks: × depth of the node
    see_history = 64, 10, 10000, 10; // captures and checks: history that allows another centipawn,
    see_history_limit = 60, 0, 200, 8; // at most this many per ply
}

/// Unit of [`lmp_base`] and [`lmp_slope`], per move.
const LMP_MOVE: i32 = 100;

/// Whether to prune moves at all. At the root we don't; elsewhere we need a move that doesn't lose by force.
fn may_prune(node: &Node, best: Score) -> bool {
    node.ply > 0 && best > -DECISIVE_RANGE
}

/// Whether quiet moves come too late from move number `move_count` on; once they do, they do for the rest of the node.
#[inline(always)]
pub(super) fn quiets_are_late(node: &Node, move_count: usize, best: Score) -> bool {
    let Some(eval) = node.static_eval else { return false };
    let moves = (lmp_base() + lmp_slope() * node.depth * node.depth) / LMP_MOVE;
    let limit = if node.improving { moves } else { moves / 2 };
    // The tablebases may give a score before the first move, but without any move the node looks like a stalemate.
    move_count > (limit as usize).max(1)
        && may_prune(node, best)
        && (node.depth > lmp_wait_depth() || best >= eval - lmp_max_loss())
}

/// Whether to skip the move. A futile quiet move sets `skip_quiets` and raises `best` to the score it could hope for.
#[inline(always)]
pub(super) fn prunes(
    node: &Node,
    candidate: &Candidate,
    board: &Board,
    alpha: Score,
    best: &mut Score,
    skip_quiets: &mut bool,
) -> bool {
    if !may_prune(node, *best) {
        return false;
    }
    let is_check = candidate.gives_check;
    if candidate.mv.is_quiet() && !is_check {
        if *skip_quiets {
            return true;
        }
        if let Some(hope) = futile_score(node, candidate, alpha) {
            *best = hope.max(*best);
            *skip_quiets = true;
            return true;
        }
        if has_bad_history(node, candidate) {
            return true;
        }
    } else if candidate.is_losing_noisy && !is_check && futile_score(node, candidate, alpha).is_some() {
        return true;
    }
    !board.see_at_least(candidate.mv, -max_loss(node, candidate))
}

/// Returns the score that the move can hope for if it is futile, which is at most alpha.
fn futile_score(node: &Node, candidate: &Candidate, alpha: Score) -> Option<Score> {
    let &Candidate { mv, lmr_depth, history, .. } = candidate;
    let (margin, max_depth) = if mv.is_quiet() {
        (futility_base() + futility_slope() * lmr_depth + history / futility_history(), futility_depth())
    } else {
        let margin = bad_noisy_base() + bad_noisy_slope() * lmr_depth + history / bad_noisy_history();
        (margin, bad_noisy_depth())
    };
    let hope = node.static_eval? + margin;
    (lmr_depth <= max_depth && hope <= alpha).then_some(hope)
}

fn has_bad_history(node: &Node, candidate: &Candidate) -> bool {
    !node.in_check()
        && candidate.lmr_depth <= history_prune_depth()
        && candidate.history < -history_prune_slope() * node.depth
}

/// Returns how much the move may lose, centipawns.
fn max_loss(node: &Node, candidate: &Candidate) -> Score {
    let &Candidate { mv, gives_check, lmr_depth, history, .. } = candidate;
    if mv.is_quiet() && !gives_check {
        return (see_quiet_slope() + see_quiet_square() * lmr_depth) * lmr_depth;
    }
    let limit = see_history_limit() * node.depth;
    see_noisy_slope() * node.depth + (history / see_history()).clamp(-limit, limit)
}

#[cfg(test)]
mod tests {
    use super::super::node_state::tests::{candidate, node};
    use super::*;

    const FEN: &str = "4k3/8/8/3p4/4P3/8/8/R3K3 w - - 0 1";

    /// Returns what becomes of a move: whether it is skipped, and the changed state.
    fn verdict(node: &Node, candidate: Candidate, alpha: Score) -> (bool, Score, bool) {
        let (mut best, mut skip_quiets) = (0, false);
        let board = FEN.parse().unwrap();
        (prunes(node, &candidate, &board, alpha, &mut best, &mut skip_quiets), best, skip_quiets)
    }

    #[test]
    fn late_quiet_moves_are_pruned() {
        let late = |depth, count| quiets_are_late(&node(depth, 0), count, 0);
        assert!(late(3, 30) && !late(3, 3));
        assert!(!late(15, 30) && late(15, 120), "more moves at greater depth");
        assert!(!quiets_are_late(&Node { improving: true, ..node(3, 0) }, 9, 0) && late(3, 9), "improving");
        let after = |depth, best| quiets_are_late(&node(depth, 0), 60, best);
        assert!(after(3, -20) && !after(3, -300), "every move so far loses");
        assert!(after(6, -300), "too deep to wait");
        assert!(!after(6, -DECISIVE_RANGE), "every move so far loses by force");
        assert!(!quiets_are_late(&Node { static_eval: None, ..node(3, 0) }, 30, 0), "in check");
        assert!(!quiets_are_late(&Node { ply: 0, ..node(3, 0) }, 30, 0), "root");
        let board: Board = FEN.parse().unwrap();
        let skips = |text| {
            let candidate = candidate(&board, text, 9, 20);
            prunes(&node(20, 0), &candidate, &board, 0, &mut 0, &mut true)
        };
        assert!(skips("e1d2") && !skips("a1a8") && !skips("e4d5"), "quiet, check, capture");
    }

    #[test]
    fn futile_moves_are_skipped() {
        let board: Board = FEN.parse().unwrap();
        let after = |text, history, alpha| {
            verdict(&node(4, 0), Candidate { history, ..candidate(&board, text, 5, 2) }, alpha)
        };
        assert_eq!(after("e1d2", 0, 600), (true, 160, true));
        assert_eq!(after("e1d2", 0, 159), (false, 0, false));
        assert_eq!(after("e1d2", 18_000, 600), (true, 260, true), "good history");
        assert_eq!(after("e1d2", 18_000, 200), (false, 0, false), "good history");
        assert_eq!(after("a1a8", 0, 600), (false, 0, false), "check");
        assert_eq!(after("e4d5", 0, 600), (false, 0, false), "capture");
        let deep = candidate(&board, "e1d2", 5, futility_depth() + 1);
        assert!(!verdict(&node(12, 0), deep, 5_000).0, "too deep");
        let losing = |history, alpha| {
            let capture = Candidate { is_losing_noisy: true, history, ..candidate(&board, "e4d5", 5, 2) };
            verdict(&node(4, 0), capture, alpha)
        };
        assert_eq!(losing(0, 600), (true, 0, false), "losing capture");
        assert!(!losing(0, 50).0 && !losing(16_000, 600).0, "good history");
        let in_check = Node { static_eval: None, ..node(4, 0) };
        assert!(!verdict(&in_check, candidate(&board, "e1d2", 5, 2), 600).0, "in check");
    }

    #[test]
    fn bad_quiet_history_is_pruned() {
        let board: Board = FEN.parse().unwrap();
        let with = |text, history, lmr_depth| Candidate { history, ..candidate(&board, text, 5, lmr_depth) };
        let skips = |text, history, lmr_depth| verdict(&node(4, 0), with(text, history, lmr_depth), -900).0;
        assert!(skips("e1d2", -20_000, 2));
        assert!(!skips("e1d2", -16_000, 2), "not bad enough at depth 4");
        assert!(!skips("e1d2", -30_000, 6));
        assert!(!skips("a1a8", -20_000, 2) && !skips("e4d5", -20_000, 2), "check, capture");
        let in_check = Node { static_eval: None, ..node(4, 0) };
        assert!(!verdict(&in_check, with("e1d2", -20_000, 2), -900).0, "in check");
    }

    #[test]
    fn losing_exchange_is_pruned() {
        // Queen moves: to a safe square, to a check that loses her, to a capture of a guarded pawn.
        let board: Board = "4k3/1p6/p7/8/8/8/3Q4/4K3 w - - 0 1".parse().unwrap();
        let skips = |board: &Board, text, depth| {
            let candidate = candidate(board, text, 5, depth);
            prunes(&node(depth, 0), &candidate, board, -900, &mut 0, &mut false)
        };
        assert!(!skips(&board, "d2b4", 1) && !skips(&board, "d2a5", 1), "safe squares");
        assert!(skips(&board, "d2d8", 1), "check that loses the queen");
        assert!(!skips(&board, "d2d8", 12), "too deep for that loss");
        let losing_check = candidate(&board, "d2d8", 5, 8);
        let with_history = |history| max_loss(&node(8, 0), &Candidate { history, ..losing_check });
        assert_eq!([0, 6_400, 64_000, -64_000].map(with_history), [680, 780, 1160, 200]);
        let guarded: Board = "4k3/1p6/p7/8/8/8/Q7/4K3 w - - 0 1".parse().unwrap();
        assert!(skips(&guarded, "a2a6", 1));
    }
}
