//! Upcoming repetition: raises alpha to a draw before any move is searched if the side to move can repeat a position. A
//! cuckoo hash of all reversible moves finds such a move.
//!
//! Its use is in fortresses and analysis.

use crate::search::score::{DRAW, Score};
use crate::search::worker::Worker;

/// Raises alpha to a draw if the side to move can repeat; returns a score if the window is empty.
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
    fn repetition_raises_alpha_to_draw() {
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
