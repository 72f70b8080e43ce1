//! Long runs that lose nothing: safe files, the record of how an output was made, worker pools, progress, Ctrl-C.
//!
//! It knows nothing about what a run computes; `enroque-learn` and `enroque-tools` do. Start reading at [`manifest`].

pub mod exit;
pub mod files;
pub mod interrupt;
pub mod manifest;
pub mod parallel;
pub mod progress;
pub mod shard;
