//! Legal moves and perft of a position: `cargo run --release --example perft -- 'FEN' 4`

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

use enroque::chess::perft::perft;
use enroque::chess::{Board, CastlingNotation, CastlingRules};

const DEFAULT_DEPTH: u32 = 4;

fn run() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
    let board = match arguments.next() {
        Some(fen) => Board::from_fen(&fen, CastlingRules::Fischer)?,
        None => Board::startpos(),
    };
    let depth = match arguments.next() {
        Some(text) => text.parse().map_err(|_| format!("expected a depth, found '{text}'"))?,
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
    let Err(error) = run() else { return ExitCode::SUCCESS };
    let _ = writeln!(io::stderr(), "error: {error}");
    ExitCode::from(2)
}
