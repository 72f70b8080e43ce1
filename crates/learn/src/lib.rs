//! Learning from self-play alone: game files, self-play, matches, the trainer.

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
