//! Upcoming repetition: a repetition that the side to move can bring about at once is worth a draw to it at least, so
//! alpha rises to a draw before any move is searched. Found by a cuckoo hash of all reversible moves.
//!
//! Worth −10 ± 28 (400 games): not shown to gain in play, kept for fortresses and analysis.

use crate::search::score::{DRAW, Score};
use crate::search::worker::Worker;

/// Raises alpha to a draw where the side to move can repeat; a score when that settles the node.
#[inline]
pub(in crate::search) fn raise_alpha(
    worker: &Worker<'_>,
    ply: usize,
    alpha: &mut Score,
    beta: Score,
) -> Option<Score> {
    if *alpha < DRAW && worker.board.has_upcoming_repetition(ply) {
        *alpha = DRAW;
    }
    (*alpha >= beta).then_some(*alpha)
}
