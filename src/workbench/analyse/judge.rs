//! What each move of a game cost, on the scale that people know from lichess.

use std::collections::BTreeMap;

use serde::Serialize;

use super::variation::Variation;
use crate::chess::{Board, Color};
use crate::workbench::pgn::PgnGame;

/// A mistake: its sign, the glyph's number, its name, and from which loss on, in points of the chance to win in per cent.
pub struct Mark {
    pub sign: &'static str,
    pub nag: u8,
    pub name: &'static str,
    loss: f64,
}

/// Worst first, as lichess draws the limits: 0.3, 0.2 and 0.1 on a scale from -1 to 1.
pub const MARKS: [Mark; 3] = [
    Mark { sign: "??", nag: 4, name: "Blunder", loss: 15.0 },
    Mark { sign: "?", nag: 2, name: "Mistake", loss: 10.0 },
    Mark { sign: "?!", nag: 6, name: "Inaccuracy", loss: 5.0 },
];

/// Scores count as no more than this, mates as this.
const MAX_CENTIPAWNS: f64 = 1000.0;
/// Plies of a better line that are shown.
const SHOWN_PLIES: usize = 10;

/// Chance to win in per cent by the score of the side that it is about, as lichess fitted it to games of people:
/// 50 + 50 (2 / (1 + e^(-0.00368208 cp)) - 1).
fn win_percent(centipawns: f64) -> f64 {
    100.0 / (1.0 + (-0.003_682_08 * centipawns).exp())
}

/// Accuracy of a move in per cent by what it lost, by the formula of lichess: 103.1668 e^(-0.04354 x) - 3.1669.
fn move_accuracy(loss: f64) -> f64 {
    (103.1668 * (-0.04354 * loss).exp() - 3.1669).clamp(0.0, 100.0)
}

/// What was found of a move.
#[derive(Clone, Serialize)]
pub struct Judgement {
    /// The move.
    pub san: String,
    /// The evaluation after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Variation>,
    /// White's chance to win after it, per cent.
    #[serde(serialize_with = "tenths")]
    pub win: f64,
    /// What the mover's chance lost, points.
    #[serde(serialize_with = "tenths")]
    pub loss: f64,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "sign")]
    pub mark: Option<&'static Mark>,
    /// What was better.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub better: Option<Vec<String>>,
}

fn rounded(value: f64) -> f64 {
    (10.0 * value).round() / 10.0
}

fn tenths<S: serde::Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(rounded(*value))
}

fn sign<S: serde::Serializer>(mark: &Option<&'static Mark>, serializer: S) -> Result<S::Ok, S::Error> {
    mark.map(|mark| mark.sign).serialize(serializer)
}

/// What one player's moves come to.
#[derive(Clone, Copy, Default, Serialize)]
pub struct Summary {
    /// Per cent; none without moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<f64>,
    /// Centipawns lost by a move on average.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average_loss: Option<f64>,
    pub inaccuracies: usize,
    pub mistakes: usize,
    pub blunders: usize,
}

/// A judged game.
pub struct Judged {
    /// Of each move that was judged.
    pub moves: Vec<Judgement>,
    /// White's chance to win in each position, per cent.
    pub wins: Vec<f64>,
    /// Of White and of Black.
    pub summaries: [Summary; 2],
}

/// A position's score for White in centipawns, within ± [`MAX_CENTIPAWNS`]; without a legal move what the rules say.
fn centipawns(side: Color, in_check: bool, line: Option<&Variation>) -> f64 {
    let own = match line {
        Some(Variation { mate: Some(moves), .. }) => MAX_CENTIPAWNS * f64::from(moves.signum()),
        Some(line) => f64::from(line.cp.unwrap_or(0)).clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS),
        None if in_check => -MAX_CENTIPAWNS,
        None => 0.0,
    };
    if side == Color::White { own } else { -own }
}

/// What was found in the positions of a game, of which there may be fewer than were played.
#[derive(Default)]
pub struct Findings {
    /// The best line of each position.
    pub lines: Vec<Option<Variation>>,
    /// Of moves that seemed bad, by their index, how many times as long both were searched, and what comes of the best
    /// one instead.
    pub rivals: BTreeMap<usize, (u32, Option<Variation>)>,
}

impl Findings {
    /// The moves that seem bad and have not been looked at so closely.
    pub fn suspects(&self, game: &PgnGame, closely: u32) -> Vec<usize> {
        let judged = judge(game, self);
        let looked_at = |index: usize| self.rivals.get(&index).map_or(0, |&(closely, _)| closely);
        let is_suspect = |&index: &usize| judged.moves[index].mark.is_some() && looked_at(index) < closely;
        (0..judged.moves.len()).filter(is_suspect).collect()
    }
}

/// Judges a game.
pub fn judge(game: &PgnGame, findings: &Findings) -> Judged {
    let lines = &findings.lines;
    let mut board = game.start.clone();
    let mut scores = Vec::with_capacity(lines.len());
    let (mut sans, mut boards) = (Vec::new(), Vec::new());
    let mut moves = game.moves();
    for line in lines {
        scores.push(centipawns(board.side_to_move(), board.in_check(), line.as_ref()));
        if let Some(mv) = moves.next() {
            sans.push(board.san(mv));
            boards.push(board.clone());
            board.make_move(mv);
        }
    }
    let wins: Vec<f64> = scores.iter().map(|&score| win_percent(score)).collect();
    let first = game.start.side_to_move();
    let mover = |ply: usize| if ply.is_multiple_of(2) { first } else { !first };
    let judged = (1..lines.len()).zip(sans).map(|(after, san)| {
        let sign = if mover(after - 1) == Color::White { 1.0 } else { -1.0 };
        let best = lines[after - 1].as_ref().map_or(&[][..], |line| &line.san);
        let is_best = best.first() == Some(&san);
        // Two searches of different positions may differ by chance: what seems bad is compared with its rival.
        let before = match findings.rivals.get(&(after - 1)) {
            Some((_, rival)) => rivals_win(&boards[after - 1], rival.as_ref()),
            None => wins[after - 1],
        };
        let loss = if is_best { 0.0 } else { (sign * (before - wins[after])).max(0.0) };
        let mark = MARKS.iter().find(|mark| loss >= mark.loss);
        let better = mark.map(|_| best[..best.len().min(SHOWN_PLIES)].to_vec());
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
        let lost = own().map(|ply| {
            let sign = if color == Color::White { 1.0 } else { -1.0 };
            if judged[ply].loss == 0.0 { 0.0 } else { (sign * (scores[ply] - scores[ply + 1])).max(0.0) }
        });
        Summary {
            accuracy: game_accuracy(&weighted).map(rounded),
            average_loss: mean(&lost.collect::<Vec<f64>>()).map(rounded),
            inaccuracies: count("Inaccuracy"),
            mistakes: count("Mistake"),
            blunders: count("Blunder"),
        }
    });
    Judged { moves: judged, wins, summaries }
}

/// White's chance to win, per cent, when on `board` the best move is played instead, which leads to `line`.
fn rivals_win(board: &Board, line: Option<&Variation>) -> f64 {
    // Without a line the best move ends the game: it mates, since a draw would not be missed.
    let in_check = line.is_none();
    win_percent(centipawns(!board.side_to_move(), in_check, line))
}

fn mean(values: &[f64]) -> Option<f64> {
    if values.is_empty() { None } else { Some(values.iter().sum::<f64>() / values.len() as f64) }
}

/// How much each move counts: the standard deviation of the chances around it, as lichess takes it, within 0.5 to 12. The
/// window is a tenth of the game, 2 to 8 positions; the first moves share the first one.
fn weights(wins: &[f64]) -> Vec<f64> {
    let moves = wins.len().saturating_sub(1);
    let window = (moves / 10).clamp(2, 8).min(wins.len());
    let deviation = |values: &[f64]| {
        let mean = mean(values).unwrap_or(0.0);
        let variance =
            values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len().max(1) as f64;
        variance.sqrt().clamp(0.5, 12.0)
    };
    (0..moves)
        .map(|ply| {
            let begin = (ply + 2).saturating_sub(window);
            deviation(&wins[begin..begin + window])
        })
        .collect()
}

/// A player's accuracy by accuracies and weights of the moves, as lichess takes it: half the weighted, half the harmonic
/// mean.
fn game_accuracy(moves: &[(f64, f64)]) -> Option<f64> {
    if moves.is_empty() {
        return None;
    }
    let weighted = moves.iter().map(|(accuracy, weight)| accuracy * weight).sum::<f64>()
        / moves.iter().map(|(_, weight)| weight).sum::<f64>();
    let harmonic =
        moves.len() as f64 / moves.iter().map(|(accuracy, _)| 1.0 / accuracy.max(1.0)).sum::<f64>();
    Some(f64::midpoint(weighted, harmonic))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::CastlingRules;
    use crate::workbench::pgn;

    fn line(cp: i32, mate: Option<i32>, san: &str) -> Option<Variation> {
        Some(Variation::made_up(cp, mate, san))
    }

    #[test]
    fn losses_are_measured_on_the_scale_of_people() {
        // 100 centipawns of a level game cost 9 points, of a won one 4.
        assert!((win_percent(0.0) - win_percent(-100.0) - 9.1).abs() < 0.05);
        assert!((win_percent(500.0) - win_percent(400.0) - 4.95).abs() < 0.1);
        assert!((move_accuracy(0.0) - 100.0).abs() < 1e-3 && (move_accuracy(10.0) - 63.6).abs() < 0.1);
        let game = pgn::read("1. e4 e5 2. Qh5 Nf6 3. Qxe5+ *", CastlingRules::Fischer).unwrap();
        let lines = [
            line(20, None, "e4"),
            line(-20, None, "c5"),
            line(25, None, "Nf3"),
            line(35, None, "Nc6"),
            line(60, None, "Qxe5+"),
            line(-300, Some(-3), "Be7"),
        ];
        let mut findings = Findings { lines: lines.to_vec(), ..Findings::default() };
        assert_eq!(findings.suspects(&game, 4), [2, 3]);
        let judged = judge(&game, &findings);
        let marks: Vec<_> =
            judged.moves.iter().map(|judgement| judgement.mark.map(|mark| mark.sign)).collect();
        // Qh5 loses 60 centipawns, Nf6 another 95; the best move loses nothing, whatever comes out.
        assert_eq!(marks, [None, None, Some("?!"), Some("?!"), None]);
        assert_eq!(judged.moves[2].better.as_deref(), Some(&["Nf3".to_owned()][..]));
        assert_eq!((judged.summaries[0].inaccuracies, judged.summaries[1].inaccuracies), (1, 1));
        assert_eq!(judged.summaries[0].average_loss, Some(20.0));
        assert!((judged.wins[5] - win_percent(1000.0)).abs() < 1e-9, "a mate counts as ten pawns");
        // Looked at closely, the best move would have come to no more.
        findings.rivals.insert(2, (4, line(30, None, "Nc6")));
        assert_eq!((findings.suspects(&game, 4), findings.suspects(&game, 16)), (vec![3], vec![3]));
        findings.rivals.insert(3, (4, line(-35, None, "Nf3")));
        assert_eq!((findings.suspects(&game, 4), findings.suspects(&game, 16)), (vec![], vec![3]));
        findings.rivals.insert(3, (16, line(35, None, "Nf3")));
        assert_eq!(findings.suspects(&game, 16), [0; 0]);
        let marks: Vec<bool> =
            judge(&game, &findings).moves.iter().map(|judgement| judgement.mark.is_some()).collect();
        assert_eq!(marks, [false, false, false, false, false]);
    }

    #[test]
    fn accuracy_weighs_the_moves_of_wild_positions_more() {
        let calm = game_accuracy(&[(100.0, 0.5), (50.0, 0.5)]).unwrap();
        let wild = game_accuracy(&[(100.0, 0.5), (50.0, 12.0)]).unwrap();
        assert!((calm - f64::midpoint(75.0, 200.0 / 3.0)).abs() < 1e-9 && wild < calm);
        assert_eq!(game_accuracy(&[]), None);
        // By hand: in a short game each move with the positions around it.
        let weights = weights(&[50.0, 54.0, 50.0, 90.0]);
        assert_eq!(weights, [2.0, 2.0, 12.0]);
    }
}
