//! Judges the moves of a game by what the searches found.

use super::ply::{AnalysedGame, Played, Ply, white_centipawns};
use super::verify::SearchedGame;
use enroque_study::judgement::{losses, mark_of, summarize};
use enroque_study::pgn::{self, PgnGame};

/// Judges the moves between the positions that were searched.
pub fn judge<'a>(game: &'a PgnGame, searched: SearchedGame) -> AnalysedGame<'a> {
    let lines = searched.settled_lines();
    let positions = searched.positions.iter().zip(&lines);
    let scores: Vec<f64> =
        positions.clone().map(|(position, line)| white_centipawns(&position.board, line.as_ref())).collect();
    let movers = positions.map(|(position, line)| {
        let best = line.as_ref().and_then(|line| line.first());
        (position.board.side_to_move(), position.mv.is_none() || position.mv == best)
    });
    let losses = losses(&scores, movers);
    let players = summarize(&scores, &losses);
    let mut losses = losses.into_iter();
    let plies = searched.positions.into_iter().zip(lines).map(|(position, line)| {
        let played = losses.next().map(|loss| Played {
            san: pgn::san(&position.board, position.mv),
            loss: loss.percent,
            mark: mark_of(loss.percent),
        });
        Ply { board: position.board, line, played }
    });
    AnalysedGame { game, plies: plies.collect(), players }
}

#[cfg(test)]
mod tests {
    use super::super::verify::tests::searched;
    use super::*;
    use enroque_study::evaluation::Shown::{Centipawns, Mate};
    use enroque_study::judgement::win_percent;

    #[test]
    fn losses_follow_win_percentage() {
        // Losing 100 centipawns costs 9 percentage points in a level position, but only 5 for a side five pawns up.
        assert!((win_percent(0.0) - win_percent(-100.0) - 9.1).abs() < 0.05);
        assert!((win_percent(500.0) - win_percent(400.0) - 4.95).abs() < 0.1);
        let lines = [
            (Centipawns(20), "e4"),
            (Centipawns(-20), "c5"),
            (Centipawns(25), "Nf3"),
            (Centipawns(35), "Nc6"),
            (Centipawns(60), "Qxe5+"),
            (Mate(-3), "Be7"),
        ];
        let (game, found) = searched("1. e4 e5 2. Qh5 Nf6 3. Qxe5+ *", &lines);
        let judged = judge(&game, found);
        let marks: Vec<_> = judged.steps().map(|step| step.played.mark.map(|mark| mark.symbol)).collect();
        // White's Qh5 loses 60 centipawns, Black's Nf6 loses 95.
        assert_eq!(marks, [None, None, Some("?!"), Some("?!"), None]);
        assert_eq!(judged.steps().nth(2).unwrap().advice().as_deref(), Some("Inaccuracy. Nf3 was best."));
        assert_eq!((judged.players[0].inaccuracies, judged.players[1].inaccuracies), (1, 1));
        assert_eq!(judged.players[0].average_loss, Some(20.0));
        assert!((judged.wins()[5] - win_percent(1000.0)).abs() < 1e-9, "a mate counts as ten pawns");
    }
}
