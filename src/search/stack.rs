//! The search stack: what the search keeps for each ply of the path from the root to the current node.

use super::history::{CONTINUATION_PLIES, HistoryContext, PieceTo};
use super::score::{MAX_PLY, Score};
use crate::chess::Move;
use crate::chess::board::Threats;

/// What is kept for one ply.
#[derive(Clone, Copy, Default)]
pub struct Frame {
    /// The corrected static evaluation; `None` in check.
    pub eval: Option<Score>,
    /// The move being searched; `None` for a null move.
    pub mv: Option<Move>,
    /// The same as piece and square, for the continuation histories.
    pub piece_to: Option<PieceTo>,
    /// The move left out while it is tested for singularity.
    pub excluded: Option<Move>,
    /// Plies by which the move being searched is reduced.
    pub reduction: i32,
    /// How often nodes of this ply failed high since their parent began.
    pub cutoffs: u32,
}

/// Frames before the root, so that looking back needs no check.
const BEFORE: usize = 6;
/// Frames past the last ply, so that looking ahead needs no check.
const AFTER: usize = 4;

/// The frames of a path, and the principal variations found from its nodes.
pub struct Stack {
    frames: [Frame; BEFORE + MAX_PLY + AFTER],
    /// Row `ply` holds the principal variation from there.
    pvs: [[Option<Move>; MAX_PLY + 1]; MAX_PLY + AFTER],
    pv_lengths: [usize; MAX_PLY + AFTER],
}

impl Stack {
    /// An empty stack.
    pub fn new() -> Box<Self> {
        Box::new(Self {
            frames: [Frame::default(); BEFORE + MAX_PLY + AFTER],
            pvs: [[None; MAX_PLY + 1]; MAX_PLY + AFTER],
            pv_lengths: [0; MAX_PLY + AFTER],
        })
    }

    /// The frame `plies`, at most six, before `ply`.
    #[inline]
    pub fn before(&self, ply: usize, plies: usize) -> &Frame {
        &self.frames[BEFORE + ply - plies]
    }

    /// What led to the position at `ply`, with what threatens in it.
    #[inline]
    pub fn history_context(&self, ply: usize, threats: Threats) -> HistoryContext {
        HistoryContext {
            threats,
            previous_moves: CONTINUATION_PLIES.map(|plies| self.before(ply, plies).piece_to),
        }
    }

    /// Empties the principal variation from `ply`.
    pub fn clear_pv(&mut self, ply: usize) {
        self.pv_lengths[ply] = 0;
    }

    /// Makes `mv`, and what was found best after it, the principal variation from `ply`.
    pub fn update_pv(&mut self, ply: usize, mv: Move) {
        let length = self.pv_lengths[ply + 1].min(MAX_PLY);
        let (upper, lower) = self.pvs.split_at_mut(ply + 1);
        upper[ply][0] = Some(mv);
        upper[ply][1..=length].copy_from_slice(&lower[0][..length]);
        self.pv_lengths[ply] = length + 1;
    }

    /// The principal variation from `ply`.
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
    fn a_principal_variation_grows_from_its_end() {
        let mut stack = Stack::new();
        let mv = |code| Move::from_code(code).unwrap();
        stack.clear_pv(2);
        stack.update_pv(1, mv(3));
        stack.update_pv(0, mv(5));
        assert_eq!(stack.pv(0).collect::<Vec<_>>(), [mv(5), mv(3)]);
        stack.clear_pv(1);
        stack.update_pv(0, mv(7));
        assert_eq!(stack.pv(0).collect::<Vec<_>>(), [mv(7)]);
        // The longest there can be.
        for ply in (0..MAX_PLY).rev() {
            stack.update_pv(ply, mv(9));
        }
        assert_eq!(stack.pv(0).count(), MAX_PLY);
    }
}
