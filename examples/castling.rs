//! Shows how castling works in Chess960, where the king takes its own rook, and what can prevent it.
//! `cargo run --release --example castling`

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

use enroque::chess::{Board, CastlingNotation, CastlingSide, FenStyle};
use enroque::terminal::ExitStatus;

fn run() -> Result<(), Box<dyn Error>> {
    // The king on b1 castles with the rooks on a1 and g1. A knight on c1 blocks both castlings.
    let mut board: Board = "4k3/8/8/8/8/8/8/RKN3R1 w GA - 0 1".parse()?;
    let mut output = io::stdout().lock();
    for side in CastlingSide::ALL {
        let Some(path) = board.castling(board.side_to_move(), side) else { continue };
        let obstacles = board.castling_obstacles(board.side_to_move(), path);
        writeln!(
            output,
            "{:?}: king {} to {}, rook {} to {}: {obstacles:?}",
            side, path.king_from, path.king_to, path.rook_from, path.rook_to
        )?;
    }
    for name in ["c1d3", "e8e7", "b1g1"] {
        let Some(mv) = board.parse_move(name) else {
            writeln!(output, "{name} is not legal")?;
            continue;
        };
        let coordinates = board.format_move(mv, CastlingNotation::KingTakesRook);
        writeln!(output, "{coordinates} is {}", board.san(mv))?;
        board.make_move(mv);
    }
    writeln!(output, "{}", board.fen(FenStyle::Shredder))?;
    Ok(())
}

fn main() -> ExitCode {
    run().map_or_else(|error| ExitStatus::of_error(&*error).into(), |()| ExitCode::SUCCESS)
}
