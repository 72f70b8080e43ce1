//! Learning from nothing but the engine's own games: self-play, its files, the trainer.

pub mod clock_match;
pub mod data;
pub mod datagen;
pub mod engine_match;
pub mod exchange;
pub mod frames;
pub mod game;
pub mod merge;
pub mod node_clock;
pub mod samples;
pub mod selfplay;
pub mod sprt;
pub mod store;
pub mod target;
pub mod train;
pub mod tree;

#[cfg(test)]
mod crash_tests;
