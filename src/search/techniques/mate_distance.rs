//! Mate distance pruning: narrows the window to the mates still possible, since no path from a node beats a shorter mate
//! already found. It changes no score at the root.

use crate::search::score::{Score, mate_in, mated_in};

/// Narrows the window to the scores possible `ply` plies from the root; returns a score if the window is empty.
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
    fn window_shrinks_to_possible_mates() {
        let (mut alpha, mut beta) = (mate_in(5), mate_in(5) + 1);
        assert_eq!(narrow(6, &mut alpha, &mut beta), Some(mate_in(5)));
        let (mut alpha, mut beta) = (mate_in(7), mate_in(7) + 1);
        assert_eq!(narrow(4, &mut alpha, &mut beta), None, "a mate in one is shorter");
        let (mut alpha, mut beta) = (-100, 100);
        assert_eq!((narrow(4, &mut alpha, &mut beta), alpha, beta), (None, -100, 100));
    }
}
