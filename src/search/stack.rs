//! What the search keeps for each ply of the line it is on.

use super::score::{MAX_PLY, Score};
use crate::chess::Move;

/// One ply.
#[derive(Clone, Copy, Default)]
pub struct Frame {
    /// The static evaluation; meaningless in check.
    pub eval: Score,
    /// The move being searched; `None` for a null move.
    pub mv: Option<Move>,
    /// Quiet moves that refuted sister nodes, the latest first.
    pub killers: [Option<Move>; 2],
}

/// Frames past the last ply, so that looking a little ahead needs no check.
const MARGIN: usize = 4;

/// The frames of a line, and its principal variations.
pub struct Stack {
    frames: [Frame; MAX_PLY + MARGIN],
    /// Row `ply` holds the best line found from there.
    lines: [[Option<Move>; MAX_PLY + 1]; MAX_PLY + MARGIN],
    lengths: [usize; MAX_PLY + MARGIN],
}

impl Stack {
    /// An empty stack.
    pub fn new() -> Box<Self> {
        Box::new(Self {
            frames: [Frame::default(); MAX_PLY + MARGIN],
            lines: [[None; MAX_PLY + 1]; MAX_PLY + MARGIN],
            lengths: [0; MAX_PLY + MARGIN],
        })
    }

    /// The best line from `ply` is empty for now.
    pub fn clear_line(&mut self, ply: usize) {
        self.lengths[ply] = 0;
    }

    /// The best line from `ply` is now `mv` and what was found best after it.
    pub fn extend_line(&mut self, ply: usize, mv: Move) {
        let length = self.lengths[ply + 1].min(MAX_PLY);
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        upper[ply][0] = Some(mv);
        upper[ply][1..=length].copy_from_slice(&lower[0][..length]);
        self.lengths[ply] = length + 1;
    }

    /// The best line from `ply`.
    pub fn line(&self, ply: usize) -> impl Iterator<Item = Move> + '_ {
        self.lines[ply][..self.lengths[ply]].iter().copied().flatten()
    }
}

impl std::ops::Index<usize> for Stack {
    type Output = Frame;

    #[inline]
    fn index(&self, ply: usize) -> &Frame {
        &self.frames[ply]
    }
}

impl std::ops::IndexMut<usize> for Stack {
    #[inline]
    fn index_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply]
    }
}
