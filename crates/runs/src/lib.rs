//! Long runs that lose nothing: safe files, results that grow line by line, the record of how an output was made, worker
//! pools, progress, and what the programs that run them share.
//!
//! This crate does not know what a run computes; `enroque-learn` and `enroque-tools` do. Start with [`manifest`].

pub mod files;
pub mod manifest;
pub mod parallel;
pub mod program;
pub mod progress;
pub mod rows;
pub mod shard;
pub mod wrap;

pub use program::interrupt;
