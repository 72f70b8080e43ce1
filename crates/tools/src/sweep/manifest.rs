//! The manifest of a sweep: a file next to the results, with the settings that determine them.

use std::collections::HashSet;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};

use super::arguments::RunArguments;
use crate::searcher::limits::limits_text;
use enroque::chess::startpos::StartSet;
use enroque::nnue::Network;
use enroque::search::limits::Limits;
use enroque_runs::files::AtPath;
use enroque_runs::manifest::{self, Made};
use enroque_runs::shard::Shard;

/// Node limit of each search if the user gives no limit.
const DEFAULT_NODES: u64 = 200_000;

/// Settings of a sweep with `--difficulty`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Difficulty {
    /// How often each position is searched.
    pub seeds: u64,
    /// How many MultiPV lines each search has.
    pub lines: u64,
}

/// The settings that determine the results. They lie next to the results in a file of their own.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SweepManifest {
    #[serde(flatten)]
    made: Made,
    pub set: String,
    range: Option<(u64, u64)>,
    sample: Option<u64>,
    seed: u64,
    nodes: Option<u64>,
    depth: Option<i32>,
    movetime: Option<i64>,
    pub hash: usize,
    pub shard: Shard,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<Difficulty>,
}

impl SweepManifest {
    pub fn new(arguments: &RunArguments) -> Self {
        let RunArguments { range, sample, seed, hash, shard, .. } = *arguments;
        let limits = arguments.limits.or_nodes(DEFAULT_NODES);
        Self {
            made: Made::with(&Network::embedded()),
            set: arguments.set.name.to_owned(),
            range,
            sample,
            seed,
            nodes: limits.nodes,
            depth: limits.depth,
            movetime: limits.move_time,
            hash,
            shard,
            difficulty: arguments
                .difficulty
                .then_some(Difficulty { seeds: arguments.seeds, lines: arguments.lines }),
        }
    }

    /// Reads the manifest that lies next to the results file `file`.
    pub fn read(file: &Path) -> Result<Self> {
        std::fs::metadata(file).at(file)?;
        let missing = || {
            let (file, manifest) = (file.display(), manifest::path(file));
            format!("{file}: {} is missing, which a sweep writes next to its results", manifest.display())
        };
        manifest::read(file)?.with_context(missing)
    }

    /// Like [`Self::read`], but fails unless the results were made with `--difficulty` or without it, as expected.
    pub fn read_kind(file: &Path, has_difficulty: bool) -> Result<Self> {
        let manifest = Self::read(file)?;
        let (found, expected) = if has_difficulty { ("without", "with") } else { ("with", "without") };
        ensure!(
            manifest.difficulty.is_some() == has_difficulty,
            "{}: made {found} --difficulty; expected the results of a sweep {expected} it",
            file.display()
        );
        Ok(manifest)
    }

    /// Names a position by its number in the set, in a form that `startpos` understands.
    pub fn name_of(&self, number: u64) -> String {
        match self.set.as_str() {
            "chess960" => format!("SP {number}"),
            set => format!("{set}:{number}"),
        }
    }

    pub fn limits(&self) -> Limits {
        Limits { nodes: self.nodes, depth: self.depth, move_time: self.movetime, ..Limits::default() }
    }

    pub fn limits_text(&self) -> String {
        let words = limits_text(&self.limits());
        match &self.difficulty {
            None => words,
            Some(Difficulty { seeds, lines }) => format!("{words}, {lines} lines, {seeds} searches"),
        }
    }

    /// Says how the results were made: set, limits, program and network.
    pub fn origin(&self) -> String {
        let Self { set, made: Made { generator, network }, .. } = self;
        format!("set {set}, {}, {generator}, network {network}", self.limits_text())
    }

    /// Returns the numbers of the positions in this shard, in ascending order.
    pub fn numbers(&self, set: &StartSet) -> Result<Vec<u64>> {
        let count = set.count();
        let (first, last) = self.range.unwrap_or((0, count - 1));
        let most = count - 1;
        ensure!(last <= most, "--range: set {} has the numbers 0 to {most}, found {last}", set.name);
        let numbers: Vec<u64> = match self.sample.filter(|&sample| sample < count) {
            Some(sample) => {
                let mut drawn = set.sample(sample, self.seed, &HashSet::new());
                drawn.sort_unstable();
                drawn
            }
            None => (first..=last).collect(),
        };
        let is_own = |&(index, _): &(usize, u64)| self.shard.owns(index as u64);
        Ok(numbers.into_iter().enumerate().filter(is_own).map(|(_, number)| number).collect())
    }
}
