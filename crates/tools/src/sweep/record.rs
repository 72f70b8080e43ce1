//! Record of a sweep: the settings that determine its results, stored beside them.

use std::collections::HashSet;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};

use super::arguments::RunArguments;
use crate::sample;
use enroque::chess::startpos::StartSet;
use enroque::nnue::Network;
use enroque::search::limits::Limits;
use enroque::util::version;
use enroque_runs::manifest;
use enroque_runs::shard::Shard;

/// Nodes per position of a sweep without limits.
const DEFAULT_NODES: u64 = 200_000;

/// Settings of a sweep with `--difficulty`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Difficulty {
    /// Searches of each position.
    pub seeds: u64,
    /// Lines of each search.
    pub lines: u64,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    generator: String,
    network: String,
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

impl Record {
    pub fn new(arguments: &RunArguments) -> Self {
        let RunArguments { range, sample, seed, depth, movetime, hash, shard, .. } = *arguments;
        let unlimited = arguments.nodes.is_none() && depth.is_none() && movetime.is_none();
        Self {
            generator: version::GENERATOR.to_owned(),
            network: format!("{:016x}", Network::embedded().checksum()),
            set: arguments.set.name.to_owned(),
            range,
            sample,
            seed,
            nodes: if unlimited { Some(DEFAULT_NODES) } else { arguments.nodes },
            depth,
            movetime,
            hash,
            shard,
            difficulty: arguments
                .difficulty
                .then_some(Difficulty { seeds: arguments.seeds, lines: arguments.lines }),
        }
    }

    /// Reads the record of the results in `file`.
    pub fn read(file: &Path) -> Result<Self> {
        std::fs::metadata(file).with_context(|| file.display().to_string())?;
        let missing =
            || format!("{}: the record {} is missing", file.display(), manifest::path(file).display());
        manifest::read(file)?.with_context(missing)
    }

    /// Reads the record of the results in `file`, which must be those of a sweep with `--difficulty` or without it.
    pub fn read_kind(file: &Path, has_difficulty: bool) -> Result<Self> {
        let record = Self::read(file)?;
        let (found, expected) = if has_difficulty { ("without", "with") } else { ("with", "without") };
        ensure!(
            record.difficulty.is_some() == has_difficulty,
            "{}: made {found} --difficulty; expected the results of a sweep {expected} it",
            file.display()
        );
        Ok(record)
    }

    /// Returns the name of a position by its number in the set, as `startpos` accepts it.
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
        let words = [
            self.nodes.map(|nodes| format!("{nodes} nodes")),
            self.depth.map(|depth| format!("depth {depth}")),
            self.movetime.map(|movetime| format!("{movetime} ms")),
        ];
        let words = words.into_iter().flatten().collect::<Vec<_>>().join(", ");
        match &self.difficulty {
            None => words,
            Some(Difficulty { seeds, lines }) => format!("{words}, {lines} lines, {seeds} searches"),
        }
    }

    /// Returns set, limits, program and network in words.
    pub fn origin(&self) -> String {
        let Self { set, generator, network, .. } = self;
        format!("set {set}, {}, {generator}, network {network}", self.limits_text())
    }

    /// Returns the numbers of this shard in ascending order.
    pub fn numbers(&self, set: &StartSet) -> Result<Vec<u64>> {
        let count = set.count();
        let (first, last) = self.range.unwrap_or((0, count - 1));
        let most = count - 1;
        ensure!(last <= most, "--range: set {} has the numbers 0 to {most}, found {last}", set.name);
        let numbers: Vec<u64> = match self.sample.filter(|&sample| sample < count) {
            Some(sample) => {
                let mut drawn = sample::distinct(count, sample, self.seed, &HashSet::new());
                drawn.sort_unstable();
                drawn
            }
            None => (first..=last).collect(),
        };
        let is_own = |&(index, _): &(usize, u64)| self.shard.owns(index as u64);
        Ok(numbers.into_iter().enumerate().filter(is_own).map(|(_, number)| number).collect())
    }
}
