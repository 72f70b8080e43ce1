//! The board as an ASCII diagram.

use std::fmt::Write as _;

use crate::chess::{Board, File, Rank, Square};

/// Draws the board in ASCII, White at the bottom, without a line feed at the end.
pub fn diagram(board: &Board) -> String {
    let mut text = String::new();
    let edge = "+---+---+---+---+---+---+---+---+\n";
    for rank in Rank::ALL.into_iter().rev() {
        text.push_str(edge);
        for file in File::ALL {
            let letter = board.piece_on(Square::new(file, rank)).map_or(' ', |piece| piece.letter());
            let _ = write!(text, "| {letter} ");
        }
        let _ = writeln!(text, "| {}", rank.digit());
    }
    text + edge + "  a   b   c   d   e   f   g   h"
}
