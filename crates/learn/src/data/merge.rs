//! `data merge` joins game files and their tree samples, and reports which parts of a run are missing or duplicated.

use std::path::PathBuf;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::arguments::MergeArguments;
use crate::data::new_games::NewGames;
use crate::datagen::GamesManifest;
use crate::games::{GameReader, frames};
use crate::sample::tree::{self, TreeReader};
use enroque::util::version;
use enroque_runs::files;
use enroque_runs::manifest;
use enroque_runs::program::complain;
use enroque_runs::progress::Progress;
use enroque_runs::shard::Shard;

/// What a joined file's manifest says about one of the files that it was made from.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Part {
    games: u64,
    /// The manifest that `datagen` wrote for this part; `None` if the part had none.
    made: Option<GamesManifest>,
}

/// The manifest that `data merge` writes.
#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    generator: String,
    parts: Vec<Part>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum AnyManifest {
    Joined(Manifest),
    Single(GamesManifest),
}

/// Joins the files. If games are missing or duplicated, reports that and returns `false`, unless `--anyway` is given.
pub fn run(arguments: &MergeArguments) -> Result<bool> {
    let MergeArguments { file, parts, anyway } = arguments;
    // We check all files before we write anything.
    files::ensure_new(file)?;
    let inputs: Vec<PathBuf> = parts.iter().flat_map(|part| [part.clone(), tree::path(part)]).collect();
    files::ensure_distinct(&inputs, &NewGames::paths(file))?;
    let readers = parts
        .iter()
        .map(|part| {
            let made = manifest::read::<AnyManifest>(part)?;
            Ok((made, GameReader::open(part)?, TreeReader::open(part)?))
        })
        .collect::<Result<Vec<_>>>()?;
    let has_tree = readers.iter().any(|(_, _, tree)| tree.is_some());
    NewGames::check(file, has_tree)?;
    let mut writer = NewGames::create(file, has_tree)?;
    let mut progress = Progress::new(0, "games joined", 0);
    let mut joined = Manifest { generator: version::GENERATOR.to_owned(), parts: Vec::new() };
    for (made, games, mut tree) in readers {
        let count_before = writer.count();
        for game in games {
            let samples = tree.as_mut().and_then(TreeReader::next).transpose()?;
            writer.add(&game?, &samples.unwrap_or_default())?;
            progress.set(writer.count(), String::new);
        }
        let games = writer.count() - count_before;
        match made {
            Some(AnyManifest::Joined(manifest)) => joined.parts.extend(manifest.parts),
            Some(AnyManifest::Single(made)) => joined.parts.push(Part { games, made: Some(made) }),
            None => joined.parts.push(Part { games, made: None }),
        }
    }
    progress.finish();
    writer.publish(&joined)?;

    let unfinished = parts.iter().filter(|part| frames::tail_path(part).exists());
    let unfinished = unfinished.map(|part| format!("{}: its run is not finished", part.display()));
    let complaints: Vec<String> = unfinished.chain(gaps(&joined.parts)).collect();
    complaints.iter().for_each(|complaint| complain(complaint));
    Ok(complaints.is_empty() || *anyway)
}

/// Returns a key that all parts of a run have in common, words that describe that run, and which part this file is.
fn share(manifest: &GamesManifest) -> (String, String, Shard) {
    let whole = GamesManifest { shard: Shard::WHOLE, ..manifest.clone() };
    let key = serde_json::to_string(&whole).unwrap_or_default();
    (key, format!("of the games with seed {}", manifest.settings.seed), manifest.shard)
}

/// Says in words which parts of the runs are missing, duplicated or overlapping.
fn gaps(parts: &[Part]) -> Vec<String> {
    let mut wholes: Vec<(String, String, Vec<Shard>)> = Vec::new();
    for (key, description, shard) in parts.iter().filter_map(|part| part.made.as_ref().map(share)) {
        match wholes.iter_mut().find(|(other, ..)| *other == key) {
            Some((_, _, shards)) => shards.push(shard),
            None => wholes.push((key, description, vec![shard])),
        }
    }
    let mut complaints = Vec::new();
    for (_, of_whole, shards) in wholes {
        let Some(&first) = shards.first() else { continue };
        let expected: Vec<Shard> = first.all().collect();
        for &shard in &expected {
            match shards.iter().filter(|&&other| other == shard).count() {
                0 => complaints.push(format!("part {shard} {of_whole} is missing")),
                1 => {}
                times => complaints.push(format!("part {shard} {of_whole} is there {times} times")),
            }
        }
        for shard in shards.iter().filter(|shard| !expected.contains(shard)) {
            complaints.push(format!("part {shard} {of_whole} overlaps with {first}"));
        }
    }
    complaints
}
