//! Random openings: a random start position, and random moves that do not lose material at once.

use super::{CHESS960_COUNT, ORTHODOX, double_chess960};
use crate::chess::{Board, Move};
use crate::util::random::Random;

/// Returns a random start position of double Chess960 with a chance of `double_percent` per cent, else the orthodox
/// start.
pub fn random_start(random: &mut Random, double_percent: u64) -> Board {
    let count = u64::from(CHESS960_COUNT);
    let [white, black] = if random.below(100) < double_percent {
        [random.below(count) as u32, random.below(count) as u32]
    } else {
        [ORTHODOX; 2]
    };
    double_chess960(white, black).unwrap_or_else(Board::startpos)
}

/// Plays `plies` random moves that lose no material by static exchange evaluation. Returns `None` if a position has no
/// such move, or if the final position has no legal move.
pub fn play_random(mut board: Board, plies: u64, random: &mut Random) -> Option<Board> {
    for _ in 0..plies {
        let candidates: Vec<Move> =
            board.legal_moves().into_iter().filter(|&mv| board.see_at_least(mv, 0)).collect();
        if candidates.is_empty() {
            return None;
        }
        board.make_move(candidates[random.below(candidates.len() as u64) as usize]);
    }
    board.has_legal_move().then_some(board)
}
