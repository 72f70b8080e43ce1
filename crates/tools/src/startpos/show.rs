//! Printed start positions, whole sets, and the list of sets.

use super::arguments::{Arguments, BoardStyle};
use super::facts;
use crate::explain::fens;
use enroque::chess::position::back_rank_text;
use enroque::chess::startpos::{self, START_SETS, StartSet};
use enroque::chess::{Board, FenStyle};
use enroque::terminal::{OutputError, print_line};

/// Positions of one write: enough for speed, few enough for memory.
const CHUNK: usize = 4096;

/// Prints a position: its board, numbers, FENs and facts, or only the form that the arguments choose.
///
/// # Errors
/// Returns an error if standard output cannot be written.
pub fn position(board: &Board, arguments: &Arguments) -> Result<(), OutputError> {
    if let Some(style) = arguments.fen {
        return print_line(&board.fen(style));
    }
    if arguments.json {
        return print_line(&facts::json(board).to_string());
    }
    print_line(&arguments.board.draw(board))?;
    if arguments.board == BoardStyle::Svg {
        return Ok(());
    }
    let Some((white, black)) = startpos::start_numbers(board) else { return Ok(()) };
    print_line(&format!("\nNumber    {}", startpos::name_of(white, black)))?;
    if let Some(index) = arguments.set.index_of((white, black)).filter(|_| arguments.set.name != "chess960") {
        print_line(&format!("Set       {}:{index}, of {}", arguments.set.name, arguments.set.count()))?;
    }
    if let Some((white, black)) = startpos::mirror_number(white).zip(startpos::mirror_number(black)) {
        print_line(&format!("Mirror    {}", startpos::name_of(white, black)))?;
    }
    print_line(&format!("White     {}", back_rank_text(white)))?;
    print_line(&format!("Black     {}", back_rank_text(black)))?;
    print_line(&format!("{}\n", fens(board)))?;
    print_line(&facts::text(board))
}

/// Prints every position of a set, one FEN a line.
///
/// # Errors
/// Returns an error if standard output cannot be written.
pub fn all(set: &'static StartSet, style: FenStyle) -> Result<(), OutputError> {
    let ranks = set.ranks();
    let pairs: Box<dyn Iterator<Item = (u32, u32)>> = if set.double {
        Box::new(ranks.iter().flat_map(|&white| ranks.iter().map(move |&black| (white, black))))
    } else {
        Box::new(ranks.iter().map(|&number| (number, number)))
    };
    let mut lines = Vec::with_capacity(CHUNK);
    for (white, black) in pairs {
        if let Some((white, black)) = startpos::back_rank(white).zip(startpos::back_rank(black)) {
            lines.push(startpos::board_from_back_ranks(&white, &black, set.castling).fen(style));
        }
        if lines.len() == CHUNK {
            print_line(&lines.join("\n"))?;
            lines.clear();
        }
    }
    if !lines.is_empty() {
        print_line(&lines.join("\n"))?;
    }
    Ok(())
}

/// Prints the name, size and description of each set.
///
/// # Errors
/// Returns an error if standard output cannot be written.
pub fn sets() -> Result<(), OutputError> {
    for set in &START_SETS {
        print_line(&format!("{:<18} {:>10}  {}", set.name, set.count(), set.description))?;
    }
    Ok(())
}
