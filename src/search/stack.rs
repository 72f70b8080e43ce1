//! What the search keeps for each ply of the line it is on.

use super::history::{Arrival, CONTINUATION_PLIES, Situation};
use super::score::{MAX_PLY, Score};
use crate::chess::Move;
use crate::chess::board::Threats;

/// One ply.
#[derive(Clone, Copy, Default)]
pub struct Frame {
    /// The corrected static evaluation; `None` in check.
    pub eval: Option<Score>,
    /// The move being searched; `None` for a null move.
    pub mv: Option<Move>,
    /// The same as piece and square.
    pub arrival: Option<Arrival>,
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

/// The frames of a line, and its principal variations.
pub struct Stack {
    frames: [Frame; BEFORE + MAX_PLY + AFTER],
    /// Row `ply` holds the best line found from there.
    lines: [[Option<Move>; MAX_PLY + 1]; MAX_PLY + AFTER],
    lengths: [usize; MAX_PLY + AFTER],
}

impl Stack {
    /// An empty stack.
    pub fn new() -> Box<Self> {
        Box::new(Self {
            frames: [Frame::default(); BEFORE + MAX_PLY + AFTER],
            lines: [[None; MAX_PLY + 1]; MAX_PLY + AFTER],
            lengths: [0; MAX_PLY + AFTER],
        })
    }

    /// The frame `plies`, at most six, before `ply`.
    #[inline]
    pub fn before(&self, ply: usize, plies: usize) -> &Frame {
        &self.frames[BEFORE + ply - plies]
    }

    /// What led to the position at `ply`, with what threatens in it.
    pub fn situation(&self, ply: usize, threats: Threats) -> Situation {
        Situation { threats, arrivals: CONTINUATION_PLIES.map(|plies| self.before(ply, plies).arrival) }
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
        &self.frames[BEFORE + ply]
    }
}

impl std::ops::IndexMut<usize> for Stack {
    #[inline]
    fn index_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[BEFORE + ply]
    }
}
