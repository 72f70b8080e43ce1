//! `data split`: a file of games in parts of the same size.

use std::path::PathBuf;

use clap::Args;

use crate::learn::data::error::{DataError, ensure_new};
use crate::learn::games::store::{GameReader, GameWriter, StoreError};
use crate::learn::games::tree::{self, TreeReader, TreeWriter};
use crate::runs::manifest;
use crate::terminal::eprint_line;
use crate::terminal::progress::Progress;
use crate::util::version::GENERATOR;

/// Split a file of games, with its tree samples, into parts of the same size
#[derive(Args, Debug)]
#[command(after_help = "\
Consecutive games go into different parts, so that all parts are alike.

Examples:
  enroque data split games.zst a.zst b.zst c.zst")]
pub struct Arguments {
    /// File of games
    file: PathBuf,
    /// Files to write
    #[arg(required = true, num_args = 2..)]
    parts: Vec<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// Returns an error if a part exists already or a file cannot be read or written.
pub fn run(arguments: &Arguments) -> Result<(), DataError> {
    let Arguments { file, parts } = arguments;
    let games = GameReader::open(file)?;
    let mut tree = TreeReader::open(file).map_err(StoreError::from)?;
    for part in parts {
        ensure_new(part)?;
        ensure_new(&tree::path(part))?;
        manifest::ensure_overwritable(part)?;
    }
    let open = |part: &PathBuf| -> Result<_, DataError> {
        let tree = tree.is_some().then(|| TreeWriter::create(part)).transpose()?;
        Ok((GameWriter::create(part)?, tree, 0))
    };
    let mut writers = parts.iter().map(open).collect::<Result<Vec<_>, DataError>>()?;
    let mut progress = Progress::new(0, "games", 0);
    for (index, game) in games.enumerate() {
        let place = index % writers.len();
        let (writer, tree_writer, count) = &mut writers[place];
        let samples = tree.as_mut().and_then(TreeReader::next).transpose().map_err(StoreError::from)?;
        if let Some(tree_writer) = tree_writer {
            tree_writer.add(*count, &samples.unwrap_or_default())?;
        }
        writer.add(&game?)?;
        *count += 1;
        progress.set(index as u64 + 1, String::new);
    }
    progress.finish();
    for (index, ((writer, tree_writer, count), part)) in writers.into_iter().zip(parts).enumerate() {
        if let Some(tree_writer) = tree_writer {
            tree_writer.finish()?;
        }
        writer.finish()?;
        let source = file.display().to_string();
        manifest::write(
            part,
            &serde_json::json!({
                "generator": GENERATOR, "split_from": source, "part": [index + 1, parts.len()], "games": count,
            }),
        )?;
        eprint_line(&format!("{}: {count} games", part.display()));
    }
    Ok(())
}
