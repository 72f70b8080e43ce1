//! `data` groups the commands that inspect, join and export game files.

mod arguments;
mod info;
mod merge;
mod new_games;
mod positions;

use anyhow::Result;

pub use self::arguments::Arguments;
use enroque::terminal::ExitStatus;

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
