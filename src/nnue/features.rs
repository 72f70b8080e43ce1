//! Numbers the network's inputs. Each stands for a piece on a square, as one side sees it.

use crate::chess::{Color, Piece, PieceKind, Square};
use crate::nnue::architecture::INPUTS;

/// Index of an input, below [`INPUTS`].
pub type Feature = usize;

/// How many inputs describe the pieces of one colour.
const COLOR_STRIDE: usize = PieceKind::ALL.len() * Square::COUNT;
const _: () = assert!(2 * COLOR_STRIDE == INPUTS);

/// Whether a side with its king on `king` sees the board mirrored left to right, so that the king is on files e to h.
#[inline]
pub const fn is_mirrored(king: Square) -> bool {
    king.file().index() < 4
}

/// Returns the input for `piece` on `square`, as `side` sees it: own pieces come first, and ranks count from its own
/// side.
#[inline]
pub const fn feature(side: Color, mirrored: bool, piece: Piece, square: Square) -> Feature {
    let flip = if mirrored { 7 } else { 0 };
    let enemy = piece.color().index() ^ side.index();
    enemy * COLOR_STRIDE + piece.kind().index() * Square::COUNT + (square.relative_to(side).index() ^ flip)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Board;

    fn features(board: &Board, side: Color) -> Vec<Feature> {
        let mirrored = is_mirrored(board.king(side));
        let mut all: Vec<_> =
            board.placement().map(|(piece, square)| feature(side, mirrored, piece, square)).collect();
        all.sort_unstable();
        all
    }

    #[test]
    fn symmetric_position_has_equal_features() {
        let board = Board::startpos();
        assert_eq!(features(&board, Color::White), features(&board, Color::Black));
    }

    #[test]
    fn mirrored_position_has_equal_features() {
        let read = |fen| Board::from_fen(fen, Default::default()).unwrap();
        let right = read("4k3/p6p/8/8/3N4/8/P5P1/6K1 w - - 0 1");
        let left = read("3k4/p6p/8/8/4N3/8/1P5P/1K6 w - - 0 1");
        for side in Color::ALL {
            assert_eq!(features(&right, side), features(&left, side));
        }
    }
}
