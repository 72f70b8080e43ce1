//! `enroque startpos`: start positions by number, by hand, at random, or all of a set, and the number of a position.

mod arguments;
mod error;
mod lookup;
mod methods;
mod placing;
mod random;
mod sheet;
mod show;

use self::methods::{Method, Rolls};
use crate::chess::startpos::{self, StartCastling};
use crate::chess::{Board, CastlingRules, FenStyle};
use crate::terminal::eprint_line;
use crate::util::random::Random;

pub use self::arguments::Arguments;
pub use self::error::StartposError;

/// Runs the command.
///
/// # Errors
/// Returns an error if the arguments name no start position, or if input or output fails.
pub fn run(arguments: &Arguments) -> Result<(), StartposError> {
    let set = arguments.set;
    if arguments.sets {
        return Ok(show::sets()?);
    }
    if arguments.all {
        return Ok(show::all(set, arguments.fen.unwrap_or(FenStyle::Shredder))?);
    }
    let board = if let Some(method) = arguments.method {
        draw_by_method(method, &arguments.rolls)?
    } else if arguments.place {
        placing::play(std::io::stdin().lock())?
    } else if arguments.random {
        return random::run(arguments);
    } else if let Some(text) = &arguments.position {
        lookup::by_text(set, text)?
    } else {
        let orthodox = u64::from(startpos::ORTHODOX);
        lookup::by_number(set, if set.count() > orthodox { orthodox } else { 0 })?
    };
    Ok(show::position(&board, arguments)?)
}

/// Draws a set-up and prints each step on standard error.
fn draw_by_method(method: Method, rolls: &[String]) -> Result<Board, StartposError> {
    let rolls = if rolls.is_empty() {
        Rolls::Random(Random::from_entropy())
    } else {
        Rolls::Given(Vec::from(rolls).into_iter())
    };
    let drawn = methods::draw(method, rolls)?;
    eprint_line(method.description());
    for step in &drawn.steps {
        eprint_line(&format!("  {step}"));
    }
    eprint_line(method.warning().unwrap_or_default());
    Ok(startpos::board_from_back_ranks(
        &drawn.rank,
        &drawn.rank,
        StartCastling::Rules(CastlingRules::Fischer),
    ))
}
