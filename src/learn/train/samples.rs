//! Positions to learn from: what of a game is used, and how it is kept small until it is needed.

use std::path::Path;

use rayon::prelude::*;

use crate::chess::{Bitboard, Board, Color, Move, PieceKind};
use crate::learn::datagen::selfplay::ply_of;
use crate::learn::games::format::{Game, GameResult};
use crate::learn::games::store::{GameReader, StoreError};
use crate::learn::games::tree::TreeReader;
use crate::learn::train::target::{Returns, Target, sigmoid};
use crate::nnue::handcrafted::inputs::Placement;
use crate::nnue::{HandcraftedInputs, INPUTS, output_bucket};
use crate::search::evaluation::is_known_ending;
use crate::search::score::{Bound, Score};
use crate::util::random::Random;

/// Plies from the start of a game that teach little but the opening.
const MIN_PLY: usize = 16;
/// Scores from here on say that a game is over, not how a position stands.
const MAX_SCORE: i32 = 10_000;
/// With so many plies without progress the score tells more of the fifty-move rule than of the position.
pub const MAX_HALFMOVE_CLOCK: u16 = 30;
/// Endgames have no more pieces than this.
const ENDGAME_PIECES: u32 = 10;
/// Pieces on a board, at most: what the four-bit codes have room for.
pub const MAX_PIECES: usize = 32;

/// A position as the side to move sees it, its score and the game's result, in 32 bytes.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Sample {
    /// Occupied squares, the board turned so that the side to move plays up it.
    occupied: u64,
    /// Four bits a piece, from the lowest square on: its kind, and 8 for an enemy.
    codes: [u8; MAX_PIECES / 2],
    /// Centipawns for the side to move.
    score: i16,
    /// Of a game's position the half points of the side to move, 0 to 2; of one inside the tree [`FROM_TREE`] and what
    /// the score bounds.
    source: u8,
    /// Which side sees the board mirrored: 1 for the own, 2 for the other.
    mirrored: u8,
}

const FROM_TREE: u8 = 4;
const ENEMY: u8 = 8;
const OWN_MIRRORED: u8 = 1;
const OTHER_MIRRORED: u8 = 2;

impl Sample {
    /// The position with its score for White and the result of the game.
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
        for (side, bit) in [(us, OWN_MIRRORED), (!us, OTHER_MIRRORED)] {
            if crate::nnue::features::is_mirrored(board.king(side)) {
                sample.mirrored |= bit;
            }
        }
        sample
    }

    /// A position inside the tree with its score for the side to move and what that bounds; `None` with more pieces than
    /// a sample has room for.
    pub fn of_tree(board: &Board, score: Score, bound: Bound) -> Option<Self> {
        if board.occupied().count() as usize > MAX_PIECES {
            return None;
        }
        let score = if board.side_to_move() == Color::White { score } else { -score };
        let sample = Self::new(board, i16::try_from(score).ok()?, GameResult::Draw);
        Some(Self { source: FROM_TREE | bound as u8, ..sample })
    }

    /// Bytes of [`Self::to_bytes`].
    pub const SIZE: usize = size_of::<Self>();

    /// The sample as a file has it: the fields in their order, numbers little-endian.
    pub fn to_bytes(&self) -> [u8; Self::SIZE] {
        let mut bytes = [0; Self::SIZE];
        bytes[..8].copy_from_slice(&self.occupied.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.codes);
        bytes[24..26].copy_from_slice(&self.score.to_le_bytes());
        bytes[26] = self.source;
        bytes[27] = self.mirrored;
        bytes
    }

    /// The sample that these bytes are; `None` when they are none.
    pub fn from_bytes(bytes: &[u8; Self::SIZE]) -> Option<Self> {
        let mut sample = Self {
            occupied: u64::from_le_bytes(std::array::from_fn(|index| bytes[index])),
            score: i16::from_le_bytes([bytes[24], bytes[25]]),
            source: bytes[26],
            mirrored: bytes[27],
            ..Self::default()
        };
        sample.codes.copy_from_slice(&bytes[8..24]);
        let codes = (0..(sample.pieces() as usize).min(MAX_PIECES)).map(|index| sample.code(index));
        let is_valid = (2..=MAX_PIECES as u32).contains(&sample.pieces())
            && codes.into_iter().all(|code| usize::from(code & !ENEMY) < PieceKind::ALL.len())
            && sample.mirrored <= OWN_MIRRORED | OTHER_MIRRORED
            && (sample.source <= 2 || sample.bound().is_some());
        is_valid.then_some(sample)
    }

    /// What the score of a position inside the tree bounds.
    fn bound(&self) -> Option<Bound> {
        let all = [Bound::Upper, Bound::Lower, Bound::Exact];
        all.into_iter().find(|&bound| self.source == FROM_TREE | bound as u8)
    }

    /// The code of the piece with this index.
    #[inline]
    fn code(&self, index: usize) -> u8 {
        self.codes[index / 2] >> (index % 2 * 4) & 15
    }

    /// The active inputs of the own and of the other side.
    #[inline]
    pub fn features(&self) -> impl Iterator<Item = [u16; 2]> + '_ {
        const COLOR_STRIDE: u16 = INPUTS as u16 / 2;
        let own_flip = if self.mirrored & OWN_MIRRORED == 0 { 0 } else { 7 };
        let other_flip = 56 ^ if self.mirrored & OTHER_MIRRORED == 0 { 0 } else { 7 };
        let mut squares = self.occupied;
        (0..self.pieces() as usize).map(move |index| {
            let square = squares.trailing_zeros() as u16;
            squares &= squares - 1;
            let code = self.code(index);
            let (own, other) = if code & ENEMY == 0 { (0, COLOR_STRIDE) } else { (COLOR_STRIDE, 0) };
            let kind = u16::from(code & !ENEMY) * 64;
            [own + kind + (square ^ own_flip), other + kind + (square ^ other_flip)]
        })
    }

    /// The handcrafted inputs.
    #[inline]
    pub fn handcrafted_inputs(&self) -> HandcraftedInputs {
        let mut placement = Placement::default();
        for (index, square) in Bitboard(self.occupied).into_iter().enumerate() {
            let code = self.code(index);
            placement[usize::from(code / ENEMY)][usize::from(code & !ENEMY)] |= Bitboard::of(square);
        }
        // The side to move plays up the board.
        HandcraftedInputs::from_placement(&placement, Color::White)
    }

    /// Pieces on the board.
    #[inline]
    pub fn pieces(&self) -> u32 {
        self.occupied.count_ones()
    }

    /// The network's output neuron.
    #[inline]
    pub fn output_bucket(&self) -> usize {
        output_bucket(self.pieces())
    }

    /// `true` with so few pieces that who wins is decided by how they are played, which shallow searches do not see.
    #[inline]
    pub fn is_endgame(&self) -> bool {
        self.pieces() <= ENDGAME_PIECES
    }

    /// What the side to move may expect, 0 to 1: the game's result with its weight, else what its score promises. A
    /// position inside the tree has no result.
    #[inline]
    pub fn expectation(&self, target: Target) -> f32 {
        let promised = sigmoid(f32::from(self.score) / target.scale);
        if self.source & FROM_TREE != 0 {
            return promised;
        }
        let result = f32::from(self.source) / 2.0;
        let lambda = if self.is_endgame() { target.endgame_lambda } else { target.lambda };
        lambda * result + (1.0 - lambda) * promised
    }

    /// By how much it is wrong to expect `found`. What does not violate a bound is not wrong.
    #[inline]
    pub fn error(&self, found: f32, target: Target) -> f32 {
        const UPPER: u8 = FROM_TREE | Bound::Upper as u8;
        const LOWER: u8 = FROM_TREE | Bound::Lower as u8;
        let error = found - self.expectation(target);
        match self.source {
            UPPER => error.max(0.0),
            LOWER => error.min(0.0),
            _ => error,
        }
    }
}

/// `true` when a static evaluation of the position can be right, and the network is asked for it: nothing hangs, nobody is
/// in check.
pub fn is_usable(board: &Board, mv: Move, score: i16) -> bool {
    ply_of(board) >= MIN_PLY
        && !board.in_check()
        && mv.is_quiet()
        && i32::from(score).abs() < MAX_SCORE
        && board.halfmove_clock() < MAX_HALFMOVE_CLOCK
        && board.occupied().count() as usize <= MAX_PIECES
        && !is_known_ending(board)
}

/// What there is to learn from, and to test on.
#[derive(Default)]
pub struct Samples {
    /// For training, in random order.
    pub training: Vec<Sample>,
    /// From games that training does not see.
    pub held_out: Vec<Sample>,
    /// Games read.
    pub games: u64,
    /// Positions in them.
    pub positions: u64,
    /// Of those for training, how many are from inside the tree.
    pub from_tree: u64,
}

/// One game of so many is held out, of few games one of [`HELD_OUT_OF_FEW`].
const HELD_OUT: u64 = 100;
/// See [`HELD_OUT`].
const HELD_OUT_OF_FEW: u64 = 10;
/// With fewer positions held out the loss on them says little.
const HELD_OUT_ENOUGH: usize = 5_000;

impl Samples {
    /// Reads files of games and keeps what is usable, with the scores that `returns` makes of theirs, of what searches saw
    /// only where `is_wanted`, or nothing without it, in an order that `seed` decides. `progress` hears of the games read.
    ///
    /// # Errors
    /// When a file cannot be read or is damaged.
    pub fn load(
        paths: &[impl AsRef<Path>],
        seed: u64,
        returns: Returns,
        is_wanted: Option<impl Fn(&Sample) -> bool>,
        mut progress: impl FnMut(u64),
    ) -> Result<Self, StoreError> {
        const CHUNK: usize = 4096;
        let mut samples = Self::default();
        // Held out when the others are too few; what their searches saw is for training then no more.
        let (mut spare, mut spare_tree) = (Vec::new(), Vec::new());
        for path in paths {
            let mut reader = GameReader::open(path.as_ref())?;
            let mut tree = if is_wanted.is_some() { TreeReader::open(path.as_ref())? } else { None };
            loop {
                let games = reader.by_ref().take(CHUNK).collect::<Result<Vec<Game>, StoreError>>()?;
                if games.is_empty() {
                    break;
                }
                let usable: Vec<Vec<Sample>> =
                    games.par_iter().map(|game| usable_samples(game, returns)).collect();
                for (game, usable) in games.iter().zip(usable) {
                    let mut seen = tree.as_mut().and_then(TreeReader::next).transpose()?.unwrap_or_default();
                    if let Some(is_wanted) = &is_wanted {
                        seen.retain(is_wanted);
                    }
                    // A game that is held out is so with all that its searches saw.
                    match Random::new(seed ^ samples.games).below(HELD_OUT) {
                        0 => samples.held_out.extend(usable),
                        drawn if drawn.is_multiple_of(HELD_OUT_OF_FEW) => {
                            spare.extend(usable);
                            spare_tree.extend(seen);
                        }
                        _ => {
                            samples.training.extend(usable);
                            samples.from_tree += seen.len() as u64;
                            samples.training.extend(seen);
                        }
                    }
                    samples.games += 1;
                    samples.positions += game.plies.len() as u64;
                }
                progress(samples.games);
            }
        }
        if samples.held_out.len() < HELD_OUT_ENOUGH {
            samples.held_out.append(&mut spare);
        } else {
            samples.training.append(&mut spare);
            samples.from_tree += spare_tree.len() as u64;
            samples.training.append(&mut spare_tree);
        }
        shuffle(&mut samples.training, &mut Random::new(seed));
        Ok(samples)
    }
}

fn usable_samples(game: &Game, returns: Returns) -> Vec<Sample> {
    let mut samples = Vec::new();
    let mut scores = returns.of(game).into_iter();
    game.replay(|board, ply| {
        let score = scores.next().unwrap_or(ply.score);
        if is_usable(board, ply.mv, ply.score) {
            samples.push(Sample::new(board, score, game.result));
        }
    });
    samples
}

/// Fisher and Yates.
pub fn shuffle<T>(items: &mut [T], random: &mut Random) {
    for index in (1..items.len()).rev() {
        items.swap(index, random.below(index as u64 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::startpos::opening;
    use crate::learn::games::format::Ply;
    use crate::nnue::features::{feature, is_mirrored};

    /// With this weight of the result everywhere.
    fn target(lambda: f32) -> Target {
        Target { lambda, endgame_lambda: lambda, scale: 220.0 }
    }

    #[test]
    fn the_trainer_sees_the_inputs_that_the_engine_sees() {
        let mut random = Random::new(3);
        for _ in 0..300 {
            let start = opening::random_start(&mut random, 80);
            let plies = random.below(60);
            let Some(board) = opening::play_random(start, plies, &mut random) else { continue };
            let us = board.side_to_move();
            let mut expected: Vec<[u16; 2]> = board
                .placement()
                .map(|(piece, square)| {
                    [us, !us].map(|side| feature(side, is_mirrored(board.king(side)), piece, square) as u16)
                })
                .collect();
            let sample = Sample::new(&board, -37, GameResult::Win);
            let mut found: Vec<_> = sample.features().collect();
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected);
            let points = if us == Color::White { 1.0 } else { 0.0 };
            assert_eq!(sample.expectation(target(1.0)), points);
            let score = if us == Color::White { -37.0 } else { 37.0 };
            assert_eq!(sample.expectation(target(0.0)), sigmoid(score / 220.0));
        }
    }

    #[test]
    fn a_tree_sample_comes_back_from_its_bytes_and_nothing_else_does() {
        let board = Board::from_fen("4k3/pp6/8/8/8/8/6PP/R3K3 b Q - 3 30", Default::default()).unwrap();
        for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
            let sample = Sample::of_tree(&board, -412, bound).unwrap();
            let bytes = sample.to_bytes();
            let back = Sample::from_bytes(&bytes).unwrap();
            assert_eq!(back.to_bytes(), bytes);
            assert_eq!(back.features().collect::<Vec<_>>(), sample.features().collect::<Vec<_>>());
            assert_eq!(back.expectation(target(0.5)), sigmoid(-412.0 / 220.0));
        }
        let good = Sample::of_tree(&board, 0, Bound::Exact).unwrap().to_bytes();
        for (index, byte) in [(0, 0xFF), (8, 0x77), (26, 4), (26, 8), (27, 4)] {
            let mut bad = good;
            bad[index] = byte;
            if index == 0 {
                bad[..8].fill(byte);
            }
            assert!(Sample::from_bytes(&bad).is_none(), "byte {index}: {byte}");
        }
    }

    #[test]
    fn in_endgames_the_result_has_a_weight_of_its_own() {
        let target = Target { lambda: 0.0, endgame_lambda: 0.5, scale: 220.0 };
        let expectation = |fen: &str| {
            let board = Board::from_fen(fen, Default::default()).unwrap();
            Sample::new(&board, 0, GameResult::Win).expectation(target)
        };
        assert_eq!(expectation("4k3/ppp5/8/8/8/8/PPP3PP/4K3 w - - 0 30"), 0.75);
        assert_eq!(expectation("4k3/pppp4/8/8/8/8/PPP3PP/4K3 w - - 0 30"), 0.5);
    }

    #[test]
    fn what_says_more_of_rules_than_of_the_position_is_not_used() {
        let is_usable = |fen: &str| {
            let board = Board::from_fen(fen, Default::default()).unwrap();
            is_usable(&board, board.parse_move("e1e2").unwrap(), 100)
        };
        assert!(is_usable("4k3/p7/8/8/8/8/7P/R3K3 w - - 29 40"));
        assert!(!is_usable("4k3/p7/8/8/8/8/7P/R3K3 w - - 30 40"), "soon drawn");
        assert!(!is_usable("4k3/8/8/8/8/8/7P/R3K3 w - - 0 40"), "known to be won");
        assert!(is_usable("4k3/8/8/8/8/8/7P/4K3 w - - 0 40"), "not known");
    }

    #[test]
    fn what_is_usable_is_decided_by_the_score_that_the_search_found() {
        let start = Board::from_fen("4k3/p7/8/8/8/8/7P/R3K3 w - - 0 40", Default::default()).unwrap();
        let mut board = start.clone();
        let plies = [("e1d1", 100), ("e8d8", 100), ("a1b1", 15_000), ("d8c7", -100)].map(|(mv, score)| {
            let mv = board.parse_move(mv).unwrap();
            board.make_move(mv);
            Ply { mv, score }
        });
        let game = Game { start, plies: plies.to_vec(), result: GameResult::Win };
        let returns = Returns { td_lambda: 0.5, scale: 220.0 };
        let [first, second, _, fourth] = returns.of(&game).try_into().unwrap();
        let found: Vec<i16> = usable_samples(&game, returns).iter().map(|sample| sample.score).collect();
        assert_eq!(found, [first, -second, -fourth], "each for the side to move");
    }

    #[test]
    fn a_bound_teaches_only_where_it_is_violated() {
        let board = Board::startpos();
        let error = |bound, found| Sample::of_tree(&board, 0, bound).unwrap().error(found, target(0.0));
        assert_eq!([error(Bound::Upper, 0.25), error(Bound::Upper, 0.75)], [0.0, 0.25]);
        assert_eq!([error(Bound::Lower, 0.25), error(Bound::Lower, 0.75)], [-0.25, 0.0]);
        assert_eq!([error(Bound::Exact, 0.25), error(Bound::Exact, 0.75)], [-0.25, 0.25]);
    }
}
