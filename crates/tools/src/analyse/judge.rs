//! Judgement of the moves of a game by the search results: loss of winning chances, marks and accuracy.

use serde::Serialize;

use super::findings::{Findings, white_centipawns};
use enroque_study::judgement::{Mark, Summary, losses, mark_of, rounded, summarize, win_percent};
use enroque_study::line::Variation;
use enroque_study::pgn::{self, PgnGame};

/// Maximum length of a better line in plies.
const BETTER_LINE_PLIES: usize = 10;

/// Judgement of a move.
#[derive(Clone, Serialize)]
pub struct Judgement {
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

fn tenths<S: serde::Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(rounded(*value))
}

fn symbol<S: serde::Serializer>(mark: &Option<&'static Mark>, serializer: S) -> Result<S::Ok, S::Error> {
    mark.map(|mark| mark.symbol).serialize(serializer)
}

pub struct JudgedGame {
    /// Best line of the first position.
    pub first: Option<Variation>,
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
        scores.push(white_centipawns(&board, line.as_ref()));
        movers.push(board.side_to_move());
        sans.extend(moves.next().map(|mv| pgn::san(&board, mv)));
    }
    let wins: Vec<f64> = scores.iter().map(|&score| win_percent(score)).collect();
    let best = |ply: usize| lines[ply].as_ref().map_or(&[][..], |line| &line.san[..]);
    let played = sans.iter().zip(game.moves()).enumerate().map(|(ply, (san, mv))| {
        let is_best = mv.is_none() || best(ply).first() == Some(san);
        (movers[ply], is_best)
    });
    let losses = losses(&scores, played);
    let judged = sans.iter().zip(&losses).enumerate().map(|(ply, (san, loss))| {
        let mark = mark_of(loss.percent);
        let better = mark.map(|_| best(ply).iter().take(BETTER_LINE_PLIES).cloned().collect());
        let (after, win) = (lines[ply + 1].clone(), wins[ply + 1]);
        Judgement { san: san.clone(), after, win, loss: loss.percent, mark, better }
    });
    let moves = judged.collect();
    let summaries = summarize(&scores, &losses);
    JudgedGame { first: lines.first().cloned().flatten(), moves, wins, summaries }
}

#[cfg(test)]
mod tests {
    use super::super::variation::test_line;
    use super::*;
    use enroque::chess::CastlingRules;

    #[test]
    fn losses_follow_win_percentage() {
        // 100 centipawns cost 9 percentage points in a level game, 5 in a won one.
        assert!((win_percent(0.0) - win_percent(-100.0) - 9.1).abs() < 0.05);
        assert!((win_percent(500.0) - win_percent(400.0) - 4.95).abs() < 0.1);
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
            findings.push(Some(test_line(cp, mate, san)));
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
}
