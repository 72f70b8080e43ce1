//! A game after its analysis: its positions in order, each with the move played there and all that we say about it.

use enroque::chess::{Board, Move};
use enroque_study::judgement::{Mark, Summary, mark_of};
use enroque_study::line::Variation;
use enroque_study::pgn::{self, PgnGame};
use enroque_study::remark::{Remark, RemarkKind};
use enroque_study::review::{Review, Verdict, white_win};

/// We show at most this many plies of a better line.
const BETTER_LINE_PLIES: usize = 10;

/// A game whose moves are judged. If Ctrl-C ended the searches, it has only the first plies of the game.
pub struct AnalysedGame<'a> {
    pub game: &'a PgnGame,
    /// Each position of the game; empty if the game has no moves.
    pub plies: Vec<Ply>,
    /// White's statistics, then Black's.
    pub players: [Summary; 2],
}

/// A position of a game, and the move played there.
pub struct Ply {
    /// With the history of the game.
    pub board: Board,
    /// The best line; `None` if the game is over.
    pub line: Option<Variation>,
    /// `None` in the last position.
    pub played: Option<Played>,
}

/// A move of a game.
pub struct Played {
    /// `None` for a null move.
    pub mv: Option<Move>,
    pub san: String,
    /// How many percentage points of winning chances the move costs the mover.
    pub loss: f64,
    pub mark: Option<&'static Mark>,
    /// If the move has a mark, why it is bad, as far as the searches prove it.
    pub reason: Option<String>,
    /// What stands out about a move without a mark.
    pub remark: Option<Remark>,
}

/// A move of a game with the positions before and after it.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    pub before: &'a Ply,
    pub played: &'a Played,
    pub after: &'a Ply,
}

impl<'a> AnalysedGame<'a> {
    /// Judges the moves between the positions that were searched.
    pub fn new(game: &'a PgnGame, review: &Review) -> Self {
        let (verdicts, players) = review.judge();
        let moves = game.moves().chain([None]);
        let ply = |(Verdict { board, line, loss, reason, remark }, mv)| {
            let played = loss.map(|loss| Played {
                mv,
                san: pgn::san(&board, mv),
                loss: loss.percent,
                mark: mark_of(loss.percent),
                reason,
                remark,
            });
            Ply { board, line, played }
        };
        Self { game, plies: verdicts.into_iter().zip(moves).map(ply).collect(), players }
    }

    pub fn steps(&self) -> impl Iterator<Item = Step<'_>> {
        self.plies.windows(2).filter_map(|pair| {
            Some(Step { before: &pair[0], played: pair[0].played.as_ref()?, after: &pair[1] })
        })
    }

    /// Returns White's win percentage in each position.
    pub fn wins(&self) -> Vec<f64> {
        self.plies.iter().map(|ply| white_win(&ply.board, ply.line.as_ref())).collect()
    }
}

impl Ply {
    /// Formats White's score; `None` if the game is over.
    pub fn score(&self) -> Option<String> {
        Some(self.line.as_ref()?.evaluation.site.for_white(self.board.side_to_move()).to_string())
    }
}

impl<'a> Step<'a> {
    /// Returns the line that would have been better than the move; `None` if the move has no mark and missed no mate.
    pub fn better(self) -> Option<&'a [Move]> {
        let missed_mate =
            self.played.remark.as_ref().is_some_and(|remark| remark.kind == RemarkKind::MissedMate);
        self.played.mark.map(drop).or(missed_mate.then_some(()))?;
        let pv = self.before.line.as_ref().map_or(&[][..], |line| &line.pv);
        Some(&pv[..pv.len().min(BETTER_LINE_PLIES)])
    }

    /// Returns the line that refutes the move, unless the game went on with its first move or judges the next move by it;
    /// `None` if the move has no mark.
    pub fn refutation(self) -> Option<&'a [Move]> {
        self.played.mark?;
        let line = self.after.line.as_ref()?;
        let next = self.after.played.as_ref()?;
        let is_played = next.mark.is_some() || next.mv == line.first();
        (!is_played).then(|| &line.pv[..line.pv.len().min(BETTER_LINE_PLIES)])
    }

    /// Returns the mark in words, the reason and the best move: `Blunder. Allows mate in 1 with Qh4#. Nf3 was best.` A move
    /// without a mark may have a remark.
    pub fn advice(self) -> Option<String> {
        if let Some(remark) = &self.played.remark {
            return Some(remark.text.clone());
        }
        let &best = self.better()?.first()?;
        let reason = self.played.reason.as_ref().map(|reason| format!("{reason} ")).unwrap_or_default();
        Some(format!("{}. {reason}{} was best.", self.played.mark?.name, self.before.board.san(best)))
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::searcher::test_line;
    use enroque_study::evaluation::Shown::Centipawns;

    /// Judges the first moves of a game by made-up lines: in each position the score for the side to move, and the best
    /// move.
    pub fn analysed<'a>(game: &'a PgnGame, lines: &[(i32, &str)]) -> AnalysedGame<'a> {
        let mut review = Review::new(game.positions(), game.moves(), &game.result);
        for task in review.tasks() {
            let Some(&(cp, san)) = lines.get(task.at) else { break };
            let line = test_line(review.board(task.at).unwrap(), Centipawns(cp), Some(san));
            review.give(&task, vec![line]);
        }
        AnalysedGame::new(game, &review)
    }
}
