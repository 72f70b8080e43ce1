//! `perft`: prints the leaf count of each root move, their sum and the speed.

use crate::chess::perft::divide;
use crate::chess::{Board, CastlingNotation};
use crate::terminal::{OutputError, print_line};
use crate::util::host::Instant;

/// Runs perft to `depth` on `threads` threads and prints the leaf count of each root move.
pub fn print_divide(
    board: &Board,
    depth: u32,
    threads: usize,
    notation: CastlingNotation,
) -> Result<(), OutputError> {
    let start = Instant::now();
    let mut sum = u64::from(depth == 0);
    if depth > 0 {
        for (mv, nodes) in divide(board, depth, threads) {
            print_line(&format!("{}: {nodes}", board.format_move(mv, notation)))?;
            sum += nodes;
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    print_line(&format!("\nNodes searched: {sum}"))?;
    print_line(&format!("Time: {seconds:.3} s, {:.1} million nodes/s", sum as f64 / seconds.max(1e-9) / 1e6))
}
