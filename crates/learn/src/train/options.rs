//! Arguments and hyperparameters of `train`.

use std::path::PathBuf;

use clap::{Args, value_parser};
use serde::{Deserialize, Serialize};

use crate::games::sample::Sample;
use crate::train::target::Target;
use enroque::nnue::SCALE;

/// Train a network on games of self-play
#[derive(Args, Debug)]
#[command(after_help = "\
The command also writes NETWORK.csv, a log with the losses of each epoch, and NETWORK.checkpoint. After an interruption \
the same command resumes from the checkpoint.

Examples:
  enroque-learn train first.nnue games.gz --epochs 10
  enroque-learn train g2.nnue g1.gz g2.gz --epochs 30 --scale 235
  enroque-learn train g3.nnue g3.gz --from g2.nnue --epochs 8 --rate 0.0002
  enroque-learn train last.nnue g3.gz --from g3.nnue --games-only --epochs 2 \\
      --rate 0.00008 --lambda 0.3 --td-lambda 0.8 --average 0.5
  enroque-learn train first.nnue games.gz --epochs 20 --continue          ten more
  enroque 'setoption name EvalFile value first.nnue' 'go depth 12'")]
pub struct Arguments {
    /// Network file to write
    pub network: PathBuf,
    /// Hyperparameters of the run
    #[command(flatten)]
    pub hyperparameters: Hyperparameters,
    /// Continue a finished run of fewer epochs on the same games, with the learning rates of the longer run
    #[arg(long = "continue")]
    pub resume: bool,
    /// Threads; all cores by default
    #[arg(long, value_name = "N", value_parser = enroque_runs::parallel::parse_threads)]
    pub threads: Option<usize>,
}

// The documentation of the fields is the help text of the options. The struct has none: clap would take it for that of the
// command.
#[allow(missing_docs)]
#[derive(Args, Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Hyperparameters {
    /// Files of games, from `datagen`
    #[arg(required = true)]
    pub games: Vec<PathBuf>,
    /// Initial network, as wide as the program's or narrower; random weights by default
    #[arg(long, value_name = "FILE")]
    pub from: Option<PathBuf>,
    /// Epochs: passes over the training set
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = value_parser!(u32).range(1..))]
    pub epochs: u32,
    /// Batch size in positions; 0 chooses 256 to 16384 by the size of the training set
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub batch: u32,
    /// Initial learning rate
    #[arg(long, default_value_t = 1e-3, value_parser = rate)]
    pub rate: f32,
    /// Final learning rate of the cosine schedule
    #[arg(long, default_value_t = 2.7e-5, value_parser = last_rate)]
    pub last_rate: f32,
    /// Last share of the run, 0 to 1, with stochastic weight averaging; 0 keeps the weights of the last step
    #[arg(long = "average", value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    #[serde(rename = "average")]
    pub swa: f32,
    /// Weight of the game's result against the score, 0 to 1; a larger weight needs many more games, or a low learning
    /// rate and two epochs, because results overfit quickly
    #[arg(long, default_value_t = 0.0, value_parser = share)]
    pub lambda: f32,
    /// Final weight of the game's result, reached linearly; the same as --lambda by default
    #[arg(long, value_parser = share)]
    pub last_lambda: Option<f32>,
    /// Weight of the game's result with at most ten pieces on the board; the same as elsewhere by default. Above 0 such
    /// tree positions are skipped, because they have no result
    #[arg(long, value_name = "LAMBDA", value_parser = share)]
    pub endgame_lambda: Option<f32>,
    /// TD(lambda): weight of the next position's score in that of a position, 0 to 1, recursively; reduces the noise of
    /// scores of short searches
    #[arg(long, value_name = "LAMBDA", default_value_t = 0.0, value_parser = share)]
    pub td_lambda: f32,
    /// Train on the positions of the games only, without tree positions; for a last stage at a low learning rate with
    /// hundreds of thousands of games, since fewer overfit
    #[arg(long)]
    pub games_only: bool,
    /// Factor of the learning rates of the handcrafted layer; 8 by default if the initial network lacks that layer, else 1
    #[arg(long, value_name = "FACTOR", value_parser = factor)]
    pub handcrafted_rate: Option<f32>,
    /// Scale of the games' scores: centipawns with a 73 % expectation
    #[arg(long, default_value_t = SCALE as f32, value_parser = scale)]
    pub scale: f32,
    /// Seed of the initial weights and of the order of positions
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Maximum factor of the learning rates of the handcrafted layer.
const MAX_FACTOR: f32 = 1000.0;

/// Maximum scale, centipawns: with a larger one hardly any score differs from 0.
const MAX_SCALE: f32 = 10_000.0;

/// Parses a number that `is_allowed` accepts.
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

fn last_rate(text: &str) -> Result<f32, String> {
    number(text, "a learning rate from 0 to 1", |rate| (0.0..=1.0).contains(&rate))
}

fn factor(text: &str) -> Result<f32, String> {
    number(text, "a factor above 0 and at most 1000", |factor| 0.0 < factor && factor <= MAX_FACTOR)
}

fn scale(text: &str) -> Result<f32, String> {
    number(text, "centipawns from 1 to 10000", |scale| (1.0..=MAX_SCALE).contains(&scale))
}

/// Steps of an epoch with an automatic batch size: with far fewer a network hardly learns from few games.
const STEPS: usize = 200;
/// Automatic batch sizes, positions.
const BATCHES: std::ops::RangeInclusive<usize> = 256..=16_384;

impl Hyperparameters {
    /// Replaces `last_lambda` by its default, so that equal runs have equal hyperparameters.
    pub fn resolved(mut self) -> Self {
        self.last_lambda.get_or_insert(self.lambda);
        self
    }

    pub fn batch_for(&self, samples: usize) -> usize {
        match self.batch {
            0 => (samples / STEPS).next_power_of_two().clamp(*BATCHES.start(), *BATCHES.end()),
            batch => batch as usize,
        }
    }

    /// Returns the training target after the share `done` of the run, 0 to 1.
    pub fn target(&self, done: f32) -> Target {
        let last_lambda = self.last_lambda.unwrap_or(self.lambda);
        let lambda = self.lambda + (last_lambda - self.lambda) * done;
        Target { lambda, endgame_lambda: self.endgame_lambda.unwrap_or(lambda), scale: self.scale }
    }

    /// Returns the learning rate after the share `done` of the run, 0 to 1, by a cosine schedule.
    pub fn learning_rate(&self, done: f32) -> f32 {
        let cosine = (1.0 + (std::f32::consts::PI * done).cos()) / 2.0;
        self.last_rate + (self.rate - self.last_rate) * cosine
    }

    /// Whether we train on a sample from inside the search tree.
    pub fn uses_tree_sample(&self, sample: &Sample) -> bool {
        self.endgame_lambda.is_none_or(|lambda| lambda == 0.0) || !sample.is_endgame()
    }

    /// Whether a run may continue one with `previous`: only length, schedules and weight averaging may differ.
    pub fn extends(&self, previous: &Self) -> bool {
        let Self { epochs, rate, last_rate, swa, lambda, last_lambda, .. } = *self;
        let comparable = Self { epochs, rate, last_rate, swa, lambda, last_lambda, ..previous.clone() };
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
        /// Returns the hyperparameters of `train` with these options.
        pub fn parse(options: &[&str]) -> Self {
            Line::parse_from([&["train", "g.gz"], options].concat()).hyperparameters
        }
    }

    #[test]
    fn endgame_lambda_defaults_to_lambda() {
        let weights = |options: &[&str], done| {
            let options = [&["--lambda", "0.25", "--last-lambda", "0.75"], options].concat();
            let Target { lambda, endgame_lambda, .. } = Hyperparameters::parse(&options).target(done);
            (lambda, endgame_lambda)
        };
        assert_eq!(weights(&[], 0.5), (0.5, 0.5));
        assert_eq!(weights(&["--endgame-lambda", "0"], 0.5), (0.5, 0.0));
        assert_eq!(weights(&["--endgame-lambda", "0.4"], 1.0), (0.75, 0.4));
    }
}
