//! Services of the machine around the program: clock, output, entropy, waiting.
//!
//! An operating system has them all. A browser has them as imports of the WebAssembly module, and runs one thread.

#[cfg(target_family = "wasm")]
mod browser;
#[cfg(not(target_family = "wasm"))]
mod system;

#[cfg(target_family = "wasm")]
pub use browser::*;
#[cfg(not(target_family = "wasm"))]
pub use system::*;

/// Command for a running search from a host without threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HostCommand {
    /// Stop the search.
    Stop,
    /// Continue the search on the own time.
    PonderHit,
}
