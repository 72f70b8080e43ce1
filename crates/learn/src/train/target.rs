//! Training targets: the expected score of a game that the network learns to predict for a sample, and λ-returns.

use crate::games::format::{Game, NO_SCORE};
use crate::sample::Sample;
use enroque::search::score::Bound;
use enroque::util::sigmoid;

#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Weight of the game's result, 0 to 1.
    pub lambda: f32,
    /// The score, in centipawns, with which a side gets σ(1) of the points, 73 %.
    pub scale: f32,
}

impl Target {
    /// Returns how many points, 0 to 1, the side to move should expect: a mix of the game's result and what the score
    /// promises. In a position inside the search tree, which has no result, only the score counts.
    #[inline]
    pub fn expectation(self, sample: &Sample) -> f32 {
        let by_score = sigmoid(f32::from(sample.score()) / self.scale);
        let Some(points) = sample.points() else { return by_score };
        self.lambda * points + (1.0 - self.lambda) * by_score
    }

    /// Returns the error of `found`, the network's expectation; it is 0 if the score is a bound and `found` is within
    /// that bound.
    #[inline]
    pub fn error(self, sample: &Sample, found: f32) -> f32 {
        let error = found - self.expectation(sample);
        match sample.bound() {
            Some(Bound::Upper) => error.max(0.0),
            Some(Bound::Lower) => error.min(0.0),
            _ => error,
        }
    }
}

/// The λ-return of TD(λ) (Sutton 1988) mixes a position's score with the scores of later positions.
///
/// The engine plays the move that it found best, so the next search rates the same line one ply deeper, with an error
/// of its own. Mixing the scores averages the errors.
#[derive(Clone, Copy, Debug)]
pub struct Returns {
    /// λ: how much the return of the next position weighs, 0 to 1. 0 leaves the scores alone.
    pub td_lambda: f32,
    /// The score, in centipawns, with which a side gets σ(1) of the points, 73 %.
    pub scale: f32,
}

impl Returns {
    /// We keep expectations at least this far from 0 and 1, so that λ-returns stay within ± 8 times the scale.
    const MIN: f32 = 1.0 / 3_000.0;

    /// Computes the λ-return of each ply, in centipawns for White. A ply without a score gets no return. If n plies lie
    /// between two scores, λⁿ takes the place of λ.
    pub fn of(self, game: &Game) -> Vec<i16> {
        let mut scores: Vec<i16> = game.plies.iter().map(|ply| ply.score).collect();
        if self.td_lambda > 0.0 {
            let mut next = None;
            let mut weight = 1.0;
            for score in scores.iter_mut().rev() {
                weight *= self.td_lambda;
                if *score == NO_SCORE {
                    continue;
                }
                let own = sigmoid(f32::from(*score) / self.scale).clamp(Self::MIN, 1.0 - Self::MIN);
                let mixed = next.map_or(own, |next| own + weight * (next - own));
                *score = (self.scale * (mixed / (1.0 - mixed)).ln()).round() as i16;
                next = Some(mixed);
                weight = 1.0;
            }
        }
        scores
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::format::{GameResult, Ply};
    use enroque::chess::startpos::opening;
    use enroque::chess::{Board, Color};
    use enroque::util::random::Random;

    fn target(lambda: f32) -> Target {
        Target { lambda, scale: 220.0 }
    }

    #[test]
    fn expectation_is_for_side_to_move() {
        let mut random = Random::new(3);
        for _ in 0..300 {
            let start = opening::random_start(&mut random, 80);
            let plies = random.below(60);
            let Some(board) = opening::play_random(start, plies, &mut random) else { continue };
            let us = board.side_to_move();
            let sample = Sample::new(&board, -37, GameResult::Win);
            let points = if us == Color::White { 1.0 } else { 0.0 };
            assert_eq!(target(1.0).expectation(&sample), points);
            let score = if us == Color::White { -37.0 } else { 37.0 };
            assert_eq!(target(0.0).expectation(&sample), sigmoid(score / 220.0));
        }
    }

    #[test]
    fn tree_sample_ignores_lambda() {
        let board = Board::from_fen("4k3/pp6/8/8/8/8/6PP/R3K3 b Q - 3 30", Default::default()).unwrap();
        for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
            let sample = Sample::of_tree(&board, -412, bound).unwrap();
            assert_eq!(target(0.5).expectation(&sample), sigmoid(-412.0 / 220.0));
        }
    }

    #[test]
    fn satisfied_bound_has_no_error() {
        let board = Board::startpos();
        let error = |bound, found| target(0.0).error(&Sample::of_tree(&board, 0, bound).unwrap(), found);
        assert_eq!([error(Bound::Upper, 0.25), error(Bound::Upper, 0.75)], [0.0, 0.25]);
        assert_eq!([error(Bound::Lower, 0.25), error(Bound::Lower, 0.75)], [-0.25, 0.0]);
        assert_eq!([error(Bound::Exact, 0.25), error(Bound::Exact, 0.75)], [-0.25, 0.25]);
    }

    #[test]
    fn return_mixes_later_scores() {
        let quiet = "4k3/p7/8/8/8/8/7P/R3K3 w - - 0 40";
        let start = Board::from_fen(quiet, Default::default()).unwrap();
        let mut board = start.clone();
        let mut plies = Vec::new();
        for (mv, score) in [("e1d1", 0), ("e8d8", 220), ("a1b1", -220), ("a7a6", 30_000)] {
            let mv = board.parse_move(mv).unwrap();
            board.make_move(mv);
            plies.push(Ply { mv, score });
        }
        let game = Game { start, plies, result: GameResult::Win };
        let of = |td_lambda| Returns { td_lambda, scale: 220.0 }.of(&game);
        assert_eq!(of(0.0), [0, 220, -220, 30_000]);
        let expectation = |score: i16| sigmoid(f32::from(score) / 220.0);
        let sure = 1.0 - Returns::MIN;
        let [first, second, third, fourth] = of(0.25).try_into().unwrap();
        assert!((expectation(fourth) - sure).abs() < 1e-4);
        let third_mixed = 0.75 * expectation(-220) + 0.25 * sure;
        let second_mixed = 0.75 * expectation(220) + 0.25 * third_mixed;
        let first_mixed = 0.75 * 0.5 + 0.25 * second_mixed;
        for (found, mixed) in [(third, third_mixed), (second, second_mixed), (first, first_mixed)] {
            assert!((expectation(found) - mixed).abs() < 2e-3, "{found}");
        }
        assert!(of(1.0).iter().all(|&score| score == fourth), "only the last counts");

        let mut game = game;
        game.plies[1].score = NO_SCORE;
        let without = Returns { td_lambda: 0.25, scale: 220.0 }.of(&game);
        assert_eq!((without[1], without[2]), (NO_SCORE, third));
        let first_mixed = (1.0 - 0.0625) * 0.5 + 0.0625 * third_mixed;
        assert!((expectation(without[0]) - first_mixed).abs() < 2e-3, "{without:?}");
    }
}
