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
    pub new: PathBuf,
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
}
