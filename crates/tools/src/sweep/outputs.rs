//! The outputs made from the results of a sweep: the printed summary, JSON and an HTML page.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde_json::json;

use super::arguments::Outputs;
use super::figures;
use super::manifest::SweepManifest;
use super::rows::{GOOD_MARGIN, PlainRow, SETTLED_MARGIN, SweepRow};
use super::summary::{REFERENCE, REFERENCE_SET, SETS, Summary};
use crate::page;
use enroque::terminal::print_line;
use enroque_runs::files::{self, AtPath};
use enroque_runs::manifest;
use enroque_runs::wrap;

/// Fails if two outputs are the same file, if an output would overwrite the results in `file` or one of the `parts`, or
/// if an output exists already and wasn't written by an earlier sweep.
pub fn check<R: SweepRow>(file: &Path, parts: &[PathBuf], outputs: &Outputs) -> Result<()> {
    let written =
        [Some(file.to_owned()), Some(manifest::path(file)), outputs.json.clone(), outputs.page.clone()];
    let manifests = parts.iter().map(|part| manifest::path(part));
    let read: Vec<PathBuf> = parts.iter().cloned().chain(manifests).collect();
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
pub fn write<R: SweepRow>(rows: &[R], manifest: &SweepManifest, outputs: &Outputs) -> Result<()> {
    let plain: Vec<PlainRow> = rows.iter().map(R::plain).collect();
    let Some(summary) = Summary::of(&plain) else {
        return Ok(print_line("no positions")?);
    };
    wrap::print(&summary.table(&manifest.set, |number| manifest.name_of(number)))?;
    let mut data = json!({ "made": manifest, "summary": summary, "positions": rows });
    if let Some((table, figures)) = R::with_difficulty(rows).map(figures::summary) {
        wrap::print(&format!("\n{table}"))?;
        data["difficulty"] = figures;
    }
    let write_file = |path: &Path, text: String| files::replace(path, text.as_bytes()).at(path);
    if let Some(path) = &outputs.json {
        write_file(path, format!("{data:#}\n"))?;
    }
    if let Some(path) = &outputs.page {
        data["limits"] = manifest.limits_text().into();
        data["board"] = outputs.board.as_deref().into();
        if manifest.set == REFERENCE_SET {
            data["reference"] = REFERENCE.map(|(_, value)| value).as_slice().into();
        }
        data["sets"] = SETS.into();
        data["margins"] = json!({ "good": GOOD_MARGIN, "settled": SETTLED_MARGIN });
        write_file(path, page::fill(R::TEMPLATE, &data))?;
    }
    Ok(())
}
