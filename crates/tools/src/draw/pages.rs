//! Pages of an event for the browser: the full-screen page of the hall, and printable sheets.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::arguments::{Hall, Sheet};
use super::event::{Event, Round};
use crate::page;
use crate::shell::quoted;
use enroque::chess::{Board, CastlingSide, Color, FenStyle, Square};
use enroque::terminal::print_line;
use enroque::util::version::GENERATOR;
use enroque_runs::files;

const HALL: &str = include_str!("hall.html");
const SHEET: &str = include_str!("sheet.html");

/// Writes the page of the hall for one round.
pub fn hall(event: &Event, arguments: &Hall) -> Result<()> {
    let rounds = chosen(event, arguments.round)?;
    let mut data = rounds.last().map_or(Value::Null, |round| round_data(event, round));
    data["minutes"] = arguments.minutes.into();
    write(&arguments.page, HALL, &data)
}

/// Writes the printable sheets of one round or of all.
pub fn sheet(event: &Event, arguments: &Sheet) -> Result<()> {
    let rounds: Vec<Value> =
        chosen(event, arguments.round)?.iter().map(|round| round_data(event, round)).collect();
    let file = arguments.file.file_name().unwrap_or_default().to_string_lossy();
    let verify = format!("enroque-tools draw verify {}", quoted(&file));
    let data = json!({ "made": GENERATOR, "file": file, "verify": verify, "rounds": rounds });
    write(&arguments.page, SHEET, &data)
}

/// Returns the given round or, without one, all rounds that have a start, of which there is at least one.
fn chosen(event: &Event, number: Option<usize>) -> Result<&[Round]> {
    let rounds = event.complete();
    ensure!(!rounds.is_empty(), "no round has been drawn; 'enroque-tools draw round' draws the first");
    let Some(number) = number else { return Ok(rounds) };
    let round = number.checked_sub(1).and_then(|index| rounds.get(index..=index));
    round.with_context(|| format!("--round {number}: rounds 1 to {} have been drawn", rounds.len()))
}

fn write(path: &Path, template: &str, data: &Value) -> Result<()> {
    files::ensure_overwritable(path, |bytes| page::is_beginning(template, bytes))
        .and_then(|()| files::replace(path, page::fill(template, data).as_bytes()))
        .with_context(|| path.display().to_string())?;
    Ok(print_line(&format!("{}: written; open it in a browser", path.display()))?)
}

/// Returns the data of a round: names, board, castlings, and how it was drawn.
fn round_data(event: &Event, round: &Round) -> Value {
    let start = round.start();
    let board = start.and_then(|start| event.board(&start.start));
    let (Some(start), Some(board)) = (start, board) else { unreachable!("a round with a start") };
    let are_equal = !start.start.contains(':');
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
        "drawn": round.story(),
    })
}

/// Returns the castlings of one side, the h-side first.
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
