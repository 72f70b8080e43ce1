//! A game after its analysis: its positions in order, each with the move played there and all that we say about it.

use enroque::chess::{Board, Move};
use enroque_study::judgement::{MAX_CENTIPAWNS, Mark, Summary, sign_of, win_percent};
use enroque_study::line::Variation;
use enroque_study::pgn::PgnGame;

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
    pub san: String,
    /// How many percentage points of winning chances the move costs the mover.
    pub loss: f64,
    pub mark: Option<&'static Mark>,
}

/// A move of a game with the positions before and after it.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    pub before: &'a Ply,
    pub played: &'a Played,
    pub after: &'a Ply,
}

impl AnalysedGame<'_> {
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
    /// Returns the line that would have been better than the move; `None` if the move has no mark.
    pub fn better(self) -> Option<&'a [Move]> {
        self.played.mark?;
        let pv = self.before.line.as_ref().map_or(&[][..], |line| &line.pv);
        Some(&pv[..pv.len().min(BETTER_LINE_PLIES)])
    }

    /// Returns the mark in words and the best move: `Blunder. Nf3 was best.`
    pub fn advice(self) -> Option<String> {
        let &best = self.better()?.first()?;
        Some(format!("{}. {} was best.", self.played.mark?.name, self.before.board.san(best)))
    }
}

/// Returns White's score on the scale of chess sites, within ±[`MAX_CENTIPAWNS`], in a position with this best line.
/// Without a line the game is over: by checkmate, or as a draw.
pub fn white_centipawns(board: &Board, line: Option<&Variation>) -> f64 {
    let own = match line {
        Some(line) => line.evaluation.site.bounded_centipawns(),
        None if board.in_check() && !board.has_legal_move() => -MAX_CENTIPAWNS,
        None => 0.0,
    };
    sign_of(board.side_to_move()) * own
}

/// Returns White's win percentage from [`white_centipawns`].
pub fn white_win(board: &Board, line: Option<&Variation>) -> f64 {
    win_percent(white_centipawns(board, line))
}
