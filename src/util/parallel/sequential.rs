//! The same computations on the calling thread.

use std::convert::Infallible;

/// Error that does not occur.
pub type ThreadsError = Infallible;

/// Runs `work`.
///
/// # Errors
/// Returns no error.
pub fn with_threads<R: Send>(_threads: usize, work: impl FnOnce() -> R + Send) -> Result<R, ThreadsError> {
    Ok(work())
}

/// Returns the sum of `count` over the items.
pub fn sum<T: Sync>(items: &[T], count: impl Fn(&T) -> u64 + Sync) -> u64 {
    items.iter().map(count).sum()
}

/// Returns the results of `work` on the items, in their order.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    items.iter().map(work).collect()
}
