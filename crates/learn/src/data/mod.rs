//! `data` groups the commands that inspect, join and export game files.

mod info;
mod merge;
mod new_games;
mod positions;

use anyhow::Result;
use clap::Subcommand;

use enroque::terminal::ExitStatus;

/// Inspect, join and export game files
#[derive(Subcommand, Debug)]
#[command(after_help = "\
Examples:
  enroque-learn data info games.gz
  enroque-learn data show games.gz --game 17
  enroque-learn data merge all.gz g1.gz g2.gz
  enroque-learn data export games.gz positions.bullet")]
pub enum Arguments {
    Info(info::InfoArguments),
    Show(info::ShowArguments),
    Merge(merge::Arguments),
    Export(positions::ExportArguments),
}

/// The exit code is 1 if a merge finds games missing or duplicated.
pub fn run(arguments: &Arguments) -> Result<ExitStatus> {
    let is_complete = match arguments {
        Arguments::Info(arguments) => info::info(arguments).map(|()| true)?,
        Arguments::Show(arguments) => info::show(arguments).map(|()| true)?,
        Arguments::Merge(arguments) => merge::run(arguments)?,
        Arguments::Export(arguments) => positions::export(arguments).map(|()| true)?,
    };
    Ok(ExitStatus::of_check(is_complete))
}
