//! Castling in Chess960 is king takes own rook: what that does on the board, and why it may be impossible.
//! `cargo run --release --example castling`

use enroque::chess::{Board, CastlingNotation, CastlingSide, FenError, FenStyle};

fn main() -> Result<(), FenError> {
    // The king on b1 castles with the rooks on a1 and g1; a knight on c1 is in the way of both.
    let mut board: Board = "4k3/8/8/8/8/8/8/RKN3R1 w GA - 0 1".parse()?;
    for side in CastlingSide::ALL {
        let Some(path) = board.castling(board.side_to_move(), side) else { continue };
        let obstacles = board.castling_obstacles(board.side_to_move(), path);
        println!(
            "{:?}: king {} to {}, rook {} to {}: {obstacles:?}",
            side, path.king_from, path.king_to, path.rook_from, path.rook_to
        );
    }
    for name in ["c1d3", "e8e7", "b1g1"] {
        let Some(mv) = board.parse_move(name) else {
            println!("{name} is not legal");
            continue;
        };
        println!("{} is {}", board.format_move(mv, CastlingNotation::KingTakesRook), board.san(mv));
        board.make_move(mv);
    }
    println!("{}", board.fen(FenStyle::Shredder));
    Ok(())
}
