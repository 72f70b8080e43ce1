//! The command line of `train`, and the hyperparameters of a run.

use std::path::PathBuf;

use clap::{Args, value_parser};
use serde::{Deserialize, Serialize};

use crate::train::target::Target;
use enroque::nnue::SCALE;

/// Train a network on self-play games
#[derive(Args, Debug)]
#[command(after_help = "\
The command also writes NETWORK.csv, a log with the losses of each epoch, and NETWORK.checkpoint. After an interruption \
the same command resumes from the checkpoint.

Examples:
  enroque-learn train first.nnue games.gz --epochs 10
  enroque-learn train g2.nnue g1.gz g2.gz --epochs 30 --scale 235
  enroque-learn train g3.nnue g3.gz --from g2.nnue --epochs 8 --rate 0.0002
  enroque-learn train last.nnue g3.gz --from g3.nnue --games-only --epochs 4 \\
      --rate 0.0003 --td-lambda 0.5 --average 0.5
  enroque-learn train first.nnue games.gz --epochs 20 --continue    ten more")]
pub struct Arguments {
    /// Network file to write
    pub network: PathBuf,
    #[command(flatten)]
    pub hyperparameters: Hyperparameters,
    /// Add epochs to a finished run on the same games, with the learning rates of the longer run
    #[arg(long = "continue", help_heading = RUN)]
    pub resume: bool,
    /// Threads to train with [default: one per core]
    #[arg(long, value_name = "N", help_heading = RUN, value_parser = enroque_runs::parallel::parse_threads)]
    pub threads: Option<usize>,
}

const RUN: &str = "Run";
const LEARNING: &str = "Learning";
const TARGET: &str = "What to learn";

// No doc comment here: clap would show it as the help of `train`.
#[derive(Args, Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Hyperparameters {
    /// Game files, from datagen
    #[arg(required = true)]
    pub games: Vec<PathBuf>,
    /// Network to begin with, at most as wide as the built-in one [default: random weights]
    #[arg(long, value_name = "FILE", help_heading = RUN)]
    pub from: Option<PathBuf>,
    /// How many times to go through all positions
    #[arg(long, value_name = "N", help_heading = RUN, default_value_t = 40, value_parser = value_parser!(u32).range(1..))]
    pub epochs: u32,
    /// Positions in a batch; 0 means 256 to 16384, depending on the size of the training set
    #[arg(long, value_name = "N", help_heading = LEARNING, default_value_t = 0)]
    pub batch: u32,
    /// Learning rate at the beginning
    #[arg(long, help_heading = LEARNING, default_value_t = 1e-3, value_parser = rate)]
    pub rate: f32,
    /// Learning rate at the end; the rate falls to it along a cosine
    #[arg(long, value_name = "RATE", help_heading = LEARNING, default_value_t = 2.7e-5, value_parser = share)]
    pub last_rate: f32,
    /// Share of the run, at its end, over which to average the weights, 0 to 1; 0 takes the last weights
    #[arg(long = "average", value_name = "SHARE", help_heading = LEARNING, default_value_t = 0.0, value_parser = share)]
    #[serde(rename = "average")]
    pub swa: f32,
    /// Weight of the game's result against the score, 0 to 1; results overfit quickly, so a larger weight needs many
    /// more games, or a low learning rate and two epochs
    #[arg(long, help_heading = TARGET, default_value_t = 0.0, value_parser = share)]
    pub lambda: f32,
    /// How far to move each score towards that of the next position, 0 to 1, going back from the end of the game; this
    /// averages out the noise of short searches
    #[arg(long, value_name = "LAMBDA", help_heading = TARGET, default_value_t = 0.0, value_parser = share)]
    pub td_lambda: f32,
    /// Train on at most N positions a game, chosen at random; the positions of a game are so much alike that a third of
    /// them teaches as much as all [default: all]
    #[arg(long, value_name = "N", help_heading = TARGET, value_parser = value_parser!(u32).range(1..))]
    pub per_game: Option<u32>,
    /// Leave out the positions from the search tree; for a last stage at a low learning rate on hundreds of thousands
    /// of games, since with fewer the network overfits
    #[arg(long, help_heading = TARGET)]
    pub games_only: bool,
    /// Learning rate of the handcrafted layer, as a multiple of the rate of the other layers
    #[arg(long, value_name = "FACTOR", help_heading = LEARNING, default_value_t = 1.0, value_parser = factor)]
    pub handcrafted_rate: f32,
    /// Score, in centipawns, at which the side to move gets 73 % of the points; enroque-learn data info measures it
    #[arg(long, help_heading = TARGET, default_value_t = SCALE as f32, value_parser = scale)]
    pub scale: f32,
    /// Seed for the initial weights and the order of positions
    #[arg(long, help_heading = RUN, default_value_t = 1)]
    pub seed: u64,
}

fn number(text: &str, expected: &str, is_allowed: impl FnOnce(f32) -> bool) -> Result<f32, String> {
    let number = text.parse().ok().filter(|&number| is_allowed(number));
    number.ok_or_else(|| format!("expected {expected}"))
}

fn share(text: &str) -> Result<f32, String> {
    number(text, "a number from 0 to 1", |share| (0.0..=1.0).contains(&share))
}

fn rate(text: &str) -> Result<f32, String> {
    number(text, "a learning rate above 0 and at most 1", |rate| 0.0 < rate && rate <= 1.0)
}

fn factor(text: &str) -> Result<f32, String> {
    number(text, "a factor above 0 and at most 1000", |factor| 0.0 < factor && factor <= 1000.0)
}

/// Parses `--scale`. We refuse scales above 10,000, which would turn nearly every score into an even chance.
fn scale(text: &str) -> Result<f32, String> {
    number(text, "centipawns from 1 to 10000", |scale| (1.0..=10_000.0).contains(&scale))
}

/// With `--batch 0` we aim at this many steps per epoch. With far fewer steps, a network learns little from few games.
const STEPS: usize = 200;
/// With `--batch 0` the batch size stays in this range, in positions.
const BATCHES: std::ops::RangeInclusive<usize> = 256..=16_384;

impl Hyperparameters {
    pub fn batch_for(&self, samples: usize) -> usize {
        match self.batch {
            0 => (samples / STEPS).next_power_of_two().clamp(*BATCHES.start(), *BATCHES.end()),
            batch => batch as usize,
        }
    }

    pub fn target(&self) -> Target {
        Target { lambda: self.lambda, scale: self.scale }
    }

    /// Follows a cosine from `rate` to `last_rate`. `done` is the share of the run that is over, 0 to 1.
    pub fn learning_rate(&self, done: f32) -> f32 {
        let cosine = (1.0 + (std::f32::consts::PI * done).cos()) / 2.0;
        self.last_rate + (self.rate - self.last_rate) * cosine
    }

    /// Whether a run with these settings may continue a run with the `previous` ones. Only the length, the learning
    /// rates, averaging and lambda may differ, and the run must not get shorter.
    pub fn extends(&self, previous: &Self) -> bool {
        let Self { epochs, rate, last_rate, swa, lambda, .. } = *self;
        let comparable = Self { epochs, rate, last_rate, swa, lambda, ..previous.clone() };
        *self == comparable && epochs >= previous.epochs
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        hyperparameters: Hyperparameters,
    }

    impl Hyperparameters {
        pub fn parse(options: &[&str]) -> Self {
            Line::parse_from([&["train", "g.gz"], options].concat()).hyperparameters
        }
    }
}
