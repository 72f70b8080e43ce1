//! Outputs of a sweep: the printed summary, the JSON file and the page.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::arguments::Outputs;
use super::error::SweepError;
use super::record::Record;
use super::results::{Row, SweepRow};
use super::summary::Summary;
use super::{difficulty, difficulty_summary, page};
use enroque::terminal::print_line;
use enroque_runs::files;
use enroque_runs::manifest;

/// Row with its outputs.
pub trait Reported: SweepRow {
    /// Template of the page.
    const TEMPLATE: &'static str;

    /// Returns the scores of the row.
    fn plain(&self) -> Row;

    /// Returns the printed table and the JSON of the figures beside the scores; `None` if there are none.
    fn further(rows: &[Self], record: &Record) -> Option<(String, Value)>;
}

impl Reported for Row {
    const TEMPLATE: &'static str = page::SCORES;

    fn plain(&self) -> Row {
        self.clone()
    }

    fn further(_: &[Self], _: &Record) -> Option<(String, Value)> {
        None
    }
}

impl Reported for difficulty::Row {
    const TEMPLATE: &'static str = page::DIFFICULTY;

    fn plain(&self) -> Row {
        self.plain()
    }

    fn further(rows: &[Self], record: &Record) -> Option<(String, Value)> {
        let statistics = difficulty_summary::of(rows);
        let table = difficulty_summary::table(rows, |number| record.name_of(number));
        Some((table, serde_json::json!(statistics)))
    }
}

/// Checks that the output files are different ones, also from the results in `file` and the `parts` to read, and do not
/// exist or are earlier outputs of a sweep.
///
/// # Errors
/// Returns an error if an output would replace another file.
pub fn check<R: Reported>(file: &Path, parts: &[PathBuf], outputs: &Outputs) -> Result<(), SweepError> {
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
            files::ensure_overwritable(path, is_output)
                .map_err(|reason| SweepError::File { path: path.clone(), reason })?;
        }
    }
    Ok(())
}

/// Prints the summary of `rows` and writes the output files.
///
/// # Errors
/// Returns an error if an output cannot be written.
pub fn write<R: Reported>(rows: &[R], record: &Record, outputs: &Outputs) -> Result<(), SweepError> {
    let plain: Vec<Row> = rows.iter().map(R::plain).collect();
    let Some(summary) = Summary::of(&plain) else {
        return Ok(print_line("no positions")?);
    };
    print_line(&summary.table(|number| record.name_of(number)))?;
    let further = R::further(rows, record);
    if let Some((table, _)) = &further {
        print_line(&format!("\n{table}"))?;
    }
    let write_file = |path: &Path, text: String| {
        files::replace(path, text.as_bytes())
            .map_err(|reason| SweepError::File { path: path.to_owned(), reason })
    };
    let mut data = serde_json::json!({ "made": record, "summary": summary, "positions": rows });
    if let Some((_, figures)) = further {
        data["difficulty"] = figures;
    }
    if let Some(path) = &outputs.json {
        write_file(path, format!("{data:#}\n"))?;
    }
    if let Some(path) = &outputs.page {
        write_file(path, page::html(R::TEMPLATE, data, &record.limits_text(), outputs.board.as_deref()))?;
    }
    Ok(())
}
