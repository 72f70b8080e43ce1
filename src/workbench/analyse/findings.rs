//! Search results of a game: the best line of each position, settled where the score changes with the played move.

use std::collections::BTreeMap;

use super::chances::{centipawns, win_percent};
use super::variation::Variation;
use crate::chess::{Board, Move};
use crate::workbench::pgn::PgnGame;

/// Smallest change of the win percentage with a move that is verified, percentage points: the smallest loss that is marked.
const MIN_CHANGE: f64 = 5.0;

/// Result of a search.
#[derive(Clone)]
pub struct Finding {
    /// Search effort as a multiple of the ordinary one.
    pub factor: u32,
    /// Best line; `None` without a legal move.
    pub line: Option<Variation>,
}

/// Search results of a game, which may cover only its first positions.
#[derive(Default)]
pub struct Findings {
    /// Best line of each position.
    pub lines: Vec<Finding>,
    /// Best line without the played move, by the index of the move.
    pub alternatives: BTreeMap<usize, Finding>,
}

impl Findings {
    /// Adds the result of an ordinary search of the next position.
    pub fn push(&mut self, line: Option<Variation>) {
        self.lines.push(Finding { factor: 1, line });
    }

    /// Returns the best line of each position. The line of a verified position begins with the played move or with the
    /// best alternative, so that its score agrees with the scores after it.
    pub fn settled_lines(&self, game: &PgnGame) -> Vec<Option<Variation>> {
        let mut settled: Vec<Option<Variation>> = self.lines.iter().map(|found| found.line.clone()).collect();
        let positions = game.positions().zip(game.moves()).enumerate();
        let verified: Vec<(usize, Board, Move)> = positions
            .take(settled.len())
            .filter(|&(index, _)| self.alternative(index).is_some())
            .filter_map(|(index, (board, mv))| Some((index, board, mv?)))
            .collect();
        for (index, board, mv) in verified.into_iter().rev() {
            let played = Variation::of_played(&board, mv, settled[index + 1].as_ref());
            let alternative = self.alternative(index).and_then(|found| found.line.as_ref());
            let better = alternative.filter(|line| line.order() > played.order());
            settled[index] = Some(better.unwrap_or(&played).clone());
        }
        settled
    }

    /// Returns the best alternative to a move, unless the position has been searched longer since.
    fn alternative(&self, index: usize) -> Option<&Finding> {
        self.alternatives.get(&index).filter(|found| found.factor >= self.lines[index].factor)
    }

    /// Returns the indices of moves with which the score changes by [`MIN_CHANGE`], and that have not been verified with
    /// `factor` times the effort. A fall may be a mistake; a rise shows that the search before the move was too short.
    pub fn suspects(&self, game: &PgnGame, factor: u32) -> Vec<usize> {
        let wins = white_wins(game, &self.settled_lines(game));
        let verified = |index: usize| self.alternatives.get(&index).map_or(0, |found| found.factor);
        let changes = |index: usize| (wins[index + 1] - wins[index]).abs() >= MIN_CHANGE;
        let moves = game.moves().enumerate().take(wins.len().saturating_sub(1));
        let suspects = moves
            .filter(|&(index, mv)| mv.is_some() && changes(index) && verified(index) < factor)
            .map(|(index, _)| index);
        suspects.collect()
    }
}

/// Returns the win percentage of White in each position with the given best lines.
fn white_wins(game: &PgnGame, lines: &[Option<Variation>]) -> Vec<f64> {
    let positions = game.positions().zip(lines);
    positions.map(|(board, line)| win_percent(centipawns(&board, line.as_ref()))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::judge::judge;
    use super::*;
    use crate::chess::CastlingRules;
    use crate::workbench::pgn;

    /// Returns a game of five moves and its findings: centipawns for the side to move, and the best move.
    fn findings(lines: &[(i32, Option<i32>, &str)]) -> (PgnGame, Findings) {
        let game = pgn::read("1. e4 e5 2. Qh5 Nf6 3. Qxe5+ *", CastlingRules::Fischer, None).unwrap();
        let mut findings = Findings::default();
        for &(cp, mate, san) in lines {
            findings.push(Some(Variation::for_test(cp, mate, san)));
        }
        (game, findings)
    }

    fn alternative(findings: &mut Findings, index: usize, factor: u32, cp: i32, san: &str) {
        let line = Some(Variation::for_test(cp, None, san));
        findings.alternatives.insert(index, Finding { factor, line });
    }

    fn marks(game: &PgnGame, findings: &Findings) -> Vec<Option<&'static str>> {
        let judged = judge(game, findings);
        judged.moves.iter().map(|judgement| judgement.mark.map(|mark| mark.symbol)).collect()
    }

    #[test]
    fn falling_best_move_is_verified() {
        let (game, mut findings) =
            findings(&[(20, None, "e4"), (-20, None, "c5"), (150, None, "Qh5"), (-20, None, "Nf6")]);
        // The search chose Qh5 for 1.50, and it leads to 0.20.
        assert_eq!(findings.suspects(&game, 4), [1, 2]);
        assert_eq!(marks(&game, &findings), [None, Some("?"), None]);
        // No other move is better: the score before the move falls, and Black's move was no mistake.
        alternative(&mut findings, 2, 4, 10, "Nf3");
        assert_eq!(findings.suspects(&game, 4), [0; 0]);
        assert_eq!(marks(&game, &findings), [None, None, None]);
        let line = findings.settled_lines(&game).swap_remove(2).unwrap();
        assert_eq!((line.cp, line.san), (Some(20), vec!["Qh5".to_owned(), "Nf6".to_owned()]));
        // Another move is better: both moves were mistakes.
        alternative(&mut findings, 2, 4, 140, "Nf3");
        assert_eq!((findings.suspects(&game, 4), findings.suspects(&game, 16)), (vec![1], vec![1, 2]));
        assert_eq!(marks(&game, &findings), [None, Some("?"), Some("?")]);
        assert_eq!(judge(&game, &findings).moves[2].better.as_deref(), Some(&["Nf3".to_owned()][..]));
    }

    #[test]
    fn rising_score_reaches_earlier_moves() {
        let (game, mut findings) = findings(&[
            (20, None, "e4"),
            (-20, None, "e5"),
            (20, None, "Nf3"),
            (-20, None, "Nc6"),
            (20, None, "Nc3"),
            (-300, Some(-3), "Be7"),
        ]);
        // The search did not see that Qxe5+ wins, and that Nf6 was the mistake.
        assert_eq!(findings.suspects(&game, 4), [4]);
        alternative(&mut findings, 4, 4, 30, "Nc3");
        assert_eq!(findings.suspects(&game, 4), [3]);
        alternative(&mut findings, 3, 4, -20, "Nc6");
        assert_eq!(marks(&game, &findings), [None, None, None, Some("??"), None]);
        assert_eq!(findings.settled_lines(&game)[4].as_ref().unwrap().mate, Some(4));
        // A later search of the position itself counts for more than the older comparison.
        findings.lines[4] = Finding { factor: 16, line: Some(Variation::for_test(0, None, "Nc3")) };
        assert_eq!(findings.suspects(&game, 16), [4]);
    }
}
