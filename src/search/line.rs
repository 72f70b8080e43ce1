//! Principal variations made presentable: legal to the end, over when the game is.

use super::score::{MAX_PLY, Score, moves_to_mate};
use super::tt::TranspositionTable;
use crate::chess::{Board, Move};

/// `true` when the game is over on `board` or any player may claim a draw.
fn is_over(board: &Board) -> bool {
    board.is_threefold()
        || board.is_fifty_move_draw()
        || board.has_insufficient_material()
        || !board.has_legal_move()
}

/// The part of `pv` that is legal and ends no later than the game, carried on through the table when it
/// announces a mate that it does not reach.
pub fn presentable(board: &Board, pv: &[Move], score: Score, table: &TranspositionTable) -> Vec<Move> {
    let mut board = board.clone();
    let mut line = Vec::with_capacity(pv.len());
    for &mv in pv {
        if !board.is_legal(mv) {
            break;
        }
        board.make_move(mv);
        line.push(mv);
        if is_over(&board) {
            return line;
        }
    }
    let announced = moves_to_mate(score).map_or(0, |moves| moves.unsigned_abs() as usize * 2);
    while line.len() < announced.min(MAX_PLY) {
        let known = table.get(board.key()).and_then(|entry| entry.mv).filter(|&mv| board.is_legal(mv));
        let Some(mv) = known else { break };
        board.make_move(mv);
        line.push(mv);
        if is_over(&board) {
            break;
        }
    }
    line
}
