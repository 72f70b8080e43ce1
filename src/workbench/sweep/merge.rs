//! `sweep merge`: the results of a sweep's parts joined.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::results::{self, ResultsError, Row};
use super::{Outputs, Record, SweepError, numbers, present};
use crate::chess::startpos::StartSet;
use crate::runs::manifest;
use crate::runs::shard::Shard;
use crate::terminal::{ExitStatus, eprint_line};
use crate::util::files;

/// Joins the results of the parts of one sweep, and tells what is missing or there several times.
///
/// # Errors
/// When results cannot be read or written, or do not belong together.
pub fn merge(file: &Path, parts: &[PathBuf], outputs: &Outputs) -> Result<ExitStatus, SweepError> {
    outputs.check()?;
    results::check(file)?;
    manifest::ensure_overwritable(file)?;
    if parts.iter().any(|part| files::is_same_file(part, file)) {
        return Err(SweepError::Clash(file.to_owned()));
    }
    let mut common: Option<(Record, &PathBuf)> = None;
    let mut all: HashMap<u64, Row> = HashMap::new();
    let mut double = Vec::new();
    for part in parts {
        let missing = || SweepError::NoRecord { file: part.clone(), record: manifest::path(part) };
        let record: Record = manifest::read(part)?.ok_or_else(missing)?;
        let record = Record { shard: Shard::WHOLE, ..record };
        if let Some((first, path)) = common.as_ref().filter(|(first, _)| *first != record) {
            let _ = first;
            return Err(SweepError::Mixed { first: (*path).clone(), second: part.clone() });
        }
        common = Some((record, part));
        for row in results::read(part)? {
            let number = row.number;
            match all.insert(number, row.clone()) {
                None => {}
                Some(old) if old == row => double.push(number),
                Some(_) => return Err(ResultsError::Conflict { path: part.clone(), number }.into()),
            }
        }
    }
    let Some((record, _)) = common else { return Ok(ExitStatus::Success) };
    let set = StartSet::by_name(&record.set).ok_or_else(|| SweepError::Set(record.set.clone()))?;
    let missing: Vec<u64> =
        numbers(&record, set)?.into_iter().filter(|number| !all.contains_key(number)).collect();
    let rows = results::write_sorted(file, all.into_values().collect())?;
    manifest::write(file, &record)?;
    present(&rows, &record, outputs)?;
    for (numbers, what) in [(&missing, "missing"), (&double, "in more than one file")] {
        if !numbers.is_empty() {
            eprint_line(&format!(
                "{}: {} positions are {what}: {}",
                file.display(),
                numbers.len(),
                listing(numbers)
            ));
        }
    }
    Ok(ExitStatus::of_check(missing.is_empty() && double.is_empty()))
}

/// The first few numbers.
fn listing(numbers: &[u64]) -> String {
    const SHOWN: usize = 10;
    let words: Vec<String> = numbers.iter().take(SHOWN).map(u64::to_string).collect();
    words.join(", ") + if numbers.len() > SHOWN { ", ..." } else { "" }
}
