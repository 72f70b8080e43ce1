//! Mate-distance pruning: no path from a node beats a shorter mate already found, so the window shrinks to the mates
//! still possible. It changes no score, only the way to it.

use crate::search::score::{Score, mate_in, mated_in};

/// Narrows the window to what can still happen `ply` plies from the root; a score when nothing is left of it.
#[inline]
pub(in crate::search) fn narrow(ply: usize, alpha: &mut Score, beta: &mut Score) -> Option<Score> {
    *alpha = (*alpha).max(mated_in(ply));
    *beta = (*beta).min(mate_in(ply + 1));
    (*alpha >= *beta).then_some(*alpha)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_found_ends_what_cannot_be_faster() {
        let (mut alpha, mut beta) = (mate_in(5), mate_in(5) + 1);
        assert_eq!(narrow(6, &mut alpha, &mut beta), Some(mate_in(5)));
        let (mut alpha, mut beta) = (mate_in(7), mate_in(7) + 1);
        assert_eq!(narrow(4, &mut alpha, &mut beta), None, "a mate in one from here is faster");
        let (mut alpha, mut beta) = (-100, 100);
        assert_eq!((narrow(4, &mut alpha, &mut beta), alpha, beta), (None, -100, 100));
    }
}
