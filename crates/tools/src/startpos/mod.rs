//! `enroque-tools startpos`: start positions by number, by hand, at random, or all of a set, and the number of a position.

mod arguments;
mod error;
pub(crate) mod facts;
pub(crate) mod lookup;
pub(crate) mod methods;
mod placing;
mod random;
mod sheet;
mod show;

use self::methods::{METHODS, Method, Rolls};
use crate::shell::quoted;
use enroque::chess::startpos::{self, StartCastling};
use enroque::chess::{Board, CastlingRules, FenStyle};
use enroque::terminal::{OutputError, eprint_line, print_line};
use enroque::util::random::Random;

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
    if arguments.is_random() {
        return random::run(arguments);
    }
    if let Some(method) = arguments.method {
        let board = draw_by_method(method, arguments)?;
        return Ok(show::position(&board, arguments)?);
    }
    if let Some(game) = arguments.place {
        let board = placing::play(game, std::io::stdin().lock(), |text| tell(text, arguments))?;
        return Ok(show::position(&board, arguments)?);
    }
    let boards = if arguments.positions.is_empty() {
        let orthodox = u64::from(startpos::ORTHODOX);
        vec![lookup::by_number(set, if set.count() > orthodox { orthodox } else { 0 })?]
    } else {
        arguments.positions.iter().map(|text| lookup::by_text(set, text)).collect::<Result<_, _>>()?
    };
    if let Some(path) = &arguments.sheet {
        let words = arguments.positions.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(" ");
        let command = format!("enroque-tools startpos --set {} {words}", set.name);
        return sheet::write(path, arguments, &boards, &[command]);
    }
    for (index, board) in boards.iter().enumerate() {
        if index > 0 && !arguments.prints_data() {
            print_line("\n")?;
        }
        show::position(board, arguments)?;
    }
    Ok(())
}

/// Prints a text for people, on standard error if standard output receives data for another program.
fn tell(text: &str, arguments: &Arguments) -> Result<(), OutputError> {
    if arguments.prints_data() {
        eprint_line(text);
        return Ok(());
    }
    print_line(text)
}

/// Draws a start and prints the rules, each step and the probabilities.
fn draw_by_method(method: &Method, arguments: &Arguments) -> Result<Board, StartposError> {
    let rolls = if arguments.rolls.is_empty() {
        Rolls::Random(Random::from_entropy())
    } else {
        Rolls::given(arguments.rolls.iter().cloned())
    };
    let drawn = method.draw(rolls)?;
    let steps = drawn.steps.join("\n  ");
    tell(&format!("{}\n  {steps}\n{}\n", sentences(method.rules), method.note()), arguments)?;
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
