//! Options of `match`.

use std::path::PathBuf;

use clap::{Args, value_parser};

use super::sprt::Bounds;
use crate::datagen::MAX_NODES;
use crate::datagen::selfplay::Settings;
use enroque::util::parallel::available_threads;
use enroque_runs::parallel::parse_threads;

/// Play a new network against an old one, at a fixed number of nodes a move
#[derive(Args, Debug)]
#[command(after_help = "\
Openings are drawn like those of `datagen`. Each is played twice with colours reversed. A game is adjudicated when one \
side leads by 12.5 pawns for five plies or the score is level for ten. Nodes are counted, not time, so a busy machine \
changes nothing. For games on the clock, give fastchess `option.EvalFile`, or compare two commits with `scripts/sprt.sh`.

With --sprt the match ends as soon as the test decides, and the exit code is 0 only if the new network passes.

Examples:
  enroque-learn match new.nnue
  enroque-learn match new.nnue old.nnue --games 4000 --nodes 5000
  enroque-learn match new.nnue --games 40000 --sprt 0,4")]
pub struct Options {
    /// New network
    #[arg(required = cfg!(not(feature = "tune")))]
    pub new: Option<PathBuf>,
    /// Old network [default: the built-in one]
    pub old: Option<PathBuf>,
    /// Maximum number of games
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = value_parser!(u64).range(2..))]
    pub games: u64,
    /// Nodes a move
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = value_parser!(u64).range(1..=MAX_NODES))]
    pub nodes: u64,
    /// Stop when it is clear whether the gain is at least HIGH Elo or at most LOW
    #[arg(long, value_name = "LOW,HIGH", allow_hyphen_values = true)]
    pub sprt: Option<Bounds>,
    /// Games played at the same time [default: one per core]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,
    /// Seed of the openings
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Percentage of openings in double Chess960; the others are orthodox
    #[arg(long = "double", value_name = "PERCENT", default_value_t = Settings::default().double_percent,
        value_parser = value_parser!(u64).range(0..=100))]
    pub double_percent: u64,
    /// Search parameters of the new side
    #[cfg(feature = "tune")]
    #[arg(long, value_name = "NAME=VALUE", value_delimiter = ',', value_parser = tune::parse)]
    with: Vec<tune::Assignment>,
    /// Search parameters of the old side
    #[cfg(feature = "tune")]
    #[arg(long, value_name = "NAME=VALUE", value_delimiter = ',', value_parser = tune::parse)]
    against: Vec<tune::Assignment>,
}

/// Openings in which one side leads by more, centipawns, are discarded.
const MAX_OPENING_SCORE: i32 = 150;
/// Transposition table of each player, MiB.
const HASH: usize = 8;

impl Options {
    pub fn pairs(&self) -> u64 {
        self.games / 2
    }

    pub fn threads(&self) -> usize {
        self.threads.unwrap_or_else(available_threads).max(1)
    }

    /// Returns the settings by which openings are drawn and games adjudicated.
    pub fn settings(&self) -> Settings {
        Settings {
            seed: self.seed,
            soft_nodes: self.nodes,
            hard_nodes: self.nodes,
            double_percent: self.double_percent,
            opening_score: MAX_OPENING_SCORE,
            hash: HASH,
            ..Settings::default()
        }
    }

    pub(super) fn parameters(&self) -> [SideParameters; 2] {
        #[cfg(feature = "tune")]
        return [tune::values(&self.with, &self.against), tune::values(&self.against, &self.with)];
        #[cfg(not(feature = "tune"))]
        [SideParameters::default(), SideParameters::default()]
    }
}

/// Search parameters of one side; none outside builds for tuning.
#[derive(Debug, Default)]
pub(super) struct SideParameters {
    #[cfg(feature = "tune")]
    values: Vec<tune::Assignment>,
}

impl SideParameters {
    /// Makes them those of every search of this process.
    pub(super) fn apply(&self) {
        #[cfg(feature = "tune")]
        for (parameter, value) in &self.values {
            parameter.value.store(*value, std::sync::atomic::Ordering::Relaxed);
        }
    }

    #[cfg(feature = "tune")]
    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

#[cfg(feature = "tune")]
mod tune {
    use super::SideParameters;
    use enroque::search::params::{self, Parameter};

    /// A search parameter and its value.
    pub(super) type Assignment = (&'static Parameter, i32);

    pub(super) fn parse(text: &str) -> Result<Assignment, String> {
        let pair = text.split_once('=').and_then(|(name, value)| Some((name, value.parse().ok()?)));
        let (name, value) = pair.ok_or("expected NAME=VALUE")?;
        let parameter = params::all().into_iter().find(|parameter| parameter.name == name);
        let parameter = parameter.ok_or_else(|| format!("no parameter '{name}'"))?;
        let Parameter { min, max, .. } = *parameter;
        let is_allowed = (min..=max).contains(&value);
        is_allowed.then_some((parameter, value)).ok_or_else(|| format!("{name} is from {min} to {max}"))
    }

    /// The values of one side: its own, and the defaults of the parameters that only the other side sets.
    pub(super) fn values(own: &[Assignment], other: &[Assignment]) -> SideParameters {
        let is_own = |name| own.iter().any(|(parameter, _)| parameter.name == name);
        let defaults = other.iter().map(|&(parameter, _)| (parameter, parameter.default));
        let defaults = defaults.filter(|(parameter, _)| !is_own(parameter.name));
        SideParameters { values: own.iter().copied().chain(defaults).collect() }
    }
}
