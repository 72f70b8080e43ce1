//! Errors of the `data` commands.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::games::frames::FrameError;
use crate::games::store::StoreError;
use enroque::terminal::OutputError;
use enroque_runs::files::ClashError;
use enroque_runs::manifest::ManifestError;

/// Error of a `data` command.
#[derive(Debug, Error)]
pub enum DataError {
    /// A file of games cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file of tree samples or an unfinished file cannot be read or written.
    #[error(transparent)]
    Frames(#[from] FrameError),
    /// The manifest of a file cannot be read or written.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// Standard output cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The file to write exists already.
    #[error("{}: exists already; write to a new file", .0.display())]
    Exists(PathBuf),
    /// A file of positions cannot be read or written.
    #[error("{}: {reason}", path.display())]
    File {
        /// File of positions.
        path: PathBuf,
        /// Cause.
        reason: io::Error,
    },
    /// A file would be written twice, or read and written.
    #[error(transparent)]
    Clash(#[from] ClashError),
    /// The file name has no known extension.
    #[error("{}: expected a name that ends in .bullet or .epd", .0.display())]
    Extension(PathBuf),
    /// The format does not support all positions.
    #[error("{}: --all requires .epd; trainers need quiet positions", .0.display())]
    All(PathBuf),
    /// The file has fewer games than the number of the first game to show.
    #[error("{}: holds {games} games", path.display())]
    Number {
        /// File of games.
        path: PathBuf,
        /// Number of its games.
        games: u64,
    },
}

/// Returns a function that adds the path of a file of positions to an error.
pub(super) fn at(path: &Path) -> impl Fn(io::Error) -> DataError + '_ {
    move |reason| DataError::File { path: path.to_owned(), reason }
}

/// Checks that `path` does not exist, not even as a link to a missing file.
pub(super) fn ensure_new(path: &Path) -> Result<(), DataError> {
    if path.symlink_metadata().is_ok() { Err(DataError::Exists(path.to_owned())) } else { Ok(()) }
}
