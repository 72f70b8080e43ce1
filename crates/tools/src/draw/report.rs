//! Printed reports of an event: the announcement, a drawn round, the table of all rounds.

use std::path::Path;

use super::arguments::{Init, Verify};
use super::event::{self, Event, Round};
use super::exclusion;
use super::ledger::Ledger;
use crate::shell::quoted;
use enroque::chess::startpos;

/// Returns the announcement of a new event: all that is published before the first round.
pub fn announcement(event: &Event, arguments: &Init, secret: &Path) -> String {
    let exclusions: Vec<String> = event
        .exclusions
        .iter()
        .map(|exclusion| format!("{} ({})", exclusion.name, exclusion.numbers.len()))
        .collect();
    let exclusions = if exclusions.is_empty() { "none".to_owned() } else { exclusions.join(", ") };
    let (file, rounds) = (&arguments.file, event.rounds());
    let name = quoted(&file.to_string_lossy());
    let option =
        arguments.secret.as_ref().map(|path| format!(" --secret {}", quoted(&path.to_string_lossy())));
    let rows = [
        ("Event", event.name.clone()),
        ("Rounds", format!("{rounds}, set {}", event.set.name)),
        ("Excluded", exclusions),
        ("Fingerprint", event.fingerprint()),
    ];
    format!(
        "{}\n\nPublish {} now, or at least the fingerprint: it fixes every share of the draw.\n\
         Keep {} private until the last round is drawn; without it no round can be drawn.\n\n\
         Next: enroque-tools draw round {name} 1{} --words 'words of the players' --dice 4 6 1",
        table(&rows),
        file.display(),
        secret.display(),
        option.unwrap_or_default()
    )
}

/// Returns rows of a name and a value, aligned.
fn table(rows: &[(&str, String)]) -> String {
    rows.iter().map(|(name, value)| format!("{name:<12} {value}")).collect::<Vec<_>>().join("\n")
}

/// Returns the report of a round.
pub fn round(ledger: &Ledger, round: &Round) -> String {
    let event = &ledger.event;
    let start = round.start();
    let mut rows = vec![
        ("Round", format!("{} of {}", round.number, event.rounds())),
        ("Start", name(event, start)),
        ("Pieces", event::pieces(event.set, start)),
        ("Attempts", round.attempts.len().to_string()),
    ];
    if let Some(board) = event.set.position(start) {
        rows.push(("FEN", board.to_string()));
    }
    rows.push(("Seal", ledger.seal().to_owned()));
    table(&rows)
}

/// Returns the name of a start, with its number in the set if that differs.
pub fn name(event: &Event, start: u64) -> String {
    let (white, black) = event.set.numbers(start).unwrap_or_default();
    let name = startpos::name_of(white, black);
    let is_named = event.set.name == "chess960" || event.set.name == "dfrc";
    if is_named { name } else { format!("{name} ({}:{start})", event.set.name) }
}

/// Returns the table of all rounds.
pub fn rounds(ledger: &Ledger) -> String {
    let event = &ledger.event;
    let numbers = |start| match event.set.numbers(start) {
        Some((white, black)) if white != black => format!("{white}:{black}"),
        Some((white, _)) => white.to_string(),
        None => start.to_string(),
    };
    let (digits, letters) = if event.set.double { (9, 17) } else { (6, 8) };
    let mut lines =
        vec![format!("round  {:>digits$}  {:<letters$}  attempts  words and dice", "number", "pieces")];
    lines.extend(ledger.rounds.iter().map(|round| {
        let start = round.start();
        format!(
            "{:>5}  {:>digits$}  {:<letters$}  {:>8}  {}",
            round.number,
            numbers(start),
            event::pieces(event.set, start),
            round.attempts.len(),
            round.contributed()
        )
    }));
    lines.join("\n")
}

/// Returns the report of a file that verifies, with the parts of it that were taken from the file.
pub fn verified(ledger: &Ledger, arguments: &Verify) -> String {
    let event = &ledger.event;
    let mut rows = vec![
        ("Event", event.name.clone()),
        ("Set", event.set.name.to_owned()),
        ("Drawn", format!("{} of {} rounds", ledger.rounds.len(), event.rounds())),
        ("Fingerprint", event.fingerprint()),
    ];
    let conditions =
        event.exclusions.iter().filter(|exclusion| exclusion::is_condition(exclusion, event.set));
    for exclusion in conditions {
        let source =
            if arguments.scores.is_some() { "checked" } else { "from the file; --scores checks them" };
        rows.push(("Condition", format!("{}, {} starts {source}", exclusion.name, exclusion.numbers.len())));
    }
    if let Some(balance) = &event.balance {
        let source = if arguments.recorded { "scores taken from the file" } else { "searches repeated" };
        rows.push(("Balance", format!("{:.2} pawns, {source}", f64::from(balance.limit) / 100.0)));
    }
    if !ledger.rounds.is_empty() {
        rows.push(("Seal", ledger.seal().to_owned()));
    }
    format!(
        "{}: verified\n\n{}\n\n{}\n\nCompare the fingerprint with the announcement and the seal with the last sheet: a \
         whole file can be\nexchanged, and rounds can be cut off its end.",
        arguments.file.display(),
        table(&rows),
        rounds(ledger)
    )
}
