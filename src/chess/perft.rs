//! Perft: leaf counts of the legal move tree, on one thread, in parallel, and with a shared hash table.

use std::sync::atomic::{AtomicU64, Ordering};

use super::board::Board;
use super::moves::Move;
use crate::util::memory::SharedTable;
use crate::util::{parallel, scale};

/// Maximum depth of a perft in plies: each ply takes stack, and no perft of this depth would ever end.
pub const MAX_PERFT_DEPTH: u32 = 64;

/// Returns the number of leaves of the legal move tree at `depth` plies. Moves of the last ply are counted without
/// being played.
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
            // By reference: consuming a list copies it.
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

/// Runs [`perft`] on all threads of the current pool.
pub fn perft_parallel(board: &Board, depth: u32) -> u64 {
    /// Depth in plies at which the positions, some hundreds, are distributed among the threads.
    const FRONTIER: u32 = 2;
    if depth <= FRONTIER {
        return perft(board, depth);
    }
    let mut frontier = vec![board.clone()];
    for _ in 0..FRONTIER {
        let children = |parent: &Board| parent.legal_moves().iter().map(|&mv| after(parent, mv)).collect();
        frontier = frontier.iter().flat_map(|parent| -> Vec<Board> { children(parent) }).collect();
    }
    parallel::map(&frontier, |board| count(&mut board.clone(), depth - FRONTIER)).iter().sum()
}

/// Returns the number of leaves below each legal move, in generation order.
///
/// `count` gets the position after the move and the remaining depth. It runs on all threads of the current pool.
///
/// ```
/// use enroque::chess::Board;
/// use enroque::chess::perft::{divide, perft};
///
/// let counts = divide(&Board::default(), 2, perft);
/// assert!(counts.iter().all(|&(_, leaves)| leaves == 20));
/// ```
pub fn divide(board: &Board, depth: u32, count: impl Fn(&Board, u32) -> u64 + Sync) -> Vec<(Move, u64)> {
    let remaining = depth.saturating_sub(1);
    parallel::map(&board.legal_moves(), |&mv| (mv, count(&after(board, mv), remaining)))
}

fn after(board: &Board, mv: Move) -> Board {
    let mut next = board.clone();
    next.make_move(mv);
    next
}

/// Lock-free perft hash table, shared by all threads.
///
/// An entry is a count and the key XOR the count. A torn write gives a key that matches no position.
pub struct PerftTable {
    entries: SharedTable<[AtomicU64; 2]>,
}

impl PerftTable {
    /// Allocates a table of `mebibytes`; `None` if the memory is not available.
    pub fn new(mebibytes: usize) -> Option<Self> {
        Some(Self { entries: SharedTable::new(mebibytes)? })
    }

    fn entry(&self, key: u64) -> &[AtomicU64; 2] {
        &self.entries[scale(key, self.entries.len() as u64) as usize]
    }

    fn get(&self, key: u64) -> Option<u64> {
        let [mixed, count] = self.entry(key);
        let count = count.load(Ordering::Relaxed);
        (mixed.load(Ordering::Relaxed) ^ count == key).then_some(count)
    }

    fn set(&self, key: u64, nodes: u64) {
        let [mixed, count] = self.entry(key);
        mixed.store(key ^ nodes, Ordering::Relaxed);
        count.store(nodes, Ordering::Relaxed);
    }

    /// Runs a parallel perft that looks up subtrees counted before.
    pub fn perft(&self, board: &Board, depth: u32) -> u64 {
        if depth < 2 {
            return perft(board, depth);
        }
        let key = board.key() ^ u64::from(depth).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        if let Some(nodes) = self.get(key) {
            return nodes;
        }
        let nodes = parallel::sum(&board.legal_moves(), |&mv| self.perft(&after(board, mv), depth - 1));
        self.set(key, nodes);
        nodes
    }
}
