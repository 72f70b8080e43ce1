//! `enroque-tools draw`: draws the starts of an event with dice, coins or a seed, so that everybody can verify them.

mod arguments;
mod event;
mod exclusion;
mod report;
mod score;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, ensure};

pub use self::arguments::Arguments;
use self::arguments::{DrawCommand, InitArguments, RoundArguments, UndoArguments, VerifyArguments};
use self::event::{Event, Origin, Seed, VERSION};
use self::exclusion::Scores;
use enroque::terminal::{ExitStatus, eprint_line};
use enroque::util::random::Random;
use enroque_runs::files::{self, AtPath, LockedFile};
use enroque_runs::wrap;

pub fn run(arguments: &Arguments) -> Result<ExitStatus> {
    match &arguments.command {
        DrawCommand::Init(arguments) => init(arguments)?,
        DrawCommand::Round(arguments) => return round(arguments),
        DrawCommand::Undo(arguments) => undo(arguments)?,
        DrawCommand::Verify(arguments) => return verify(arguments),
        DrawCommand::Show(arguments) => wrap::print(&report::rounds(&read(&arguments.file)?))?,
        DrawCommand::Hall(arguments) => report::hall(&read(&arguments.file)?, arguments)?,
        DrawCommand::Sheet(arguments) => report::sheet(&read(&arguments.file)?, arguments)?,
        DrawCommand::Score(arguments) => score::run(arguments)?,
    }
    Ok(ExitStatus::Success)
}

fn init(arguments: &InitArguments) -> Result<()> {
    let InitArguments { file, event: name, set, .. } = arguments;
    let scores = arguments.scores.as_deref().map(Scores::read).transpose()?;
    let exclude = arguments.exclude.iter().map(|text| exclusion::record(text, set, scores.as_ref()));
    let event = Event {
        version: VERSION,
        name: name.clone(),
        set,
        rounds: arguments.rounds as usize,
        repeats: arguments.repeats,
        reversed: arguments.reversed,
        turned: arguments.turned,
        exclude: exclude.collect::<Result<_>>()?,
        scores: scores.map(|scores| scores.source),
        drawn: Vec::new(),
        excluded: HashSet::new(),
    };
    let event = event.with_exclusions()?;
    let text = event.text()?;
    files::ensure_new(file)?;
    File::create_new(file).and_then(|mut new| new.write_all(text.as_bytes())).at(file)?;
    Ok(wrap::print(&report::announcement(&event, file))?)
}

fn read(file: &Path) -> Result<Event> {
    Event::parse(&fs::read(file).at(file)?).at(file)
}

fn round(arguments: &RoundArguments) -> Result<ExitStatus> {
    let RoundArguments { file, round: number, .. } = arguments;
    let draw = |event: &mut Event| {
        if let Some(method) = arguments.method {
            let rolls = arguments.rolls.join(" ").replace(',', " ").replace(':', " : ");
            return event.throw(*number, method, &rolls.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        if let Some((origin, text)) = chosen(arguments) {
            event.choose(*number, origin, text)?;
            return Ok(Vec::new());
        }
        let seed = match &arguments.seed {
            Some(text) => Seed::new(text)?,
            None => Seed { number: Random::from_entropy().bits(), text: None },
        };
        event.draw_random(*number, seed)?;
        Ok(Vec::new())
    };
    let (event, steps) = change(file, draw)?;
    let round = event.drawn.last().context("no round")?;
    wrap::print(&report::round(&event, round, &steps))?;
    Ok(ExitStatus::of_check(round.start().is_some()))
}

fn undo(arguments: &UndoArguments) -> Result<()> {
    let UndoArguments { file, round, reason } = arguments;
    let (event, ()) = change(file, |event| event.undo(*round, reason))?;
    let undone = event.drawn.last().context("no round")?;
    Ok(wrap::print(&report::undone(&event, undone))?)
}

/// Reads an event, changes it and writes it back. Meanwhile the file is locked, so that of several processes only one
/// draws a round.
fn change<T>(file: &Path, change: impl FnOnce(&mut Event) -> Result<T>) -> Result<(Event, T)> {
    // Opening the file to lock it would create it.
    fs::metadata(file).at(file)?;
    let mut locked = LockedFile::open(file).at(file)?;
    let bytes = locked.read_all().at(file)?;
    // While we waited to open it, another process may have put a new file in its place. On Windows nobody can read the
    // file that we have locked, so if reading fails, it is still the same.
    let is_same = fs::read(file).map_or(true, |now| now == bytes);
    ensure!(is_same, "{}: another process has just changed it; try again", file.display());
    let mut event = Event::parse(&bytes).at(file)?;
    let made = change(&mut event)?;
    files::replace(file, event.text()?.as_bytes()).at(file)?;
    Ok((event, made))
}

/// Returns the start that the players chose, and how; `None` if it is drawn.
fn chosen(arguments: &RoundArguments) -> Option<(Origin, &str)> {
    let agreed = arguments.agreed.as_deref().map(|text| (Origin::Agreed, text));
    agreed.or_else(|| arguments.placed.as_deref().map(|text| (Origin::Placed, text)))
}

fn verify(arguments: &VerifyArguments) -> Result<ExitStatus> {
    let file = &arguments.file;
    let scores = arguments.scores.as_deref().map(Scores::read).transpose()?;
    let event = Event::parse(&fs::read(file).at(file)?).and_then(|event| {
        if let Some(scores) = &scores {
            check_conditions(&event, scores)?;
        }
        Ok(event)
    });
    match event {
        Ok(event) => wrap::print(&report::verified(&event, file, scores.is_some()))?,
        Err(error) => {
            eprint_line(&format!("{}: refused: {error:#}", file.display()));
            return Ok(ExitStatus::CheckFailed);
        }
    }
    Ok(ExitStatus::Success)
}

/// Checks that each condition, applied to these scores, excludes exactly the starts that the event file lists.
fn check_conditions(event: &Event, scores: &Scores) -> Result<()> {
    for text in &event.exclude {
        let name = exclusion::name(text);
        let expected = exclusion::record(name, event.set, Some(scores))?;
        ensure!(expected == *text, "'{name}' excludes other starts by {}", scores.source);
    }
    Ok(())
}
