//! The commands of `enroque-learn`, which trains networks on games that the engine played against itself.
//!
//! [`datagen`] plays the games and writes them to files, [`data`] inspects, joins and converts those files, [`train`]
//! makes a network from them, and [`mod@matches`] plays it against an older one to see whether it is stronger. They all
//! use [`games`] to read and write, so start there; a [`sample`] is what the trainer learns from; `docs/training.md` describes a whole training run.

pub mod data;
pub mod datagen;
pub mod games;
pub mod matches;
mod network;
pub mod sample;
mod selfplay;
pub mod train;

#[cfg(test)]
mod crash_tests;
