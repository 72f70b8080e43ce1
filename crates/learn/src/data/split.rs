//! `data split`: a file of games in parts of the same size.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::data::new_games::{NewGames, Origin};
use crate::games::store::GameReader;
use crate::games::tree::TreeReader;
use enroque::terminal::eprint_line;
use enroque_runs::files;
use enroque_runs::progress::Progress;

/// Split a file of games, with its tree samples, into parts of the same size
#[derive(Args, Debug)]
#[command(after_help = "\
Consecutive games go into different parts, so that all parts are alike.

Examples:
  enroque-learn data split games.gz a.gz b.gz c.gz
  enroque-learn data split games.gz train.gz check.gz")]
pub struct Arguments {
    /// File of games
    file: PathBuf,
    /// Files to write
    #[arg(required = true, num_args = 2..)]
    parts: Vec<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { file, parts } = arguments;
    let outputs: Vec<PathBuf> = parts.iter().flat_map(|part| NewGames::paths(part)).collect();
    files::ensure_distinct(&[file], &outputs)?;
    let games = GameReader::open(file)?;
    let mut tree = TreeReader::open(file)?;
    for part in parts {
        NewGames::check(part, tree.is_some())?;
    }
    let mut writers =
        parts.iter().map(|part| NewGames::create(part, tree.is_some())).collect::<Result<Vec<_>>>()?;
    let mut progress = Progress::new(0, "games", 0);
    for (index, game) in games.enumerate() {
        let samples = tree.as_mut().and_then(TreeReader::next).transpose()?;
        let place = index % writers.len();
        writers[place].add(&game?, &samples.unwrap_or_default())?;
        progress.set(index as u64 + 1, String::new);
    }
    progress.finish();
    // No part gets its name before all of them are written.
    writers.iter_mut().try_for_each(NewGames::complete)?;
    for (index, (writer, part)) in writers.into_iter().zip(parts).enumerate() {
        let count = writer.count();
        let part_number = (index as u64 + 1, parts.len() as u64);
        let origin = Origin::Split { split_from: file.display().to_string(), part: part_number };
        let manifest = writer.derived(origin);
        writer.publish(&manifest)?;
        eprint_line(&format!("{}: {count} games", part.display()));
    }
    Ok(())
}
