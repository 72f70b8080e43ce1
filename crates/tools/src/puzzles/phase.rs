//! The phases of a game: opening, middlegame and ending.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use enroque::chess::{Board, PieceKind};

/// A position with at most this many pieces is an ending; kings and pawns don't count.
const ENDING_PIECES: u32 = 6;

/// A phase of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    Opening,
    Middlegame,
    Ending,
}

impl Phase {
    /// Returns the phase of a position; `opening` is the number of the last move that counts as opening.
    pub fn of(board: &Board, opening: u32) -> Self {
        let small = board.by_kind(PieceKind::Pawn) | board.by_kind(PieceKind::King);
        if (board.occupied() & !small).count() <= ENDING_PIECES {
            Self::Ending
        } else if board.fullmove_number() <= opening {
            Self::Opening
        } else {
            Self::Middlegame
        }
    }

    /// Returns the name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Middlegame => "middlegame",
            Self::Ending => "ending",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phase_follows_move_and_pieces() {
        for (fen, phase) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 16", Phase::Opening),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 17", Phase::Middlegame),
            ("rnb1k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQK3 w Qq - 0 30", Phase::Middlegame),
            ("rnb1k3/pppppppp/8/8/8/8/PPPPPPPP/RNB1K3 w Qq - 0 9", Phase::Ending),
        ] {
            assert_eq!(Phase::of(&fen.parse().unwrap(), 16), phase, "{fen}");
        }
    }
}
