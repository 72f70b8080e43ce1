//! Errors of `enroque-tools sweep`.

use std::path::PathBuf;

use thiserror::Error;

use super::results::ResultsError;
use enroque::engine::EngineError;
use enroque::terminal::OutputError;
use enroque_runs::files::ClashError;
use enroque_runs::manifest::ManifestError;

/// Error of the `sweep` command.
#[derive(Debug, Error)]
pub enum SweepError {
    /// Invalid or unreadable file of results.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// Invalid or different record beside the results.
    #[error(transparent)]
    Record(#[from] ManifestError),
    /// Range beyond the set.
    #[error("--range: set {set} has the numbers 0 to {most}, found {found}")]
    Range {
        /// Name of the set.
        set: &'static str,
        /// Last number of the set.
        most: u64,
        /// Given last number.
        found: u64,
    },
    /// Parts with different records.
    #[error("{} and {} were made in different ways; see the .json files beside them", first.display(), second.display())]
    Mixed {
        /// Earlier part.
        first: PathBuf,
        /// Part with another record.
        second: PathBuf,
    },
    /// Output file that is also a part or another output.
    #[error(transparent)]
    Clash(#[from] ClashError),
    /// Results without a record.
    #[error("{}: the record {} is missing", file.display(), record.display())]
    NoRecord {
        /// File of results.
        file: PathBuf,
        /// Expected path of the record.
        record: PathBuf,
    },
    /// Results of the other kind of sweep.
    #[error(
        "{}: made {} --difficulty; expected the results of a sweep {} it",
        file.display(), with(!expected), with(*expected)
    )]
    Kind {
        /// File of results.
        file: PathBuf,
        /// `true` if a sweep with `--difficulty` is expected.
        expected: bool,
    },
    /// Results that are no complete sweep with difficulty.
    #[error("{}: expected all 960 positions of Chess960, made by --difficulty", .0.display())]
    Incomplete(PathBuf),
    /// Packed sweep beyond its largest size.
    #[error("{}: {size} bytes, expected at most {max}", path.display())]
    Large {
        /// File to write.
        path: PathBuf,
        /// Size in bytes.
        size: usize,
        /// Largest size in bytes.
        max: usize,
    },
    /// Results that are missing, or an output that cannot be written.
    #[error("{}: {reason}", path.display())]
    File {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        reason: std::io::Error,
    },
    /// Hash tables beyond the memory.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Standard output that cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// Unknown set in a record.
    #[error("the record beside the first file: no set is called '{0}'")]
    Set(String),
}

/// Returns the word before the name of an option that was given or not.
fn with(is_with: bool) -> &'static str {
    if is_with { "with" } else { "without" }
}
