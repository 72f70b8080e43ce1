//! `data merge`: files of games, with their tree samples, joined into one.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::{Deserialize, Serialize};

use crate::learn::data::error::DataError;
use crate::learn::datagen;
use crate::learn::games::frames::{self, FrameError};
use crate::learn::games::store::{GameReader, GameWriter, StoreError};
use crate::learn::games::tree::{self, TreeReader, TreeWriter};
use crate::runs::manifest;
use crate::runs::shard::Shard;
use crate::terminal::eprint_line;
use crate::terminal::progress::Progress;
use crate::util::{files, version};

/// Join files of games into one, checking every move
#[derive(Args, Debug)]
#[command(after_help = "\
The exit code is 1 if games of a run are missing or duplicated.

Examples:
  enroque data merge all.zst g1.zst g2.zst
  enroque data merge all.zst part*.zst       the shards of a run")]
pub struct Arguments {
    /// File to write
    pub file: PathBuf,
    /// Files to join
    #[arg(required = true)]
    pub parts: Vec<PathBuf>,
    /// Succeed although games of a run are missing or duplicated
    #[arg(long)]
    pub anyway: bool,
}

/// Games of one run in a joined file.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Part {
    /// Number of games.
    games: u64,
    /// Manifest of the run, if known.
    made: Option<datagen::Record>,
}

/// Manifest of a joined file.
#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    generator: String,
    parts: Vec<Part>,
}

/// Manifest of a file of games.
#[derive(Deserialize)]
#[serde(untagged)]
enum AnyManifest {
    Joined(Manifest),
    Played(datagen::Record),
}

/// Runs the command. Returns `false` if games are missing or duplicated and reports them.
///
/// # Errors
/// Returns an error if the file to write exists already, or a file cannot be read or written.
pub fn run(arguments: &Arguments) -> Result<bool, DataError> {
    let Arguments { file, parts, anyway } = arguments;
    if file.exists() {
        return Err(DataError::Exists(file.clone()));
    }
    // All files are checked before anything is written.
    manifest::ensure_overwritable(file)?;
    let readers = parts
        .iter()
        .map(|part| {
            let made = manifest::read::<AnyManifest>(part)?;
            Ok((made, GameReader::open(part)?, TreeReader::open(part).map_err(StoreError::from)?))
        })
        .collect::<Result<Vec<_>, DataError>>()?;
    // An existing file of tree samples must not become part of the new file.
    let has_tree = readers.iter().any(|(_, _, tree)| tree.is_some());
    let tree_file = tree::path(file);
    if !has_tree && tree_file.exists() {
        return Err(DataError::Exists(tree_file));
    }
    frames::ensure_overwritable(&tree_file)?;
    // The file has this name until it is complete; the next run overwrites the remains of a killed one.
    let unfinished = files::sibling(file, "part");
    let mut writer = GameWriter::create(&unfinished)?;
    let mut tree_writer = has_tree.then(|| TreeWriter::create(&unfinished)).transpose()?;
    let mut progress = Progress::new(0, "games joined", 0);
    let mut count = 0;
    let mut joined = Manifest { generator: version::GENERATOR.to_owned(), parts: Vec::new() };
    for (made, games, mut tree) in readers {
        let count_before = count;
        for game in games {
            if let Some(tree_writer) = &mut tree_writer {
                let samples = tree.as_mut().and_then(TreeReader::next).transpose()?;
                tree_writer.add(count, &samples.unwrap_or_default())?;
            }
            writer.add(&game?)?;
            count += 1;
            progress.set(count, String::new);
        }
        let games = count - count_before;
        match made {
            Some(AnyManifest::Joined(manifest)) => joined.parts.extend(manifest.parts),
            Some(AnyManifest::Played(record)) => joined.parts.push(Part { games, made: Some(record) }),
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
    Ok(complaints.is_empty() || *anyway)
}

/// Describes the missing, duplicated and overlapping shards of runs.
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
        let expected: Vec<Shard> = first.all().collect();
        for &shard in &expected {
            match shards.iter().filter(|&&other| other == shard).count() {
                0 => complaints.push(format!("part {shard} {of_run} is missing")),
                1 => {}
                times => complaints.push(format!("part {shard} {of_run} is there {times} times")),
            }
        }
        for shard in shards.iter().filter(|shard| !expected.contains(shard)) {
            complaints.push(format!("part {shard} {of_run} overlaps with {first}"));
        }
    }
    complaints
}
