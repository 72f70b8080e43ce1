//! Sets up a start position by its number, and recognises it again:
//! `cargo run --release --example start_position -- 344:402`

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

use enroque::chess::startpos::StartNumbers;
use enroque::chess::{CastlingRules, FenStyle, position};
use enroque::terminal::ExitStatus;

fn run() -> Result<(), Box<dyn Error>> {
    let argument = std::env::args_os().nth(1);
    let text = argument.map_or_else(|| "334".to_owned(), |argument| argument.to_string_lossy().into_owned());
    let board = position::parse(&text, CastlingRules::Fischer)?;
    let mut output = io::stdout().lock();
    writeln!(output, "{}", board.fen(FenStyle::Shredder))?;
    if let Some(numbers) = StartNumbers::of(&board) {
        writeln!(output, "{}", numbers.name())?;
    }
    Ok(())
}

fn main() -> ExitCode {
    run().map_or_else(|error| ExitStatus::of_error(&*error).into(), |()| ExitCode::SUCCESS)
}
