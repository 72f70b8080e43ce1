//! Perft: leaf counts of the legal move tree, on one thread or several.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

use super::board::Board;
use super::moves::Move;

/// Maximum depth of a perft in plies: each ply takes stack, and no perft this deep would ever end.
pub const MAX_PERFT_DEPTH: u32 = 64;

/// Counts the leaves of the legal move tree at `depth` plies. The moves of the last ply are counted but not played.
///
/// ```
/// use enroque::chess::{Board, perft::perft};
///
/// assert_eq!(perft(&Board::default(), 3), 8902);
/// ```
pub fn perft(board: &Board, depth: u32) -> u64 {
    count(&mut board.clone(), depth)
}

fn count(board: &mut Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => board.count_legal_moves(),
        _ => {
            let mut nodes = 0;
            // We iterate by reference, because consuming a list copies it.
            let moves = board.legal_moves();
            for &mv in &moves {
                board.make_move_keyless(mv);
                nodes += count(board, depth - 1);
                board.unmake_move(mv);
            }
            nodes
        }
    }
}

/// Counts the leaves below each legal move, in generation order, on `threads` threads. `depth` is at least 1.
///
/// ```
/// use enroque::chess::{Board, perft::divide};
///
/// let counts = divide(&Board::default(), 2, 1);
/// assert!(counts.iter().all(|&(_, leaves)| leaves == 20));
/// ```
pub fn divide(board: &Board, depth: u32, threads: usize) -> Vec<(Move, u64)> {
    let after = |board: &Board, mv| {
        let mut next = board.clone();
        next.make_move(mv);
        next
    };
    let moves = board.legal_moves();
    let leaves: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();
    // A task is a reply to a root move. There are some hundreds, so that no thread waits long for the others.
    let mut tasks = Vec::new();
    for (&mv, leaves) in moves.iter().zip(&leaves) {
        let child = after(board, mv);
        if depth <= 2 {
            tasks.push((leaves, depth - 1, child));
        } else {
            tasks.extend(child.legal_moves().iter().map(|&reply| (leaves, depth - 2, after(&child, reply))));
        }
    }
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some((leaves, depth, board)) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            leaves.fetch_add(perft(board, *depth), Ordering::Relaxed);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // If the system has no thread left, the others do its share.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    moves.into_iter().zip(leaves.iter().map(|leaves| leaves.load(Ordering::Relaxed))).collect()
}
