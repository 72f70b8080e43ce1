//! What a position that is learnt from is worth.

use crate::learn::games::format::Game;

/// What a position is worth, by its result and its score.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Weight of the result.
    pub lambda: f32,
    /// The same in endgames.
    pub endgame_lambda: f32,
    /// Centipawns of a score whose expectation is σ(1).
    pub scale: f32,
}

/// The logistic function.
#[inline]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The λ-return of TD(λ) (Sutton 1988): a position's score mixed with those that the searches after it found.
///
/// A move that was played is the best that its search knew, so the next search's score is one of the same position, too,
/// and looked a ply further. What is wrong by chance in one of the two is not in the other.
#[derive(Clone, Copy, Debug)]
pub struct Returns {
    /// λ: the weight of the next position's return, 0 to 1; with 0 a score stays what it is.
    pub td_lambda: f32,
    /// Centipawns of a score whose expectation is σ(1).
    pub scale: f32,
}

impl Returns {
    /// No expectation is nearer to 0 or 1 than this, which is 8 times the scale.
    const LEAST: f32 = 1.0 / 3_000.0;

    /// The returns of a game's plies, centipawns for White.
    pub fn of(self, game: &Game) -> Vec<i16> {
        let mut scores: Vec<i16> = game.plies.iter().map(|ply| ply.score).collect();
        if self.td_lambda > 0.0 {
            let mut next = None;
            for score in scores.iter_mut().rev() {
                let own = sigmoid(f32::from(*score) / self.scale).clamp(Self::LEAST, 1.0 - Self::LEAST);
                let mixed = next.map_or(own, |next| own + self.td_lambda * (next - own));
                *score = (self.scale * (mixed / (1.0 - mixed)).ln()).round() as i16;
                next = Some(mixed);
            }
        }
        scores
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Board;
    use crate::learn::games::format::{GameResult, Ply};

    #[test]
    fn the_return_of_a_position_has_a_share_of_every_score_after_it() {
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
        let sure = 1.0 - Returns::LEAST;
        let [first, second, third, fourth] = of(0.25).try_into().unwrap();
        assert!((expectation(fourth) - sure).abs() < 1e-4);
        let third_mixed = 0.75 * expectation(-220) + 0.25 * sure;
        let second_mixed = 0.75 * expectation(220) + 0.25 * third_mixed;
        let first_mixed = 0.75 * 0.5 + 0.25 * second_mixed;
        for (found, mixed) in [(third, third_mixed), (second, second_mixed), (first, first_mixed)] {
            assert!((expectation(found) - mixed).abs() < 2e-3, "{found}");
        }
        assert!(of(1.0).iter().all(|&score| score == fourth), "only the last counts");
    }
}
