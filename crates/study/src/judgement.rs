//! Judges the moves of a game by how much they lower the winning chances, with the formulas of lichess.

use serde::{Deserialize, Serialize};

use super::phase::{ByPhase, Phase};
use enroque::chess::{Board, Color};
use enroque::search::wdl::{denormalized, material_share};

/// We clamp scores to ± this many centipawns; a mate counts as exactly this many.
pub const MAX_CENTIPAWNS: f64 = 1000.0;
/// How fast the win percentage grows per centipawn. Lichess fitted it to games between humans.
const WIN_PERCENT_SLOPE: f64 = 0.003_682_08;

/// Chess sites show centipawns on the scale of Stockfish 15.1. We get close to them if we multiply our scores by
/// `SITE_BASE` + `SITE_MATERIAL` × [`material_share`]. `scripts/fit_wdl.py --site` fitted the
/// `SITE` constants to searches by both engines.
const SITE_BASE: f64 = 0.5;
const SITE_MATERIAL: f64 = 0.36;
/// Above this many centipawns Stockfish's scores grow only like the logarithm of ours.
const SITE_BEND: f64 = 350.0;

/// For the harmonic mean we raise each accuracy to at least this many per cent, because a single 0 would make it 0.
const MIN_HARMONIC_ACCURACY: f64 = 1.0;

/// We measure how volatile a game is in sliding windows. A game is this many times as long as a window.
const WINDOWS_PER_GAME: usize = 10;
/// The fewest and the most positions in the window around a move that gives it its weight.
const MIN_WINDOW: usize = 2;
const MAX_WINDOW: usize = 8;
/// The weight of a move is the standard deviation of the win percentages around it, clamped to these bounds.
const MIN_WEIGHT: f64 = 0.5;
const MAX_WEIGHT: f64 = 12.0;

/// A class of bad moves, and how we annotate them.
pub struct Mark {
    pub symbol: &'static str,
    pub nag: u8,
    pub name: &'static str,
    /// A move gets the mark if it loses this much or more, in percentage points of winning chances.
    pub min_loss: f64,
}

/// Worst first. Lichess's limits are 0.3, 0.2 and 0.1 on a scale from -1 to 1, where 0.3 means 15 percentage points. We ask
/// for a fifth more, so that a stronger engine confirms what we say (docs/experiments/strength.md has the figures).
pub const MARKS: [Mark; 3] = [
    Mark { symbol: "??", nag: 4, name: "Blunder", min_loss: 18.0 },
    Mark { symbol: "?", nag: 2, name: "Mistake", min_loss: 12.0 },
    Mark { symbol: "?!", nag: 6, name: "Inaccuracy", min_loss: 6.0 },
];

/// Factor, decay rate and offset in lichess's formula for the accuracy of a move; see [`move_accuracy`].
const ACCURACY_FACTOR: f64 = 103.1668;
const ACCURACY_DECAY: f64 = 0.043_54;
const ACCURACY_OFFSET: f64 = -3.1669;

/// Returns the win percentage of a side with this score: 50 + 50 (2 / (1 + e^(-0.00368208 cp)) - 1).
pub fn win_percent(centipawns: f64) -> f64 {
    100.0 / (1.0 + (-WIN_PERCENT_SLOPE * centipawns).exp())
}

/// Returns the accuracy in per cent of a move that loses x percentage points: 103.1668 e^(-0.04354 x) - 3.1669.
pub fn move_accuracy(loss: f64) -> f64 {
    (ACCURACY_FACTOR * (-ACCURACY_DECAY * loss).exp() + ACCURACY_OFFSET).clamp(0.0, 100.0)
}

/// Returns the mark for a move that loses this many percentage points; `None` if the move is not bad.
pub fn mark_of(loss: f64) -> Option<&'static Mark> {
    MARKS.iter().find(|mark| loss >= mark.min_loss)
}

/// Converts centipawns on our own scale to those of chess sites, which the formulas of lichess expect: b asinh(s/b),
/// where s is the score of the search times a factor that grows with the material, and b is `SITE_BEND`. Do not use it
/// for mates and tablebase wins.
pub fn site_centipawns(own: i32, board: &Board) -> f64 {
    let by_material = denormalized(own, board) * (SITE_BASE + SITE_MATERIAL * material_share(board));
    SITE_BEND * (by_material / SITE_BEND).asinh()
}

/// Returns the sign that turns a value from the point of view of `side` into one from White's, and back.
pub fn sign_of(side: Color) -> f64 {
    if side == Color::White { 1.0 } else { -1.0 }
}

/// Rounds to one decimal. A zero comes out positive, because JSON writes the sign of a negative one.
pub fn rounded(value: f64) -> f64 {
    // Adding zero is what turns -0 into 0.
    (10.0 * value).round() / 10.0 + 0.0
}

/// How much a move made things worse for the side that made it; never negative.
pub struct Loss {
    pub color: Color,
    /// In percentage points of winning chances.
    pub percent: f64,
    pub centipawns: f64,
}

/// Returns how much each move lost. `scores` has the score of every position of the game, in centipawns for White.
/// `moves` says for each move which side made it, and whether it was the best move, which loses nothing.
pub fn losses(scores: &[f64], moves: impl IntoIterator<Item = (Color, bool)>) -> Vec<Loss> {
    let loss = |(pair, (color, is_best)): (&[f64], (Color, bool))| {
        let fall = |value: fn(f64) -> f64| (sign_of(color) * (value(pair[0]) - value(pair[1]))).max(0.0);
        let percent = if is_best { 0.0 } else { fall(win_percent) };
        let centipawns = if percent == 0.0 { 0.0 } else { fall(|score| score) };
        Loss { color, percent, centipawns }
    };
    scores.windows(2).zip(moves).map(loss).collect()
}

/// One player's accuracy and errors in a game.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub struct Summary {
    /// Accuracy in per cent; `None` if there were no moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<f64>,
    /// Average loss per move in centipawns; `None` if there were no moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average_loss: Option<f64>,
    pub inaccuracies: usize,
    pub mistakes: usize,
    pub blunders: usize,
    /// Accuracy in per cent in each part of the game; `None` if the player had no move there.
    #[serde(default)]
    pub phases: ByPhase<Option<f64>>,
}

impl Summary {
    /// Formats the accuracy with one decimal, and the average loss in whole centipawns; `None` if there were no moves.
    pub fn figures(&self) -> Option<(String, String)> {
        let (accuracy, loss) = self.accuracy.zip(self.average_loss)?;
        // We round halves up, because the web page does; formatting alone would round halves to even.
        Some((format!("{accuracy:.1}"), format!("{:.0}", loss.round())))
    }

    /// Counts the bad moves in words: `2 inaccuracies, 1 mistake, 0 blunders`.
    pub fn marks(&self) -> String {
        let counted = |count: usize, singular: &str, plural: &str| {
            format!("{count} {}", if count == 1 { singular } else { plural })
        };
        [
            counted(self.inaccuracies, "inaccuracy", "inaccuracies"),
            counted(self.mistakes, "mistake", "mistakes"),
            counted(self.blunders, "blunder", "blunders"),
        ]
        .join(", ")
    }
}

/// Returns the summaries of White and of Black. `scores` has the score of every position of the game, in centipawns for
/// White, `phases` says to which part of the game it belongs, and `losses` has the loss of every move.
pub fn summarize(scores: &[f64], phases: &[Phase], losses: &[Loss]) -> [Summary; 2] {
    let wins: Vec<f64> = scores.iter().map(|&score| win_percent(score)).collect();
    let weights = weights(&wins);
    Color::ALL.map(|color| {
        let own = || losses.iter().zip(weights.iter().zip(phases)).filter(|(loss, _)| loss.color == color);
        let count = |name| {
            own().filter(|(loss, _)| mark_of(loss.percent).is_some_and(|mark| mark.name == name)).count()
        };
        let accuracy = |is_counted: &dyn Fn(Phase) -> bool| {
            let counted = own().filter(|(_, (_, phase))| is_counted(**phase));
            let weighted: Vec<(f64, f64)> =
                counted.map(|(loss, (&weight, _))| (move_accuracy(loss.percent), weight)).collect();
            game_accuracy(&weighted).map(rounded)
        };
        let centipawns: Vec<f64> = own().map(|(loss, _)| loss.centipawns).collect();
        Summary {
            accuracy: accuracy(&|_| true),
            average_loss: mean(&centipawns).map(rounded),
            inaccuracies: count("Inaccuracy"),
            mistakes: count("Mistake"),
            blunders: count("Blunder"),
            phases: ByPhase::of(|phase| accuracy(&|of_move| of_move == phase)),
        }
    })
}

fn mean(values: &[f64]) -> Option<f64> {
    if values.is_empty() { None } else { Some(values.iter().sum::<f64>() / values.len() as f64) }
}

/// Returns the weight of each move, as lichess defines it: how volatile the win percentages are in a window of
/// positions that ends just after the move.
fn weights(wins: &[f64]) -> Vec<f64> {
    let moves = wins.len().saturating_sub(1);
    let window = (moves / WINDOWS_PER_GAME).clamp(MIN_WINDOW, MAX_WINDOW).min(wins.len());
    let deviation = |values: &[f64]| {
        let mean = mean(values).unwrap_or(0.0);
        let variance =
            values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len().max(1) as f64;
        variance.sqrt().clamp(MIN_WEIGHT, MAX_WEIGHT)
    };
    (0..moves)
        .map(|ply| {
            // Early in the game, where the window would begin before the first position, we use the first window.
            let begin = (ply + 2).saturating_sub(window);
            deviation(&wins[begin..begin + window])
        })
        .collect()
}

/// Returns a player's accuracy from the accuracy and weight of each move, as lichess defines it: the average of the
/// weighted mean and the harmonic mean. `None` if there are no moves.
fn game_accuracy(moves: &[(f64, f64)]) -> Option<f64> {
    if moves.is_empty() {
        return None;
    }
    let weighted = moves.iter().map(|(accuracy, weight)| accuracy * weight).sum::<f64>()
        / moves.iter().map(|(_, weight)| weight).sum::<f64>();
    let harmonic = moves.len() as f64
        / moves.iter().map(|(accuracy, _)| 1.0 / accuracy.max(MIN_HARMONIC_ACCURACY)).sum::<f64>();
    Some(f64::midpoint(weighted, harmonic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_zero_is_negative() {
        for value in [-0.0, -0.04, 0.0, 0.04] {
            assert!(rounded(value).is_sign_positive(), "{value}");
        }
    }

    #[test]
    fn halves_are_rounded_up() {
        for (loss, text) in [(22.5, "23"), (0.5, "1"), (22.4, "22")] {
            let summary = Summary { accuracy: Some(90.0), average_loss: Some(loss), ..Summary::default() };
            assert_eq!(summary.figures(), Some(("90.0".to_owned(), text.to_owned())));
        }
        assert_eq!(Summary::default().figures(), None);
    }

    #[test]
    fn volatile_positions_weigh_more() {
        let calm = game_accuracy(&[(100.0, 0.5), (50.0, 0.5)]).unwrap();
        let wild = game_accuracy(&[(100.0, 0.5), (50.0, 12.0)]).unwrap();
        assert!((calm - f64::midpoint(75.0, 200.0 / 3.0)).abs() < 1e-9 && wild < calm);
        assert_eq!(game_accuracy(&[]), None);
        // Calculated by hand: in a short game the window of each move has two positions.
        let weights = weights(&[50.0, 54.0, 50.0, 90.0]);
        assert_eq!(weights, [2.0, 2.0, 12.0]);
    }

    #[test]
    fn site_scores_grow_and_bend() {
        let endgame: Board = "4k3/pppp4/8/8/8/8/PPPP4/R3K2R w - - 0 1".parse().unwrap();
        let rounded = |own, board: &Board| site_centipawns(own, board).round();
        // Calculated by hand: at the start the search's score is 0.896 times our own, and the factor 0.5 + 0.36 * 78 / 58;
        // in the endgame they are 2.496 and 0.5 + 0.36 * 18 / 58.
        assert_eq!((rounded(100, &Board::startpos()), rounded(1000, &Board::startpos())), (87.0, 579.0));
        assert_eq!((rounded(-100, &endgame), rounded(400, &endgame)), (-148.0, 463.0));
    }

    #[test]
    fn accuracy_follows_loss() {
        assert!((move_accuracy(0.0) - 100.0).abs() < 1e-3 && (move_accuracy(10.0) - 63.6).abs() < 0.1);
    }

    #[test]
    fn best_moves_lose_nothing() {
        let losses = losses(&[20.0, -80.0, -30.0], [(Color::White, false), (Color::Black, false)]);
        assert_eq!((losses[0].centipawns, losses[1].centipawns), (100.0, 50.0));
        let best = super::losses(&[20.0, -80.0], [(Color::White, true)]);
        assert_eq!((best[0].percent, best[0].centipawns), (0.0, 0.0));
        assert_eq!(summarize(&[20.0, -80.0], &[Phase::Opening; 2], &best)[0].average_loss, Some(0.0));
    }

    #[test]
    fn phases_have_their_own_accuracy() {
        use Phase::{Ending, Opening};
        // White plays well in the opening and badly in the ending, Black moves only in the opening.
        let moves = [(Color::White, false), (Color::Black, false), (Color::White, false)];
        let scores = [0.0, 0.0, 0.0, -400.0];
        let [white, black] = summarize(&scores, &[Opening, Opening, Ending, Ending], &losses(&scores, moves));
        assert_eq!((white.phases.opening, white.phases.middlegame), (Some(100.0), None));
        // Calculated by hand: a loss of 31.35 points.
        assert_eq!(white.phases.ending, Some(23.2));
        assert_eq!((black.phases.opening, black.phases.ending), (Some(100.0), None));
    }
}
