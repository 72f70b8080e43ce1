//! Errors of `enroque-tools startpos`.

use std::path::PathBuf;

use thiserror::Error;

use super::methods::MethodError;
use super::placing::PlacingError;
use enroque::chess::position::PositionError;
use enroque::chess::startpos::SetNumberError;
use enroque::terminal::OutputError;

/// Error of the `startpos` command.
#[derive(Debug, Error)]
pub enum StartposError {
    /// Number outside the set.
    #[error(transparent)]
    Number(#[from] SetNumberError),
    /// Text in none of the forms of a position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// Range whose end comes before its beginning.
    #[error("'{0}': expected FIRST..LAST with the smaller number first")]
    Range(String),
    /// Start position outside the set.
    #[error("'{text}' is not in the set {set}")]
    NotInSet {
        /// Text of the position.
        text: String,
        /// Name of the set.
        set: &'static str,
    },
    /// More positions requested than the set has.
    #[error("--count: the set {set} has {most} positions without those excluded")]
    Count {
        /// Name of the set.
        set: &'static str,
        /// Positions of the set that are not excluded.
        most: u64,
    },
    /// Sheet that cannot be written.
    #[error("{}: {reason}", path.display())]
    Sheet {
        /// File to write.
        path: PathBuf,
        /// Error of the system.
        reason: std::io::Error,
    },
    /// Position that belongs to no set.
    #[error("not a start position: expected all pawns at home and one set of pieces behind them, found {0}")]
    NotAStart(String),
    /// Invalid rolls of a drawing method.
    #[error("--rolls: {0}")]
    Rolls(#[from] MethodError),
    /// Unfinished placement game.
    #[error(transparent)]
    Placing(#[from] PlacingError),
    /// Standard output that cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}
