//! Errors of `enroque-tools puzzles`.

use std::path::PathBuf;

use thiserror::Error;

use crate::prep::PrepError;
use crate::text_file::TextError;
use enroque::engine::EngineError;
use enroque_runs::files::ClashError;
use enroque_runs::manifest::ManifestError;

/// Error of the `puzzles` command.
#[derive(Debug, Error)]
pub enum PuzzlesError {
    /// File that cannot be read or written.
    #[error("{}: {reason}", path.display())]
    File {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        reason: std::io::Error,
    },
    /// Games that are no text.
    #[error("{}: {reason}", path.display())]
    Text {
        /// Path of the file.
        path: PathBuf,
        /// Error of decoding.
        reason: TextError,
    },
    /// Input file without a game.
    #[error("{}: no games", .0.display())]
    NoGames(PathBuf),
    /// Several starts for games.
    #[error("--start: games that lack their start position can have one, found {0}")]
    Starts(usize),
    /// Start that castles by other rules.
    #[error("--start: puzzles are made for chess and Chess960 only")]
    Rules,
    /// Results with other content.
    #[error("{}, line {line}: {reason}; the file is left as it is", path.display())]
    Row {
        /// File of results.
        path: PathBuf,
        /// Line number from 1.
        line: usize,
        /// Description of the error.
        reason: String,
    },
    /// Output that is also an input or another output.
    #[error(transparent)]
    Clash(#[from] ClashError),
    /// Manifest beside the results.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// Engine that cannot be started.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Search that failed.
    #[error(transparent)]
    Search(#[from] PrepError),
}
