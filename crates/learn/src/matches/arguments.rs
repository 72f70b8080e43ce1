//! The arguments of `enroque-learn match`.

use std::path::PathBuf;

use clap::{Args, value_parser};

use super::sprt::Bounds;
use crate::selfplay::{MAX_NODES, Settings};
use enroque_runs::parallel::parse_threads;

/// Play a new network against an old one, at a fixed number of nodes per move
#[derive(Args, Debug)]
#[command(after_help = "\
Openings are drawn as by datagen, and each is played twice with colours reversed. A side that leads by 12.5 pawns for \
five plies wins; a score that stays level for ten is a draw. Every move gets the same nodes, so a busy machine changes \
nothing. For games on the clock, pass option.EvalFile to fastchess, or compare two commits with scripts/sprt.sh.

With --sprt the match ends as soon as the test is decided, and the exit code is 0 only if the new network passes.

Examples:
  enroque-learn match new.nnue
  enroque-learn match new.nnue old.nnue --games 4000 --nodes 5000
  enroque-learn match new.nnue --games 40000 --sprt 0,4")]
pub struct Arguments {
    /// Network to test
    pub new: PathBuf,
    /// Network to play against [default: the built-in one]
    pub old: Option<PathBuf>,
    /// Play at most N games
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = value_parser!(u64).range(2..))]
    pub games: u64,
    /// Nodes per move
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = value_parser!(u64).range(1..=MAX_NODES))]
    pub nodes: u64,
    /// Stop as soon as it is clear whether the new network gains HIGH Elo or only LOW
    #[arg(long, value_name = "LOW,HIGH", allow_hyphen_values = true)]
    pub sprt: Option<Bounds>,
    /// Games played at the same time [default: one per core]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub threads: Option<usize>,
    /// Seed for the random openings
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many openings in a hundred are double Chess960; the others are orthodox
    #[arg(long = "double", value_name = "PERCENT", default_value_t = Settings::default().double_percent,
        value_parser = value_parser!(u64).range(0..=100))]
    pub double_percent: u64,
}

/// We discard openings in which one side leads by more than this, in centipawns.
pub const MAX_OPENING_SCORE: i32 = 150;
/// Size of each player's transposition table in MiB.
const HASH: usize = 8;

impl Arguments {
    pub fn pairs(&self) -> u64 {
        self.games / 2
    }

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
