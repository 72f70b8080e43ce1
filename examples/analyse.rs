//! A position analysed through the library, with a report of each depth as it is reached:
//! `cargo run --release --example analyse -- 'FEN'`

use enroque::chess::{Board, CastlingNotation, CastlingRules, Move};
use enroque::engine::Engine;
use enroque::search::limits::Limits;
use enroque::search::report::{Info, Outcome, Reporter};

/// Prints each principal variation.
struct Print;

impl Reporter for Print {
    fn info(&mut self, info: &Info<'_>) {
        let mut board = info.board.clone();
        let mut moves = String::new();
        for &mv in info.pv {
            moves += &format!(" {}", board.san(mv));
            board.make_move(mv);
        }
        println!("{:>3} {:>6} {:>9}{moves}", info.depth, info.score, info.nodes);
    }

    fn current_move(&mut self, _: &Board, _: i32, _: Move, _: usize) {}

    fn no_moves(&mut self, in_check: bool) {
        println!("{}", if in_check { "checkmate" } else { "stalemate" });
    }

    fn finished(&mut self, board: &Board, outcome: &Outcome) {
        if let Some(mv) = outcome.best_move {
            println!("best: {}", board.format_move(mv, CastlingNotation::KingTakesRook));
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let fen = std::env::args().nth(1);
    let mut engine = Engine::new()?;
    engine.set_option("Hash", "64")?;
    engine.set_board(match fen {
        Some(fen) => Board::from_fen(&fen, CastlingRules::Fischer)?,
        None => Board::startpos(),
    });
    println!("depth  score     nodes moves");
    engine.search(Limits::nodes(300_000), Box::new(Print));
    Ok(())
}
