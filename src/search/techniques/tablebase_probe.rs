//! Tablebase probing: right after a capture or a pawn move the tables know the outcome, which is a bound for a win or a
//! loss, whose length they do not tell, and the score itself for a draw. Wrong while castling is possible, which the
//! tables do not know: then they are not asked.

use crate::search::score::{Bound, MAX_PLY, Score, score_of};
use crate::search::tt::TtEntry;
use crate::search::worker::Worker;
use crate::tablebase::Wdl;

/// Plies by which a tablebase result outlives a search of the same depth in the transposition table.
const DEPTH_BONUS: i32 = 6;

/// What the tablebases say of the position, as a score and what it bounds.
pub(in crate::search) fn probe(worker: &mut Worker<'_>, ply: usize, depth: i32) -> Option<(Score, Bound)> {
    let probing = worker.job.probing.as_ref()?;
    let board = &worker.board;
    let pieces = board.occupied().count();
    let is_wanted = pieces < probing.max_pieces || pieces == probing.max_pieces && depth >= probing.min_depth;
    if !is_wanted || board.halfmove_clock() > 0 || !board.castling_rights().is_empty() {
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

/// Remembers a result in the transposition table, as if searched deeper than the node.
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
