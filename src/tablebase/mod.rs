//! Syzygy endgame tablebases: loading, WDL probes in the search, and DTZ ranking of the root moves. No table has
//! positions with castling rights.

#[cfg(not(target_family = "wasm"))]
mod syzygy;

use std::io;
use std::path::PathBuf;

use thiserror::Error;

#[cfg(target_family = "wasm")]
pub use absent::Tablebases;
#[cfg(not(target_family = "wasm"))]
pub use syzygy::Tablebases;

/// The outcome for the side to move with best play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wdl {
    Loss,
    /// Lost, but drawn by the fifty-move rule.
    BlessedLoss,
    Draw,
    /// Won, but drawn by the fifty-move rule.
    CursedWin,
    Win,
}

impl Wdl {
    /// Applies or ignores the fifty-move rule. Without it, blessed losses are losses and cursed wins are wins.
    #[must_use]
    pub const fn under(self, fifty_move_rule: bool) -> Self {
        match (self, fifty_move_rule) {
            (Self::BlessedLoss, false) => Self::Loss,
            (Self::CursedWin, false) => Self::Win,
            (other, _) => other,
        }
    }
}

/// What a legal move is worth according to the tablebases; the greatest is best.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct MoveRank {
    /// The outcome for the side that makes the move.
    pub wdl: Wdl,
    /// `false` if the move wins, but another move wins faster and the caller of `rank_moves` demands progress.
    pub progresses: bool,
}

/// Why a tablebase file or folder cannot be used.
#[derive(Debug, Error)]
pub enum TablebaseError {
    #[error("{}: {reason}", path.display())]
    Read { path: PathBuf, reason: io::Error },
    /// No folder contains a table.
    #[error("{0}: no Syzygy files")]
    Empty(String),
    /// A browser build has no access to files.
    #[error("{0}: this build cannot read tablebases")]
    Unsupported(String),
    /// The file's length or first bytes are not those of a Syzygy file.
    #[error("{}: expected a Syzygy file, found {found}", path.display())]
    Corrupt { path: PathBuf, found: &'static str },
}

/// Takes the place of the tablebases in a browser, where none can be loaded.
#[cfg(target_family = "wasm")]
mod absent {
    use super::{MoveRank, TablebaseError, Wdl};
    use crate::chess::{Board, Move};

    pub enum Tablebases {}

    impl Tablebases {
        pub fn load(folders: &str) -> Result<(Self, Vec<TablebaseError>), TablebaseError> {
            Err(TablebaseError::Unsupported(folders.to_owned()))
        }

        pub fn files(&self) -> usize {
            match *self {}
        }

        pub fn max_pieces(&self) -> u32 {
            match *self {}
        }

        pub fn probe(&self, _: &Board) -> Option<Wdl> {
            match *self {}
        }

        pub fn rank_moves(&self, _: &Board, _: bool, _: bool) -> Option<Vec<(Move, MoveRank)>> {
            match *self {}
        }
    }
}
