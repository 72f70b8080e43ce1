//! `train` trains a network on game files, on the CPU. Start with `Training`, the training loop.

mod arguments;
pub mod checkpoint;
mod gradient;
mod handcrafted;
mod layout;
mod model;
mod optimiser;
mod samples;
pub mod target;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use rayon::prelude::*;

pub use self::arguments::{Arguments, Hyperparameters};
use self::checkpoint::{Checkpoint, Log};
use self::gradient::Gradient;
use self::model::Model;
use self::optimiser::WeightAverage;
use self::samples::{Samples, shuffle};
use crate::games::GameReader;
use crate::network;
use crate::sample::{Sample, tree};
use enroque::nnue::Network;
use enroque::nnue::architecture::{L1, OUTPUT_BUCKETS};
use enroque::terminal::eprint_line;
use enroque::util::random::Random;
use enroque_runs::files::{self, AtPath};
use enroque_runs::progress::Progress;

/// Trains a network and writes it to a file, along with a log and a checkpoint.
pub fn run(arguments: Arguments) -> Result<()> {
    let Arguments { network, hyperparameters, resume, threads } = arguments;
    // If we ask Rayon for 0 threads, it starts one for each core.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build();
    pool.context("cannot start the threads")?
        .install(|| Training::new(hyperparameters, &network, resume)?.run())
}

struct Training<'a> {
    state: Checkpoint,
    samples: Samples,
    output: &'a Path,
    log: Log,
    /// One for each thread, which sums up the gradients of its share of a batch.
    gradients: Vec<Gradient>,
}

/// Each epoch shuffles blocks of at most this many positions. Single positions were shuffled when we loaded them.
const MAX_BLOCK: usize = 1024;
/// A batch has at least this many blocks, so that its positions are well mixed and all threads are busy.
const MIN_BLOCKS: usize = 16;

impl<'a> Training<'a> {
    /// Loads the samples, and the checkpoint if there is one. With `resume` the checkpoint can come from a run of fewer
    /// epochs.
    fn new(hyperparameters: Hyperparameters, output: &'a Path, resume: bool) -> Result<Self> {
        check_outputs(output, &hyperparameters)?;
        // If a game file cannot be opened, we say so before we write anything.
        hyperparameters.games.iter().try_for_each(|games| GameReader::open(games).map(drop))?;
        let checkpoint = Checkpoint::path(output);
        let previous = match Checkpoint::load(&checkpoint).at(&checkpoint)? {
            Some(state) if state.hyperparameters == hyperparameters => Some(state),
            Some(state) if resume && hyperparameters.extends(&state.hyperparameters) => {
                // In a longer run averaging begins later, so we drop the old average.
                let swa = WeightAverage::default();
                Some(Checkpoint { hyperparameters: hyperparameters.clone(), swa, ..state })
            }
            Some(_) => bail!(
                "{}: belongs to a run with other settings; remove it to start a new run, or add epochs to that run with \
                 --continue",
                checkpoint.display()
            ),
            None => None,
        };
        // A resumed run takes its weights from the checkpoint, so the file of the initial network may be gone.
        let from = match hyperparameters.from.as_deref() {
            Some(from) if previous.is_none() => Some(network::load(Some(from))?),
            _ => None,
        };
        let epochs = previous.as_ref().map_or(0, |state| state.epochs);
        let log = Log::open(&Log::path(output), epochs)?;
        let samples = Samples::load(&hyperparameters)?;
        ensure!(
            !samples.training.is_empty(),
            "no position in {} games to learn from: it must be quiet, undecided, and from move 9 or later",
            samples.games
        );
        eprint_line(&format!(
            "{} games, {} positions\n\
             {} to learn from, {} of them inside the tree, {} held out\n\
             {L1} hidden neurons, {OUTPUT_BUCKETS} outputs, batches of {} positions",
            samples.games,
            samples.positions,
            samples.training.len(),
            samples.from_tree,
            samples.held_out.len(),
            hyperparameters.batch_for(samples.training.len())
        ));
        let state = previous
            .unwrap_or_else(|| Checkpoint::initial(hyperparameters, from.as_deref(), &samples.training));
        let gradients = (0..rayon::current_num_threads()).map(|_| Gradient::default()).collect();
        Ok(Self { state, samples, output, log, gradients })
    }

    fn run(mut self) -> Result<()> {
        let Hyperparameters { epochs, seed, .. } = self.state.hyperparameters;
        let per_epoch = self.samples.training.len() as u64;
        let done = u64::from(self.state.epochs) * per_epoch;
        let mut progress = Progress::new(u64::from(epochs) * per_epoch, "positions", done);
        let checkpoint = Checkpoint::path(self.output);
        if self.state.epochs >= epochs {
            eprint_line(&format!(
                "{}: this run has finished; raise --epochs and add --continue, or choose another output file",
                checkpoint.display()
            ));
        }
        while self.state.epochs < epochs {
            // Each epoch has its own seed, so that a resumed run shuffles the blocks as an uninterrupted one would.
            let mut random = Random::new(seed ^ u64::from(self.state.epochs + 1) << 32);
            let (loss, rate) = self.epoch(&mut random, &mut progress);
            self.state.epochs += 1;
            let epoch = self.state.epochs;
            let held_out = self.held_out_loss();
            let speed = progress.speed(u64::from(epoch) * per_epoch);
            let shown = held_out.map_or_else(|| "-".to_owned(), |loss| format!("{loss:.6}"));
            progress.eprint_line(&format!(
                "epoch {epoch:>3}/{epochs}  loss {loss:.6}  held out {shown:>8}  rate {rate:.1e}  \
                 {speed:.0} positions/s"
            ));
            self.log.add(epoch, loss, held_out, rate, speed)?;
            self.state.save(&checkpoint).at(&checkpoint)?;
        }
        progress.finish();
        let network = model::quantise(self.state.result(), &self.state.normalisation);
        files::replace(self.output, &network.to_bytes()).at(self.output)?;
        eprint_line(&format!(
            "{0}: {1} epochs\n\
             try it: enroque-learn match {0}\n\
             play with it: setoption name EvalFile value {0}",
            self.output.display(),
            epochs
        ));
        Ok(())
    }

    /// Returns which share of the run, 0 to 1, is done after `done` positions of this epoch.
    fn share_done(&self, done: usize) -> f32 {
        let epochs = self.state.epochs as f32 + done as f32 / self.samples.training.len() as f32;
        epochs / self.state.hyperparameters.epochs as f32
    }

    /// Trains for one epoch. Returns its mean loss, and the learning rate of its last step.
    fn epoch(&mut self, random: &mut Random, progress: &mut Progress) -> (f64, f32) {
        let batch_size = self.state.hyperparameters.batch_for(self.samples.training.len());
        let block = (batch_size / MIN_BLOCKS).clamp(1, MAX_BLOCK);
        let mut blocks: Vec<usize> = (0..self.samples.training.len()).step_by(block).collect();
        shuffle(&mut blocks, random);
        let blocks_per_batch = batch_size.div_ceil(block);
        let (mut done, mut loss, mut rate) = (0, 0.0, 0.0);
        let before = u64::from(self.state.epochs) * self.samples.training.len() as u64;
        for blocks in blocks.chunks(blocks_per_batch) {
            let batch: Vec<&[Sample]> = blocks
                .iter()
                .map(|&begin| {
                    let end = (begin + block).min(self.samples.training.len());
                    &self.samples.training[begin..end]
                })
                .collect();
            let count = batch.iter().map(|block| block.len()).sum();
            let share_done = self.share_done(done);
            let target = self.state.hyperparameters.target();
            rate = self.state.hyperparameters.learning_rate(share_done);
            let model = Model::new(&self.state.parameters, &self.state.normalisation);
            // Each thread always gets the same blocks; adding floats in another order would give another network.
            let share = batch.len().div_ceil(self.gradients.len());
            self.gradients.par_iter_mut().zip(batch.par_chunks(share)).for_each(|(gradient, blocks)| {
                for block in blocks {
                    gradient.add(&model, block, target);
                }
            });
            loss += self.take_loss();
            self.state.optimiser.step(
                &mut self.state.parameters,
                &mut self.gradients,
                count,
                rate,
                self.state.hyperparameters.handcrafted_rate,
            );
            done += count;
            self.update_swa(done);
            progress.set(before + done as u64, || format!("loss {:.6}", loss / done as f64));
        }
        (loss / done.max(1) as f64, rate)
    }

    /// Adds the weights to the average if averaging has begun by position `done` of the epoch; else clears the average.
    fn update_swa(&mut self, done: usize) {
        if self.share_done(done) > 1.0 - self.state.hyperparameters.swa {
            self.state.swa.add(&self.state.parameters);
        } else {
            self.state.swa = WeightAverage::default();
        }
    }

    fn take_loss(&mut self) -> f64 {
        self.gradients.iter_mut().map(|gradient| std::mem::take(&mut gradient.loss)).sum()
    }

    /// Returns the mean loss, on the held-out set, of the network that we would write now; `None` if the set is empty.
    fn held_out_loss(&mut self) -> Option<f64> {
        let target = self.state.hyperparameters.target();
        let model = Model::new(self.state.result(), &self.state.normalisation);
        let share = self.samples.held_out.len().div_ceil(self.gradients.len()).max(1);
        let held_out = &self.samples.held_out;
        self.gradients
            .par_iter_mut()
            .zip(held_out.par_chunks(share))
            .for_each(|(gradient, samples)| gradient.add_loss(&model, samples, target));
        let count = held_out.len();
        let loss = self.take_loss();
        (count > 0).then(|| loss / count as f64)
    }
}

/// Checks that the run would overwrite neither its inputs nor files of another kind.
fn check_outputs(output: &Path, hyperparameters: &Hyperparameters) -> Result<()> {
    let (log, checkpoint) = (Log::path(output), Checkpoint::path(output));
    let outputs = [output, &log, &checkpoint];
    let trees = hyperparameters.games.iter().map(|games| tree::path(games));
    let inputs: Vec<PathBuf> =
        hyperparameters.games.iter().chain(&hyperparameters.from).cloned().chain(trees).collect();
    let name = output.display();
    ensure!(
        !outputs[1..].contains(&output),
        "{name}: the log or the checkpoint would have this name; call the network NAME.nnue"
    );
    files::ensure_distinct(&inputs, &outputs)?;
    files::ensure_regular(output).at(output)?;
    if let Some(input) = inputs.iter().find(|input| input.to_str().is_none()) {
        let input = input.display();
        bail!("{input}: the checkpoint cannot store a name that is not UTF-8; rename the file");
    }
    files::ensure_overwritable(output, Network::is_beginning).at(output)?;
    Log::ensure_overwritable(&log)?;
    files::ensure_overwritable(&checkpoint, Checkpoint::is_beginning).at(&checkpoint)
}
