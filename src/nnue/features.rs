//! Numbers the network's inputs. Each stands for a piece on a square, as one side sees it.

use crate::chess::{Color, Piece, PieceKind, Square};
use crate::nnue::architecture::{BOARD_INPUTS, KING_BUCKETS};

/// Index of an input, below [`INPUTS`](crate::nnue::INPUTS).
pub type Feature = usize;

/// How many inputs of a king bucket describe the pieces of one colour.
const COLOR_STRIDE: usize = PieceKind::ALL.len() * Square::COUNT;
const _: () = assert!(2 * COLOR_STRIDE == BOARD_INPUTS);

/// The king bucket by rank, counted from the side's own first rank, and by file, from e to h.
const KING_BUCKET: [[u8; 4]; 8] = [[0, 0, 1, 1], [2; 4], [3; 4], [3; 4], [3; 4], [3; 4], [3; 4], [3; 4]];

/// How a side sees the board, which depends on where its king stands. If the king is on files a to d, the board is
/// mirrored left to right, so that the king is always on files e to h.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct View {
    king_bucket: u8,
    mirrored: bool,
}

impl View {
    /// How many views there are.
    pub const COUNT: usize = 2 * KING_BUCKETS;

    /// Returns the view of a side whose king stands on `king`, where ranks count from that side's own first rank.
    #[inline]
    pub const fn of(king: Square) -> Self {
        let (file, rank) = (king.file().index(), king.rank().index());
        let mirrored = file < 4;
        let from_e = if mirrored { 3 - file } else { file - 4 };
        Self { king_bucket: KING_BUCKET[rank][from_e], mirrored }
    }

    /// Returns the number of this view, below [`Self::COUNT`].
    #[inline]
    pub const fn index(self) -> usize {
        2 * self.king_bucket as usize + self.mirrored as usize
    }

    /// Returns the input for a piece of the side itself, or of its enemy, on `square`, counted from the side's own first
    /// rank.
    #[inline(always)]
    pub const fn input(self, is_enemy: bool, kind: PieceKind, square: Square) -> Feature {
        self.of_board(board_input(is_enemy, kind.index(), square.index()))
    }

    /// Returns the input that stands for a [board input](BoardInputs) in this view.
    #[inline(always)]
    pub const fn of_board(self, input: u16) -> Feature {
        self.king_bucket as usize * BOARD_INPUTS + (input as usize ^ (7 * self.mirrored as usize))
    }
}

/// Returns the [board input](BoardInputs) for a piece of the side itself, or of its enemy.
const fn board_input(is_enemy: bool, kind: usize, square: usize) -> u16 {
    (is_enemy as usize * COLOR_STRIDE + kind * Square::COUNT + square) as u16
}

/// A piece on a square as White (in the low half) and as Black see it: for each side a number below [`BOARD_INPUTS`],
/// which its [`View`] turns into an input.
#[derive(Clone, Copy, Debug, Default)]
pub struct BoardInputs(u32);

impl BoardInputs {
    #[inline(always)]
    pub const fn new(piece: Piece, square: Square) -> Self {
        const FIRST: [u32; Piece::COUNT] = {
            let mut first = [0; Piece::COUNT];
            let mut piece = 0;
            while piece < Piece::COUNT {
                let (kind, is_black) = (piece / 2, piece % 2 == 1);
                let [white, black] = [board_input(is_black, kind, 0), board_input(!is_black, kind, 0)];
                first[piece] = white as u32 | (black as u32) << 16;
                piece += 1;
            }
            first
        };
        // The lowest six bits are those of the square, which Black sees mirrored.
        Self((FIRST[piece.index()] + square.index() as u32 * 0x1_0001) ^ 56 << 16)
    }

    /// Returns the input as `side` sees it in its `view`.
    #[inline(always)]
    pub const fn seen(self, side: Color, view: View) -> Feature {
        view.of_board((self.0 >> (16 * side.index())) as u16)
    }
}

/// Returns the input for `piece` on `square`, as `side` sees it.
#[inline]
pub const fn feature(side: Color, view: View, piece: Piece, square: Square) -> Feature {
    BoardInputs::new(piece, square).seen(side, view)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Board;

    fn features(board: &Board, side: Color) -> Vec<Feature> {
        let view = View::of(board.king(side).relative_to(side));
        let mut all: Vec<_> =
            board.placement().map(|(piece, square)| feature(side, view, piece, square)).collect();
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
