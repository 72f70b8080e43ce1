//! The results of a sweep: a CSV file that grows by whole lines, in the end sorted by number.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

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
    let file = File::open(path).map_err(at(path))?;
    let mut reader = csv::Reader::from_reader(file);
    let numbered = |(index, row): (usize, Result<Row, csv::Error>)| {
        row.map_err(|reason| {
            let line = reason.position().map_or(index as u64 + 2, csv::Position::line);
            ResultsError::Line { path: path.to_owned(), line, reason }
        })
    };
    reader.deserialize().enumerate().map(numbered).collect()
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
    let mut fresh = path.as_os_str().to_owned();
    fresh.push(".new");
    let fresh = PathBuf::from(fresh);
    let bytes = to_csv(&rows, true).map_err(at(path))?;
    std::fs::write(&fresh, bytes).map_err(at(&fresh))?;
    std::fs::rename(&fresh, path).map_err(at(path))?;
    Ok(rows)
}

/// Adds rows to a file.
pub struct Appender {
    path: PathBuf,
    file: File,
    needs_header: bool,
}

impl Appender {
    /// Opens `path`, or begins it, and takes away a last line that a killed process left unfinished; with the rows that
    /// are there.
    ///
    /// # Errors
    /// When the file cannot be written or holds something else.
    pub fn open(path: &Path) -> Result<(Self, Vec<Row>), ResultsError> {
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(path).map_err(at(path))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(at(path))?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        file.set_len(whole as u64).map_err(at(path))?;
        file.seek(SeekFrom::End(0)).map_err(at(path))?;
        let rows = read(path)?;
        Ok((Self { path: path.to_owned(), file, needs_header: whole == 0 }, rows))
    }

    /// Adds a row.
    ///
    /// # Errors
    /// When the disk does not take it.
    pub fn add(&mut self, row: &Row) -> Result<(), ResultsError> {
        let bytes = to_csv(std::slice::from_ref(row), self.needs_header).map_err(at(&self.path))?;
        self.needs_header = false;
        self.file.write_all(&bytes).map_err(at(&self.path))
    }
}
