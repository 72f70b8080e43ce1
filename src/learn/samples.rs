//! Positions to learn from: what of a game is used, and how it is kept small until it is needed.

use std::path::Path;

use rayon::prelude::*;

use super::game::{Game, GameResult};
use super::selfplay::ply_of;
use super::store::{GameReader, StoreError};
use crate::chess::random::Random;
use crate::chess::{Board, Color, Move};
use crate::nnue::{INPUTS, output_bucket};

/// Plies from the start of a game that teach little but the opening.
const MIN_PLY: usize = 16;
/// Scores from here on say that a game is over, not how a position stands.
const MAX_SCORE: i32 = 10_000;
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
    /// Half points of the side to move.
    half_points: u8,
    /// Which side sees the board mirrored: 1 for the own, 2 for the other.
    mirrored: u8,
}

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
        sample.half_points = if white { result as u8 } else { 2 - result as u8 };
        for (side, bit) in [(us, OWN_MIRRORED), (!us, OTHER_MIRRORED)] {
            if crate::nnue::features::is_mirrored(board.king(side)) {
                sample.mirrored |= bit;
            }
        }
        sample
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
            let code = self.codes[index / 2] >> (index % 2 * 4) & 15;
            let (own, other) = if code & ENEMY == 0 { (0, COLOR_STRIDE) } else { (COLOR_STRIDE, 0) };
            let kind = u16::from(code & !ENEMY) * 64;
            [own + kind + (square ^ own_flip), other + kind + (square ^ other_flip)]
        })
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

    /// What the side to move may expect, 0 to 1: the game's result with weight `lambda`, else what its score
    /// promises.
    #[inline]
    pub fn expectation(&self, lambda: f32, scale: f32) -> f32 {
        let result = f32::from(self.half_points) / 2.0;
        lambda * result + (1.0 - lambda) * sigmoid(f32::from(self.score) / scale)
    }
}

/// The logistic function.
#[inline]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// `true` when a static evaluation of the position can be right: nothing hangs, nobody is in check.
pub fn is_usable(board: &Board, mv: Move, score: i16) -> bool {
    ply_of(board) >= MIN_PLY
        && !board.in_check()
        && mv.is_quiet()
        && i32::from(score).abs() < MAX_SCORE
        && board.occupied().count() as usize <= MAX_PIECES
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
}

/// One game of so many is held out.
const HELD_OUT: u64 = 100;

impl Samples {
    /// Reads files of games and keeps what is usable, in an order that `seed` decides. `progress` hears of the games
    /// read.
    ///
    /// # Errors
    /// When a file cannot be read or is damaged.
    pub fn load(
        paths: &[impl AsRef<Path>],
        seed: u64,
        mut progress: impl FnMut(u64),
    ) -> Result<Self, StoreError> {
        const CHUNK: usize = 4096;
        let mut samples = Self::default();
        for path in paths {
            let mut reader = GameReader::open(path.as_ref())?;
            loop {
                let games = reader.by_ref().take(CHUNK).collect::<Result<Vec<Game>, StoreError>>()?;
                if games.is_empty() {
                    break;
                }
                let usable: Vec<Vec<Sample>> = games.par_iter().map(usable_samples).collect();
                for (game, usable) in games.iter().zip(usable) {
                    let held_out = Random::new(seed ^ samples.games).below(HELD_OUT) == 0;
                    if held_out { &mut samples.held_out } else { &mut samples.training }.extend(usable);
                    samples.games += 1;
                    samples.positions += game.plies.len() as u64;
                }
                progress(samples.games);
            }
        }
        shuffle(&mut samples.training, &mut Random::new(seed));
        Ok(samples)
    }
}

fn usable_samples(game: &Game) -> Vec<Sample> {
    let mut samples = Vec::new();
    game.replay(|board, ply| {
        if is_usable(board, ply.mv, ply.score) {
            samples.push(Sample::new(board, ply.score, game.result));
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
    use crate::nnue::features::{feature, is_mirrored};

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
            assert_eq!(sample.expectation(1.0, 400.0), points);
            let score = if us == Color::White { -37.0 } else { 37.0 };
            assert_eq!(sample.expectation(0.0, 400.0), sigmoid(score / 400.0));
        }
    }
}
