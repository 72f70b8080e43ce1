//! Random openings: a start position by chance, some moves by chance, nothing given away at once.

use crate::chess::{Board, Move, startpos};
use crate::util::random::Random;

/// A start position: double Chess960 in `double_percent` of a hundred, else the orthodox one.
pub fn random_start(random: &mut Random, double_percent: u64) -> Board {
    let count = u64::from(startpos::CHESS960_COUNT);
    let [white, black] = if random.below(100) < double_percent {
        [random.below(count) as u32, random.below(count) as u32]
    } else {
        [startpos::ORTHODOX; 2]
    };
    startpos::double_chess960(white, black).unwrap_or_else(Board::startpos)
}

/// Plays `plies` random moves, none of which loses the moved piece at once; `None` when that ends the game.
pub fn play_random(mut board: Board, plies: u64, random: &mut Random) -> Option<Board> {
    for _ in 0..plies {
        let sound: Vec<Move> =
            board.legal_moves().into_iter().filter(|&mv| board.see_at_least(mv, 0)).collect();
        if sound.is_empty() {
            return None;
        }
        board.make_move(sound[random.below(sound.len() as u64) as usize]);
    }
    board.has_legal_move().then_some(board)
}
