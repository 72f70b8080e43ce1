//! New file of games, with its tree samples, that gets its name only when it is complete.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::AtPath;
use crate::data::ensure_new;
use crate::games::format::Game;
use crate::games::frames;
use crate::games::sample::Sample;
use crate::games::store::GameWriter;
use crate::games::tree::{self, TreeWriter};
use enroque::util::version;
use enroque_runs::files;
use enroque_runs::manifest;

/// Manifest of a file that was made from another one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Derived {
    generator: String,
    #[serde(flatten)]
    pub origin: Origin,
    games: u64,
}

/// Origin of derived games.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Origin {
    /// Part of another file of games, from 1, and the number of parts.
    Split {
        split_from: String,
        /// Number of the part and of all parts.
        part: (u64, u64),
    },
    /// Positions of another program.
    Imported { imported_from: String },
}

/// Writer of a new file of games. Until it is complete the file is called `FILE.part`. Dropped earlier, it removes what
/// it has written; the next run overwrites the remains of a killed one.
pub struct NewGames {
    file: PathBuf,
    unfinished: PathBuf,
    games: Option<GameWriter>,
    tree: Option<TreeWriter>,
    has_tree: bool,
    count: u64,
    is_published: bool,
}

impl NewGames {
    /// Checks that `file` and its manifest do not exist, nor its tree samples if `has_tree` is not set.
    pub fn check(file: &Path, has_tree: bool) -> Result<()> {
        ensure_new(file)?;
        manifest::ensure_overwritable(file)?;
        let tree_file = tree::path(file);
        // Foreign tree samples must not become part of the new file.
        if has_tree { frames::ensure_overwritable(&tree_file) } else { ensure_new(&tree_file) }
    }

    /// Returns the files that are written: games, tree samples and manifest, and the unfinished ones of the first two.
    pub fn paths(file: &Path) -> [PathBuf; 5] {
        let unfinished = files::sibling(file, "part");
        let unfinished_tree = tree::path(&unfinished);
        [file.to_owned(), tree::path(file), manifest::path(file), unfinished, unfinished_tree]
    }

    /// Creates the unfinished file, with tree samples if `has_tree` is set.
    pub fn create(file: &Path, has_tree: bool) -> Result<Self> {
        let unfinished = files::sibling(file, "part");
        let games = Some(GameWriter::create(&unfinished)?);
        let file = file.to_owned();
        let mut new = Self { file, unfinished, games, tree: None, has_tree, count: 0, is_published: false };
        if has_tree {
            new.tree = Some(TreeWriter::create(&new.unfinished)?);
        }
        Ok(new)
    }

    /// Appends a game and its tree samples.
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

    /// Returns the manifest of a file with these games.
    pub fn derived(&self, origin: Origin) -> Derived {
        Derived { generator: version::GENERATOR.to_owned(), origin, games: self.count }
    }

    /// Completes the data of the files, which keep their unfinished names.
    pub fn complete(&mut self) -> Result<()> {
        if let Some(tree) = self.tree.take() {
            tree.finish()?;
        }
        if let Some(games) = self.games.take() {
            games.finish()?;
        }
        Ok(())
    }

    /// Completes the files, writes the manifest and gives the files their names.
    pub fn publish<T: Serialize>(mut self, manifest: &T) -> Result<()> {
        self.complete()?;
        if self.has_tree {
            let [from, to] = [&self.unfinished, &self.file].map(|file| tree::path(file));
            files::rename(&from, &to).at(&to)?;
        }
        manifest::write(&self.file, manifest)?;
        // The games come last: a file of this name is complete.
        files::rename(&self.unfinished, &self.file).at(&self.file)?;
        self.is_published = true;
        Ok(())
    }
}

impl Drop for NewGames {
    fn drop(&mut self) {
        if self.is_published {
            return;
        }
        // Not every system removes an open file.
        (self.games, self.tree) = (None, None);
        let tree = tree::path(&self.unfinished);
        for path in [&frames::tail_path(&self.unfinished), &frames::tail_path(&tree), &self.unfinished, &tree]
        {
            if path.exists() {
                let _ = files::remove(path);
            }
        }
    }
}
