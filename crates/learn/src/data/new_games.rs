//! Writes a new game file and its tree samples, under temporary names until they are complete.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::Serialize;

use crate::games::format::Game;
use crate::games::{GameWriter, frames};
use crate::sample::Sample;
use crate::sample::tree::{self, TreeWriter};
use enroque_runs::files::{self, AtPath};
use enroque_runs::manifest;

/// Writes a game file under the name `FILE.part` until [`Self::publish`]. Dropping this value earlier removes the
/// unfinished files; after a kill, the next run overwrites them.
pub struct NewGames {
    file: PathBuf,
    unfinished: PathBuf,
    games: Option<GameWriter>,
    tree: Option<TreeWriter>,
    count: u64,
}

impl NewGames {
    /// Checks that no existing file is in our way. `has_tree` says whether we write tree samples.
    pub fn check(file: &Path, has_tree: bool) -> Result<()> {
        files::ensure_new(file)?;
        manifest::ensure_overwritable(file)?;
        let tree_file = tree::path(file);
        // Without tree samples there must be no old tree file: we would take its samples for those of the new games.
        if has_tree { frames::ensure_overwritable(&tree_file) } else { files::ensure_new(&tree_file) }
    }

    /// Returns all files that we write: games, tree samples and manifest, then the temporary names of the first two.
    pub fn paths(file: &Path) -> [PathBuf; 5] {
        let unfinished = files::sibling(file, "part");
        let unfinished_tree = tree::path(&unfinished);
        [file.to_owned(), tree::path(file), manifest::path(file), unfinished, unfinished_tree]
    }

    pub fn create(file: &Path, has_tree: bool) -> Result<Self> {
        let unfinished = files::sibling(file, "part");
        let games = Some(GameWriter::create(&unfinished)?);
        let file = file.to_owned();
        let mut new = Self { file, unfinished, games, tree: None, count: 0 };
        if has_tree {
            new.tree = Some(TreeWriter::create(&new.unfinished)?);
        }
        Ok(new)
    }

    pub fn add(&mut self, game: &Game, samples: &[Sample]) -> Result<()> {
        if let Some(tree) = &mut self.tree {
            tree.add(self.count, samples)?;
        }
        if let Some(games) = &mut self.games {
            games.add(game)?;
        }
        self.count += 1;
        Ok(())
    }

    pub fn count(&self) -> u64 {
        self.count
    }

    /// Finishes the files, writes the manifest, and gives the files their final names.
    pub fn publish<T: Serialize>(mut self, manifest: &T) -> Result<()> {
        self.games.take().map_or(Ok(()), GameWriter::finish)?;
        if let Some(tree) = self.tree.take() {
            tree.finish()?;
            let [from, to] = [&self.unfinished, &self.file].map(|file| tree::path(file));
            std::fs::rename(&from, &to).at(&to)?;
        }
        manifest::write(&self.file, manifest)?;
        // We rename the games last, so that a file with the final name is always complete.
        std::fs::rename(&self.unfinished, &self.file).at(&self.file)
    }
}

impl Drop for NewGames {
    fn drop(&mut self) {
        // We close the files first, because not every system can remove an open one.
        (self.games, self.tree) = (None, None);
        let tree = tree::path(&self.unfinished);
        for path in [&frames::tail_path(&self.unfinished), &frames::tail_path(&tree), &self.unfinished, &tree]
        {
            if path.exists() {
                let _ = std::fs::remove_file(path);
            }
        }
    }
}
