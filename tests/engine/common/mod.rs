//! Helpers for the tests: random choices, a slow second implementation of the rules, the program as a child process.

use enroque::chess::Board;
use enroque::chess::perft::divide;
use enroque::util::parallel::available_threads;
use enroque::util::random::Random;

pub mod program;
pub mod reference;

pub fn choose<T: Copy>(random: &mut Random, items: &[T]) -> T {
    items[random.below(items.len() as u64) as usize]
}

pub fn parallel_perft(board: &Board, depth: u32) -> u64 {
    divide(board, depth, available_threads()).iter().map(|(_, leaves)| leaves).sum()
}
