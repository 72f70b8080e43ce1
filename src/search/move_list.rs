//! The moves of the move pickers, with scores, from which a picker removes the best move, then the next best, and so on.
//!
//! Usually a picker needs only a few moves, so selecting them one at a time is cheaper than sorting the list. We pack
//! score and index of a move into one number, its key, and keep the keys in a separate array, so that SIMD can compare
//! many at a time.

use std::cell::Cell;
use std::hint::black_box;

use super::score::MAX_PLY;
use crate::chess::Move;
use crate::chess::moves::MAX_MOVES;
use crate::simd::{self, Isa, MAX_LANES, Work};

/// The low bits of a key hold the move's index, inverted so that among equal scores the first move has the highest key.
const INDEX_BITS: u32 = 10;
const INDEX_MASK: i32 = (1 << INDEX_BITS) - 1;
const _: () = assert!(MAX_MOVES <= 1 << INDEX_BITS);

/// Key of a move that has been removed from the list; lower than the key of any other move.
const TAKEN: i32 = i32::MIN;

/// After the last key of a list, this many keys are [`TAKEN`], so that we can compare whole vectors.
const PADDING: usize = MAX_LANES / 2;

/// By how much we lower the key of a move that a picker returns only after the moves of its other list.
const DEFERRED: i32 = 1 << 30;
/// The key of a move is above `-DEFERRED / 2`, that of a deferred move below.
const MAX_SCORE: i32 = (DEFERRED / 2 - 1) >> INDEX_BITS;

/// Room for the longest list: any index that a key can hold, and the padding.
const LIST_SIZE: usize = (1 << INDEX_BITS) + PADDING;
/// A node has a picker, and its singular search another. A picker has two lists: captures and promotions, then quiet
/// moves.
const CAPACITY: usize = 2 * (MAX_PLY + 1) * 2 * LIST_SIZE;

/// Marks a quiet move that gives check, above the bits of the move itself.
const CHECK: u32 = 1 << 16;

/// The moves of all pickers of one thread. Each picker owns a range on top of those of its ancestors in the tree, so
/// the memory in use is small and stays in the cache.
pub struct MoveStack {
    keys: Box<[Cell<i32>; CAPACITY]>,
    /// Codes of moves, some with [`CHECK`].
    moves: Box<[Cell<u32>; CAPACITY]>,
    top: Cell<usize>,
}

impl MoveStack {
    /// Returns `None` if the memory cannot be allocated.
    pub fn new() -> Option<Self> {
        // The system provides zeroed memory only once we write to it.
        let (keys, moves) = (bytemuck::try_zeroed_box().ok()?, bytemuck::try_zeroed_box().ok()?);
        Some(Self { keys, moves, top: Cell::new(0) })
    }

    /// Returns the keys and moves of the list that begins at index `begin`. An index into them needs no bounds check.
    #[inline(always)]
    fn list(&self, begin: usize) -> (&[Cell<i32>; LIST_SIZE], &[Cell<u32>; LIST_SIZE]) {
        match (self.keys[begin..].first_chunk(), self.moves[begin..].first_chunk()) {
            (Some(keys), Some(moves)) => (keys, moves),
            _ => unreachable!("the pickers of a line need no more than the capacity"),
        }
    }
}

/// The range of a [`MoveStack`] that a picker owns until it is dropped, with up to two lists of moves.
pub struct ScoredMoves<'a> {
    stack: &'a MoveStack,
    /// A move that we leave out.
    excluded: Option<Move>,
    begin: usize,
    /// How many moves the first list has; `None` before it ends.
    first_len: Option<usize>,
    /// The current list.
    keys: &'a [Cell<i32>; LIST_SIZE],
    moves: &'a [Cell<u32>; LIST_SIZE],
    len: usize,
    /// The highest key of the current list, [`TAKEN`] if it is empty.
    best: i32,
}

impl<'a> ScoredMoves<'a> {
    /// Begins a range on top of the stack, and its first list.
    #[inline]
    pub fn new(stack: &'a MoveStack, excluded: Option<Move>) -> Self {
        let begin = stack.top.get();
        let (keys, moves) = stack.list(begin);
        Self { stack, excluded, begin, first_len: None, keys, moves, len: 0, best: TAKEN }
    }

    /// Begins a second list after the first one has ended.
    #[inline]
    pub fn begin_list(&mut self) {
        (self.keys, self.moves) = self.stack.list(self.stack.top.get());
        (self.len, self.best) = (0, TAKEN);
    }

    /// Adds a move to the current list. `is_check` marks a quiet move that gives check.
    #[inline(always)]
    pub fn push(&mut self, mv: Move, is_check: bool, score: i32) {
        debug_assert!((-MAX_SCORE..=MAX_SCORE).contains(&score));
        if Some(mv) == self.excluded {
            return;
        }
        let at = self.len & INDEX_MASK as usize;
        self.keys[at].set((score << INDEX_BITS) + (INDEX_MASK - at as i32));
        self.moves[at].set(u32::from(mv.code()) + u32::from(is_check) * CHECK);
        self.len += 1;
    }

    /// Ends the list after the last [push](Self::push), before anything else.
    #[inline(always)]
    pub fn end_list(&mut self) {
        self.keys[self.len..][..PADDING].iter().for_each(|key| key.set(TAKEN));
        self.stack.top.set(self.stack.top.get() + self.len + PADDING);
        self.first_len.get_or_insert(self.len);
        self.find_best();
    }

    #[inline(always)]
    fn find_best(&mut self) {
        self.best = simd::dispatch(Highest { keys: self.keys, count: self.len });
    }

    /// Returns the place of the best move, if there's any.
    #[inline(always)]
    fn place_of_best(&self) -> usize {
        (!self.best & INDEX_MASK) as usize
    }

    /// Returns the move with the highest score, the first if several are equal, and whether it is a quiet move that
    /// gives check. We leave out deferred moves.
    #[inline(always)]
    pub fn best(&self) -> Option<(Move, bool)> {
        if self.best <= -DEFERRED / 2 {
            return None;
        }
        let entry = self.moves[self.place_of_best()].get();
        Some((Move::from_code(entry as u16)?, entry & CHECK != 0))
    }

    /// Removes the best move.
    #[inline(always)]
    pub fn take_best(&mut self) {
        if self.best != TAKEN {
            self.keys[self.place_of_best()].set(TAKEN);
            self.find_best();
        }
    }

    /// Hides the best move until [`Self::return_to_deferred`].
    #[inline(always)]
    pub fn defer_best(&mut self) {
        self.keys[self.place_of_best()].set(self.best - DEFERRED);
        self.find_best();
    }

    /// Returns to the first list, of which only the deferred moves are left.
    pub fn return_to_deferred(&mut self) {
        (self.keys, self.moves) = self.stack.list(self.begin);
        self.len = self.first_len.unwrap_or(0);
        for key in &self.keys[..self.len] {
            if key.get() != TAKEN {
                key.set(key.get() + DEFERRED);
            }
        }
        self.find_best();
    }

    /// Removes all moves of the current list.
    pub fn clear(&mut self) {
        (self.len, self.best) = (0, TAKEN);
    }

    /// Removes all moves of the current list that are not quiet checks.
    #[inline(never)]
    pub fn retain_checks(&mut self) {
        for (key, entry) in self.keys.iter().zip(self.moves).take(self.len) {
            if entry.get() & CHECK == 0 {
                key.set(TAKEN);
            }
        }
        self.find_best();
    }
}

impl Drop for ScoredMoves<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        self.stack.top.set(self.begin);
    }
}

/// Finds the highest of the first `count` of `keys`, after which there is [`PADDING`].
struct Highest<'a> {
    keys: &'a [Cell<i32>; LIST_SIZE],
    count: usize,
}

impl Work for Highest<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        assert!(self.count <= LIST_SIZE - PADDING);
        // SAFETY: vectors that together are as long as the padding and begin at 0 or before the last key are in bounds.
        // A `Cell` has the layout of its content, and nobody writes to the keys meanwhile, because they can't leave
        // their thread.
        let load = |at: usize| unsafe { isa.load_sums(self.keys.as_ptr().cast::<i32>().add(at)) };
        let highest = |begin: usize| {
            let others = (begin + I::LANES / 2..begin + PADDING).step_by(I::LANES / 2);
            others.fold(load(begin), |highest, at| isa.max(highest, load(at)))
        };
        // Most lists are no longer than the padding, so this is usually all.
        let mut best = highest(0);
        let mut at = PADDING;
        while at < self.count {
            best = isa.max(best, highest(at));
            // If the compiler knew the step, it would unroll the loop, but the instruction cache is small.
            at = black_box(at + PADDING);
        }
        isa.highest(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::random::Random;

    fn mv(code: usize) -> Move {
        Move::from_code(code as u16 + 1).unwrap()
    }

    fn take(list: &mut ScoredMoves) -> Option<(Move, bool)> {
        let best = list.best();
        list.take_best();
        best
    }

    #[test]
    fn highest_score_first() {
        let mut random = Random::new(5);
        let stack = MoveStack::new().unwrap();
        for len in [0, 1, 15, 16, 17, 33, 218, MAX_MOVES] {
            let mut scores: Vec<i32> = (0..len).map(|_| random.below(50) as i32 - 25).collect();
            if len > 2 {
                (scores[1], scores[2]) = (MAX_SCORE, -MAX_SCORE);
            }
            let mut list = ScoredMoves::new(&stack, Some(mv(2_000)));
            list.begin_list();
            for (index, &score) in scores.iter().enumerate() {
                list.push(mv(2_000), false, score);
                list.push(mv(index), false, score);
            }
            list.end_list();
            let mut expected: Vec<usize> = (0..len).collect();
            expected.sort_by_key(|&index| -scores[index]);
            for index in expected {
                assert_eq!(take(&mut list), Some((mv(index), false)));
            }
            assert_eq!(list.best(), None);
        }
    }

    #[test]
    fn only_checks_retained() {
        let stack = MoveStack::new().unwrap();
        let mut list = ScoredMoves::new(&stack, None);
        list.begin_list();
        for index in 0..40 {
            list.push(mv(index), index % 3 == 0, index as i32);
        }
        list.end_list();
        assert_eq!(take(&mut list), Some((mv(39), true)));
        list.retain_checks();
        let rest: Vec<_> = std::iter::from_fn(|| take(&mut list)).collect();
        assert_eq!(rest, (0..13).rev().map(|third| (mv(3 * third), true)).collect::<Vec<_>>());
    }

    #[test]
    fn ranges_of_lists_and_pickers_are_separate() {
        let stack = MoveStack::new().unwrap();
        let mut outer = ScoredMoves::new(&stack, None);
        outer.begin_list();
        (0..20).for_each(|index| outer.push(mv(index), false, index as i32));
        outer.end_list();
        for _ in 0..3 {
            let mut inner = ScoredMoves::new(&stack, None);
            for list in 1..3 {
                inner.begin_list();
                (0..30).for_each(|index| inner.push(mv(100 * list + index), true, 1_000));
                inner.end_list();
                assert_eq!(inner.best(), Some((mv(100 * list), true)));
            }
        }
        // We defer the odd moves until we have used another list.
        for index in (0..20).rev() {
            assert_eq!(outer.best(), Some((mv(index), false)));
            if index % 2 == 0 { outer.take_best() } else { outer.defer_best() }
        }
        assert_eq!(outer.best(), None);
        outer.begin_list();
        outer.push(mv(500), true, -3);
        outer.end_list();
        assert_eq!(outer.best(), Some((mv(500), true)));
        outer.return_to_deferred();
        let deferred: Vec<_> = std::iter::from_fn(|| take(&mut outer)).collect();
        assert_eq!(deferred, (0..10).rev().map(|half| (mv(2 * half + 1), false)).collect::<Vec<_>>());
        drop(outer);
        assert_eq!(stack.top.get(), 0);
    }
}
