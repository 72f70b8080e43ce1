//! A list of scored moves from which the move picker removes the best move, then the next best, and so on.
//!
//! Usually the picker needs only a few moves, so selecting them one at a time is cheaper than sorting the list. We pack
//! score and index of a move into one number, its key, and keep the keys in a separate array, so that SIMD can compare
//! many at a time.

use arrayvec::ArrayVec;

use crate::chess::Move;
use crate::chess::moves::MAX_MOVES;
use crate::simd::{self, Isa, Work};

/// The low bits of a key hold the move's index, inverted so that among equal scores the first move has the highest key.
const INDEX_BITS: u32 = 10;
const INDEX_MASK: i32 = (1 << INDEX_BITS) - 1;
const _: () = assert!(MAX_MOVES <= 1 << INDEX_BITS);

const MAX_SCORE: i32 = i32::MAX >> INDEX_BITS;

/// Key of a move that has been removed from the list; lower than the key of any other move.
const TAKEN: i32 = i32::MIN;

/// We compare the keys in blocks of this many, for which the compiler can use SIMD.
const LANES: usize = 16;

/// A move, and whether it is a quiet move that gives check.
type ListedMove = (Move, bool);

pub struct ScoredMoves {
    keys: ArrayVec<i32, MAX_MOVES>,
    moves: ArrayVec<ListedMove, MAX_MOVES>,
    best: i32,
}

const fn index_of(key: i32) -> usize {
    (!key & INDEX_MASK) as usize
}

impl ScoredMoves {
    #[inline]
    pub fn new() -> Self {
        Self { keys: ArrayVec::new(), moves: ArrayVec::new(), best: TAKEN }
    }

    pub fn clear(&mut self) {
        self.keys.clear();
        self.moves.clear();
        self.best = TAKEN;
    }

    /// Adds a move. `is_check` marks a quiet move that gives check.
    #[inline(always)]
    pub fn push(&mut self, mv: Move, is_check: bool, score: i32) {
        debug_assert!((-MAX_SCORE..=MAX_SCORE).contains(&score));
        let key = score << INDEX_BITS | !(self.moves.len() as i32) & INDEX_MASK;
        self.moves.push((mv, is_check));
        self.keys.push(key);
        self.best = self.best.max(key);
    }

    /// Returns the move with the highest score, the first if several are equal.
    #[inline]
    pub fn peek(&self) -> Option<Move> {
        (self.best != TAKEN).then(|| self.moves[index_of(self.best)].0)
    }

    /// Removes and returns the move with the highest score, the first if several are equal.
    #[inline]
    pub fn pop(&mut self) -> Option<ListedMove> {
        let key = self.best;
        if key == TAKEN {
            return None;
        }
        self.best = simd::dispatch(HighestOther { keys: &self.keys, key });
        let index = index_of(key);
        self.keys[index] = TAKEN;
        Some(self.moves[index])
    }

    /// Removes all moves that are not quiet checks.
    pub fn retain_checks(&mut self) {
        self.best = TAKEN;
        for (key, (_, is_check)) in self.keys.iter_mut().zip(&self.moves) {
            if !is_check {
                *key = TAKEN;
            }
            self.best = self.best.max(*key);
        }
    }
}

/// Finds the highest of `keys` except `key`, which belongs to the move that we are removing.
struct HighestOther<'a> {
    keys: &'a [i32],
    key: i32,
}

impl Work for HighestOther<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> i32 {
        let other = |candidate: i32| if candidate == self.key { TAKEN } else { candidate };
        let (vectors, rest) = self.keys.as_chunks::<LANES>();
        let mut best = [TAKEN; LANES];
        for vector in vectors {
            best = std::array::from_fn(|lane| best[lane].max(other(vector[lane])));
        }
        let rest = rest.iter().fold(TAKEN, |best, &candidate| best.max(other(candidate)));
        best.into_iter().fold(rest, i32::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::random::Random;

    fn mv(code: usize) -> Move {
        Move::from_code(code as u16 + 1).unwrap()
    }

    #[test]
    fn highest_score_first() {
        let mut random = Random::new(5);
        for len in [0, 1, 15, 16, 17, 33, 218, MAX_MOVES] {
            let mut scores: Vec<i32> = (0..len).map(|_| random.below(50) as i32 - 25).collect();
            if len > 2 {
                (scores[1], scores[2]) = (MAX_SCORE, -MAX_SCORE);
            }
            let mut list = ScoredMoves::new();
            for (index, &score) in scores.iter().enumerate() {
                list.push(mv(index), false, score);
            }
            let mut expected: Vec<usize> = (0..len).collect();
            expected.sort_by_key(|&index| -scores[index]);
            for index in expected {
                assert_eq!(list.peek(), Some(mv(index)));
                assert_eq!(list.pop(), Some((mv(index), false)));
            }
            assert_eq!((list.peek(), list.pop()), (None, None));
        }
    }

    #[test]
    fn only_checks_retained() {
        let mut list = ScoredMoves::new();
        for index in 0..40 {
            list.push(mv(index), index % 3 == 0, index as i32);
        }
        assert_eq!(list.pop(), Some((mv(39), true)));
        list.retain_checks();
        let rest: Vec<_> = std::iter::from_fn(|| list.pop()).collect();
        assert_eq!(rest, (0..13).rev().map(|third| (mv(3 * third), true)).collect::<Vec<_>>());
    }
}
