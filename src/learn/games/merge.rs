//! `data merge`: files of games, and what their searches saw, joined into one.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::learn::datagen;
use crate::learn::games::frames::{self, FrameError};
use crate::learn::games::info::DataError;
use crate::learn::games::store::{GameReader, GameWriter, StoreError};
use crate::learn::games::tree::{self, TreeReader, TreeWriter};
use crate::runs::manifest;
use crate::runs::shard::Shard;
use crate::terminal::eprint_line;
use crate::terminal::progress::Progress;
use crate::util::{files, version};

/// Games of one run in a joined file.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Part {
    /// How many.
    games: u64,
    /// How they were made, where that is known.
    made: Option<datagen::Record>,
}

/// What a joined file holds; stands beside it.
#[derive(Debug, Serialize, Deserialize)]
struct Record {
    generator: String,
    parts: Vec<Part>,
}

/// What stands beside a file of games.
#[derive(Deserialize)]
#[serde(untagged)]
enum AnyRecord {
    Joined(Record),
    Played(datagen::Record),
}

/// Joins files of games into a new one, and what their searches saw; every move is checked on the way. `false` when
/// games are missing or double, which is told.
///
/// # Errors
/// When there is such a file already, or one cannot be read or written.
pub fn merge(file: &Path, parts: &[PathBuf]) -> Result<bool, DataError> {
    if file.exists() {
        return Err(DataError::Exists(file.to_owned()));
    }
    // A wrong name is told before anything is written.
    manifest::ensure_overwritable(file)?;
    let readers = parts
        .iter()
        .map(|part| {
            let made = manifest::read::<AnyRecord>(part)?;
            Ok((made, GameReader::open(part)?, TreeReader::open(part).map_err(StoreError::from)?))
        })
        .collect::<Result<Vec<_>, DataError>>()?;
    // Another file's tree must not become this one's.
    let has_tree = readers.iter().any(|(_, _, tree)| tree.is_some());
    let tree_file = tree::path(file);
    if !has_tree && tree_file.exists() {
        return Err(DataError::Exists(tree_file));
    }
    frames::ensure_overwritable(&tree_file)?;
    // Under this name until it is whole: what a killed run leaves is begun anew by the next.
    let unfinished = files::sibling(file, "part");
    let mut writer = GameWriter::create(&unfinished)?;
    let mut tree_writer = has_tree.then(|| TreeWriter::create(&unfinished)).transpose()?;
    let mut progress = Progress::new(0, "games joined", 0);
    let mut count = 0;
    let mut joined = Record { generator: version::GENERATOR.to_owned(), parts: Vec::new() };
    for (made, games, mut tree) in readers {
        let count_before = count;
        for game in games {
            if let Some(tree_writer) = &mut tree_writer {
                let seen = tree.as_mut().and_then(TreeReader::next).transpose()?;
                tree_writer.add(count, &seen.unwrap_or_default())?;
            }
            writer.add(&game?)?;
            count += 1;
            progress.set(count, String::new);
        }
        let games = count - count_before;
        match made {
            Some(AnyRecord::Joined(record)) => joined.parts.extend(record.parts),
            Some(AnyRecord::Played(record)) => joined.parts.push(Part { games, made: Some(record) }),
            None => joined.parts.push(Part { games, made: None }),
        }
    }
    progress.finish();
    let rename = |from: &Path, to: &Path| {
        files::rename(from, to).map_err(|reason| FrameError { path: to.to_owned(), reason })
    };
    if let Some(tree_writer) = tree_writer {
        tree_writer.finish()?;
        rename(&tree::path(&unfinished), &tree_file)?;
    }
    writer.finish()?;
    manifest::write(file, &joined)?;
    rename(&unfinished, file)?;

    let unfinished = parts.iter().filter(|part| frames::tail_path(part).exists());
    let unfinished = unfinished.map(|part| format!("{}: its run has not come to its end", part.display()));
    let complaints: Vec<String> = unfinished.chain(gaps(&joined.parts)).collect();
    complaints.iter().for_each(|complaint| eprint_line(&format!("enroque: {complaint}")));
    Ok(complaints.is_empty())
}

/// Which shards of runs are missing or double, in words.
fn gaps(parts: &[Part]) -> Vec<String> {
    let mut runs: Vec<(datagen::Record, Vec<Shard>)> = Vec::new();
    for record in parts.iter().filter_map(|part| part.made.as_ref()) {
        let run = datagen::Record { shard: Shard::WHOLE, ..record.clone() };
        match runs.iter_mut().find(|(other, _)| *other == run) {
            Some((_, shards)) => shards.push(record.shard),
            None => runs.push((run, vec![record.shard])),
        }
    }
    let mut complaints = Vec::new();
    for (run, shards) in runs {
        let Some(&first) = shards.first() else { continue };
        let of_run = format!("of the games with seed {}", run.settings.seed);
        let wanted: Vec<Shard> = first.all().collect();
        for &shard in &wanted {
            match shards.iter().filter(|&&other| other == shard).count() {
                0 => complaints.push(format!("part {shard} {of_run} is missing")),
                1 => {}
                times => complaints.push(format!("part {shard} {of_run} is there {times} times")),
            }
        }
        for shard in shards.iter().filter(|shard| !wanted.contains(shard)) {
            complaints.push(format!("part {shard} {of_run} overlaps with {first}"));
        }
    }
    complaints
}
