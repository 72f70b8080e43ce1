//! Pruning of single moves: late move pruning, futility, history and SEE.
//!
//! - **Late move pruning** (LMP, move count pruning) skips quiet moves once enough moves have been searched, because
//!   with good ordering a late one is unlikely to be best. Wrong if the ordering is poor. Near the horizon we don't
//!   prune while every move so far scores well below the static eval: then the opponent probably threatens something,
//!   and the answer may be a quiet move without a history.
//! - **Futility** skips a quiet move if the static eval is far below alpha. The quiet moves after it have worse
//!   histories, so we skip them all. Losing captures have a margin of their own, and we skip them one by one. Wrong if
//!   the move creates a threat.
//! - **History pruning** skips, near the horizon, a quiet move with a bad history. Wrong if the move is strong in this
//!   position.
//! - **SEE pruning** skips a move that loses too much on its target square. Wrong for sacrifices and, because SEE
//!   ignores pins, if a recapture is illegal.
//!
//! Only SEE prunes checks, because neither eval nor history shows how strong a check is. And only SEE prunes when we
//! are in check, because the eval means nothing there and quiet evasions have poor histories.

use super::node_state::{Candidate, Node};
use super::params::parameters;
use super::score::{DECISIVE_RANGE, Score};
use crate::chess::{Bitboard, Board, Move};

parameters! {
    // Late move pruning, after (base + slope × depth²) / 100 moves, half as many if the node isn't improving.
    lmp_base = 300, 50, 2000, 40;
    lmp_slope = 100, 30, 300, 10;
    // Up to depth `lmp_wait_depth`, late move pruning also waits until the best score is at most `lmp_max_loss`
    // centipawns below the static eval.
    lmp_wait_depth = 5, -1, 20, 1;
    lmp_max_loss = 50, -100, 10000, 25;

    // Futility pruning of quiet moves if d, the depth after the reduction, is at most `futility_depth`, and alpha is
    // above the static eval by at least base + slope × d + the move's history / `futility_history` centipawns.
    futility_depth = 10, -1, 20, 1;
    futility_base = 60, 0, 500, 20;
    futility_slope = 43, 20, 250, 10;
    futility_history = 180, 20, 10000, 30;
    // Futility pruning of captures that lose material, by the same formula as for quiet moves.
    bad_noisy_depth = 6, -1, 20, 1;
    bad_noisy_base = 15, -100, 300, 15;
    bad_noisy_slope = 40, 10, 200, 8;
    bad_noisy_history = 20, 5, 10000, 4;

    // History pruning of quiet moves, if the depth after the reduction is at most `history_prune_depth` and the move's
    // history is below −slope × the node's depth.
    history_prune_depth = 5, -1, 20, 1;
    history_prune_slope = 4200, 500, 15000, 400;

    // SEE pruning of quiet moves that lose more than slope × d + square × d² centipawns, where d is the depth after the
    // reduction.
    see_quiet_slope = 10, 0, 10000, 4;
    see_quiet_square = 12, 0, 10000, 2;
    // SEE pruning of captures, promotions and checks that lose more than slope × depth + the move's history /
    // `see_history` centipawns. The history term stays within ± `see_history_limit` × depth.
    see_noisy_slope = 85, 20, 10000, 8;
    see_history = 64, 10, 10000, 10;
    see_history_limit = 42, 0, 200, 8;
}

/// [`lmp_base`] and [`lmp_slope`] are in hundredths of a move.
const LMP_MOVE: i32 = 100;

/// Whether to prune moves at all: not at the root, and elsewhere only once we have a score that isn't a forced loss.
pub(super) fn may_prune(node: &Node, best: Score) -> bool {
    node.ply > 0 && best > -DECISIVE_RANGE
}

/// Whether a quiet move comes too late if it is number `move_count` in the node. If so, the caller skips quiet moves
/// for the rest of the node.
#[inline(always)]
pub(super) fn quiets_are_late(node: &Node, move_count: usize, best: Score) -> bool {
    let Some(eval) = node.static_eval else { return false };
    let moves = (lmp_base() + lmp_slope() * node.depth * node.depth) / LMP_MOVE;
    let limit = if node.improving { moves } else { moves / 2 };
    // We search at least one move, even if a tablebase bound already serves as best score: otherwise the node would
    // look like stalemate.
    move_count > (limit as usize).max(1)
        && may_prune(node, best)
        && (node.depth > lmp_wait_depth() || best >= eval - lmp_max_loss())
}

/// Which moves [`prunes`] skips.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pruned {
    No,
    Move,
    /// The quiet move and those after it, which probably score `at_most` this.
    Quiets {
        at_most: Score,
    },
}

/// Decides whether to skip the move in a node where we [`may_prune`]. `attacked` are the squares that the opponent
/// attacks; `skip_quiets` says that quiet moves are skipped.
#[inline(always)]
pub(super) fn prunes(
    node: &Node,
    candidate: &Candidate,
    board: &Board,
    attacked: Bitboard,
    alpha: Score,
    skip_quiets: bool,
) -> Pruned {
    let &Candidate { mv, gives_check: is_check, is_losing_noisy, .. } = candidate;
    if mv.is_quiet() && !is_check {
        if skip_quiets {
            return Pruned::Move;
        }
        if let Some(at_most) = futile_score(node, candidate, alpha) {
            return Pruned::Quiets { at_most };
        }
        if has_bad_history(node, candidate) {
            return Pruned::Move;
        }
    } else if is_losing_noisy && !is_check && futile_score(node, candidate, alpha).is_some() {
        return Pruned::Move;
    }
    let may_lose = if mv.is_quiet() { quiet_may_lose(mv, attacked) } else { is_losing_noisy };
    let loses = may_lose && !board.see_at_least(mv, -max_loss(node, candidate));
    if loses { Pruned::Move } else { Pruned::No }
}

/// Whether a quiet move can lose material on its target. The opponent must attack the target or, with a slider that the
/// move lets pass, the origin.
fn quiet_may_lose(mv: Move, attacked: Bitboard) -> bool {
    attacked.intersects(Bitboard::of(mv.from()) | Bitboard::of(mv.to()))
}

/// If the move is futile, returns its likely maximum score, which is at most alpha.
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

/// Returns how much the move may lose by SEE before we prune it, centipawns.
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
    use crate::chess::startpos::opening;
    use crate::util::random::Random;

    const FEN: &str = "4k3/8/8/3p4/4P3/8/8/R3K3 w - - 0 1";

    fn attacked(board: &Board) -> Bitboard {
        board.threats_by(!board.side_to_move()).all()
    }

    fn verdict(node: &Node, candidate: Candidate, alpha: Score) -> Pruned {
        let board: Board = FEN.parse().unwrap();
        prunes(node, &candidate, &board, attacked(&board), alpha, false)
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
            prunes(&node(20, 0), &candidate, &board, attacked(&board), 0, true) == Pruned::Move
        };
        assert!(skips("e1d2") && !skips("a1a8") && !skips("e4d5"), "quiet, check, capture");
    }

    #[test]
    fn futile_moves_are_skipped() {
        let board: Board = FEN.parse().unwrap();
        let after = |text, history, alpha| {
            verdict(&node(4, 0), Candidate { history, ..candidate(&board, text, 5, 2) }, alpha)
        };
        assert_eq!(after("e1d2", 0, 600), Pruned::Quiets { at_most: 146 });
        assert_eq!(after("e1d2", 0, 145), Pruned::No);
        assert_eq!(after("e1d2", 18_000, 600), Pruned::Quiets { at_most: 246 }, "good history");
        assert_eq!(after("e1d2", 18_000, 200), Pruned::No, "good history");
        assert_eq!(after("a1a8", 0, 600), Pruned::No, "check");
        assert_eq!(after("e4d5", 0, 600), Pruned::No, "capture");
        let deep = candidate(&board, "e1d2", 5, futility_depth() + 1);
        assert_eq!(verdict(&node(12, 0), deep, 5_000), Pruned::No, "too deep");
        let losing = |history, alpha| {
            let capture = Candidate { is_losing_noisy: true, history, ..candidate(&board, "e4d5", 5, 2) };
            verdict(&node(4, 0), capture, alpha)
        };
        assert_eq!(losing(0, 600), Pruned::Move, "losing capture");
        assert_eq!([losing(0, 50), losing(16_000, 600)], [Pruned::No; 2], "good history");
        let in_check = Node { static_eval: None, ..node(4, 0) };
        assert_eq!(verdict(&in_check, candidate(&board, "e1d2", 5, 2), 600), Pruned::No, "in check");
    }

    #[test]
    fn bad_quiet_history_is_pruned() {
        let board: Board = FEN.parse().unwrap();
        let with = |text, history, lmr_depth| Candidate { history, ..candidate(&board, text, 5, lmr_depth) };
        let skips = |text, history, lmr_depth| {
            verdict(&node(4, 0), with(text, history, lmr_depth), -900) == Pruned::Move
        };
        assert!(skips("e1d2", -20_000, 2));
        assert!(!skips("e1d2", -16_000, 2), "not bad enough at depth 4");
        assert!(!skips("e1d2", -30_000, 6));
        assert!(!skips("a1a8", -20_000, 2) && !skips("e4d5", -20_000, 2), "check, capture");
        let in_check = Node { static_eval: None, ..node(4, 0) };
        assert_eq!(verdict(&in_check, with("e1d2", -20_000, 2), -900), Pruned::No, "in check");
    }

    #[test]
    fn losing_exchange_is_pruned() {
        // On the first board the queen goes to a safe square or gives a check that loses her. On the second (`guarded`)
        // she takes a guarded pawn.
        let board: Board = "4k3/1p6/p7/8/8/8/3Q4/4K3 w - - 0 1".parse().unwrap();
        let skips = |board: &Board, text, depth| {
            let is_losing_noisy = text == "a2a6";
            let candidate = Candidate { is_losing_noisy, ..candidate(board, text, 5, depth) };
            prunes(&node(depth, 0), &candidate, board, attacked(board), -900, false) == Pruned::Move
        };
        assert!(!skips(&board, "d2b4", 1) && !skips(&board, "d2a5", 1), "safe squares");
        assert!(skips(&board, "d2d8", 1), "check that loses the queen");
        assert!(!skips(&board, "d2d8", 12), "too deep for that loss");
        let losing_check = candidate(&board, "d2d8", 5, 8);
        let with_history = |history| max_loss(&node(8, 0), &Candidate { history, ..losing_check });
        assert_eq!([0, 6_400, 64_000, -64_000].map(with_history), [680, 780, 1016, 344]);
        // The picker has found that the queen loses.
        let guarded: Board = "4k3/1p6/p7/8/8/8/Q7/4K3 w - - 0 1".parse().unwrap();
        assert!(skips(&guarded, "a2a6", 1));
    }

    #[test]
    fn quiet_moves_away_from_attacks_lose_nothing() {
        let mut random = Random::new(37);
        let mut safe = 0;
        for _ in 0..500 {
            let start = opening::random_start(&mut random, 80);
            let plies = random.below(100);
            let Some(board) = opening::play_random(start, plies, &mut random) else { continue };
            for mv in board.legal_moves().into_iter().filter(|mv| mv.is_quiet()) {
                if !quiet_may_lose(mv, attacked(&board)) {
                    assert!(board.see_at_least(mv, 0), "{board} {mv}");
                    safe += 1;
                }
            }
        }
        assert!(safe > 1_000, "too few safe moves: {safe}");
    }
}
