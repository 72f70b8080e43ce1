//! Syzygy endgame tablebases: loading, WDL probes in the search and DTZ ranking of the root moves. Positions with castling
//! rights are in no table.

#[cfg(target_family = "wasm")]
mod absent;
#[cfg(not(target_family = "wasm"))]
mod syzygy;

use std::io;
use std::path::PathBuf;

use thiserror::Error;

#[cfg(target_family = "wasm")]
pub use absent::Tablebases;
#[cfg(not(target_family = "wasm"))]
pub use syzygy::Tablebases;

/// Win-draw-loss value: the outcome for the side to move with best play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wdl {
    /// Lost.
    Loss,
    /// Lost, but drawn by the fifty-move rule.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won, but drawn by the fifty-move rule.
    CursedWin,
    /// Won.
    Win,
}

impl Wdl {
    /// Resolves blessed losses and cursed wins to losses and wins if the fifty-move rule is off.
    #[must_use]
    pub const fn under(self, fifty_move_rule: bool) -> Self {
        match (self, fifty_move_rule) {
            (Self::BlessedLoss, false) => Self::Loss,
            (Self::CursedWin, false) => Self::Win,
            (other, _) => other,
        }
    }
}

/// Worth of a legal move by the tablebases; the greatest is best.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct MoveRank {
    /// Outcome after the move for the side that makes it.
    pub wdl: Wdl,
    /// `false` for a winning move that is slower than another, where progress is required.
    pub progresses: bool,
}

/// Reasons why a tablebase file or folder cannot be used.
#[derive(Debug, Error)]
pub enum TablebaseError {
    /// The folder or file cannot be read.
    #[error("{}: {reason}", path.display())]
    Read {
        /// Folder or file.
        path: PathBuf,
        /// Error of the operating system.
        reason: io::Error,
    },
    /// No folder contains a table.
    #[error("{folders}: no Syzygy files")]
    Empty {
        /// Folders as given by the user.
        folders: String,
    },
    /// A browser has no files.
    #[error("{folders}: this build cannot read tablebases")]
    Unsupported {
        /// Folders as given by the user.
        folders: String,
    },
    /// The file is not a complete Syzygy file.
    #[error("{}: expected a Syzygy file, found {found}", path.display())]
    Corrupt {
        /// Path of the file.
        path: PathBuf,
        /// Defect of the file.
        found: &'static str,
    },
}
