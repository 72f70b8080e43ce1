//! The search stack: a frame per ply, in which a node leaves what its children, its parent and its singular search need
//! to know, and the triangular PV table.

use super::history::{CONTINUATION_PLIES, PieceTo, PreviousMoves};
use super::score::{MAX_PLY, Score};
use crate::chess::Move;

// With a size that is a power of two, a frame takes fewer steps to find, and lies in one cache line.
#[derive(Clone, Copy, Default)]
#[repr(align(32))]
pub struct Frame {
    /// Corrected static eval; `None` in check.
    pub eval: Option<Score>,
    /// Move being searched; `None` for a null move.
    pub mv: Option<Move>,
    /// Piece and landing square of `mv`, which index the continuation histories.
    pub piece_to: PieceTo,
    /// The TT move, while a singular search of this node leaves it out.
    pub excluded: Option<Move>,
    /// By how many plies the move being searched is reduced; 0 in a search without reduction.
    pub reduction: i32,
    /// How many nodes at this ply have failed high since their parent began to search its moves.
    pub cutoffs: u32,
    /// Whether the node is on the PV, or the TT says that it once was.
    pub tt_pv: bool,
    /// How many moves from the root to the one being searched, inclusive, were extended by two plies or more.
    pub double_extensions: i32,
}

/// Frames before the root: as many as the continuation histories look back, so that we needn't test for the root.
const BEFORE: usize = 6;
/// Frames after the maximum ply, so that a node needn't test its ply before it resets the frame of its children.
const AFTER: usize = 4;

pub struct Stack {
    frames: [Frame; BEFORE + MAX_PLY + AFTER],
    /// `pvs[ply]` holds the PV from `ply` on, `pv_lengths[ply]` says how long it is.
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

    /// Returns the frame `plies` before `ply`; `plies` may be up to 6, even at the root.
    #[inline]
    pub fn before(&self, ply: usize, plies: usize) -> &Frame {
        &self.frames[BEFORE + ply - plies]
    }

    /// Returns the earlier moves that the continuation histories of a move at `ply` look back to.
    #[inline]
    pub fn previous_moves(&self, ply: usize) -> PreviousMoves {
        CONTINUATION_PLIES.map(|plies| self.before(ply, plies).piece_to)
    }

    /// Notes how many plies deeper than usual we search the move at `ply`.
    #[inline]
    pub fn set_extension(&mut self, ply: usize, extension: i32) {
        self[ply].double_extensions = self.before(ply, 1).double_extensions + i32::from(extension >= 2);
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

    /// Returns the PV from `ply` on; empty if no move there has raised alpha.
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
        // A PV of the maximum length fits.
        for ply in (0..MAX_PLY).rev() {
            stack.update_pv(ply, mv(9));
        }
        assert_eq!(stack.pv(0).count(), MAX_PLY);
    }
}
