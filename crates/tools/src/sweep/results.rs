//! The results of a sweep: a CSV file that grows line by line and is sorted at the end, the outputs made from it, and
//! `sweep merge`, which joins such files.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::figures::{GOOD_MARGIN, SETTLED_MARGIN};
use super::record::{Outputs, Record};
use super::summary::{REFERENCE, SETS, Summary};
use crate::{page, text};
use enroque::chess::FenStyle;
use enroque::chess::startpos::StartSet;
use enroque::terminal::{ExitStatus, eprint_line, print_line};
use enroque_runs::files::{self, AtPath, LockedFile};
use enroque_runs::manifest;
use enroque_runs::shard::Shard;

/// The result for one start. Score and chances are for White, the side to move.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Number in the set.
    pub number: u64,
    /// Number of White's back rank; if it is below 960, the Chess960 number.
    pub white: u32,
    /// Number of Black's back rank, in the same numbering as `white`.
    pub black: u32,
    /// Letters of White's back rank and, if it differs, Black's.
    pub pieces: String,
    /// The position in X-FEN.
    pub fen: String,
    /// Depth of the last complete iteration in plies.
    pub depth: i32,
    /// Score for White in centipawns.
    pub score: i32,
    /// White's chances to win, draw and lose, in thousandths.
    pub win: u32,
    pub draw: u32,
    pub loss: u32,
    pub nodes: u64,
    /// Principal variation in algebraic notation.
    pub line: String,
}

/// A row of the results of a sweep. Sweeps with and without `--difficulty` have different kinds of rows.
pub trait SweepRow: Serialize + DeserializeOwned + Clone + PartialEq + Send {
    /// The first line of the CSV file, with the names of the columns.
    const HEADER: &'static [u8];
    /// The template of the HTML page that shows such rows.
    const TEMPLATE: &'static str;

    /// The number of the position in its set.
    fn number(&self) -> u64;

    /// The position in X-FEN.
    fn fen(&self) -> &str;

    /// Returns the row in the form of a sweep without `--difficulty`.
    fn plain(&self) -> Row;

    /// Summarises the columns that a sweep without `--difficulty` doesn't have, as a table to print and as JSON.
    /// Returns `None` if there are no such columns.
    fn further(rows: &[Self]) -> Option<(String, Value)>;
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

    fn further(_: &[Self]) -> Option<(String, Value)> {
        None
    }
}

impl Row {
    /// White's score in pawns.
    pub fn pawns(&self) -> f64 {
        f64::from(self.score) / 100.0
    }
}

/// Reads all rows of a results file. Fails if the file is missing or has anything but rows of type `R`.
pub fn read<R: SweepRow>(path: &Path) -> Result<Vec<R>> {
    parse_rows(path, &std::fs::read(path).at(path)?)
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

/// Fails if the file holds anything but results with one of these headers. A missing or empty file passes.
pub fn check_results(path: &Path, headers: &[&[u8]]) -> Result<()> {
    let is_ours = |bytes: &[u8]| headers.iter().any(|header| has_header(bytes, header));
    files::ensure_overwritable(path, is_ours).at(path)
}

/// Line number of the first row, after the header.
const FIRST_ROW_LINE: u64 = 2;

/// Whether `bytes` begin with `header`, or are cut off within it.
fn has_header(bytes: &[u8], header: &[u8]) -> bool {
    bytes.starts_with(header) || header.starts_with(bytes)
}

/// Formats rows as CSV, and fails unless the rows can be read back unchanged.
fn to_csv<R: SweepRow>(rows: &[R], header: bool) -> io::Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new().has_headers(header).from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).map_err(io::Error::other)?;
    }
    let bytes = writer.into_inner().map_err(|error| error.into_error())?;
    let mut reader = csv::ReaderBuilder::new().has_headers(header).from_reader(&bytes[..]);
    let again: Vec<R> = reader.deserialize().collect::<Result<_, _>>().map_err(io::Error::other)?;
    if again != rows {
        return Err(io::Error::other("a result that could not be read again; nothing was written"));
    }
    Ok(bytes)
}

/// Checks that each row has the FEN that `fen_of` returns for its number. A forged FEN could show a wrong board, or
/// bring markup into a page.
fn ensure_positions<R: SweepRow>(
    path: &Path,
    rows: &[R],
    fen_of: impl Fn(u64) -> Option<String>,
) -> Result<()> {
    for (row, line) in rows.iter().zip(FIRST_ROW_LINE..) {
        ensure!(
            fen_of(row.number()).as_deref() == Some(row.fen()),
            "{}, line {line}: not a position of this sweep; the file is left as it is",
            path.display()
        );
    }
    Ok(())
}

/// Sorts the rows by number, replaces the file atomically, and returns the rows.
pub fn write_sorted<R: SweepRow>(path: &Path, mut rows: Vec<R>) -> Result<Vec<R>> {
    rows.sort_by_key(R::number);
    let written = to_csv(&rows, true).and_then(|bytes| files::replace(path, &bytes));
    written.at(path)?;
    Ok(rows)
}

/// Appends rows to a results file, which it keeps locked.
pub struct Appender {
    path: PathBuf,
    file: LockedFile,
}

impl Appender {
    /// Opens or creates `path`, removes the last line if a killed process left it incomplete, and returns the rows.
    ///
    /// Each row must have the FEN that `fen_of` returns for its number, and each number may occur only once. A file
    /// with other content is refused and stays unchanged.
    pub fn open<R: SweepRow>(path: &Path, fen_of: impl Fn(u64) -> Option<String>) -> Result<(Self, Vec<R>)> {
        let name = path.display();
        let mut file = LockedFile::open(path).with_context(|| name.to_string())?;
        let bytes = file.read_all().with_context(|| name.to_string())?;
        let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        // If no line is complete, the file must be the beginning of a header; `parse_rows` refuses anything else.
        let rows: Vec<R> = parse_rows(path, if complete == 0 { &bytes } else { &bytes[..complete] })?;
        ensure_positions(path, &rows, fen_of)?;
        let mut numbers = HashSet::new();
        for (row, line) in rows.iter().zip(FIRST_ROW_LINE..) {
            ensure!(
                numbers.insert(row.number()),
                "{name}, line {line}: a position that an earlier line has; the file is left as it is"
            );
        }
        let header = if complete == 0 { R::HEADER } else { &[] };
        let written = file.truncate(complete as u64).and_then(|()| file.write_all(header));
        written.with_context(|| name.to_string())?;
        Ok((Self { path: path.to_owned(), file }, rows))
    }

    pub fn add<R: SweepRow>(&mut self, row: &R) -> Result<()> {
        let bytes = to_csv(std::slice::from_ref(row), false);
        let written = bytes.and_then(|bytes| self.file.write_all(&bytes));
        written.at(&self.path)
    }

    /// Replaces the file atomically with its rows sorted by number, and returns them.
    pub fn finish<R: SweepRow>(self) -> Result<Vec<R>> {
        let Self { path, mut file } = self;
        // On Windows no second handle can read a locked file, and some versions can't replace an open file. So we read
        // the rows through our own handle, and close it before we write.
        let rows = parse_rows(&path, &file.read_all().at(&path)?)?;
        drop(file);
        write_sorted(&path, rows)
    }
}

/// Messages about missing or duplicate positions list at most this many numbers.
const MAX_LISTED: usize = 10;

/// Fails if two outputs are the same file, if an output would overwrite the results in `file` or one of the `parts`, or
/// if an output exists already and wasn't written by an earlier sweep.
pub fn check<R: SweepRow>(file: &Path, parts: &[PathBuf], outputs: &Outputs) -> Result<()> {
    let written =
        [Some(file.to_owned()), Some(manifest::path(file)), outputs.json.clone(), outputs.page.clone()];
    let records = parts.iter().map(|part| manifest::path(part));
    let read: Vec<PathBuf> = parts.iter().cloned().chain(records).collect();
    files::ensure_distinct(&read, &written.into_iter().flatten().collect::<Vec<_>>())?;
    let is_json =
        |bytes: &[u8]| bytes.starts_with(b"{\n  \"difficulty\"") || bytes.starts_with(b"{\n  \"made\"");
    let is_page = |bytes: &[u8]| page::is_beginning(R::TEMPLATE, bytes);
    let files = [(&outputs.json, is_json as fn(&[u8]) -> bool), (&outputs.page, is_page)];
    for (path, is_output) in files {
        if let Some(path) = path {
            files::ensure_overwritable(path, is_output).at(path)?;
        }
    }
    Ok(())
}

/// Prints the summary of `rows` and writes the output files.
pub fn write<R: SweepRow>(rows: &[R], record: &Record, outputs: &Outputs) -> Result<()> {
    let plain: Vec<Row> = rows.iter().map(R::plain).collect();
    let Some(summary) = Summary::of(&plain) else {
        return Ok(print_line("no positions")?);
    };
    text::print(&summary.table(|number| record.name_of(number)))?;
    let mut data = json!({ "made": record, "summary": summary, "positions": rows });
    if let Some((table, figures)) = R::further(rows) {
        text::print(&format!("\n{table}"))?;
        data["difficulty"] = figures;
    }
    let write_file = |path: &Path, text: String| files::replace(path, text.as_bytes()).at(path);
    if let Some(path) = &outputs.json {
        write_file(path, format!("{data:#}\n"))?;
    }
    if let Some(path) = &outputs.page {
        data["limits"] = record.limits_text().into();
        data["board"] = outputs.board.as_deref().into();
        data["reference"] = REFERENCE.map(|(_, value)| value).as_slice().into();
        data["sets"] = SETS.into();
        data["margins"] = json!({ "good": GOOD_MARGIN, "settled": SETTLED_MARGIN });
        write_file(path, page::fill(R::TEMPLATE, &data))?;
    }
    Ok(())
}

/// Joins the results of several shards, and reports missing and duplicate positions.
pub fn merge<R: SweepRow>(file: &Path, parts: &[PathBuf], outputs: &Outputs) -> Result<ExitStatus> {
    check::<R>(file, parts, outputs)?;
    check_results(file, &[R::HEADER])?;
    manifest::ensure_overwritable(file)?;
    let mut common: Option<(Record, &PathBuf)> = None;
    let mut all: HashMap<u64, R> = HashMap::new();
    let mut duplicate = Vec::new();
    let mut expected = HashSet::new();
    for part in parts {
        let mut record = Record::read(part)?;
        record.shard = Shard::WHOLE;
        if let Some((first, path)) = &common {
            ensure!(
                *first == record,
                "{} and {} were made in different ways; see the .json files next to them",
                path.display(),
                part.display()
            );
        }
        let set = StartSet::by_name(&record.set).with_context(|| {
            format!("{}: no set is called '{}'", manifest::path(part).display(), record.set)
        })?;
        if common.is_none() {
            expected.extend(record.numbers(set)?);
        }
        let rows = read::<R>(part)?;
        ensure_positions(part, &rows, |number| {
            let board = set.position(number).filter(|_| expected.contains(&number));
            board.map(|board| board.fen(FenStyle::XFen))
        })?;
        common = Some((record, part));
        for row in rows {
            let number = row.number();
            match all.insert(number, row.clone()) {
                None => {}
                Some(old) if old == row => duplicate.push(number),
                Some(_) => {
                    bail!("{}: position {number} has another result in an earlier file", part.display())
                }
            }
        }
    }
    let Some((record, _)) = common else { return Ok(ExitStatus::Success) };
    let mut missing: Vec<u64> = expected.into_iter().filter(|number| !all.contains_key(number)).collect();
    missing.sort_unstable();
    let rows = write_sorted(file, all.into_values().collect())?;
    manifest::write(file, &record)?;
    write(&rows, &record, outputs)?;
    for (numbers, state) in [(&missing, "missing"), (&duplicate, "in more than one file")] {
        if !numbers.is_empty() {
            let words: Vec<String> = numbers.iter().take(MAX_LISTED).map(u64::to_string).collect();
            let more = if numbers.len() > MAX_LISTED { ", ..." } else { "" };
            let (file, count, words) = (file.display(), numbers.len(), words.join(", "));
            eprint_line(&text::fit(&format!("{file}: {count} positions are {state}: {words}{more}")));
        }
    }
    Ok(ExitStatus::of_check(missing.is_empty() && duplicate.is_empty()))
}
