//! What people get to see of an event: printed tables, the full-screen page for the hall, and printable sheets.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::arguments::{HallArguments, SheetArguments};
use super::event::{Event, Origin, Round};
use super::exclusion;
use crate::page;
use crate::text::quoted;
use enroque::chess::{Board, CastlingSide, Color, FenStyle, Square};
use enroque::terminal::print_line;

/// What an event says of its rounds if colours are reversed.
const REVERSED: &str = "two from each start, the second with colours reversed";

/// What `draw init` prints.
pub fn announcement(event: &Event, file: &Path) -> String {
    format!(
        "{}\n\nNext: enroque-tools draw round {} 1 --method METHOD --rolls ROLLS\n\
         or with --random; 'enroque-tools startpos roll' prints the rules of all methods",
        table(&heading(event)),
        quoted(&file.to_string_lossy())
    )
}

/// What `draw round` prints: how the rolls or the seed lead to the start drawn last, and that start.
pub fn round(event: &Event, round: &Round, steps: &[String]) -> String {
    let [earlier @ .., last] = &round.attempts[..] else { unreachable!("a round with an attempt") };
    let mut steps = steps.to_vec();
    if round.seed.is_some() {
        steps.extend(earlier.iter().map(ToString::to_string));
    }
    let steps: String = steps.iter().map(|step| format!("\n  {step}")).collect();
    let drawn_with = source(round, last.rolls.as_deref());
    let again = if Origin::of(round).is_some() { "choose again" } else { "throw again" };
    let mut rows = vec![("Start", last.start.clone()), ("Pieces", last.pieces.clone())];
    match (&last.rejected, event.board(&last.start)) {
        (Some(reason), _) => rows.push(("Rejected", format!("{reason}; {again} for this round"))),
        (None, Some(board)) => rows.push(("FEN", board.fen(FenStyle::XFen))),
        (None, None) => {}
    }
    format!("Round {} of {}: {drawn_with}{steps}\n\n{}", round.number, event.rounds, table(&rows))
}

/// What `draw show` prints: a table of all starts drawn so far, including the rejected ones.
pub fn rounds(event: &Event) -> String {
    let digits = if event.set.double { 9 } else { 5 };
    let letters = if event.set.double || event.turned { 17 } else { 8 };
    let mut lines = vec![format!("round  {:>digits$}  {:<letters$}  drawn with", "start", "pieces")];
    for round in &event.drawn {
        for attempt in &round.attempts {
            let rejected = attempt.rejected.iter().map(|reason| format!(", {reason}")).collect::<String>();
            let undone = round.undone.iter().map(|reason| format!(", undone: {reason}")).collect::<String>();
            lines.push(format!(
                "{:>5}  {:>digits$}  {:<letters$}  {}{rejected}{undone}",
                round.number,
                attempt.start,
                attempt.pieces,
                source(round, attempt.rolls.as_deref())
            ));
        }
        let board = round.start().and_then(|start| event.board(&start.start));
        lines.extend(board.map(|board| format!("{:>5}  {}", "", board.fen(FenStyle::XFen))));
    }
    lines.join("\n")
}

/// What `draw undo` prints.
pub fn undone(event: &Event, round: &Round) -> String {
    format!("Round {} of {} undone: {}\nDraw it again.", round.number, event.rounds, round.story())
}

/// What `draw verify` prints about a correct file.
pub fn verified(event: &Event, file: &Path, has_scores: bool) -> String {
    let mut rows = heading(event);
    if event.scores.is_some() && !has_scores {
        rows.push(("", "the conditions are not checked; --scores checks them".to_owned()));
    }
    rows.push(("Drawn", format!("{} of {} rounds", event.complete().len(), event.rounds)));
    format!("{}: verified\n\n{}\n\n{}", file.display(), table(&rows), rounds(event))
}

/// Returns the rows, for [`table`], that describe the event as a whole.
fn heading(event: &Event) -> Vec<(&'static str, String)> {
    let names: Vec<&str> = event.exclude.iter().map(|text| exclusion::name(text)).collect();
    let excluded = match names[..] {
        [] => "none".to_owned(),
        _ => format!("{} ({})", names.join(", "), event.excluded.len()),
    };
    let mut rows = vec![
        ("Event", event.name.clone()),
        ("Rounds", event.rounds.to_string()),
        ("Set", event.set.name.to_owned()),
        ("Excluded", excluded),
    ];
    if event.reversed {
        rows.push(("Games", REVERSED.to_owned()));
    }
    if event.turned {
        rows.push(("Black", "White's back rank turned around: a1 to h8".to_owned()));
    }
    rows
}

/// Says what a start was drawn with: the method and its rolls, or a seed.
fn source(round: &Round, rolls: Option<&str>) -> String {
    match rolls {
        Some(rolls) => format!("{} {rolls}", round.method),
        None => round.seed().unwrap_or_else(|| round.method.clone()),
    }
}

/// Returns names and values in two columns.
fn table(rows: &[(&str, String)]) -> String {
    rows.iter().map(|(name, value)| format!("{name:<11}  {value}")).collect::<Vec<_>>().join("\n")
}

const HALL: &str = include_str!("hall.html");
const SHEET: &str = include_str!("sheet.html");

/// Writes the full-screen page for the round that `--round` gives, by default the last.
pub fn hall(event: &Event, arguments: &HallArguments) -> Result<()> {
    let rounds = chosen(event, arguments.round)?;
    let mut data = rounds.last().map_or(Value::Null, |round| round_data(event, round));
    data["minutes"] = arguments.minutes.into();
    data["at"] = arguments.at.as_deref().into();
    write(&arguments.page, HALL, data)
}

/// Writes a printable sheet for each round, or only for the round that `--round` gives.
pub fn sheet(event: &Event, arguments: &SheetArguments) -> Result<()> {
    let rounds: Vec<Value> =
        chosen(event, arguments.round)?.into_iter().map(|round| round_data(event, round)).collect();
    let file = arguments.file.file_name().unwrap_or_default().to_string_lossy();
    let verify = format!("enroque-tools draw verify {}", quoted(&file));
    write(
        &arguments.page,
        SHEET,
        json!({ "file": file, "verify": verify, "rounds": rounds, "strips": arguments.strips }),
    )
}

/// Returns round `number` or, without a number, all rounds that have a start. Fails if there is no such round.
fn chosen(event: &Event, number: Option<usize>) -> Result<Vec<&Round>> {
    let rounds = event.complete();
    ensure!(!rounds.is_empty(), "no round is drawn yet; 'enroque-tools draw round' draws the first");
    let Some(number) = number else { return Ok(rounds) };
    let round = number.checked_sub(1).and_then(|index| rounds.get(index).copied());
    let round =
        round.with_context(|| format!("--round {number}: only rounds 1 to {} are drawn", rounds.len()))?;
    Ok(vec![round])
}

fn write(path: &Path, template: &str, data: Value) -> Result<()> {
    page::write(path, template, data)?;
    Ok(print_line(&format!("{}: written; open it in a browser", path.display()))?)
}

/// Returns what the hall page and the printable sheets show about a round.
fn round_data(event: &Event, round: &Round) -> Value {
    let start = round.start();
    let board = start.and_then(|start| event.board(&start.start));
    let (Some(start), Some(board)) = (start, board) else { unreachable!("a round with a start") };
    let are_equal = !start.pieces.contains(':');
    let colors = if are_equal { &Color::ALL[..1] } else { &Color::ALL[..] };
    let castlings: Vec<Value> =
        colors.iter().flat_map(|&color| castlings(&board, color, are_equal)).collect();
    json!({
        "event": event.name,
        "round": round.number,
        "rounds": event.rounds,
        "number": start.start,
        "pieces": start.pieces,
        "fen": board.fen(FenStyle::XFen),
        "castlings": castlings,
        "drawn": told(event, round),
    })
}

/// Tells how the start of a round came about.
fn told(event: &Event, round: &Round) -> String {
    let begin = if Origin::of(round).is_some() { "Chosen by the players:" } else { "Drawn with" };
    let told = format!("{begin} {}", event.story(round.number));
    if event.reversed { format!("{told}; games: {REVERSED}") } else { told }
}

/// Returns the castlings of one player, h-side first. Their names mention the colour unless the back ranks are equal
/// (`are_equal`).
fn castlings(board: &Board, color: Color, are_equal: bool) -> Vec<Value> {
    let path = |from: Square, to: Square| {
        if from == to { format!("{from} stays") } else { format!("{from} → {to}") }
    };
    let castling = |side| {
        let found = board.castling(color, side)?;
        let side_name = match side {
            CastlingSide::H => "h-side, O-O",
            CastlingSide::A => "a-side, O-O-O",
        };
        let name = match (are_equal, color) {
            (true, _) => side_name.to_owned(),
            (false, Color::White) => format!("White {side_name}"),
            (false, Color::Black) => format!("Black {side_name}"),
        };
        Some(json!({
            "name": name,
            "king": path(found.king_from, found.king_to),
            "rook": path(found.rook_from, found.rook_to),
        }))
    };
    [CastlingSide::H, CastlingSide::A].into_iter().filter_map(castling).collect()
}
