//! `enroque startpos`: start positions by number, by hand, at random, or all of a set, and the number of a position.

mod arguments;
mod error;
pub(in crate::workbench) mod facts;
pub(in crate::workbench) mod lookup;
mod methods;
mod placing;
mod random;
mod sheet;
mod show;

use self::methods::{METHODS, Method, Rolls};
use crate::chess::startpos::{self, StartCastling};
use crate::chess::{Board, CastlingRules, FenStyle};
use crate::terminal::{eprint_line, print_line};
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
    if arguments.methods {
        return list_methods();
    }
    if arguments.all {
        return Ok(show::all(set, arguments.fen.unwrap_or(FenStyle::Shredder))?);
    }
    let board = if let Some(method) = arguments.method {
        draw_by_method(method, &arguments.rolls)?
    } else if let Some(game) = arguments.place {
        placing::play(game, std::io::stdin().lock())?
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

/// Draws a start and prints the rules, each step and the probabilities on standard error.
fn draw_by_method(method: &Method, rolls: &[String]) -> Result<Board, StartposError> {
    let rolls = if rolls.is_empty() {
        Rolls::Random(Random::from_entropy())
    } else {
        Rolls::given(rolls.iter().cloned())
    };
    let drawn = method.draw(rolls)?;
    eprint_line(&sentences(method.rules));
    for step in &drawn.steps {
        eprint_line(&format!("  {step}"));
    }
    eprint_line(&method.note());
    Ok(startpos::board_from_back_ranks(
        &drawn.rank,
        &drawn.rank,
        StartCastling::Rules(CastlingRules::Fischer),
    ))
}

/// Prints the name, the rules and the probabilities of each drawing method.
fn list_methods() -> Result<(), StartposError> {
    let texts =
        METHODS.each_ref().map(|method| format!("{}\n{}\n{}", method.name, method.rules, method.note()));
    Ok(print_line(&texts.join("\n\n"))?)
}

/// Returns a text with each sentence on its own line.
fn sentences(text: &str) -> String {
    text.replace(". ", ".\n")
}
