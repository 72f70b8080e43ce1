//! `sweep merge`: joins the results of the parts of a sweep.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::arguments::Outputs;
use super::error::SweepError;
use super::outputs;
use super::record::Record;
use super::results::{self, ResultsError, Row};
use super::{difficulty, outputs::Reported};
use enroque::chess::startpos::StartSet;
use enroque::terminal::{ExitStatus, eprint_line};
use enroque_runs::manifest;
use enroque_runs::shard::Shard;

/// Joins the results of the parts of one sweep and reports missing and duplicate positions.
///
/// # Errors
/// Returns an error if results cannot be read or written, or belong to different sweeps.
pub fn merge(file: &Path, parts: &[PathBuf], outputs: &Outputs) -> Result<ExitStatus, SweepError> {
    let first = parts.first().map(|part| Record::read(part)).transpose()?;
    if first.is_some_and(|record| record.difficulty.is_some()) {
        merge_rows::<difficulty::Row>(file, parts, outputs)
    } else {
        merge_rows::<Row>(file, parts, outputs)
    }
}

fn merge_rows<R: Reported>(
    file: &Path,
    parts: &[PathBuf],
    outputs: &Outputs,
) -> Result<ExitStatus, SweepError> {
    outputs::check::<R>(file, parts, outputs)?;
    results::check(file, &[R::HEADER])?;
    manifest::ensure_overwritable(file)?;
    let mut common: Option<(Record, &PathBuf)> = None;
    let mut all: HashMap<u64, R> = HashMap::new();
    let mut duplicate = Vec::new();
    for part in parts {
        let mut record = Record::read(part)?;
        record.shard = Shard::WHOLE;
        if let Some((_, path)) = common.as_ref().filter(|(first, _)| *first != record) {
            return Err(SweepError::Mixed { first: (*path).clone(), second: part.clone() });
        }
        common = Some((record, part));
        for row in results::read::<R>(part)? {
            let number = row.number();
            match all.insert(number, row.clone()) {
                None => {}
                Some(old) if old == row => duplicate.push(number),
                Some(_) => return Err(ResultsError::Conflict { path: part.clone(), number }.into()),
            }
        }
    }
    let Some((record, _)) = common else { return Ok(ExitStatus::Success) };
    let set = StartSet::by_name(&record.set).ok_or_else(|| SweepError::Set(record.set.clone()))?;
    let missing: Vec<u64> =
        record.numbers(set)?.into_iter().filter(|number| !all.contains_key(number)).collect();
    let rows = results::write_sorted(file, all.into_values().collect())?;
    manifest::write(file, &record)?;
    outputs::write(&rows, &record, outputs)?;
    for (numbers, state) in [(&missing, "missing"), (&duplicate, "in more than one file")] {
        if !numbers.is_empty() {
            eprint_line(&format!(
                "{}: {} positions are {state}: {}",
                file.display(),
                numbers.len(),
                listing(numbers)
            ));
        }
    }
    Ok(ExitStatus::of_check(missing.is_empty() && duplicate.is_empty()))
}

/// Returns the first few numbers.
fn listing(numbers: &[u64]) -> String {
    const MAX_LISTED: usize = 10;
    let words: Vec<String> = numbers.iter().take(MAX_LISTED).map(u64::to_string).collect();
    words.join(", ") + if numbers.len() > MAX_LISTED { ", ..." } else { "" }
}
