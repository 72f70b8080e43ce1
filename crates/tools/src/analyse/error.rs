//! Error of `enroque-tools analyse`.

use std::path::PathBuf;

use thiserror::Error;

use crate::text_file::TextError;
use enroque::chess::position::PositionError;
use enroque::engine::EngineError;
use enroque::engine::options::OptionError;
use enroque::terminal::OutputError;
use enroque_runs::manifest::ManifestError;

/// Error of analysing positions and files.
#[derive(Debug, Error)]
pub enum AnalyseError {
    /// Argument that is neither a position nor a file.
    #[error("{0}; a file must exist and end in .epd or .pgn")]
    Position(#[from] PositionError),
    /// Unreadable input file.
    #[error("{file}: {reason}")]
    Read {
        /// Name of the file.
        file: String,
        /// Error of the operating system.
        reason: std::io::Error,
    },
    /// Input file without text.
    #[error("{file}: {reason}")]
    Text {
        /// Name of the file.
        file: String,
        /// Error of decoding.
        reason: TextError,
    },
    /// Output file that cannot be written.
    #[error("{}: {reason}", path.display())]
    Write {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        reason: std::io::Error,
    },
    /// Output that is also an input or another output.
    #[error(transparent)]
    Clash(#[from] enroque_runs::files::ClashError),
    /// Manifest beside the output file.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// Option without effect on the given inputs.
    #[error("{option} is for {purpose}")]
    Unused {
        /// Name of the option.
        option: &'static str,
        /// Inputs on which the option has an effect.
        purpose: &'static str,
    },
    /// Option value rejected by the engine.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// Engine that cannot be started.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Failed write to standard output.
    #[error(transparent)]
    Output(#[from] OutputError),
}
