//! The results of a sweep: a CSV file that grows by whole lines, in the end sorted by number.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::util::files::{self, LockedFile};

/// One start position and what was found of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Its number in the set.
    pub number: u64,
    /// Chess960 number of White's pieces.
    pub white: u32,
    /// Chess960 number of Black's pieces.
    pub black: u32,
    /// The pieces, White's and, where they differ, Black's.
    pub pieces: String,
    /// Shredder-FEN.
    pub fen: String,
    /// Plies of the last complete iteration.
    pub depth: i32,
    /// Centipawns for White, who is to move.
    pub score: i32,
    /// Thousandths to win, for White.
    pub win: u32,
    /// Thousandths to draw.
    pub draw: u32,
    /// Thousandths to lose.
    pub loss: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// The best line in algebraic notation.
    pub line: String,
}

/// What is wrong with a file of results.
#[derive(Debug, Error)]
pub enum ResultsError {
    /// The system's complaint.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: io::Error,
    },
    /// A line that is no result.
    #[error("{}, line {line}: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: u64,
        /// What is wrong.
        reason: csv::Error,
    },
    /// No results at all.
    #[error("{}: no results of a sweep, left as it is; write to another file", .0.display())]
    Foreign(PathBuf),
    /// A line that this sweep would not have written.
    #[error("{}, line {line}: {what}; the file is left as it is", path.display())]
    Row {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: u64,
        /// What is wrong.
        what: &'static str,
    },
    /// The same position twice, with different results.
    #[error("{}: position {number} has another result in an earlier file", path.display())]
    Conflict {
        /// The later file.
        path: PathBuf,
        /// The position's number.
        number: u64,
    },
}

fn at(path: &Path) -> impl Fn(io::Error) -> ResultsError + '_ {
    move |reason| ResultsError::File { path: path.to_owned(), reason }
}

/// The rows of a file.
///
/// # Errors
/// When it cannot be read, or a line is no row.
pub fn read(path: &Path) -> Result<Vec<Row>, ResultsError> {
    rows_of(path, &std::fs::read(path).map_err(at(path))?)
}

/// The rows of the bytes of `path`.
fn rows_of(path: &Path, bytes: &[u8]) -> Result<Vec<Row>, ResultsError> {
    if !is_beginning(bytes) {
        return Err(ResultsError::Foreign(path.to_owned()));
    }
    let mut reader = csv::Reader::from_reader(bytes);
    let numbered = |(index, row): (usize, Result<Row, csv::Error>)| {
        row.map_err(|reason| {
            let line = reason.position().map_or(index as u64 + 2, csv::Position::line);
            ResultsError::Line { path: path.to_owned(), line, reason }
        })
    };
    reader.deserialize().enumerate().map(numbered).collect()
}

/// Checks that there is no such file, or one of results.
///
/// # Errors
/// When it is a foreign one, or cannot be read.
pub fn check(path: &Path) -> Result<(), ResultsError> {
    files::ensure_overwritable(path, is_beginning).map_err(at(path))
}

/// The first line of every file of results.
const HEADER: &[u8] = b"number,white,black,pieces,fen,depth,score,win,draw,loss,nodes,line\n";

/// `true` when a file that begins like this may be one of results, perhaps cut off in its first line.
pub fn is_beginning(bytes: &[u8]) -> bool {
    bytes.starts_with(HEADER) || HEADER.starts_with(bytes)
}

fn to_csv(rows: &[Row], header: bool) -> io::Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new().has_headers(header).from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).map_err(io::Error::other)?;
    }
    writer.into_inner().map_err(|error| error.into_error())
}

/// Writes `rows` in the order of their numbers, at once or not at all.
///
/// # Errors
/// When the disk does not take them.
pub fn write_sorted(path: &Path, mut rows: Vec<Row>) -> Result<Vec<Row>, ResultsError> {
    rows.sort_by_key(|row| row.number);
    let bytes = to_csv(&rows, true).map_err(at(path))?;
    files::replace(path, &bytes).map_err(at(path))?;
    Ok(rows)
}

/// Adds rows to a file.
pub struct Appender {
    path: PathBuf,
    file: LockedFile,
}

impl Appender {
    /// Opens `path`, or begins it, and takes away a last line that a killed process left unfinished; with the rows that
    /// are there. Each must be of a position that `fen_of` knows by its number, and none may be there twice.
    ///
    /// # Errors
    /// When the file cannot be written, another process writes to it, or it holds something else, which then stays as
    /// it is.
    pub fn open(
        path: &Path,
        fen_of: impl Fn(u64) -> Option<String>,
    ) -> Result<(Self, Vec<Row>), ResultsError> {
        let mut file = LockedFile::open(path).map_err(at(path))?;
        let bytes = file.read_all().map_err(at(path))?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        if !is_beginning(&bytes) {
            return Err(ResultsError::Foreign(path.to_owned()));
        }
        let rows = rows_of(path, &bytes[..whole])?;
        let mut seen = HashSet::new();
        for (index, row) in rows.iter().enumerate() {
            let wrong = |what| ResultsError::Row { path: path.to_owned(), line: index as u64 + 2, what };
            if fen_of(row.number).as_ref() != Some(&row.fen) {
                return Err(wrong("not a position of this sweep"));
            }
            if !seen.insert(row.number) {
                return Err(wrong("a position that an earlier line has"));
            }
        }
        file.truncate(whole as u64).map_err(at(path))?;
        if whole == 0 {
            file.write_all(HEADER).map_err(at(path))?;
        }
        Ok((Self { path: path.to_owned(), file }, rows))
    }

    /// Adds a row.
    ///
    /// # Errors
    /// When the disk does not take it.
    pub fn add(&mut self, row: &Row) -> Result<(), ResultsError> {
        let bytes = to_csv(std::slice::from_ref(row), false).map_err(at(&self.path))?;
        self.file.write_all(&bytes).map_err(at(&self.path))
    }
}
