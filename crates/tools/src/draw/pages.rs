//! Pages of an event for the browser: the full-screen page of the hall, and printable sheets.

use std::path::Path;

use serde_json::{Value, json};

use super::arguments::{Hall, Sheet};
use super::error::DrawError;
use super::event::{self, Event, Round};
use super::ledger::Ledger;
use super::report;
use crate::page;
use crate::shell::quoted;
use enroque::chess::{Board, CastlingSide, Color, FenStyle, Square};
use enroque::terminal::print_line;
use enroque::util::version::GENERATOR;
use enroque_runs::files;

const HALL: &str = include_str!("hall.html");
const SHEET: &str = include_str!("sheet.html");

/// Writes the page of the hall for one round.
///
/// # Errors
/// Returns an error if the round has not been drawn or the page cannot be written.
pub fn hall(ledger: &Ledger, arguments: &Hall) -> Result<(), DrawError> {
    let [.., round] = chosen(ledger, &arguments.file, arguments.round)? else { unreachable!("a round") };
    let mut data = round_data(ledger, round);
    data["minutes"] = arguments.minutes.into();
    write(&arguments.page, HALL, &data)
}

/// Writes the printable sheets of one round or of all.
///
/// # Errors
/// Returns an error if no such round has been drawn or the page cannot be written.
pub fn sheet(ledger: &Ledger, arguments: &Sheet) -> Result<(), DrawError> {
    let rounds = chosen(ledger, &arguments.file, arguments.round)?;
    let rounds: Vec<Value> = rounds.iter().map(|round| round_data(ledger, round)).collect();
    let file = arguments.file.file_name().unwrap_or_default().to_string_lossy();
    let verify = format!("enroque-tools draw verify {}", quoted(&file));
    let data = json!({ "made": GENERATOR, "file": file, "verify": verify, "rounds": rounds });
    write(&arguments.page, SHEET, &data)
}

/// Returns the given round or, without one, all rounds that have been drawn, of which there is at least one.
fn chosen<'l>(ledger: &'l Ledger, file: &Path, number: Option<usize>) -> Result<&'l [Round], DrawError> {
    let rounds = &ledger.rounds[..];
    match number {
        _ if rounds.is_empty() => Err(DrawError::Empty(file.to_owned())),
        None => Ok(rounds),
        Some(number) => match number.checked_sub(1).and_then(|index| rounds.get(index..=index)) {
            Some(round) => Ok(round),
            None => Err(DrawError::NotDrawn { found: number, drawn: rounds.len() }),
        },
    }
}

fn write(path: &Path, template: &str, data: &Value) -> Result<(), DrawError> {
    files::ensure_overwritable(path, |bytes| page::is_beginning(template, bytes))
        .and_then(|()| files::replace(path, page::fill(template, data).as_bytes()))
        .map_err(|reason| DrawError::File { path: path.to_owned(), reason })?;
    Ok(print_line(&format!("{}: written; open it in a browser", path.display()))?)
}

/// Returns the data of a round: names, board, castlings, proof.
fn round_data(ledger: &Ledger, round: &Round) -> Value {
    let Event { name, set, .. } = &ledger.event;
    let start = round.start();
    let (white, black) = set.numbers(start).unwrap_or_default();
    let Some(board) = set.position(start) else { unreachable!("a start of the set") };
    let colors = if white == black { &Color::ALL[..1] } else { &Color::ALL[..] };
    let castlings: Vec<Value> =
        colors.iter().flat_map(|&color| castlings(&board, color, white == black)).collect();
    json!({
        "event": name,
        "round": round.number,
        "rounds": ledger.event.rounds(),
        "number": if white == black { white.to_string() } else { format!("{white}:{black}") },
        "name": report::name(&ledger.event, start),
        "pieces": event::pieces(set, start),
        "fen": board.fen(FenStyle::XFen),
        "castlings": castlings,
        "fingerprint": ledger.event.fingerprint(),
        "seal": ledger.seal_of(round.number),
        "contributed": round.contributed(),
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
