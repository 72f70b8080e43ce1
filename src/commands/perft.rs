//! Printed perft: the leaf count of each root move, their sum, the speed.

use thiserror::Error;

use crate::chess::perft::{divide, perft_parallel};
use crate::chess::{Board, CastlingNotation};
use crate::terminal::{OutputError, print_line};
use crate::util::host::Instant;
use crate::util::parallel::{ThreadsError, with_threads};

/// Error of a printed perft.
#[derive(Debug, Error)]
pub enum PerftError {
    /// Threads cannot be started.
    #[error("perft: {0}")]
    Threads(#[from] ThreadsError),
    /// Standard output cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// Counts leaves with `threads` threads and prints them by root move.
///
/// # Errors
/// Returns an error if threads cannot be started or standard output cannot be written.
pub fn print_divide(
    board: &Board,
    depth: u32,
    threads: usize,
    notation: CastlingNotation,
) -> Result<(), PerftError> {
    Ok(with_threads(threads, || print_counts(board, depth, notation, perft_parallel))??)
}

/// Prints the leaf count of each root move as returned by `count`, their sum and the speed.
///
/// # Errors
/// Returns an error if standard output cannot be written.
pub fn print_counts(
    board: &Board,
    depth: u32,
    notation: CastlingNotation,
    count: impl Fn(&Board, u32) -> u64 + Sync,
) -> Result<(), OutputError> {
    let start = Instant::now();
    let mut sum = u64::from(depth == 0);
    if depth > 0 {
        for (mv, nodes) in divide(board, depth, count) {
            print_line(&format!("{}: {nodes}", board.format_move(mv, notation)))?;
            sum += nodes;
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    print_line(&format!("\nNodes searched: {sum}"))?;
    print_line(&format!("Time: {seconds:.3} s, {:.1} million nodes/s", sum as f64 / seconds.max(1e-9) / 1e6))
}
