//! Moves of a puzzle in algebraic notation.

use super::puzzle::Played;
use crate::analyse::variation::numbered;
use enroque::chess::{Board, Move};

/// Returns the solution in algebraic notation.
pub fn solution(played: &Played) -> Vec<String> {
    let mut board = played.board.clone();
    let san = |&mv: &Move| {
        let text = board.san(mv);
        board.make_move(mv);
        text
    };
    played.moves.iter().map(san).collect()
}

/// Returns the solution in algebraic notation with move numbers.
pub fn numbered_solution(played: &Played) -> String {
    numbered(&played.board, &solution(played))
}

/// Returns a move with its number: `7... Nxe4`.
pub fn opponent_move(before: &Board, mv: Move) -> String {
    numbered(before, &[before.san(mv)])
}
