//! Results that grow line by line in a locked file, so that a killed run loses no more than the line it was writing.
//!
//! A [`Row`] takes one line, in CSV or in JSON. [`Rows`] reads back what an earlier run wrote, drops a last line that was
//! cut off, and appends. Before we write a row, we check that it can be read again.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::files::{self, AtPath, LockedFile};

/// How a file holds its rows.
#[derive(Clone, Copy, Debug)]
pub enum Encoding {
    /// Comma-separated values. The file begins with `header`, a line with the names of the columns.
    Csv { header: &'static str },
    /// Each line is a JSON value. The line of the first row begins with `beginning`.
    JsonLines { beginning: &'static str },
}

/// A result that takes one line of a file.
pub trait Row: Serialize + DeserializeOwned + PartialEq {
    const ENCODING: Encoding;
}

impl Encoding {
    /// Whether a file that begins with `bytes` may have this encoding: `bytes` can be cut off.
    pub fn is_beginning(self, bytes: &[u8]) -> bool {
        let (Self::Csv { header: ours } | Self::JsonLines { beginning: ours }) = self;
        bytes.starts_with(ours.as_bytes()) || ours.as_bytes().starts_with(bytes)
    }

    /// Returns the lines before the first row.
    fn header(self) -> &'static [u8] {
        match self {
            Self::Csv { header } => header.as_bytes(),
            Self::JsonLines { .. } => &[],
        }
    }

    fn parse<R: Row>(self, line: &[u8]) -> Result<R> {
        match self {
            Self::Csv { header } => {
                // With the header before it, the reader knows how many columns the line must have.
                let rows = csv::Reader::from_reader(header.as_bytes().chain(line)).into_deserialize();
                let row = rows.map(|row| row.map_err(|error| anyhow!(describe(&error)))).next();
                row.context("expected a row of results")?
            }
            Self::JsonLines { .. } => Ok(serde_json::from_slice(line)?),
        }
    }

    /// Returns the line of a row, and fails unless the row can be read back unchanged from it.
    fn line<R: Row>(self, row: &R) -> Result<Vec<u8>> {
        let mut line = match self {
            Self::Csv { .. } => {
                let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
                writer.serialize(row)?;
                writer.into_inner().map_err(|error| error.into_error())?
            }
            Self::JsonLines { .. } => serde_json::to_vec(row)?,
        };
        let text = line.strip_suffix(b"\n").unwrap_or(&line);
        ensure!(
            !text.contains(&b'\n') && self.parse::<R>(text).is_ok_and(|again| again == *row),
            "a result that could not be read again; nothing was written"
        );
        line.truncate(text.len());
        line.push(b'\n');
        Ok(line)
    }
}

/// Puts an error of the CSV reader into plain words.
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

/// Fails if the file holds anything but rows in one of these encodings. A missing or empty file passes.
pub fn ensure_overwritable(path: &Path, encodings: &[Encoding]) -> Result<()> {
    let is_ours = |bytes: &[u8]| encodings.iter().any(|encoding| encoding.is_beginning(bytes));
    files::ensure_overwritable(path, is_ours).at(path)
}

/// Reads all rows of a file that no run is writing.
pub fn read<R: Row>(path: &Path) -> Result<Vec<R>> {
    let mut rows = Vec::new();
    read_each(path, |row| {
        rows.push(row);
        Ok(())
    })?;
    Ok(rows)
}

/// Calls `take` for each row of a file that no run is writing. If `take` fails, the error tells the line.
pub fn read_each<R: Row>(path: &Path, take: impl FnMut(R) -> Result<()>) -> Result<()> {
    take_lines(path, File::open(path).at(path)?, true, take).map(drop)
}

/// Calls `take` for each row, and returns the number of bytes up to the end of the last complete line. A last line
/// without a newline counts only if the file `is_finished`.
fn take_lines<R: Row>(
    path: &Path,
    file: impl Read,
    is_finished: bool,
    mut take: impl FnMut(R) -> Result<()>,
) -> Result<u64> {
    let name = path.display();
    let mut file = BufReader::new(file);
    let (mut line, mut size) = (Vec::new(), 0);
    for number in 1.. {
        line.clear();
        file.read_until(b'\n', &mut line).at(path)?;
        let is_ours = number > 1 || R::ENCODING.is_beginning(&line);
        ensure!(is_ours, "{name}: not the results of such a run; choose another file");
        if line.is_empty() || !line.ends_with(b"\n") && !is_finished {
            break;
        }
        size += line.len() as u64;
        if number > 1 || R::ENCODING.header().is_empty() {
            let taken = R::ENCODING.parse(&line).and_then(&mut take);
            taken.with_context(|| format!("{name}, line {number}"))?;
        }
    }
    Ok(size)
}

/// Sorts the rows by `key`, replaces the file atomically, and returns the rows.
pub fn write_sorted<R: Row, K: Ord>(path: &Path, mut rows: Vec<R>, key: impl Fn(&R) -> K) -> Result<Vec<R>> {
    rows.sort_by_key(key);
    let written = files::replace_with(path, |out| {
        out.write_all(R::ENCODING.header())?;
        rows.iter().try_for_each(|row| anyhow::Ok(out.write_all(&R::ENCODING.line(row)?)?))
    });
    written.at(path)?;
    Ok(rows)
}

/// A file of results that grows, which we keep locked.
pub struct Rows<R> {
    path: PathBuf,
    file: LockedFile,
    rows: PhantomData<fn(&R)>,
}

impl<R: Row> Rows<R> {
    /// Opens or creates a file, calls `take` for each row, and drops the last line if a killed process left it
    /// incomplete.
    ///
    /// `take` fails if a row does not belong to this run; the error tells the line, and the file stays as it is. So does
    /// a file that holds something else.
    pub fn open(path: &Path, take: impl FnMut(R) -> Result<()>) -> Result<Self> {
        let mut file = LockedFile::open(path).at(path)?;
        let size = take_lines(path, file.reader().at(path)?, false, take)?;
        let header = if size == 0 { R::ENCODING.header() } else { &[] };
        file.truncate(size).and_then(|()| file.append(header)).at(path)?;
        Ok(Self { path: path.to_owned(), file, rows: PhantomData })
    }

    /// Drops all rows after the first `count`.
    pub fn keep_first(&mut self, count: usize) -> Result<()> {
        let bytes = self.file.read_all().at(&self.path)?;
        let header = R::ENCODING.header().len();
        let lines = bytes.get(header..).unwrap_or_default().split_inclusive(|&byte| byte == b'\n');
        let size = header + lines.take(count).map(<[u8]>::len).sum::<usize>();
        self.file.truncate(size as u64).at(&self.path)
    }

    /// Reads the file again, and calls `take` for each row.
    pub fn each(&mut self, take: impl FnMut(R) -> Result<()>) -> Result<()> {
        let Self { path, file, .. } = self;
        let size = file.size().at(path)?;
        let taken = take_lines(path, file.reader().at(path)?, false, take);
        file.truncate(size).at(path)?;
        taken.map(drop)
    }

    /// Appends a row, and waits until it is on the disk.
    pub fn add(&mut self, row: &R) -> Result<()> {
        let line = R::ENCODING.line(row).at(&self.path)?;
        self.file.append(&line).at(&self.path)
    }

    /// Replaces the file atomically with its rows sorted by `key`, and returns them.
    pub fn finish<K: Ord>(self, key: impl Fn(&R) -> K) -> Result<Vec<R>> {
        let Self { path, file, .. } = self;
        let mut rows = Vec::new();
        // On Windows no second handle can read a locked file, and some versions can't replace an open file. So we read
        // the rows through our own handle, and close it before we write.
        take_lines(&path, file.reader().at(&path)?, true, |row| {
            rows.push(row);
            Ok(())
        })?;
        drop(file);
        write_sorted(&path, rows, key)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    struct Square {
        root: u64,
        square: f64,
    }

    impl Row for Square {
        const ENCODING: Encoding = Encoding::Csv { header: "root,square\n" };
    }

    /// The same as JSON.
    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    struct Object(Square);

    impl Row for Object {
        const ENCODING: Encoding = Encoding::JsonLines { beginning: "{\"root\":1," };
    }

    fn square(root: u64) -> Square {
        Square { root, square: (root * root) as f64 }
    }

    /// Tears the file after each byte, opens it, and adds the rows that are missing.
    fn tear<R: Row + Clone + std::fmt::Debug>(rows: &[R]) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows");
        let resume = || {
            let mut found = Vec::new();
            let mut file = Rows::<R>::open(&path, |row| {
                found.push(row);
                Ok(())
            })
            .unwrap();
            assert_eq!(found, rows[..found.len()]);
            rows[found.len()..].iter().for_each(|row| file.add(row).unwrap());
            found.len()
        };
        assert_eq!((resume(), resume()), (0, rows.len()));
        let whole = std::fs::read(&path).unwrap();
        for size in 0..whole.len() {
            std::fs::write(&path, &whole[..size]).unwrap();
            assert!(resume() < rows.len(), "torn after {size} bytes");
            assert_eq!(std::fs::read(&path).unwrap(), whole, "torn after {size} bytes");
        }
        assert_eq!(read::<R>(&path).unwrap(), rows);
    }

    #[test]
    fn torn_lines_are_dropped() {
        let squares = [1, 2, 3].map(square);
        tear(&squares);
        tear(&squares.map(Object));
    }

    #[test]
    fn foreign_files_stay_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows");
        for (text, message) in [
            ("dear diary", "not the results of such a run"),
            ("root,cube\n1,1\n", "not the results of such a run"),
            ("root,square\n1,1\n2\n", "line 3: expected 2 columns, found 1"),
            ("root,square\n1,one\n", "line 2: column 2: expected a number"),
            ("root,square\n1,1\n3,9\n", "line 3: expected root 2"),
        ] {
            std::fs::write(&path, text).unwrap();
            let mut next = 1;
            let opened = Rows::<Square>::open(&path, |row| {
                ensure!(row.root == next, "expected root {next}");
                next += 1;
                Ok(())
            });
            let error = format!("{:#}", opened.err().unwrap());
            assert!(error.contains(message), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
    }

    #[test]
    fn rows_are_read_again_before_they_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows");
        let mut rows = Rows::open(&path, |_| Ok(())).unwrap();
        rows.add(&square(1)).unwrap();
        let bad = Square { square: f64::NAN, ..square(2) };
        assert!(rows.add(&bad).is_err());
        rows.add(&square(3)).unwrap();
        drop(rows);
        assert!(write_sorted(&path, vec![square(1), bad], |row| row.root).is_err());
        assert_eq!(read::<Square>(&path).unwrap(), [1, 3].map(square));
    }

    #[test]
    fn finished_rows_are_sorted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows");
        let mut rows = Rows::open(&path, |_| Ok(())).unwrap();
        for root in [3, 1, 2, 7] {
            rows.add(&square(root)).unwrap();
        }
        rows.keep_first(3).unwrap();
        let mut roots = Vec::new();
        let mut each = |row: Square| {
            roots.push(row.root);
            Ok(())
        };
        rows.each(&mut each).unwrap();
        assert_eq!(roots, [3, 1, 2]);
        assert_eq!(rows.finish(|row| row.root).unwrap(), [1, 2, 3].map(square));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "root,square\n1,1.0\n2,4.0\n3,9.0\n");
    }
}
