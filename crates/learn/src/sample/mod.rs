//! What we train on: [`Sample`] is a position with its score in 32 bytes, [`choice`] decides which positions become
//! samples, and [`tree`] stores those from inside the search tree.

pub mod choice;
pub mod tree;

use crate::games::format::GameResult;
use enroque::chess::{Bitboard, Board, Color, PieceKind};
use enroque::nnue::features::View;
use enroque::nnue::handcrafted::inputs::Placement;
use enroque::nnue::{HandcraftedInputs, output_bucket};
use enroque::search::score::{Bound, Score};

/// A sample has room for this many pieces.
pub const MAX_PIECES: usize = 32;

/// A position as the side to move sees it, with its score and the result of the game. The first 27 bytes are the same
/// as in the `ChessBoard` of the crate bulletformat.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Sample {
    /// Occupied squares, on a board turned so that the side to move plays from White's side.
    occupied: u64,
    /// Four-bit piece codes in the order of the squares: the kind, plus [`ENEMY`] for a piece of the other side.
    codes: [u8; MAX_PIECES / 2],
    /// Centipawns for the side to move.
    score: i16,
    /// In a position from a game: how many half points the side to move got, 0 to 2. In a position from inside the
    /// search tree: [`FROM_TREE`] plus the bound type of the score.
    source: u8,
    /// How the side to move sees the board, and how the other side does.
    views: [View; 2],
}

const FROM_TREE: u8 = 4;
const UPPER: u8 = FROM_TREE | Bound::Upper as u8;
const LOWER: u8 = FROM_TREE | Bound::Lower as u8;
const EXACT: u8 = FROM_TREE | Bound::Exact as u8;
const ENEMY: u8 = 8;

impl Sample {
    /// Makes a sample of a position from a game. The score is in centipawns for White.
    pub fn new(board: &Board, score: i16, result: GameResult) -> Self {
        let us = board.side_to_move();
        let mut pieces: Vec<(usize, u8)> = board
            .placement()
            .map(|(piece, square)| {
                let enemy = if piece.color() == us { 0 } else { ENEMY };
                (square.relative_to(us).index(), piece.kind().index() as u8 | enemy)
            })
            .collect();
        pieces.sort_unstable();
        let mut sample = Self::default();
        for (index, (square, code)) in pieces.into_iter().take(MAX_PIECES).enumerate() {
            sample.occupied |= 1 << square;
            sample.codes[index / 2] |= code << (index % 2 * 4);
        }
        let white = us == Color::White;
        sample.score = if white { score } else { score.saturating_neg() };
        sample.source = if white { result as u8 } else { 2 - result as u8 };
        sample.views = [us, !us].map(|side| View::of(board.king(side).relative_to(side)));
        sample
    }

    /// Makes a sample of a position from inside the search tree. The score is for the side to move. Returns `None` if
    /// the board has more than [`MAX_PIECES`] pieces or the score doesn't fit.
    pub fn of_tree(board: &Board, score: Score, bound: Bound) -> Option<Self> {
        if board.occupied().count() as usize > MAX_PIECES {
            return None;
        }
        let score = if board.side_to_move() == Color::White { score } else { -score };
        let sample = Self::new(board, i16::try_from(score).ok()?, GameResult::Draw);
        Some(Self { source: FROM_TREE | bound as u8, ..sample })
    }

    pub const SIZE: usize = size_of::<Self>();

    /// Encodes the fields one after another, numbers little-endian, and pads them with zeros to [`Self::SIZE`].
    pub fn to_bytes(&self) -> [u8; Self::SIZE] {
        let mut bytes = [0; Self::SIZE];
        bytes[..8].copy_from_slice(&self.occupied.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.codes);
        bytes[24..26].copy_from_slice(&self.score.to_le_bytes());
        bytes[26] = self.source;
        bytes
    }

    /// The inverse of [`Self::to_bytes`]; `None` if the bytes are not a valid sample.
    pub fn from_bytes(bytes: &[u8; Self::SIZE]) -> Option<Self> {
        let mut sample = Self {
            occupied: u64::from_le_bytes(std::array::from_fn(|index| bytes[index])),
            score: i16::from_le_bytes([bytes[24], bytes[25]]),
            source: bytes[26],
            ..Self::default()
        };
        sample.codes.copy_from_slice(&bytes[8..24]);
        let codes = (0..(sample.pieces() as usize).min(MAX_PIECES)).map(|index| sample.code(index));
        let is_valid = (2..=MAX_PIECES as u32).contains(&sample.pieces())
            && codes.into_iter().all(|code| usize::from(code & !ENEMY) < PieceKind::ALL.len())
            && (sample.source <= 2 || sample.bound().is_some());
        if !is_valid {
            return None;
        }
        let placement = sample.placement();
        let king = |color| placement.pieces(color, PieceKind::King).into_iter().next();
        let (own, other) = (king(Self::SIDE_TO_MOVE)?, king(!Self::SIDE_TO_MOVE)?);
        sample.views = [View::of(own), View::of(other.relative_to(!Self::SIDE_TO_MOVE))];
        Some(sample)
    }

    /// Returns the score in centipawns, for the side to move.
    #[inline]
    pub fn score(&self) -> i16 {
        self.score
    }

    /// The points that the side to move got, 0, ½ or 1; `None` for a position from inside the search tree.
    #[inline]
    pub fn points(&self) -> Option<f32> {
        (self.source & FROM_TREE == 0).then(|| f32::from(self.source) / 2.0)
    }

    /// The bound type of the score; `None` for a position from a game, which has no bound.
    #[inline]
    pub fn bound(&self) -> Option<Bound> {
        match self.source {
            UPPER => Some(Bound::Upper),
            LOWER => Some(Bound::Lower),
            EXACT => Some(Bound::Exact),
            _ => None,
        }
    }

    /// Returns the four-bit code of the piece on the `index`th occupied square.
    #[inline]
    fn code(&self, index: usize) -> u8 {
        self.codes[index / 2] >> (index % 2 * 4) & 15
    }

    /// Returns the input feature of each piece, as the side to move sees it and as the other side sees it.
    #[inline]
    pub fn features(&self) -> impl Iterator<Item = [u16; 2]> + '_ {
        let [own_view, other_view] = self.views;
        Bitboard(self.occupied).into_iter().enumerate().map(move |(index, square)| {
            let code = self.code(index);
            let (is_enemy, kind) = (code & ENEMY != 0, PieceKind::ALL[usize::from(code & !ENEMY)]);
            let own = own_view.input(is_enemy, kind, square);
            let other = other_view.input(!is_enemy, kind, square.relative_to(Color::Black));
            [own as u16, other as u16]
        })
    }

    /// White, because we turn the board so that the side to move plays from White's side.
    pub const SIDE_TO_MOVE: Color = Color::White;

    #[inline]
    pub fn placement(&self) -> Placement {
        let mut placement = Placement::EMPTY;
        for (index, square) in Bitboard(self.occupied).into_iter().enumerate() {
            let code = self.code(index);
            let color = if code & ENEMY == 0 { Self::SIDE_TO_MOVE } else { !Self::SIDE_TO_MOVE };
            placement.add(color, PieceKind::ALL[usize::from(code & !ENEMY)], square);
        }
        placement
    }

    #[inline]
    pub fn handcrafted_inputs(&self) -> HandcraftedInputs {
        HandcraftedInputs::from_placement(&self.placement(), Self::SIDE_TO_MOVE)
    }

    #[inline]
    pub fn pieces(&self) -> u32 {
        self.occupied.count_ones()
    }

    #[inline]
    pub fn output_bucket(&self) -> usize {
        output_bucket(self.pieces())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use enroque::chess::startpos::opening;
    use enroque::nnue::features::feature;
    use enroque::util::random::Random;

    #[test]
    fn features_match_engine() {
        let mut random = Random::new(3);
        for _ in 0..300 {
            let start = opening::random_start(&mut random, 80);
            let plies = random.below(60);
            let Some(board) = opening::play_random(start, plies, &mut random) else { continue };
            let us = board.side_to_move();
            let mut expected: Vec<[u16; 2]> = board
                .placement()
                .map(|(piece, square)| {
                    [us, !us].map(|side| {
                        feature(side, View::of(board.king(side).relative_to(side)), piece, square) as u16
                    })
                })
                .collect();
            let sample = Sample::new(&board, -37, GameResult::Win);
            let mut found: Vec<_> = sample.features().collect();
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected);
            let points = if us == Color::White { 1.0 } else { 0.0 };
            assert_eq!(sample.points(), Some(points));
            assert_eq!(sample.score(), if us == Color::White { -37 } else { 37 });
        }
    }

    #[test]
    fn tree_sample_survives_serialisation() {
        let board = Board::from_fen("4k3/pp6/8/8/8/8/6PP/R3K3 b Q - 3 30", Default::default()).unwrap();
        for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
            let sample = Sample::of_tree(&board, -412, bound).unwrap();
            let bytes = sample.to_bytes();
            let back = Sample::from_bytes(&bytes).unwrap();
            assert_eq!(back.to_bytes(), bytes);
            assert_eq!(back.features().collect::<Vec<_>>(), sample.features().collect::<Vec<_>>());
            assert_eq!((back.score(), back.points(), back.bound()), (-412, None, Some(bound)));
        }
        let good = Sample::of_tree(&board, 0, Bound::Exact).unwrap().to_bytes();
        for (index, byte) in [(0, 0xFF), (8, 0x77), (26, 4), (26, 8)] {
            let mut bad = good;
            bad[index] = byte;
            if index == 0 {
                bad[..8].fill(byte);
            }
            assert!(Sample::from_bytes(&bad).is_none(), "byte {index}: {byte}");
        }
    }
}
