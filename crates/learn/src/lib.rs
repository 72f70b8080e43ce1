//! The commands of `enroque-learn`: self-play, game files, training, and matches that tell whether a network is better.
//!
//! A network learns from games that earlier networks played. [`datagen`] plays them into files, which [`games`] reads and
//! writes and [`data`] inspects, [`train`] turns them into a network, and [`mod@matches`] tests it. Start with [`games`];
//! `docs/training.md` tells the whole story.

pub mod data;
pub mod datagen;
pub mod games;
pub mod matches;
pub mod train;

#[cfg(test)]
mod crash_tests;
