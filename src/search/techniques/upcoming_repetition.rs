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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::fen::START_FEN;
    use crate::search::score::mated_in;
    use crate::search::worker::tests::with_worker;

    #[test]
    fn who_can_repeat_has_a_draw_at_least() {
        // Going back with the knight repeats the start a second time.
        let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"];
        for (moves, is_raised) in [(&shuffle[..], true), (&shuffle[..2], false)] {
            with_worker(START_FEN, moves, |worker| {
                let mut alpha = -50;
                assert_eq!(raise_alpha(worker, 1, &mut alpha, 50), None);
                assert_eq!(alpha == DRAW, is_raised, "{moves:?}");
                let mut alpha = mated_in(8);
                assert_eq!(raise_alpha(worker, 1, &mut alpha, mated_in(12)).is_some(), is_raised);
            });
        }
    }
}
