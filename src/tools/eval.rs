//! `enroque eval`: the static evaluation of a position.

use crate::chess::{Board, Color};
use crate::eval::evaluate;
use crate::uci::format::diagram;

/// The board and its evaluation, seen from White.
pub fn table(board: &Board) -> String {
    let value = evaluate(board);
    let from_white = if board.side_to_move() == Color::White { value } else { -value };
    format!("{}\n\nStatic evaluation: {:+.2} (White's side)", diagram(board), f64::from(from_white) / 100.0)
}
