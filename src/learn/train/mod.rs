//! `train`: from files of games to a network, on the CPU.

mod adamw;
mod checkpoint;
mod gradient;
mod handcrafted;
mod model;
pub mod samples;
mod swa;
pub mod target;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::learn::games::store::StoreError;
use crate::learn::train::checkpoint::Checkpoint;
use crate::learn::train::gradient::Gradient;
use crate::learn::train::handcrafted::Normalisation;
use crate::learn::train::model::{Model, QuantisedHidden};
use crate::learn::train::samples::{Sample, Samples, shuffle};
use crate::learn::train::swa::Average;
use crate::learn::train::target::{Returns, Target};
use crate::nnue::{HandcraftedLayer, L1, Network, NetworkError, OUTPUT_BUCKETS, Row, SCALE};
use crate::terminal::eprint_line;
use crate::terminal::progress::Progress;
use crate::util::files::{self, LockedFile};
use crate::util::mean;
use crate::util::random::Random;

/// What decides how a network turns out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Hyperparameters {
    /// Files of games.
    pub games: Vec<PathBuf>,
    /// File of the network to begin with; random weights when `None`.
    #[serde(default)]
    pub from: Option<PathBuf>,
    /// Times that each position is seen.
    pub epochs: u32,
    /// Positions of a step; 0 stands for a number that suits the size of the data.
    pub batch: u32,
    /// Learning rate at first.
    pub rate: f32,
    /// Learning rate at last, on a cosine.
    pub last_rate: f32,
    /// Last share of the run over which the weights are averaged, 0 to 1; with 0 the network has those of the end.
    #[serde(default)]
    pub average: f32,
    /// Weight of the game's result beside the score at first, 0 to 1.
    pub lambda: f32,
    /// The same at last.
    pub last_lambda: f32,
    /// The same in endgames, where it is another; above 0 what searches saw of them is left out, since it has no result.
    #[serde(default)]
    pub endgame_lambda: Option<f32>,
    /// Weight of the scores of the moves after a position beside its own, 0 to 1: see [`Returns`].
    #[serde(default)]
    pub td_lambda: f32,
    /// What searches saw is left out.
    #[serde(default)]
    pub games_only: bool,
    /// Centipawns of the games' scores that mean a 73 % expectation.
    pub scale: f32,
    /// Seed of the order of positions and of the first weights.
    pub seed: u64,
}

/// Why no network came out.
#[derive(Debug, Error)]
pub enum TrainError {
    /// A file of games.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Nothing to learn from.
    #[error("no usable positions in {games} games: expected quiet ones from move 9 on")]
    Empty {
        /// Games read.
        games: u64,
    },
    /// A file that training writes.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: io::Error,
    },
    /// The same file is to be read and written.
    #[error("{}: would be read and written at the same time; the network to write comes first, then the games", .0.display())]
    Clash(PathBuf),
    /// A name that something else has.
    #[error("{}: the log and the checkpoint have such a name; call the network NAME.nnue", .0.display())]
    Extension(PathBuf),
    /// An earlier run that went otherwise.
    #[error(
        "{}: left by a run with other settings; remove it to begin anew, or go on for more epochs of the same with \
         --continue", .0.display()
    )]
    OtherSettings(PathBuf),
    /// The network to begin with.
    #[error("{}: {reason}", path.display())]
    Network {
        /// Its file.
        path: PathBuf,
        /// What is wrong.
        reason: NetworkError,
    },
    /// No threads.
    #[error("cannot start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

fn at(path: &Path) -> impl Fn(io::Error) -> TrainError + '_ {
    move |reason| TrainError::File { path: path.to_owned(), reason }
}

impl Hyperparameters {
    /// The positions of a step for so many training samples.
    fn batch_for(&self, samples: usize) -> usize {
        match self.batch {
            0 => (samples / STEPS).next_power_of_two().clamp(*BATCHES.start(), *BATCHES.end()),
            batch => batch as usize,
        }
    }

    /// What positions are worth once so much of the run is done, 0 to 1.
    fn target(&self, share_done: f32) -> Target {
        let lambda = self.lambda + (self.last_lambda - self.lambda) * share_done;
        Target { lambda, endgame_lambda: self.endgame_lambda.unwrap_or(lambda), scale: self.scale }
    }

    /// Whether what the searches saw of this position is learnt from.
    fn is_wanted(&self, seen: &Sample) -> bool {
        self.endgame_lambda.is_none_or(|lambda| lambda == 0.0) || !seen.is_endgame()
    }

    /// Whether a run with these may go on after one with `earlier`: only its length, its rates and what is averaged may
    /// differ.
    fn continues(&self, earlier: &Self) -> bool {
        let Self { epochs, rate, last_rate, average, lambda, last_lambda, .. } = *self;
        let alike = Self { epochs, rate, last_rate, average, lambda, last_lambda, ..earlier.clone() };
        *self == alike && epochs >= earlier.epochs
    }
}

/// Trains a network on `threads` threads, 0 for all cores, and writes it to `output`, beside it a log and checkpoints.
/// With `resume` a run of fewer epochs is gone on with.
///
/// # Errors
/// When games cannot be read or results not be written.
pub fn run(
    output: &Path,
    hyperparameters: Hyperparameters,
    threads: usize,
    resume: bool,
) -> Result<(), TrainError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    pool.install(|| Training::new(hyperparameters, output, resume)?.run())
}

fn load_network(path: &Path) -> Result<Network, TrainError> {
    Network::load(path).map_err(|reason| TrainError::Network { path: path.to_owned(), reason })
}

impl Checkpoint {
    /// What training begins with on these samples: the parameters of `from`, or random ones.
    fn first(hyperparameters: Hyperparameters, from: Option<&Network>, samples: &[Sample]) -> Self {
        let normalisation = Normalisation::of(samples);
        let seed = hyperparameters.seed;
        let parameters = from.map_or_else(
            || model::random_parameters(seed),
            |network| {
                let mut parameters = model::parameters_of(network, &normalisation);
                model::reinit_dead_neurons(&mut parameters, seed);
                parameters
            },
        );
        Self {
            hyperparameters,
            handcrafted_lr_multiplier: from.map_or(1.0, handcrafted_lr_multiplier),
            normalisation,
            epochs: 0,
            parameters,
            optimiser: Default::default(),
            average: Average::default(),
        }
    }
}

/// A network from before there was a handcrafted layer learns it anew, at rates at which all else hardly moves: eight times
/// faster its held-out loss came to 0.005147, three times to 0.005171, as fast as all else to 0.005230 (7.3 million
/// positions, 5 epochs from 2e-4); where all is learnt anew, that is too fast.
fn handcrafted_lr_multiplier(from: &Network) -> f32 {
    if from.handcrafted == HandcraftedLayer::zero() { 8.0 } else { 1.0 }
}

/// A run of training.
struct Training<'a> {
    state: Checkpoint,
    samples: Samples,
    output: &'a Path,
    /// A line of losses an epoch; held open so that no second run writes to the same files.
    log: LockedFile,
    /// One for each thread.
    gradients: Vec<Gradient>,
}

/// The training samples are shuffled again each epoch in blocks of so many, at most.
const BLOCK: usize = 1024;
/// Blocks of a step, at least, so that its positions are a good mixture and all threads have work.
const BLOCKS: usize = 16;

/// Steps that an epoch should have: with many fewer a network of few games hardly learns.
const STEPS: usize = 200;
/// Positions of a step, where they follow the size of the data.
const BATCHES: std::ops::RangeInclusive<usize> = 256..=16_384;

impl<'a> Training<'a> {
    fn new(hyperparameters: Hyperparameters, output: &'a Path, resume: bool) -> Result<Self, TrainError> {
        check_outputs(output, &hyperparameters)?;
        let checkpoint = Checkpoint::path(output);
        let earlier = match Checkpoint::load(&checkpoint).map_err(at(&checkpoint))? {
            Some(state) if state.hyperparameters == hyperparameters => Some(state),
            Some(state) if resume && hyperparameters.continues(&state.hyperparameters) => {
                Some(Checkpoint { hyperparameters: hyperparameters.clone(), ..state })
            }
            Some(_) => return Err(TrainError::OtherSettings(checkpoint)),
            None => None,
        };
        // A run that goes on does not need the network that it began with.
        let from =
            hyperparameters.from.as_deref().filter(|_| earlier.is_none()).map(load_network).transpose()?;
        let log = log_path(output);
        let log = open_log(&log, earlier.as_ref().map_or(0, |state| state.epochs)).map_err(at(&log))?;
        let mut progress = Progress::new(0, "games read", 0);
        let is_wanted =
            (!hyperparameters.games_only).then_some(|seen: &Sample| hyperparameters.is_wanted(seen));
        let Hyperparameters { ref games, seed, td_lambda, scale, .. } = hyperparameters;
        let samples = Samples::load(games, seed, Returns { td_lambda, scale }, is_wanted, |games| {
            progress.set(games, String::new);
        })?;
        progress.finish();
        if samples.training.is_empty() {
            return Err(TrainError::Empty { games: samples.games });
        }
        eprint_line(&format!(
            "{} games, {} positions: {} to learn from, {} of them inside the tree, {} held out; {L1} hidden neurons, \
             {OUTPUT_BUCKETS} outputs; {} positions a step",
            samples.games,
            samples.positions,
            samples.training.len(),
            samples.from_tree,
            samples.held_out.len(),
            hyperparameters.batch_for(samples.training.len())
        ));
        let state =
            earlier.unwrap_or_else(|| Checkpoint::first(hyperparameters, from.as_ref(), &samples.training));
        let gradients = (0..rayon::current_num_threads()).map(|_| Gradient::default()).collect();
        Ok(Self { state, samples, output, log, gradients })
    }

    fn run(mut self) -> Result<(), TrainError> {
        let Hyperparameters { epochs, seed, .. } = self.state.hyperparameters;
        let per_epoch = self.samples.training.len() as u64;
        let earlier = u64::from(self.state.epochs) * per_epoch;
        let mut progress = Progress::new(u64::from(epochs) * per_epoch, "positions", earlier);
        let checkpoint = Checkpoint::path(self.output);
        while self.state.epochs < epochs {
            // A run that is taken up again sees the same order.
            let mut random = Random::new(seed ^ u64::from(self.state.epochs + 1) << 32);
            let (loss, rate) = self.epoch(&mut random, &mut progress);
            self.state.epochs += 1;
            let held_out = self.held_out_loss();
            let speed = progress.speed(u64::from(self.state.epochs) * per_epoch);
            progress.eprint_line(&format!(
                "epoch {:>3}/{epochs}  loss {loss:.6}  held out {held_out:.6}  rate {rate:.1e}  {speed:.0} positions/s",
                self.state.epochs
            ));
            self.write_log(loss, held_out, rate, speed)?;
            self.state.save(&checkpoint).map_err(at(&checkpoint))?;
        }
        progress.finish();
        let network = model::quantise(self.state.outcome(), &self.state.normalisation);
        files::replace(self.output, &network.to_bytes()).map_err(at(self.output))?;
        let errors = self.quantisation_errors(&network);
        let (mean, most) = (mean(&errors), errors.iter().copied().fold(0.0, f64::max));
        eprint_line(&format!(
            "{0}: {1} epochs; quantised, off by {mean:.1} centipawns on average, {most:.0} at most\n\
             try it: enroque match {0}        play with it: setoption name EvalFile value {0}",
            self.output.display(),
            epochs
        ));
        Ok(())
    }

    /// How far the run is, 0 to 1, after `done` positions of this epoch.
    fn share_done(&self, done: usize) -> f32 {
        let epochs = self.state.epochs as f32 + done as f32 / self.samples.training.len() as f32;
        epochs / self.state.hyperparameters.epochs as f32
    }

    /// Positions of a step.
    fn batch(&self) -> usize {
        self.state.hyperparameters.batch_for(self.samples.training.len())
    }

    /// One pass over the training samples; gives the mean loss and the last learning rate.
    fn epoch(&mut self, random: &mut Random, progress: &mut Progress) -> (f64, f32) {
        let batch = self.batch();
        let block = (batch / BLOCKS).clamp(1, BLOCK);
        let mut blocks: Vec<usize> = (0..self.samples.training.len()).step_by(block).collect();
        shuffle(&mut blocks, random);
        let per_batch = batch.div_ceil(block);
        let (mut done, mut loss, mut rate) = (0, 0.0, 0.0);
        let before = u64::from(self.state.epochs) * self.samples.training.len() as u64;
        for blocks in blocks.chunks(per_batch) {
            let batch: Vec<&[Sample]> = blocks
                .iter()
                .map(|&begin| {
                    let end = (begin + block).min(self.samples.training.len());
                    &self.samples.training[begin..end]
                })
                .collect();
            let count = batch.iter().map(|block| block.len()).sum();
            let target = self.state.hyperparameters.target(self.share_done(done));
            let Hyperparameters { rate: first_rate, last_rate, .. } = self.state.hyperparameters;
            let cosine = (1.0 + (std::f32::consts::PI * self.share_done(done)).cos()) / 2.0;
            rate = last_rate + (first_rate - last_rate) * cosine;
            let hidden = QuantisedHidden::new(&self.state.parameters);
            let model = Model {
                parameters: &self.state.parameters,
                hidden: &hidden,
                normalisation: &self.state.normalisation,
            };
            // Each thread has its share of blocks, the same in every run.
            let share = batch.len().div_ceil(self.gradients.len());
            self.gradients.par_iter_mut().zip(batch.par_chunks(share)).for_each(|(gradient, blocks)| {
                for block in blocks {
                    gradient.add(model, block, target);
                }
            });
            loss += self.take_loss();
            self.state.optimiser.step(
                &mut self.state.parameters,
                &mut self.gradients,
                count,
                rate,
                self.state.handcrafted_lr_multiplier,
            );
            done += count;
            self.average(done);
            progress.set(before + done as u64, || format!("loss {:.6}", loss / done as f64));
        }
        (loss / done.max(1) as f64, rate)
    }

    /// Takes the weights after `done` positions of this epoch into the mean, if they belong to it.
    fn average(&mut self, done: usize) {
        if self.share_done(done) > 1.0 - self.state.hyperparameters.average {
            self.state.average.add(&self.state.parameters);
        } else {
            self.state.average = Average::default();
        }
    }

    fn take_loss(&mut self) -> f64 {
        self.gradients.iter_mut().map(|gradient| std::mem::take(&mut gradient.loss)).sum()
    }

    /// The mean loss on the games that training does not see, for the target of this moment.
    fn held_out_loss(&mut self) -> f64 {
        let target = self.state.hyperparameters.target(self.share_done(0));
        let parameters = self.state.outcome();
        let hidden = QuantisedHidden::new(parameters);
        let model = Model { parameters, hidden: &hidden, normalisation: &self.state.normalisation };
        let share = self.samples.held_out.len().div_ceil(self.gradients.len()).max(1);
        let held_out = &self.samples.held_out;
        self.gradients
            .par_iter_mut()
            .zip(held_out.par_chunks(share))
            .for_each(|(gradient, samples)| gradient.add_loss(model, samples, target));
        let count = held_out.len().max(1);
        self.take_loss() / count as f64
    }

    /// By how much quantising changes the evaluations of positions, centipawns each.
    fn quantisation_errors(&mut self, quantised: &Network) -> Vec<f64> {
        const ENOUGH: usize = 100_000;
        let samples = &self.samples.training[..self.samples.training.len().min(ENOUGH)];
        let mut errors = Vec::with_capacity(samples.len());
        let parameters = self.state.outcome();
        let hidden = QuantisedHidden::new(parameters);
        let model = Model { parameters, hidden: &hidden, normalisation: &self.state.normalisation };
        self.gradients[0].outputs(model, samples, |sample, output| {
            let exact = f64::from(output) * f64::from(SCALE);
            errors.push((exact - f64::from(evaluate(quantised, sample))).abs());
        });
        errors
    }

    /// Adds an epoch to the log.
    fn write_log(&mut self, loss: f64, held_out: f64, rate: f32, speed: f64) -> Result<(), TrainError> {
        let row = format!("{},{loss:.7},{held_out:.7},{rate:.3e},{speed:.0}\n", self.state.epochs);
        self.log.write_all(row.as_bytes()).map_err(at(&log_path(self.output)))
    }
}

/// Where the log of the network file `output` is.
fn log_path(output: &Path) -> PathBuf {
    output.with_extension("csv")
}

const LOG_HEADER: &str = "epoch,loss,held_out_loss,rate,positions_per_second\n";

/// Opens the log, for this process alone, with what it says of the first `epochs` epochs: a run that was killed may have
/// written of one more.
fn open_log(path: &Path, epochs: u32) -> io::Result<LockedFile> {
    let mut log = LockedFile::open(path)?;
    let old = log.read_all()?;
    let rows = old.strip_prefix(LOG_HEADER.as_bytes()).unwrap_or_default();
    let of_epochs = rows.split_inclusive(|&byte| byte == b'\n').take(epochs as usize);
    let length: usize = of_epochs.filter(|row| row.ends_with(b"\n")).map(<[u8]>::len).sum();
    let kept = [LOG_HEADER.as_bytes(), &rows[..length]].concat();
    log.truncate(0)?;
    log.write_all(&kept)?;
    Ok(log)
}

/// Checks that what training writes destroys nothing.
fn check_outputs(output: &Path, hyperparameters: &Hyperparameters) -> Result<(), TrainError> {
    let (log, checkpoint) = (log_path(output), Checkpoint::path(output));
    let outputs = [output, &log, &checkpoint];
    let inputs = hyperparameters.games.iter().chain(&hyperparameters.from);
    let taken = |path: &&&Path| inputs.clone().any(|input| files::is_same_file(input, path));
    if let Some(path) = outputs.iter().find(taken) {
        return Err(TrainError::Clash((*path).to_owned()));
    }
    if outputs[1..].contains(&output) {
        return Err(TrainError::Extension(output.to_owned()));
    }
    let header = LOG_HEADER.as_bytes();
    let is_log = |bytes: &[u8]| bytes.starts_with(header) || header.starts_with(bytes);
    files::ensure_overwritable(output, Network::is_beginning).map_err(at(output))?;
    files::ensure_overwritable(&log, is_log).map_err(at(&log))?;
    files::ensure_overwritable(&checkpoint, Checkpoint::is_beginning).map_err(at(&checkpoint))
}

/// What the engine's network says of a sample, centipawns for the side to move.
fn evaluate(network: &Network, sample: &Sample) -> i32 {
    let mut sums = [network.feature_bias; 2];
    for inputs in sample.features() {
        for (sums, input) in sums.iter_mut().zip(inputs) {
            add(sums, &network.feature_weights[usize::from(input)]);
        }
    }
    network.output(&sums[0], &sums[1], &sample.handcrafted_inputs(), sample.pieces())
}

fn add(sums: &mut Row, weights: &Row) {
    for (sum, weight) in sums.0.iter_mut().zip(weights.0) {
        *sum += weight;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endgames_have_the_weight_of_all_unless_they_have_their_own() {
        let hyperparameters = |endgame_lambda: &str| -> Hyperparameters {
            let text = format!(
                r#"{{"games": [], "epochs": 2, "batch": 0, "rate": 1, "last_rate": 1, "lambda": 0.25,
                    "last_lambda": 0.75, "scale": 220, "seed": 1{endgame_lambda}}}"#
            );
            serde_json::from_str(&text).unwrap()
        };
        let weights = |endgame_lambda, share_done| {
            let Target { lambda, endgame_lambda, .. } = hyperparameters(endgame_lambda).target(share_done);
            (lambda, endgame_lambda)
        };
        assert_eq!(weights("", 0.5), (0.5, 0.5));
        assert_eq!(weights(r#", "endgame_lambda": 0"#, 0.5), (0.5, 0.0));
        assert_eq!(weights(r#", "endgame_lambda": 0.4"#, 1.0), (0.75, 0.4));
    }
}
