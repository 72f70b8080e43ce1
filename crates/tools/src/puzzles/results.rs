//! File of results: a line of JSON for each game, with its puzzle if it has one.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::PuzzlesError;
use super::puzzle::Puzzle;
use crate::analyse::variation::json_line;
use enroque_runs::files::{self, LockedFile};

/// First bytes of every file of results.
const BEGINNING: &[u8] = b"{\"game\":0,\"puzzle\":";

/// Result of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Index of the game, counted from 0 without a gap.
    pub game: u64,
    /// Puzzle of the game.
    pub puzzle: Option<Puzzle>,
}

/// Writer that appends rows.
pub struct Appender {
    path: PathBuf,
    file: LockedFile,
}

fn at(path: &Path) -> impl Fn(std::io::Error) -> PuzzlesError + '_ {
    move |reason| PuzzlesError::File { path: path.to_owned(), reason }
}

/// Returns `true` if `bytes` are the beginning of a file of results.
fn is_beginning(bytes: &[u8]) -> bool {
    bytes.starts_with(BEGINNING) || BEGINNING.starts_with(bytes)
}

/// Checks that the file does not exist or holds results.
///
/// # Errors
/// Returns an error if the file has other content or cannot be read.
pub fn check(path: &Path) -> Result<(), PuzzlesError> {
    files::ensure_overwritable(path, is_beginning).map_err(at(path))
}

impl Appender {
    /// Opens or creates the file, removes an incomplete last line of a killed process, and returns the rows.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written, is locked by another process, or has other content.
    pub fn open(path: &Path) -> Result<(Self, Vec<Row>), PuzzlesError> {
        let mut file = LockedFile::open(path).map_err(at(path))?;
        let bytes = file.read_all().map_err(at(path))?;
        let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        let mut rows = Vec::new();
        for line in bytes[..complete].split_inclusive(|&byte| byte == b'\n') {
            let wrong = |reason| PuzzlesError::Row { path: path.to_owned(), line: rows.len() + 1, reason };
            let row: Row = serde_json::from_slice(line).map_err(|error| wrong(error.to_string()))?;
            if row.game != rows.len() as u64 {
                return Err(wrong(format!("expected game {}, found game {}", rows.len(), row.game)));
            }
            rows.push(row);
        }
        file.truncate(complete as u64).map_err(at(path))?;
        Ok((Self { path: path.to_owned(), file }, rows))
    }

    /// Appends a row.
    ///
    /// # Errors
    /// Returns an error if the row cannot be written.
    pub fn add(&mut self, row: &Row) -> Result<(), PuzzlesError> {
        let line = json_line(row) + "\n";
        self.file.write_all(line.as_bytes()).map_err(at(&self.path))
    }
}
