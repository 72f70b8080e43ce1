//! Results of a sweep: a CSV file to which complete lines are appended, sorted by number at the end.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use enroque_runs::files::{self, LockedFile};

/// Result of one start position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Number in the set.
    pub number: u64,
    /// Chess960 number of White's pieces.
    pub white: u32,
    /// Chess960 number of Black's pieces.
    pub black: u32,
    /// Letters of White's back rank and, if it differs, Black's.
    pub pieces: String,
    /// Shredder-FEN.
    pub fen: String,
    /// Depth of the last complete iteration in plies.
    pub depth: i32,
    /// Score for White, the side to move, in centipawns.
    pub score: i32,
    /// Win probability for White, per mille.
    pub win: u32,
    /// Draw probability, per mille.
    pub draw: u32,
    /// Loss probability for White, per mille.
    pub loss: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Principal variation in standard algebraic notation.
    pub line: String,
}

/// Row of a file of results: one start position.
pub trait SweepRow: Serialize + DeserializeOwned + Clone + PartialEq + Send {
    /// First line of the file.
    const HEADER: &'static [u8];

    /// Returns the number in the set.
    fn number(&self) -> u64;

    /// Returns the Shredder-FEN.
    fn fen(&self) -> &str;

    /// Returns the score for White in pawns.
    fn pawns(&self) -> f64;
}

impl SweepRow for Row {
    const HEADER: &'static [u8] = b"number,white,black,pieces,fen,depth,score,win,draw,loss,nodes,line\n";

    fn number(&self) -> u64 {
        self.number
    }

    fn fen(&self) -> &str {
        &self.fen
    }

    fn pawns(&self) -> f64 {
        Self::pawns(self)
    }
}

/// Centipawns of a pawn.
const PAWN: f64 = 100.0;

impl Row {
    /// Returns the score for White in pawns.
    pub fn pawns(&self) -> f64 {
        f64::from(self.score) / PAWN
    }
}

/// Error of a file of results.
#[derive(Debug, Error)]
pub enum ResultsError {
    /// File that cannot be read or written.
    #[error("{}: {reason}", path.display())]
    File {
        /// File of results.
        path: PathBuf,
        /// Error of the system.
        reason: io::Error,
    },
    /// Line in another format.
    #[error("{}, line {line}: {reason}", path.display())]
    Line {
        /// File of results.
        path: PathBuf,
        /// Line number from 1.
        line: u64,
        /// Description of the error.
        reason: String,
    },
    /// File with other content.
    #[error("{}: not the results of such a sweep; choose another file", .0.display())]
    Foreign(PathBuf),
    /// Line of another sweep, or a repeated one.
    #[error("{}, line {line}: {what}; the file is left as it is", path.display())]
    Row {
        /// File of results.
        path: PathBuf,
        /// Line number from 1.
        line: u64,
        /// Description of the error.
        what: &'static str,
    },
    /// Position with different results in two files.
    #[error("{}: position {number} has another result in an earlier file", path.display())]
    Conflict {
        /// Later file.
        path: PathBuf,
        /// Number of the position.
        number: u64,
    },
}

fn at(path: &Path) -> impl Fn(io::Error) -> ResultsError + '_ {
    move |reason| ResultsError::File { path: path.to_owned(), reason }
}

/// Reads the rows of a file.
///
/// # Errors
/// Returns an error if the file cannot be read or a line is no row.
pub fn read<R: SweepRow>(path: &Path) -> Result<Vec<R>, ResultsError> {
    parse_rows(path, &std::fs::read(path).map_err(at(path))?)
}

fn parse_rows<R: SweepRow>(path: &Path, bytes: &[u8]) -> Result<Vec<R>, ResultsError> {
    if !has_header(bytes, R::HEADER) {
        return Err(ResultsError::Foreign(path.to_owned()));
    }
    let mut reader = csv::Reader::from_reader(bytes);
    let numbered = |(index, row): (usize, Result<R, csv::Error>)| {
        row.map_err(|reason| {
            let line = reason.position().map_or(index as u64 + FIRST_ROW_LINE, csv::Position::line);
            ResultsError::Line { path: path.to_owned(), line, reason: describe(&reason) }
        })
    };
    reader.deserialize().enumerate().map(numbered).collect()
}

/// Describes an error of the CSV reader in plain words.
fn describe(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("expected {expected_len} columns, found {len}")
        }
        csv::ErrorKind::Deserialize { err, .. } => match err.field() {
            Some(column) => format!("column {}: expected a number", column + 1),
            None => "expected a row of results".to_owned(),
        },
        csv::ErrorKind::Utf8 { .. } => "expected UTF-8 text".to_owned(),
        _ => "expected comma-separated values".to_owned(),
    }
}

/// Checks that the file does not exist or holds results with one of the `headers`.
///
/// # Errors
/// Returns an error if the file has other content or cannot be read.
pub fn check(path: &Path, headers: &[&[u8]]) -> Result<(), ResultsError> {
    let is_ours = |bytes: &[u8]| headers.iter().any(|header| has_header(bytes, header));
    files::ensure_overwritable(path, is_ours).map_err(at(path))
}

/// Line number of the first row, after the header.
const FIRST_ROW_LINE: u64 = 2;

/// `true` if `bytes` are the beginning of a file with this header, possibly truncated within it.
fn has_header(bytes: &[u8], header: &[u8]) -> bool {
    bytes.starts_with(header) || header.starts_with(bytes)
}

fn to_csv<R: SweepRow>(rows: &[R], header: bool) -> io::Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new().has_headers(header).from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).map_err(io::Error::other)?;
    }
    writer.into_inner().map_err(|error| error.into_error())
}

/// Replaces the file atomically by `rows` sorted by number, and returns them.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub fn write_sorted<R: SweepRow>(path: &Path, mut rows: Vec<R>) -> Result<Vec<R>, ResultsError> {
    rows.sort_by_key(R::number);
    let bytes = to_csv(&rows, true).map_err(at(path))?;
    files::replace(path, &bytes).map_err(at(path))?;
    Ok(rows)
}

/// Writer that appends rows to a file of results.
pub struct Appender {
    path: PathBuf,
    file: LockedFile,
}

impl Appender {
    /// Opens or creates `path`, removes an incomplete last line (of a killed process), and returns the existing rows.
    ///
    /// Each row must have the FEN that `fen_of` returns for its number, and each number must be unique.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written, is locked by another process, or has other content. Other content
    /// remains unchanged.
    pub fn open<R: SweepRow>(
        path: &Path,
        fen_of: impl Fn(u64) -> Option<String>,
    ) -> Result<(Self, Vec<R>), ResultsError> {
        let mut file = LockedFile::open(path).map_err(at(path))?;
        let bytes = file.read_all().map_err(at(path))?;
        let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        if !has_header(&bytes, R::HEADER) {
            return Err(ResultsError::Foreign(path.to_owned()));
        }
        let rows: Vec<R> = parse_rows(path, &bytes[..complete])?;
        let mut numbers = HashSet::new();
        for (index, row) in rows.iter().enumerate() {
            let wrong =
                |what| ResultsError::Row { path: path.to_owned(), line: index as u64 + FIRST_ROW_LINE, what };
            if fen_of(row.number()).as_deref() != Some(row.fen()) {
                return Err(wrong("not a position of this sweep"));
            }
            if !numbers.insert(row.number()) {
                return Err(wrong("a position that an earlier line has"));
            }
        }
        file.truncate(complete as u64).map_err(at(path))?;
        if complete == 0 {
            file.write_all(R::HEADER).map_err(at(path))?;
        }
        Ok((Self { path: path.to_owned(), file }, rows))
    }

    /// Appends a row.
    ///
    /// # Errors
    /// Returns an error if the row cannot be written.
    pub fn add<R: SweepRow>(&mut self, row: &R) -> Result<(), ResultsError> {
        let bytes = to_csv(std::slice::from_ref(row), false).map_err(at(&self.path))?;
        self.file.write_all(&bytes).map_err(at(&self.path))
    }

    /// Replaces the file atomically by its rows sorted by number, and returns them.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or written.
    pub fn finish<R: SweepRow>(self) -> Result<Vec<R>, ResultsError> {
        let Self { path, mut file } = self;
        // Windows lets no second handle read a locked file, and some versions replace no open one.
        let rows = parse_rows(&path, &file.read_all().map_err(at(&path))?)?;
        drop(file);
        write_sorted(&path, rows)
    }
}
