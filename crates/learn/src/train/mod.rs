//! `train`: trains a network on files of games, on the CPU.

mod adamw;
pub mod checkpoint;
mod gradient;
mod handcrafted;
mod layout;
mod log;
mod model;
mod options;
mod samples;
mod swa;
pub mod target;
mod training;

use anyhow::{Result, anyhow};

pub use self::options::{Arguments, Hyperparameters};
use self::training::Training;

/// Trains a network and writes it, with its log and checkpoints.
pub fn run(arguments: Arguments) -> Result<()> {
    let Arguments { network, hyperparameters, resume, threads } = arguments;
    // Rayon takes 0 threads as one for each core.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build();
    let pool = pool.map_err(|error| anyhow!("cannot start the threads: {error}"))?;
    pool.install(|| Training::new(hyperparameters.resolved(), &network, resume)?.run())
}
