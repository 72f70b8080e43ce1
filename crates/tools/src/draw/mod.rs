//! `enroque-tools draw`: the starts of an event, drawn so that everybody can verify them.
//!
//! The secret is fixed by published hashes before the event. Each round reveals a share of it, and the start follows from
//! the share and the words and dice of the players. `docs/events.md` describes files and hashes for other programs.

mod arguments;
mod attempts;
mod balance;
mod error;
mod event;
mod exclusion;
mod hash;
mod ledger;
mod pages;
mod report;
mod secret;
#[cfg(test)]
mod tests;

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};

use self::arguments::{DrawCommand, Init, RoundArguments, Verify};
use self::balance::{NoScores, Searches};
use self::event::{Contribution, Event, Round};
use self::exclusion::Scores;
use self::ledger::{Ledger, ReadError};
use self::secret::Secret;
use enroque::terminal::{ExitStatus, eprint_line, print_line};
use enroque_runs::files;

pub use self::arguments::Arguments;
pub use self::error::DrawError;

/// Runs the command.
///
/// # Errors
/// Returns an error if a file cannot be read or written, or if the arguments do not fit the event.
pub fn run(arguments: &Arguments) -> Result<ExitStatus, DrawError> {
    match &arguments.command {
        DrawCommand::Init(arguments) => init(arguments)?,
        DrawCommand::Round(arguments) => round(arguments)?,
        DrawCommand::Verify(arguments) => return verify(arguments),
        DrawCommand::Show { file } => print_line(&report::rounds(&read(file)?))?,
        DrawCommand::Hall(arguments) => {
            pages::hall(&read(&arguments.file)?, arguments)?;
        }
        DrawCommand::Sheet(arguments) => {
            pages::sheet(&read(&arguments.file)?, arguments)?;
        }
    }
    Ok(ExitStatus::Success)
}

/// Returns the path of the secret file: the given one, or the public file's with a further ending.
fn secret_path(given: Option<&PathBuf>, file: &Path) -> PathBuf {
    given.cloned().unwrap_or_else(|| files::sibling(file, "secret"))
}

/// Returns `text` with single spaces.
fn words(option: &'static str, text: &str) -> Result<String, DrawError> {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.is_empty() {
        return Err(DrawError::NoText(option));
    }
    if words.chars().any(char::is_control) {
        return Err(DrawError::Text { option, found: text.to_owned() });
    }
    Ok(words)
}

fn init(arguments: &Init) -> Result<(), DrawError> {
    let Init { file, set, repeats, .. } = arguments;
    let scores = arguments.scores.as_deref().map(Scores::read).transpose()?;
    let exclusions = arguments.exclude.iter().map(|text| exclusion::of_text(text, set, scores.as_ref()));
    let secret = secret::generate(&arguments.seed_words)?;
    let event = Event {
        name: words("--event", &arguments.event)?,
        set,
        repeats: *repeats,
        exclusions: exclusions.collect::<Result<_, _>>()?,
        scores: scores.map(|scores| scores.source),
        balance: arguments.balance.map(|limit| balance::of_this_program(limit, arguments.nodes)),
        commitments: event::commitments(&secret, arguments.rounds as usize),
    };
    let left = event.set.count() - event.excluded_count();
    let needed = if event.repeats { 1 } else { arguments.rounds };
    if left < needed {
        return Err(DrawError::TooFew { rounds: event.rounds(), set: set.name, left });
    }
    let secret_file = secret_path(arguments.secret.as_ref(), file);
    if file.exists() {
        return Err(DrawError::Exists(file.clone()));
    }
    secret::write(&secret_file, &event, &secret)?;
    if let Err(error) = secret::create(&mut OpenOptions::new(), file, &event.text()) {
        // The secret is this call's own, and without its event of no value.
        let _ = std::fs::remove_file(&secret_file);
        return Err(error);
    }
    Ok(print_line(&report::announcement(&event, arguments, &secret_file))?)
}

/// Reads a public file and verifies it, with the scores that it records.
fn read(file: &Path) -> Result<Ledger, DrawError> {
    read_with(file, None)
}

fn read_with(file: &Path, scorer: Option<&mut Searches>) -> Result<Ledger, DrawError> {
    let bytes = std::fs::read(file).map_err(|reason| DrawError::File { path: file.to_owned(), reason })?;
    Ledger::read(&bytes, scorer).map_err(|error| match error {
        ReadError::Fault(fault) => DrawError::Altered { path: file.to_owned(), fault },
        ReadError::Scorer(error) => error,
    })
}

fn round(arguments: &RoundArguments) -> Result<(), DrawError> {
    let RoundArguments { file, round: number, .. } = arguments;
    let secret_file = secret_path(arguments.secret.as_ref(), file);
    let secret = Secret::open(secret_file, &read(file)?.event)?;
    // Read again behind the lock: another process may have drawn a round.
    let mut ledger = read(file)?;
    let next = ledger.rounds.len() + 1;
    if *number != next || next > ledger.event.rounds() {
        let next = match ledger.event.rounds() {
            rounds if next > rounds => "all rounds have been drawn".to_owned(),
            _ if *number < next && *number > 0 => format!("has been drawn; round {next} is next"),
            _ => format!("round {next} is next"),
        };
        return Err(DrawError::Sequence { found: *number, next });
    }
    let texts = arguments.words.iter().map(|text| words("--words", text).map(Contribution::Words));
    let mut contributions = texts.collect::<Result<Vec<_>, _>>()?;
    if !arguments.dice.is_empty() {
        contributions.push(Contribution::Dice(arguments.dice.clone()));
    }
    let mut round =
        Round { number: *number, share: secret.share(*number), contributions, attempts: Vec::new() };
    round.attempts = draw(&ledger, &round)?;
    ledger.add(round);
    files::replace(file, ledger.text().as_bytes())
        .map_err(|reason| DrawError::File { path: file.clone(), reason })?;
    match ledger.rounds.last() {
        Some(round) => Ok(print_line(&report::round(&ledger, round))?),
        None => Ok(()),
    }
}

/// Returns the attempts of the next round.
fn draw(ledger: &Ledger, round: &Round) -> Result<Vec<event::Attempt>, DrawError> {
    let (event, used) = (&ledger.event, ledger.used());
    let attempts = match &event.balance {
        Some(balance) => attempts::of_round(event, &used, round, &mut Searches::new(balance)?)?,
        None => attempts::of_round(event, &used, round, &mut NoScores)?,
    };
    attempts.ok_or(DrawError::Exhausted(attempts::MAX_ATTEMPTS))
}

fn verify(arguments: &Verify) -> Result<ExitStatus, DrawError> {
    let refuse = |what: String| {
        eprint_line(&format!("{}: refused: {what}", arguments.file.display()));
        Ok(ExitStatus::CheckFailed)
    };
    let ledger = match read(&arguments.file) {
        Err(DrawError::Altered { fault, .. }) => return refuse(fault.to_string()),
        ledger => ledger?,
    };
    let event = &ledger.event;
    let announced = [
        ("fingerprint", &arguments.fingerprint, event.fingerprint()),
        ("seal", &arguments.seal, ledger.seal().to_owned()),
    ];
    for (name, given, found) in announced {
        if let Some(given) = given.as_ref().filter(|given| !found.starts_with(given.as_str())) {
            return refuse(format!("the {name} is {found}, expected {given}"));
        }
    }
    if let Some(path) = &arguments.scores {
        let scores = Scores::read(path)?;
        if let Some(source) = event.scores.as_ref().filter(|source| !scores.is_of(source)) {
            return refuse(format!("the scores are those of {source}; {} is another sweep", path.display()));
        }
        let differing = event.exclusions.iter().find(|exclusion| {
            let expected = exclusion::of_text(&exclusion.name, event.set, Some(&scores));
            expected.ok().as_ref() != Some(exclusion)
        });
        if let Some(exclusion) = differing {
            return refuse(format!("'{}' excludes other starts by {}", exclusion.name, path.display()));
        }
    }
    if let Some(balance) = event.balance.as_ref().filter(|_| !arguments.recorded) {
        match read_with(&arguments.file, Some(&mut Searches::new(balance)?)) {
            Err(DrawError::Altered { fault, .. }) => return refuse(fault.to_string()),
            repeated => repeated.map(drop)?,
        }
    }
    print_line(&report::verified(&ledger, arguments))?;
    Ok(ExitStatus::Success)
}
