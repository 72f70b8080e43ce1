//! Judgement of the moves of a game: loss of winning chances, marks and accuracy, by the formulas of lichess.

use serde::Serialize;

use super::chances::{centipawns, sign_of};
use super::findings::Findings;
use super::variation::Variation;
use crate::chess::Color;
pub use crate::study::judgement::{MARKS, Mark};
use crate::study::judgement::{mark_of, move_accuracy, win_percent};
use crate::workbench::pgn::{self, PgnGame};

/// Maximum length of a better line in plies.
const BETTER_LINE_PLIES: usize = 10;

/// Lower bound of the accuracy of a move in the harmonic mean, per cent.
const MIN_HARMONIC_ACCURACY: f64 = 1.0;

/// Number of windows into which a game is divided to measure its volatility.
const WINDOWS_PER_GAME: usize = 10;
/// Bounds of the length of a window in positions.
const MIN_WINDOW: usize = 2;
const MAX_WINDOW: usize = 8;
/// Bounds of the weight of a move: the standard deviation of the win percentages around it.
const MIN_WEIGHT: f64 = 0.5;
const MAX_WEIGHT: f64 = 12.0;

/// Judgement of a move.
#[derive(Clone, Serialize)]
pub struct Judgement {
    /// Move in algebraic notation.
    pub san: String,
    /// Best line after the move; `None` if the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Variation>,
    /// Win percentage of White after the move.
    #[serde(serialize_with = "tenths")]
    pub win: f64,
    /// Loss of the mover's win percentage, percentage points.
    #[serde(serialize_with = "tenths")]
    pub loss: f64,
    /// Mark of a bad move.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "symbol")]
    pub mark: Option<&'static Mark>,
    /// Better line of a marked move, in algebraic notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub better: Option<Vec<String>>,
}

impl Judgement {
    /// Returns the mark of the move in words with the best move, `Blunder. Nf3 was best.`
    pub fn advice(&self) -> Option<String> {
        let best = self.better.as_ref()?.first()?;
        Some(format!("{}. {best} was best.", self.mark?.name))
    }
}

/// Returns a value rounded to one decimal.
fn rounded(value: f64) -> f64 {
    (10.0 * value).round() / 10.0
}

fn tenths<S: serde::Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(rounded(*value))
}

fn symbol<S: serde::Serializer>(mark: &Option<&'static Mark>, serializer: S) -> Result<S::Ok, S::Error> {
    mark.map(|mark| mark.symbol).serialize(serializer)
}

/// Statistics of one player's moves.
#[derive(Clone, Copy, Default, Serialize)]
pub struct Summary {
    /// Accuracy in per cent; `None` without moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<f64>,
    /// Average loss per move in centipawns; `None` without moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average_loss: Option<f64>,
    /// Number of inaccuracies.
    pub inaccuracies: usize,
    /// Number of mistakes.
    pub mistakes: usize,
    /// Number of blunders.
    pub blunders: usize,
}

/// Judgement of a game.
pub struct JudgedGame {
    /// Best line of the first position.
    pub first: Option<Variation>,
    /// Judgements of the moves that were analysed.
    pub moves: Vec<Judgement>,
    /// Win percentage of White in each position.
    pub wins: Vec<f64>,
    /// Statistics of White and of Black.
    pub summaries: [Summary; 2],
}

/// Judges the moves of a game by the search results.
pub fn judge(game: &PgnGame, findings: &Findings) -> JudgedGame {
    let lines = findings.settled_lines(game);
    let (mut scores, mut movers, mut sans) = (Vec::new(), Vec::new(), Vec::new());
    let mut moves = game.moves();
    for (board, line) in game.positions().zip(&lines) {
        scores.push(centipawns(&board, line.as_ref()));
        movers.push(board.side_to_move());
        sans.extend(moves.next().map(|mv| pgn::san(&board, mv)));
    }
    let wins: Vec<f64> = scores.iter().map(|&score| win_percent(score)).collect();
    let mover = |ply: usize| movers[ply];
    let judged = sans.into_iter().zip(game.moves()).zip(1..lines.len()).map(|((san, mv), after)| {
        let best = lines[after - 1].as_ref().map_or(&[][..], |line| &line.san);
        let is_best = best.first() == Some(&san) || mv.is_none();
        let fall = sign_of(mover(after - 1)) * (wins[after - 1] - wins[after]);
        let loss = if is_best { 0.0 } else { fall.max(0.0) };
        let mark = mark_of(loss);
        let better = mark.map(|_| best[..best.len().min(BETTER_LINE_PLIES)].to_vec());
        Judgement { san, after: lines[after].clone(), win: wins[after], loss, mark, better }
    });
    let judged: Vec<Judgement> = judged.collect();
    let weights = weights(&wins);
    let summaries = Color::ALL.map(|color| {
        let own = || (0..judged.len()).filter(|&ply| mover(ply) == color);
        let count =
            |name: &str| own().filter(|&ply| judged[ply].mark.is_some_and(|mark| mark.name == name)).count();
        let weighted: Vec<(f64, f64)> =
            own().map(|ply| (move_accuracy(judged[ply].loss), weights[ply])).collect();
        let losses = own().map(|ply| {
            if judged[ply].loss == 0.0 {
                0.0
            } else {
                (sign_of(color) * (scores[ply] - scores[ply + 1])).max(0.0)
            }
        });
        Summary {
            accuracy: game_accuracy(&weighted).map(rounded),
            average_loss: mean(&losses.collect::<Vec<f64>>()).map(rounded),
            inaccuracies: count("Inaccuracy"),
            mistakes: count("Mistake"),
            blunders: count("Blunder"),
        }
    });
    JudgedGame { first: lines.first().cloned().flatten(), moves: judged, wins, summaries }
}

fn mean(values: &[f64]) -> Option<f64> {
    if values.is_empty() { None } else { Some(values.iter().sum::<f64>() / values.len() as f64) }
}

/// Returns the weights of the moves, as lichess defines them: the volatility of the win percentages in a window around each
/// move. The first moves share the first window.
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
            // The window ends with the position after the move.
            let begin = (ply + 2).saturating_sub(window);
            deviation(&wins[begin..begin + window])
        })
        .collect()
}

/// Returns the accuracy of a player by accuracy and weight of each move, as lichess defines it: the average of the weighted
/// and the harmonic mean.
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
    use crate::chess::CastlingRules;

    #[test]
    fn losses_follow_win_percentage() {
        // 100 centipawns cost 9 percentage points in a level game, 5 in a won one.
        assert!((win_percent(0.0) - win_percent(-100.0) - 9.1).abs() < 0.05);
        assert!((win_percent(500.0) - win_percent(400.0) - 4.95).abs() < 0.1);
        assert!((move_accuracy(0.0) - 100.0).abs() < 1e-3 && (move_accuracy(10.0) - 63.6).abs() < 0.1);
        let game = pgn::read("1. e4 e5 2. Qh5 Nf6 3. Qxe5+ *", CastlingRules::Fischer, None).unwrap();
        let mut findings = Findings::default();
        for (cp, mate, san) in [
            (20, None, "e4"),
            (-20, None, "c5"),
            (25, None, "Nf3"),
            (35, None, "Nc6"),
            (60, None, "Qxe5+"),
            (-300, Some(-3), "Be7"),
        ] {
            findings.push(Some(Variation::for_test(cp, mate, san)));
        }
        let judged = judge(&game, &findings);
        let marks: Vec<_> =
            judged.moves.iter().map(|judgement| judgement.mark.map(|mark| mark.symbol)).collect();
        // Qh5 loses 60 centipawns, Nf6 another 95.
        assert_eq!(marks, [None, None, Some("?!"), Some("?!"), None]);
        assert_eq!(judged.moves[2].better.as_deref(), Some(&["Nf3".to_owned()][..]));
        assert_eq!((judged.summaries[0].inaccuracies, judged.summaries[1].inaccuracies), (1, 1));
        assert_eq!(judged.summaries[0].average_loss, Some(20.0));
        assert!((judged.wins[5] - win_percent(1000.0)).abs() < 1e-9, "a mate counts as ten pawns");
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
}
