//! Learning from self-play alone: game files, self-play, matches, the trainer.

pub mod data;
pub mod datagen;
pub mod games;
pub mod matches;
pub mod train;

#[cfg(test)]
mod crash_tests;
