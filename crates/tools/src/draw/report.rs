//! Printed reports of an event: a drawn round, and the table of all rounds.

use std::path::Path;

use super::event::{Event, Round};
use super::exclusion;
use crate::shell::quoted;

/// Returns the report of a new event.
pub fn announcement(event: &Event, file: &Path) -> String {
    format!(
        "{}\n\nNext: enroque-tools draw round {} 1 --method METHOD --rolls ROLLS\n\
         or with --random; 'enroque-tools startpos --methods' prints the rules of all methods",
        table(&heading(event)),
        quoted(&file.to_string_lossy())
    )
}

/// Returns the report of the last attempt of a round: the steps from the rolls to the start, and the start.
pub fn round(event: &Event, round: &Round, steps: &[String]) -> String {
    let [earlier @ .., last] = &round.attempts[..] else { unreachable!("a round with an attempt") };
    let mut steps = steps.to_vec();
    if round.seed.is_some() {
        steps.extend(earlier.iter().map(ToString::to_string));
    }
    let steps: String = steps.iter().map(|step| format!("\n  {step}")).collect();
    let drawn_with = source(round, last.rolls.as_deref());
    let mut rows = vec![("Start", last.start.clone()), ("Pieces", last.pieces.clone())];
    match (&last.rejected, event.board(&last.start)) {
        (Some(reason), _) => rows.push(("Rejected", format!("{reason}; throw again for this round"))),
        (None, Some(board)) => rows.push(("FEN", board.to_string())),
        (None, None) => {}
    }
    format!("Round {} of {}: {drawn_with}{steps}\n\n{}", round.number, event.rounds, table(&rows))
}

/// Returns the table of all attempts.
pub fn rounds(event: &Event) -> String {
    let (digits, letters) = if event.set.double { (9, 17) } else { (5, 8) };
    let mut lines = vec![format!("round  {:>digits$}  {:<letters$}  drawn with", "start", "pieces")];
    for round in &event.drawn {
        for attempt in &round.attempts {
            let rejected = attempt.rejected.iter().map(|reason| format!(", {reason}")).collect::<String>();
            lines.push(format!(
                "{:>5}  {:>digits$}  {:<letters$}  {}{rejected}",
                round.number,
                attempt.start,
                attempt.pieces,
                source(round, attempt.rolls.as_deref())
            ));
        }
    }
    lines.join("\n")
}

/// Returns the report of a file that verifies.
pub fn verified(event: &Event, file: &Path, has_scores: bool) -> String {
    let mut rows = heading(event);
    if event.scores.is_some() && !has_scores {
        rows.push(("", "the conditions are not checked; --scores checks them".to_owned()));
    }
    rows.push(("Drawn", format!("{} of {} rounds", event.complete().len(), event.rounds)));
    format!("{}: verified\n\n{}\n\n{}", file.display(), table(&rows), rounds(event))
}

/// Returns the rows about the event itself.
fn heading(event: &Event) -> Vec<(&'static str, String)> {
    let names: Vec<&str> = event.exclude.iter().map(|text| exclusion::name(text)).collect();
    let excluded = match names[..] {
        [] => "none".to_owned(),
        _ => format!("{} ({})", names.join(", "), event.excluded.len()),
    };
    vec![
        ("Event", event.name.clone()),
        ("Rounds", event.rounds.to_string()),
        ("Set", event.set.name.to_owned()),
        ("Excluded", excluded),
    ]
}

/// Returns where a start comes from: rolls or a seed.
fn source(round: &Round, rolls: Option<&str>) -> String {
    match (rolls, round.seed) {
        (Some(rolls), _) => format!("{} {rolls}", round.method),
        (None, Some(seed)) => format!("seed {seed}"),
        (None, None) => round.method.clone(),
    }
}

/// Returns rows of a name and a value, aligned.
fn table(rows: &[(&str, String)]) -> String {
    rows.iter().map(|(name, value)| format!("{name:<12} {value}")).collect::<Vec<_>>().join("\n")
}
