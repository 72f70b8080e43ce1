//! `data`: commands on files of games.

mod convert;
mod info;
pub mod merge;
mod new_games;
pub mod positions;
mod show;
mod split;

use std::path::Path;

use anyhow::{Result, ensure};
use clap::Subcommand;

use enroque::terminal::ExitStatus;

/// Inspect, join, split, export and import files of games
#[derive(Subcommand, Debug)]
#[command(after_help = "\
Examples:
  enroque-learn data info games.gz
  enroque-learn data show games.gz --game 17
  enroque-learn data merge all.gz g1.gz g2.gz
  enroque-learn data export games.gz positions.bullet")]
pub enum Arguments {
    Info(info::Arguments),
    Merge(merge::Arguments),
    Show(show::Arguments),
    Split(split::Arguments),
    Export(convert::ExportArguments),
    Import(convert::ImportArguments),
}

/// Missing, duplicated or skipped games are a failed check.
pub fn run(arguments: &Arguments) -> Result<ExitStatus> {
    let is_complete = match arguments {
        Arguments::Info(arguments) => info::run(arguments).map(|()| true)?,
        Arguments::Merge(arguments) => merge::run(arguments)?,
        Arguments::Show(arguments) => show::run(arguments).map(|()| true)?,
        Arguments::Split(arguments) => split::run(arguments).map(|()| true)?,
        Arguments::Export(arguments) => convert::export(arguments).map(|()| true)?,
        Arguments::Import(arguments) => convert::import(arguments)?,
    };
    Ok(ExitStatus::of_check(is_complete))
}

/// Checks that `path` does not exist, not even as a link to a missing file.
fn ensure_new(path: &Path) -> Result<()> {
    ensure!(path.symlink_metadata().is_err(), "{}: exists already; write to a new file", path.display());
    Ok(())
}
