//! Errors of `enroque-tools prep` and of the UCI engines that it starts.

use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use crate::startpos::StartposError;
use enroque::engine::EngineError;
use enroque::engine::options::OptionError;
use enroque::terminal::OutputError;

/// Error of the `prep` command.
#[derive(Debug, Error)]
pub enum PrepError {
    /// Argument that is no start position.
    #[error(transparent)]
    Start(#[from] StartposError),
    /// Start that other engines castle by other rules.
    #[error(
        "--engine: other engines castle in {0} by the rules of Chess960; expected a start of Chess960 or chess"
    )]
    Rules(String),
    /// Engine that cannot be started.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Option that the engine rejects.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// Failure of another engine.
    #[error("--engine: {0}")]
    Uci(#[from] UciError),
    /// Page that cannot be written.
    #[error("{}: {reason}", path.display())]
    Page {
        /// File to write.
        path: PathBuf,
        /// Error of the system.
        reason: std::io::Error,
    },
    /// Standard output that cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// Error of a UCI engine.
#[derive(Debug, Error)]
pub enum UciError {
    /// Command line with an open quotation mark, or an empty one.
    #[error("expected a command line, found '{0}'")]
    Command(String),
    /// Program that cannot be started.
    #[error("cannot start '{command}': {reason}; expected the path of a UCI engine")]
    Start {
        /// Command line.
        command: String,
        /// Error of the system.
        reason: std::io::Error,
    },
    /// Engine that ended.
    #[error("{name} ended before its answer to '{request}'")]
    Ended {
        /// Name of the engine.
        name: String,
        /// Last command.
        request: String,
    },
    /// Engine without an answer in time.
    #[error("{name} did not answer '{request}' within {} s", limit.as_secs_f64())]
    Silent {
        /// Name of the engine.
        name: String,
        /// Last command.
        request: String,
        /// Time allowed.
        limit: Duration,
    },
    /// Engine without a required option.
    #[error("{name} has no option {option}, which {purpose}")]
    NoOption {
        /// Name of the engine.
        name: String,
        /// Missing option.
        option: &'static str,
        /// Use of the option.
        purpose: &'static str,
    },
    /// Search without any line.
    #[error("{name} reported no line with a score and legal moves in {fen}")]
    NoLine {
        /// Name of the engine.
        name: String,
        /// Position.
        fen: String,
    },
    /// Ctrl-C.
    #[error("interrupted")]
    Interrupted,
}
