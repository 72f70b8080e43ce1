//! Errors of `enroque-tools draw`.

use std::path::PathBuf;

use thiserror::Error;

use super::exclusion::ExclusionError;
use super::ledger::Fault;
use crate::sweep::SweepError;
use enroque::engine::EngineError;
use enroque::terminal::OutputError;

/// Error of the `draw` command.
#[derive(Debug, Error)]
pub enum DrawError {
    /// File that cannot be read or written.
    #[error("{}: {reason}", path.display())]
    File {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        reason: std::io::Error,
    },
    /// File that a new event would overwrite.
    #[error("{}: exists; a draw overwrites nothing, so choose another name", .0.display())]
    Exists(PathBuf),
    /// Public file that does not verify.
    #[error("{}, {fault}", path.display())]
    Altered {
        /// Public file.
        path: PathBuf,
        /// Place and kind of the difference.
        fault: Fault,
    },
    /// Secret file that is missing, damaged or of another event.
    #[error("{}: {what}", path.display())]
    Secret {
        /// Secret file.
        path: PathBuf,
        /// Description of the error.
        what: &'static str,
    },
    /// Empty text.
    #[error("{0}: expected some text")]
    NoText(&'static str),
    /// Text that cannot stand on a line of the file.
    #[error("{option}: expected text without control characters, found '{}'", found.escape_debug())]
    Text {
        /// Option on the command line.
        option: &'static str,
        /// Given text.
        found: String,
    },
    /// Round out of sequence.
    #[error("round {found}: {next}")]
    Sequence {
        /// Given round.
        found: usize,
        /// The round that can be drawn, in words.
        next: String,
    },
    /// Round that has not been drawn.
    #[error("--round {found}: rounds 1 to {drawn} have been drawn")]
    NotDrawn {
        /// Given round.
        found: usize,
        /// Number of rounds that have been drawn.
        drawn: usize,
    },
    /// File without a round.
    #[error("{}: no round has been drawn; the first is drawn by 'enroque-tools draw round'", .0.display())]
    Empty(PathBuf),
    /// Invalid exclusion.
    #[error("--exclude {0}")]
    Exclusion(#[from] ExclusionError),
    /// Unreadable sweep.
    #[error("--scores: {0}")]
    Sweep(#[from] SweepError),
    /// Fewer starts than rounds.
    #[error("{rounds} rounds need {rounds} starts; the set {set} has {left} without those excluded")]
    TooFew {
        /// Number of rounds.
        rounds: usize,
        /// Name of the set.
        set: &'static str,
        /// Starts that are not excluded.
        left: u64,
    },
    /// No allowed start in the largest number of attempts.
    #[error("no allowed start in {0} attempts; the limit of the balance is too strict")]
    Exhausted(usize),
    /// Balance that this program cannot search.
    #[error(
        "the searches of this event belong to {expected}; this program is {found}; 'draw verify --recorded' \
         checks all but the searches"
    )]
    OtherProgram {
        /// Program of the event.
        expected: String,
        /// This program.
        found: String,
    },
    /// Memory or threads that the system refuses.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// System without random numbers.
    #[error("the system has no random numbers: {0}")]
    Random(getrandom::Error),
    /// Standard output that cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}
