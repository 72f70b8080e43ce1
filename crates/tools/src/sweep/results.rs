//! The results of a sweep: a CSV file that grows line by line and is sorted at the end, the outputs made from it, and
//! `sweep merge`, which joins such files.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::figures::{GOOD_MARGIN, SETTLED_MARGIN};
use super::record::{Outputs, Record};
use super::summary::{REFERENCE, REFERENCE_SET, SETS, Summary};
use crate::{page, text};
use enroque::chess::FenStyle;
use enroque::chess::startpos::StartSet;
use enroque::terminal::{ExitStatus, eprint_line, print_line};
use enroque_runs::files::{self, AtPath};
use enroque_runs::manifest;
use enroque_runs::rows::{self, Encoding, Row};
use enroque_runs::shard::Shard;

/// The result for one start. Score and chances are for White, the side to move.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct PlainRow {
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
pub trait SweepRow: Row + Clone + Send {
    /// The template of the HTML page that shows such rows.
    const TEMPLATE: &'static str;

    /// The number of the position in its set.
    fn number(&self) -> u64;

    /// The position in X-FEN.
    fn fen(&self) -> &str;

    /// Returns the row in the form of a sweep without `--difficulty`.
    fn plain(&self) -> PlainRow;

    /// Summarises the columns that a sweep without `--difficulty` doesn't have, as a table to print and as JSON.
    /// Returns `None` if there are no such columns.
    fn further(rows: &[Self]) -> Option<(String, Value)>;
}

impl Row for PlainRow {
    const ENCODING: Encoding =
        Encoding::Csv { header: "number,white,black,pieces,fen,depth,score,win,draw,loss,nodes,line\n" };
}

impl SweepRow for PlainRow {
    const TEMPLATE: &'static str = include_str!("page.html");

    fn number(&self) -> u64 {
        self.number
    }

    fn fen(&self) -> &str {
        &self.fen
    }

    fn plain(&self) -> PlainRow {
        self.clone()
    }

    fn further(_: &[Self]) -> Option<(String, Value)> {
        None
    }
}

impl PlainRow {
    /// White's score in pawns.
    pub fn pawns(&self) -> f64 {
        f64::from(self.score) / 100.0
    }
}

/// Fails unless `row` has the FEN of its number, which must be `expected`. A forged FEN could show a wrong board, or
/// bring markup into a page.
pub fn ensure_position(row: &impl SweepRow, set: &StartSet, expected: &HashSet<u64>) -> Result<()> {
    let board = set.position(row.number()).filter(|_| expected.contains(&row.number()));
    let is_position = board.is_some_and(|board| board.fen(FenStyle::XFen) == row.fen());
    ensure!(is_position, "not a position of this sweep; the file is left as it is");
    Ok(())
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
    let plain: Vec<PlainRow> = rows.iter().map(R::plain).collect();
    let Some(summary) = Summary::of(&plain) else {
        return Ok(print_line("no positions")?);
    };
    text::print(&summary.table(&record.set, |number| record.name_of(number)))?;
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
        if record.set == REFERENCE_SET {
            data["reference"] = REFERENCE.map(|(_, value)| value).as_slice().into();
        }
        data["sets"] = SETS.into();
        data["margins"] = json!({ "good": GOOD_MARGIN, "settled": SETTLED_MARGIN });
        write_file(path, page::fill(R::TEMPLATE, &data))?;
    }
    Ok(())
}

/// Joins the results of several shards, and reports missing and duplicate positions.
pub fn merge<R: SweepRow>(file: &Path, parts: &[PathBuf], outputs: &Outputs) -> Result<ExitStatus> {
    check::<R>(file, parts, outputs)?;
    rows::ensure_overwritable(file, &[R::ENCODING])?;
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
        common = Some((record, part));
        let mut rows: Vec<R> = Vec::new();
        rows::read_each(part, |row| {
            ensure_position(&row, set, &expected)?;
            rows.push(row);
            Ok(())
        })?;
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
    let rows = rows::write_sorted(file, all.into_values().collect(), R::number)?;
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
