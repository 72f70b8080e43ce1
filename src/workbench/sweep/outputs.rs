//! Outputs of a sweep: the printed summary, the JSON file and the page.

use std::path::Path;

use super::arguments::Outputs;
use super::error::SweepError;
use super::page;
use super::record::Record;
use super::results::Row;
use super::summary::Summary;
use crate::terminal::print_line;
use crate::util::files;

/// Checks that the output files do not exist or are earlier outputs of a sweep.
///
/// # Errors
/// Returns an error if an output would replace another file.
pub fn check(outputs: &Outputs) -> Result<(), SweepError> {
    let is_json = |bytes: &[u8]| bytes.starts_with(b"{\n  \"made\"");
    let files = [(&outputs.json, is_json as fn(&[u8]) -> bool), (&outputs.page, page::is_beginning)];
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
pub fn write(rows: &[Row], record: &Record, outputs: &Outputs) -> Result<(), SweepError> {
    let Some(summary) = Summary::of(rows) else {
        return Ok(print_line("no positions")?);
    };
    print_line(&summary.table())?;
    let write_file = |path: &Path, text: String| {
        files::replace(path, text.as_bytes())
            .map_err(|reason| SweepError::File { path: path.to_owned(), reason })
    };
    let data = serde_json::json!({ "made": record, "summary": summary, "positions": rows });
    if let Some(path) = &outputs.json {
        write_file(path, format!("{data:#}\n"))?;
    }
    if let Some(path) = &outputs.page {
        write_file(path, page::html(data, &record.limits_text()))?;
    }
    Ok(())
}
