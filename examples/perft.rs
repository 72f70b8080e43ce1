//! Prints the legal moves and the perft of a position: `cargo run --release --example perft -- 'FEN' 4`

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

use enroque::chess::perft::{MAX_PERFT_DEPTH, perft};
use enroque::chess::{Board, CastlingNotation, CastlingRules};
use enroque::terminal::ExitStatus;

const DEFAULT_DEPTH: u32 = 4;

fn depth_of(text: &str) -> Result<u32, String> {
    let depth = text.parse().ok().filter(|&depth| depth <= MAX_PERFT_DEPTH);
    depth.ok_or_else(|| format!("expected a depth from 0 to {MAX_PERFT_DEPTH}, found '{text}'"))
}

fn run() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
    let board = match arguments.next() {
        Some(fen) => Board::from_fen(&fen, CastlingRules::Fischer)?,
        None => Board::startpos(),
    };
    let depth = match arguments.next() {
        Some(text) => depth_of(&text)?,
        None => DEFAULT_DEPTH,
    };
    let mut output = io::stdout().lock();
    if depth > 0 {
        for mv in board.legal_moves() {
            let mut after = board.clone();
            after.make_move(mv);
            let name = board.format_move(mv, CastlingNotation::KingTakesRook);
            writeln!(output, "{name:<6} {:<8} {}", board.san(mv), perft(&after, depth - 1))?;
        }
    }
    writeln!(output, "perft {depth}: {}", perft(&board, depth))?;
    Ok(())
}

fn main() -> ExitCode {
    run().map_or_else(|error| ExitStatus::of_error(&*error).into(), |()| ExitCode::SUCCESS)
}
