//! How a game ends: checkmate, stalemate, or a draw by one of the rules.

use std::fmt;

use super::{Board, Color};

/// Why [`Board::outcome`] declares a game over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameOutcome {
    /// `winner` is the side that has just moved.
    Checkmate {
        winner: Color,
    },
    Stalemate,
    /// No sequence of legal moves can end in mate; see [`Board::has_insufficient_material`].
    InsufficientMaterial,
    /// Fifty moves by each side without a capture or pawn move.
    FiftyMoveRule,
    ThreefoldRepetition,
}

impl GameOutcome {
    /// Returns the winner; `None` for a draw.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Checkmate { winner } => Some(winner),
            _ => None,
        }
    }
}

impl fmt::Display for GameOutcome {
    /// Writes a phrase such as `white wins by checkmate` or `draw by stalemate`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = match self {
            Self::Checkmate { winner } => return write!(f, "{} wins by checkmate", winner.name()),
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient material",
            Self::FiftyMoveRule => "the fifty-move rule",
            Self::ThreefoldRepetition => "threefold repetition",
        };
        write!(f, "draw by {reason}")
    }
}

impl Board {
    /// Returns the outcome if the game is over. We treat every draw that a player could claim as claimed; checkmate and
    /// stalemate take precedence.
    ///
    /// ```
    /// use enroque::chess::{Board, Color, GameOutcome};
    ///
    /// let board: Board = "R3k3/8/4K3/8/8/8/8/8 b - - 100 80".parse()?;
    /// assert_eq!(board.outcome(), Some(GameOutcome::Checkmate { winner: Color::White }));
    /// assert_eq!(Board::default().outcome(), None);
    /// # Ok::<(), enroque::chess::FenError>(())
    /// ```
    pub fn outcome(&self) -> Option<GameOutcome> {
        if !self.has_legal_move() {
            return Some(if self.in_check() {
                GameOutcome::Checkmate { winner: !self.side_to_move() }
            } else {
                GameOutcome::Stalemate
            });
        }
        if self.has_insufficient_material() {
            Some(GameOutcome::InsufficientMaterial)
        } else if self.is_fifty_move_draw() {
            Some(GameOutcome::FiftyMoveRule)
        } else if self.is_threefold() {
            Some(GameOutcome::ThreefoldRepetition)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(fen: &str) -> Option<GameOutcome> {
        fen.parse::<Board>().unwrap().outcome()
    }

    #[test]
    fn outcome_of_finished_games() {
        use GameOutcome::*;
        for (fen, expected, text) in [
            ("R3k3/8/4K3/8/8/8/8/8 b - - 0 1", Checkmate { winner: Color::White }, "white wins by checkmate"),
            ("8/8/8/8/8/4k3/8/r3K3 w - - 0 1", Checkmate { winner: Color::Black }, "black wins by checkmate"),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Stalemate, "draw by stalemate"),
            ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", InsufficientMaterial, "draw by insufficient material"),
            ("4k3/8/8/8/8/8/3R4/4K3 w - - 100 80", FiftyMoveRule, "draw by the fifty-move rule"),
        ] {
            let found = outcome(fen).unwrap();
            assert_eq!((found, found.to_string().as_str()), (expected, text), "{fen}");
            assert_eq!(found.winner().is_some(), text.ends_with("checkmate"), "{fen}");
        }
    }

    #[test]
    fn unfinished_game_has_no_outcome() {
        assert_eq!(Board::startpos().outcome(), None);
        assert_eq!(outcome("4k3/8/8/8/8/8/3R4/4K3 w - - 99 80"), None);
        // Black is in check, but has a legal move.
        assert_eq!(outcome("R3k3/8/8/4K3/8/8/8/8 b - - 0 1"), None);
    }

    #[test]
    fn checkmate_precedes_fifty_move_rule() {
        let mated = outcome("R3k3/8/4K3/8/8/8/8/8 b - - 100 80");
        assert_eq!(mated, Some(GameOutcome::Checkmate { winner: Color::White }));
    }

    #[test]
    fn third_occurrence_is_a_draw() {
        let mut board = Board::startpos();
        for ply in 0..8 {
            assert_eq!(board.outcome(), None, "after {ply} plies");
            let mv = board.parse_move(["g1f3", "g8f6", "f3g1", "f6g8"][ply % 4]).unwrap();
            board.make_move(mv);
        }
        assert_eq!(board.outcome(), Some(GameOutcome::ThreefoldRepetition));
    }
}
