//! Errors of `train`.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::games::store::StoreError;
use enroque::nnue::NetworkError;
use enroque_runs::files::ClashError;

/// Error of a training run.
#[derive(Debug, Error)]
pub enum TrainError {
    /// A file of games cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The files of games have no usable positions.
    #[error("no usable positions in {games} games: expected quiet ones from move 9 on")]
    Empty {
        /// Number of games read.
        games: u64,
    },
    /// A file of the run cannot be read or written.
    #[error("{}: {reason}", path.display())]
    File {
        /// Path of the file.
        path: PathBuf,
        /// Cause.
        reason: io::Error,
    },
    /// The same file would be read and written, or written twice.
    #[error(transparent)]
    Clash(#[from] ClashError),
    /// JSON has no form for the name.
    #[error("{}: the checkpoint cannot record a name that is not UTF-8; rename the file", .0.display())]
    Name(PathBuf),
    /// The network has the name of the log or the checkpoint.
    #[error("{}: the log and the checkpoint have such a name; call the network NAME.nnue", .0.display())]
    Extension(PathBuf),
    /// The checkpoint belongs to a run with other hyperparameters.
    #[error(
        "{}: left by a run with other settings; remove it to start a new run, or train the same run for more epochs \
         with --continue", .0.display()
    )]
    OtherSettings(PathBuf),
    /// The initial network cannot be read.
    #[error("{}: {reason}", path.display())]
    Network {
        /// File of the network.
        path: PathBuf,
        /// Cause.
        reason: NetworkError,
    },
    /// The threads cannot be started.
    #[error("cannot start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Returns a function that adds the path of a file to an error.
pub(super) fn at(path: &Path) -> impl Fn(io::Error) -> TrainError + '_ {
    move |reason| TrainError::File { path: path.to_owned(), reason }
}
