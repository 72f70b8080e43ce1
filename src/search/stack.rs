//! The search stack: a frame for each ply between the root and the current node, and the PVs.

use super::history::{CONTINUATION_PLIES, PieceTo, PreviousMoves};
use super::score::{MAX_PLY, Score};
use crate::chess::Move;

#[derive(Clone, Copy, Default)]
pub struct Frame {
    /// Corrected static eval; `None` in check.
    pub eval: Option<Score>,
    /// Move being searched; `None` for a null move.
    pub mv: Option<Move>,
    /// Piece and destination of that move, for the continuation histories.
    pub piece_to: PieceTo,
    /// TT move left out while we test whether it is singular.
    pub excluded: Option<Move>,
    /// Reduction of the move being searched, plies.
    pub reduction: i32,
    /// How many nodes at this ply have failed high since we began to search their parent.
    pub cutoffs: u32,
    /// Whether the position was ever on a PV.
    pub tt_pv: bool,
    /// How many moves up to and including the one being searched were extended by two plies or more.
    pub double_extensions: i32,
}

/// Frames before the root, so that looking back needs no check.
const BEFORE: usize = 6;
/// Frames after the last ply, so that looking ahead needs no check.
const AFTER: usize = 4;

pub struct Stack {
    frames: [Frame; BEFORE + MAX_PLY + AFTER],
    /// PVs by the ply of their first move.
    pvs: [[Option<Move>; MAX_PLY + 1]; MAX_PLY + AFTER],
    pv_lengths: [usize; MAX_PLY + AFTER],
}

impl Stack {
    pub fn new() -> Box<Self> {
        Box::new(Self {
            frames: [Frame::default(); BEFORE + MAX_PLY + AFTER],
            pvs: [[None; MAX_PLY + 1]; MAX_PLY + AFTER],
            pv_lengths: [0; MAX_PLY + AFTER],
        })
    }

    /// Returns the frame `plies` before `ply`; `plies` is at most 6.
    #[inline]
    pub fn before(&self, ply: usize, plies: usize) -> &Frame {
        &self.frames[BEFORE + ply - plies]
    }

    /// Returns the moves before `ply` that index the continuation histories.
    #[inline]
    pub fn previous_moves(&self, ply: usize) -> PreviousMoves {
        CONTINUATION_PLIES.map(|plies| self.before(ply, plies).piece_to)
    }

    pub fn clear_pv(&mut self, ply: usize) {
        self.pv_lengths[ply] = 0;
    }

    /// Sets the PV from `ply` to `mv`, followed by the PV from the next ply.
    pub fn update_pv(&mut self, ply: usize, mv: Move) {
        let length = self.pv_lengths[ply + 1].min(MAX_PLY);
        let (upper, lower) = self.pvs.split_at_mut(ply + 1);
        upper[ply][0] = Some(mv);
        upper[ply][1..=length].copy_from_slice(&lower[0][..length]);
        self.pv_lengths[ply] = length + 1;
    }

    /// Returns the PV from `ply`.
    pub fn pv(&self, ply: usize) -> impl Iterator<Item = Move> + '_ {
        self.pvs[ply][..self.pv_lengths[ply]].iter().copied().flatten()
    }
}

impl std::ops::Index<usize> for Stack {
    type Output = Frame;

    #[inline]
    fn index(&self, ply: usize) -> &Frame {
        &self.frames[BEFORE + ply]
    }
}

impl std::ops::IndexMut<usize> for Stack {
    #[inline]
    fn index_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[BEFORE + ply]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn principal_variation_grows_from_end() {
        let mut stack = Stack::new();
        let mv = |code| Move::from_code(code).unwrap();
        stack.clear_pv(2);
        stack.update_pv(1, mv(3));
        stack.update_pv(0, mv(5));
        assert_eq!(stack.pv(0).collect::<Vec<_>>(), [mv(5), mv(3)]);
        stack.clear_pv(1);
        stack.update_pv(0, mv(7));
        assert_eq!(stack.pv(0).collect::<Vec<_>>(), [mv(7)]);
        // Maximum length.
        for ply in (0..MAX_PLY).rev() {
            stack.update_pv(ply, mv(9));
        }
        assert_eq!(stack.pv(0).count(), MAX_PLY);
    }
}
