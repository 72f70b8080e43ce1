//! Long runs that lose nothing: safe files, the record of how an output was made, worker pools, progress, Ctrl-C.
//!
//! This crate does not know what a run computes; `enroque-learn` and `enroque-tools` do. Start with [`manifest`].

pub mod exit;
pub mod files;
pub mod manifest;
pub mod parallel;
pub mod progress;
pub mod shard;

pub use exit::interrupt;
