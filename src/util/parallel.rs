//! How many threads the machine can run at once.

/// One thread per core, for users who do not say how many they want.
pub fn available_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
