//! Sums and lists computed on several threads; on one without the feature `tools`.

#[cfg(not(feature = "tools"))]
mod sequential;
#[cfg(feature = "tools")]
mod threaded;

#[cfg(not(feature = "tools"))]
pub use sequential::*;
#[cfg(feature = "tools")]
pub use threaded::*;

/// Number of threads to use if the user names none: one per core.
pub fn available_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
