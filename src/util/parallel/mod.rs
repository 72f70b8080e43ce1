//! Sums and lists computed on several threads; in a browser, which has one thread.

#[cfg(target_family = "wasm")]
mod sequential;
#[cfg(not(target_family = "wasm"))]
mod threaded;

#[cfg(target_family = "wasm")]
pub use sequential::*;
#[cfg(not(target_family = "wasm"))]
pub use threaded::*;

/// Number of threads to use if the user names none: one per core.
pub fn available_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
