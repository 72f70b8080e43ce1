//! `sweep merge` joins the results of several shards.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};

use super::arguments::Outputs;
use super::manifest::SweepManifest;
use super::outputs;
use super::rows::{SweepRow, ensure_position};
use enroque::chess::startpos::StartSet;
use enroque::terminal::ExitStatus;
use enroque_runs::shard::{self, Shard};
use enroque_runs::{manifest, rows};

/// Joins the results of several shards, and reports missing and duplicate positions.
pub fn merge<R: SweepRow>(file: &Path, parts: &[PathBuf], outputs: &Outputs) -> Result<ExitStatus> {
    outputs::check::<R>(file, parts, outputs)?;
    rows::ensure_overwritable(file, &[R::ENCODING])?;
    manifest::ensure_overwritable(file)?;
    let mut common: Option<(SweepManifest, &PathBuf)> = None;
    let mut all: HashMap<u64, R> = HashMap::new();
    let mut duplicate = Vec::new();
    let mut expected = HashSet::new();
    for part in parts {
        let mut manifest = SweepManifest::read(part)?;
        manifest.shard = Shard::WHOLE;
        if let Some((first, path)) = &common {
            ensure!(
                *first == manifest,
                "{} and {} were made in different ways; see the .json files next to them",
                path.display(),
                part.display()
            );
        }
        let set = StartSet::by_name(&manifest.set).with_context(|| {
            format!("{}: no set is called '{}'", manifest::path(part).display(), manifest.set)
        })?;
        if common.is_none() {
            expected.extend(manifest.numbers(set)?);
        }
        common = Some((manifest, part));
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
    let Some((manifest, _)) = common else { return Ok(ExitStatus::Success) };
    let mut missing: Vec<u64> = expected.into_iter().filter(|number| !all.contains_key(number)).collect();
    missing.sort_unstable();
    let rows = rows::write_sorted(file, all.into_values().collect(), R::number)?;
    manifest::write(file, &manifest)?;
    outputs::write(&rows, &manifest, outputs)?;
    Ok(shard::report(file, "positions", &missing, &duplicate))
}
