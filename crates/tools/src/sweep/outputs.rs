//! Outputs of a sweep: the printed summary, the JSON file and the page; and `sweep merge`, which joins parts first.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::json;

use super::arguments::Outputs;
use super::figures::{GOOD_MARGIN, SETTLED_MARGIN};
use super::record::Record;
use super::results::{self, Row, SweepRow};
use super::summary::{REFERENCE, SETS, Summary};
use crate::page;
use enroque::chess::startpos::StartSet;
use enroque::terminal::{ExitStatus, eprint_line, print_line};
use enroque_runs::files;
use enroque_runs::manifest;
use enroque_runs::shard::Shard;

/// Numbers that a message lists at most.
const MAX_LISTED: usize = 10;

/// Checks that the output files are different ones, also from the results in `file` and the `parts` to read, and do not
/// exist or are earlier outputs of a sweep.
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
            files::ensure_overwritable(path, is_output).with_context(|| path.display().to_string())?;
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
    print_line(&summary.table(|number| record.name_of(number)))?;
    let mut data = json!({ "made": record, "summary": summary, "positions": rows });
    if let Some((table, figures)) = R::further(rows, record) {
        print_line(&format!("\n{table}"))?;
        data["difficulty"] = figures;
    }
    let write_file = |path: &Path, text: String| {
        files::replace(path, text.as_bytes()).with_context(|| path.display().to_string())
    };
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

/// Joins the results of the parts of one sweep and reports missing and duplicate positions.
pub fn merge<R: SweepRow>(file: &Path, parts: &[PathBuf], outputs: &Outputs) -> Result<ExitStatus> {
    check::<R>(file, parts, outputs)?;
    results::check(file, &[R::HEADER])?;
    manifest::ensure_overwritable(file)?;
    let mut common: Option<(Record, &PathBuf)> = None;
    let mut all: HashMap<u64, R> = HashMap::new();
    let mut duplicate = Vec::new();
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
        common = Some((record, part));
        for row in results::read::<R>(part)? {
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
    let set = StartSet::by_name(&record.set)
        .with_context(|| format!("the record of the first file: no set is called '{}'", record.set))?;
    let numbers = record.numbers(set)?;
    let missing: Vec<u64> = numbers.into_iter().filter(|number| !all.contains_key(number)).collect();
    let rows = results::write_sorted(file, all.into_values().collect())?;
    manifest::write(file, &record)?;
    write(&rows, &record, outputs)?;
    for (numbers, state) in [(&missing, "missing"), (&duplicate, "in more than one file")] {
        if !numbers.is_empty() {
            let words: Vec<String> = numbers.iter().take(MAX_LISTED).map(u64::to_string).collect();
            let more = if numbers.len() > MAX_LISTED { ", ..." } else { "" };
            eprint_line(&format!(
                "{}: {} positions are {state}: {}{more}",
                file.display(),
                numbers.len(),
                words.join(", ")
            ));
        }
    }
    Ok(ExitStatus::of_check(missing.is_empty() && duplicate.is_empty()))
}
