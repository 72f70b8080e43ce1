//! Parallel computations by rayon.

use rayon::prelude::*;
use thiserror::Error;

/// Threads that cannot be started.
#[derive(Debug, Error)]
#[error("cannot start the threads: {0}")]
pub struct ThreadsError(#[from] rayon::ThreadPoolBuildError);

/// Runs `work` in a pool of `threads` threads, 0 for one per core.
///
/// # Errors
/// Returns an error if the threads cannot be started.
pub fn with_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> Result<R, ThreadsError> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(threads).build()?.install(work))
}

/// Returns the sum of `count` over the items, computed on all threads of the current pool. Items may be short work.
pub fn sum<T: Sync>(items: &[T], count: impl Fn(&T) -> u64 + Sync) -> u64 {
    items.par_iter().map(&count).sum()
}

/// Returns the results of `work` on the items, in their order, computed on all threads of the current pool. Each item is a
/// task of its own.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    items.par_iter().with_max_len(1).map(&work).collect()
}
