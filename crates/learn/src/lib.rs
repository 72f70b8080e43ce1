//! The commands of `enroque-learn`: self-play, game files, training, and matches that tell whether a network is better.
//!
//! A network learns from games that earlier networks played and from nothing else. [`datagen`] plays them into files that
//! [`games`] reads and writes and [`data`] inspects, [`train`] turns them into a network, [`mod@matches`] tests it. Start
//! with [`games`]; the whole way is in `docs/training.md`.

use std::path::Path;

use anyhow::Context;

pub mod data;
pub mod datagen;
pub mod games;
pub mod matches;
pub mod train;

#[cfg(test)]
mod crash_tests;

/// Puts the path of a file before the error that it caused.
trait AtPath<T> {
    fn at(self, path: &Path) -> anyhow::Result<T>;
}

impl<T, E> AtPath<T> for Result<T, E>
where
    Self: Context<T, E>,
{
    fn at(self, path: &Path) -> anyhow::Result<T> {
        self.with_context(|| path.display().to_string())
    }
}
