//! Results of a sweep: a CSV file to which complete lines are appended, sorted by number at the end.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, ensure};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::record::Record;
use enroque_runs::files::{self, LockedFile};

/// Result of one start position. Score and chances are for White, the side to move.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
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
    /// Centipawns.
    pub score: i32,
    /// Probabilities, per mille.
    pub win: u32,
    pub draw: u32,
    pub loss: u32,
    pub nodes: u64,
    /// Principal variation in algebraic notation.
    pub line: String,
}

/// Row of a file of results, with what the outputs show of it.
pub trait SweepRow: Serialize + DeserializeOwned + Clone + PartialEq + Send {
    /// First line of the file.
    const HEADER: &'static [u8];
    /// Template of the page.
    const TEMPLATE: &'static str;

    /// Returns the number in the set.
    fn number(&self) -> u64;

    /// Returns the Shredder-FEN.
    fn fen(&self) -> &str;

    /// Returns the row without further figures.
    fn plain(&self) -> Row;

    /// Returns the printed table and the JSON of the further figures; `None` if there are none.
    fn further(rows: &[Self], record: &Record) -> Option<(String, Value)>;
}

impl SweepRow for Row {
    const HEADER: &'static [u8] = b"number,white,black,pieces,fen,depth,score,win,draw,loss,nodes,line\n";
    const TEMPLATE: &'static str = include_str!("page.html");

    fn number(&self) -> u64 {
        self.number
    }

    fn fen(&self) -> &str {
        &self.fen
    }

    fn plain(&self) -> Row {
        self.clone()
    }

    fn further(_: &[Self], _: &Record) -> Option<(String, Value)> {
        None
    }
}

impl Row {
    /// Returns the score for White in pawns.
    pub fn pawns(&self) -> f64 {
        f64::from(self.score) / 100.0
    }
}

/// Reads the rows of a file.
pub fn read<R: SweepRow>(path: &Path) -> Result<Vec<R>> {
    parse_rows(path, &std::fs::read(path).with_context(|| path.display().to_string())?)
}

fn parse_rows<R: SweepRow>(path: &Path, bytes: &[u8]) -> Result<Vec<R>> {
    let name = path.display();
    let is_ours = has_header(bytes, R::HEADER);
    ensure!(is_ours, "{name}: not the results of such a sweep; choose another file");
    let mut reader = csv::Reader::from_reader(bytes);
    let numbered = |(index, row): (usize, Result<R, csv::Error>)| {
        row.map_err(|reason| {
            let line = reason.position().map_or(index as u64 + FIRST_ROW_LINE, csv::Position::line);
            anyhow!("{name}, line {line}: {}", describe(&reason))
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
pub fn check(path: &Path, headers: &[&[u8]]) -> Result<()> {
    let is_ours = |bytes: &[u8]| headers.iter().any(|header| has_header(bytes, header));
    files::ensure_overwritable(path, is_ours).with_context(|| path.display().to_string())
}

/// Line number of the first row, after the header.
const FIRST_ROW_LINE: u64 = 2;

/// Returns whether `bytes` are the beginning of a file with this header, possibly truncated within it.
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
pub fn write_sorted<R: SweepRow>(path: &Path, mut rows: Vec<R>) -> Result<Vec<R>> {
    rows.sort_by_key(R::number);
    let written = to_csv(&rows, true).and_then(|bytes| files::replace(path, &bytes));
    written.with_context(|| path.display().to_string())?;
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
    /// Each row must have the FEN that `fen_of` returns for its number, and each number must be unique. A file with other
    /// content is refused and stays unchanged.
    pub fn open<R: SweepRow>(path: &Path, fen_of: impl Fn(u64) -> Option<String>) -> Result<(Self, Vec<R>)> {
        let name = path.display();
        let mut file = LockedFile::open(path).with_context(|| name.to_string())?;
        let bytes = file.read_all().with_context(|| name.to_string())?;
        let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        // A file without a complete line may have a truncated header, or other content.
        let rows: Vec<R> = parse_rows(path, if complete == 0 { &bytes } else { &bytes[..complete] })?;
        let mut numbers = HashSet::new();
        for (row, line) in rows.iter().zip(FIRST_ROW_LINE..) {
            let wrong = |what| anyhow!("{name}, line {line}: {what}; the file is left as it is");
            if fen_of(row.number()).as_deref() != Some(row.fen()) {
                return Err(wrong("not a position of this sweep"));
            }
            if !numbers.insert(row.number()) {
                return Err(wrong("a position that an earlier line has"));
            }
        }
        let header = if complete == 0 { R::HEADER } else { &[] };
        let written = file.truncate(complete as u64).and_then(|()| file.write_all(header));
        written.with_context(|| name.to_string())?;
        Ok((Self { path: path.to_owned(), file }, rows))
    }

    /// Appends a row.
    pub fn add<R: SweepRow>(&mut self, row: &R) -> Result<()> {
        let bytes = to_csv(std::slice::from_ref(row), false);
        let written = bytes.and_then(|bytes| self.file.write_all(&bytes));
        written.with_context(|| self.path.display().to_string())
    }

    /// Replaces the file atomically by its rows sorted by number, and returns them.
    pub fn finish<R: SweepRow>(self) -> Result<Vec<R>> {
        let Self { path, mut file } = self;
        // Windows lets no second handle read a locked file, and some versions replace no open one.
        let rows = parse_rows(&path, &file.read_all().with_context(|| path.display().to_string())?)?;
        drop(file);
        write_sorted(&path, rows)
    }
}
