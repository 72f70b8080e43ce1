//! Legal moves and perft of a position: `cargo run --release --example perft -- 'FEN' 4`

use enroque::chess::perft::perft;
use enroque::chess::{Board, CastlingNotation, CastlingRules, FenError};

fn main() -> Result<(), FenError> {
    let mut arguments = std::env::args().skip(1);
    let board = match arguments.next() {
        Some(fen) => Board::from_fen(&fen, CastlingRules::Fischer)?,
        None => Board::startpos(),
    };
    let depth = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(4);
    for mv in board.legal_moves() {
        let mut after = board.clone();
        after.make_move(mv);
        let name = board.format_move(mv, CastlingNotation::KingTakesRook);
        println!("{name:<6} {:<8} {}", board.san(mv), perft(&after, depth - 1));
    }
    println!("perft {depth}: {}", perft(&board, depth));
    Ok(())
}
