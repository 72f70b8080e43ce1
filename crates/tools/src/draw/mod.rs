//! `enroque-tools draw`: the starts of an event, drawn with dice, coins or a seed, so that everybody can verify them.

mod arguments;
mod event;
mod exclusion;
mod pages;
mod report;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use self::arguments::{DrawCommand, Init, RoundArguments, Verify};
use self::event::{Event, VERSION};
use self::exclusion::Scores;
use enroque::terminal::{ExitStatus, eprint_line, print_line};
use enroque::util::random::Random;
use enroque_runs::files;

pub use self::arguments::Arguments;

/// Runs the command.
///
/// # Errors
/// Returns an error if a file cannot be read or written, or if the arguments do not fit the event.
pub fn run(arguments: &Arguments) -> Result<ExitStatus> {
    match &arguments.command {
        DrawCommand::Init(arguments) => init(arguments)?,
        DrawCommand::Round(arguments) => return round(arguments),
        DrawCommand::Verify(arguments) => return verify(arguments),
        DrawCommand::Show { file } => print_line(&report::rounds(&read(file)?))?,
        DrawCommand::Hall(arguments) => pages::hall(&read(&arguments.file)?, arguments)?,
        DrawCommand::Sheet(arguments) => pages::sheet(&read(&arguments.file)?, arguments)?,
    }
    Ok(ExitStatus::Success)
}

fn init(arguments: &Init) -> Result<()> {
    let Init { file, event: name, set, .. } = arguments;
    ensure!(!name.trim().is_empty(), "--event: expected a name");
    let scores = arguments.scores.as_deref().map(Scores::read).transpose()?;
    let exclude = arguments.exclude.iter().map(|text| exclusion::record(text, set, scores.as_ref()));
    let event = Event {
        version: VERSION,
        name: name.clone(),
        set,
        rounds: arguments.rounds as usize,
        repeats: arguments.repeats,
        exclude: exclude.collect::<Result<_>>()?,
        scores: scores.map(|scores| scores.source),
        drawn: Vec::new(),
        excluded: HashSet::new(),
    };
    let event = event.with_exclusions()?;
    let text = event.text()?;
    File::create_new(file)
        .and_then(|mut new| new.write_all(text.as_bytes()))
        .with_context(|| file.display().to_string())?;
    Ok(print_line(&report::announcement(&event, file))?)
}

fn bytes(file: &Path) -> Result<Vec<u8>> {
    fs::read(file).with_context(|| file.display().to_string())
}

fn read(file: &Path) -> Result<Event> {
    Event::parse(&bytes(file)?).with_context(|| file.display().to_string())
}

fn round(arguments: &RoundArguments) -> Result<ExitStatus> {
    let RoundArguments { file, round: number, .. } = arguments;
    let mut event = read(file)?;
    let steps = if let Some(method) = arguments.method {
        let rolls = arguments.rolls.join(" ").replace(':', " : ");
        event.throw(*number, method, &rolls.split_whitespace().collect::<Vec<_>>().join(" "))?
    } else {
        event.draw_random(*number, arguments.seed.unwrap_or_else(|| Random::from_entropy().bits()))?;
        Vec::new()
    };
    files::replace(file, event.text()?.as_bytes()).with_context(|| file.display().to_string())?;
    let round = event.drawn.last().context("no round")?;
    print_line(&report::round(&event, round, &steps))?;
    Ok(ExitStatus::of_check(round.start().is_some()))
}

fn verify(arguments: &Verify) -> Result<ExitStatus> {
    let file = &arguments.file;
    let scores = arguments.scores.as_deref().map(Scores::read).transpose()?;
    let event = Event::parse(&bytes(file)?).and_then(|event| {
        if let Some(scores) = &scores {
            check_conditions(&event, scores)?;
        }
        Ok(event)
    });
    match event {
        Ok(event) => print_line(&report::verified(&event, file, scores.is_some()))?,
        Err(error) => {
            eprint_line(&format!("{}: refused: {error:#}", file.display()));
            return Ok(ExitStatus::CheckFailed);
        }
    }
    Ok(ExitStatus::Success)
}

/// Checks the starts that the event excludes by conditions.
fn check_conditions(event: &Event, scores: &Scores) -> Result<()> {
    for text in &event.exclude {
        let name = exclusion::name(text);
        let expected = exclusion::record(name, event.set, Some(scores))?;
        ensure!(expected == *text, "'{name}' excludes other starts by {}", scores.source);
    }
    Ok(())
}
