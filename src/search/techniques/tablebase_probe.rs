//! Tablebase probing: reads the outcome right after a capture or a pawn move. A win or a loss is a bound, because the tables
//! store no distance to mate; a draw is an exact score.
//!
//! Not possible with castling rights, which the tables do not cover.

use crate::search::score::{Bound, MAX_PLY, Score, score_of};
use crate::search::tt::TtEntry;
use crate::search::worker::Worker;
use crate::tablebase::Wdl;

/// Depth of a stored tablebase result above that of the node, plies: it outlives a search of the same depth.
const DEPTH_BONUS: i32 = 6;

/// Probes the tablebases and returns the outcome as a score and its bound.
pub(in crate::search) fn probe(worker: &mut Worker<'_>, ply: usize, depth: i32) -> Option<(Score, Bound)> {
    let probing = worker.job.probing.as_ref()?;
    let board = &worker.board;
    let pieces = board.occupied().count();
    let is_probed = pieces < probing.max_pieces || pieces == probing.max_pieces && depth >= probing.min_depth;
    if !is_probed || board.halfmove_clock() > 0 || !board.castling_rights().is_empty() {
        return None;
    }
    let wdl = probing.tables.probe(board)?.under(probing.fifty_move_rule);
    worker.tb_hits += 1;
    let bound = match wdl {
        Wdl::Win => Bound::Lower,
        Wdl::Loss => Bound::Upper,
        _ => Bound::Exact,
    };
    Some((score_of(wdl, ply), bound))
}

/// Stores a result in the transposition table, with a depth above that of the node.
pub(in crate::search) fn store(
    worker: &Worker<'_>,
    ply: usize,
    depth: i32,
    score: Score,
    bound: Bound,
    tt_pv: bool,
) {
    let depth = (depth + DEPTH_BONUS).min(MAX_PLY as i32 - 1);
    worker.tt.store(worker.board.key(), ply, TtEntry { mv: None, score, bound, eval: None, depth, tt_pv });
}
