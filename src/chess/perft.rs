//! Perft: leaf counts of the legal move tree, on one thread or several.

use super::{Board, Move};

/// The deepest perft that we accept, because each ply needs stack space. A perft this deep would never end anyway.
pub const MAX_PERFT_DEPTH: u32 = 64;

/// Counts the leaves of the legal move tree at `depth` plies. The moves of the last ply are counted but not played.
pub fn perft(board: &Board, depth: u32) -> u64 {
    count(&mut board.clone(), depth)
}

fn count(board: &mut Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => board.count_legal_moves(),
        _ => {
            let mut nodes = 0;
            // Iterating by value would copy the list.
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
pub fn divide(board: &Board, depth: u32, threads: usize) -> Vec<(Move, u64)> {
    let after = |board: &Board, mv| {
        let mut next = board.clone();
        next.make_move(mv);
        next
    };
    let mut counts: Vec<(Move, u64)> = board.legal_moves().into_iter().map(|mv| (mv, 0)).collect();
    // Each task counts the leaves below one reply to a root move. Hundreds of small tasks keep all threads busy.
    let mut tasks = Vec::new();
    for (index, &(mv, _)) in counts.iter().enumerate() {
        let child = after(board, mv);
        if depth <= 2 {
            tasks.push((index, depth - 1, child));
        } else {
            tasks.extend(child.legal_moves().iter().map(|&reply| (index, depth - 2, after(&child, reply))));
        }
    }
    let leaves = map_in_parallel(&tasks, threads, |(_, depth, board)| perft(board, *depth));
    for ((index, ..), leaves) in tasks.iter().zip(leaves) {
        counts[*index].1 += leaves;
    }
    counts
}

/// Calls `count` for each task, on `threads` threads. If the system cannot start them, the calling thread does it all.
fn map_in_parallel<T: Sync>(tasks: &[T], threads: usize, count: impl Fn(&T) -> u64 + Sync) -> Vec<u64> {
    #[cfg(not(target_family = "wasm"))]
    if threads > 1
        && let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(threads).build()
    {
        use rayon::prelude::*;
        return pool.install(|| tasks.par_iter().map(&count).collect());
    }
    let _ = threads;
    tasks.iter().map(count).collect()
}
