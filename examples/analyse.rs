//! Analyses a position, and prints a line after each depth:
//! `cargo run --release --example analyse -- 'FEN'`

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use enroque::chess::{Board, CastlingNotation, CastlingRules, Move};
use enroque::engine::Engine;
use enroque::search::Control;
use enroque::search::limits::Limits;
use enroque::search::report::{Info, Outcome, Reporter};
use enroque::terminal::ExitStatus;

/// Prints a line for each PV that the search reports, and stops the search if it cannot write.
struct Printer {
    control: Arc<Control>,
    failure: Arc<Mutex<Option<io::Error>>>,
}

impl Printer {
    fn print_line(&self, line: &str) {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        if failure.is_none()
            && let Err(error) = writeln!(io::stdout(), "{line}")
        {
            *failure = Some(error);
            self.control.stop();
        }
    }
}

impl Reporter for Printer {
    fn info(&mut self, info: &Info<'_>) {
        let mut board = info.board.clone();
        let mut moves = String::new();
        for &mv in info.pv {
            moves += &format!(" {}", board.san(mv));
            board.make_move(mv);
        }
        self.print_line(&format!("{:>3} {:>6} {:>9}{moves}", info.depth, info.score, info.nodes));
    }

    fn current_move(&mut self, _: &Board, _: i32, _: Move, _: usize) {}

    fn no_moves(&mut self, in_check: bool) {
        self.print_line(if in_check { "checkmate" } else { "stalemate" });
    }

    fn finished(&mut self, board: &Board, outcome: &Outcome) {
        if let Some(mv) = outcome.best_move {
            self.print_line(&format!("best: {}", board.format_move(mv, CastlingNotation::KingTakesRook)));
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let fen = std::env::args_os().nth(1);
    let mut engine = Engine::new()?;
    engine.set_hash(64)?;
    engine.set_board(match fen {
        Some(fen) => Board::from_fen(&fen.to_string_lossy(), CastlingRules::Fischer)?,
        None => Board::startpos(),
    });
    writeln!(io::stdout(), "depth  score     nodes moves")?;
    let failure = Arc::new(Mutex::new(None));
    let printer = Printer { control: engine.control(), failure: failure.clone() };
    engine.search(Limits::nodes(300_000), Box::new(printer));
    let failure = failure.lock().unwrap_or_else(PoisonError::into_inner).take();
    failure.map_or(Ok(()), |error| Err(error.into()))
}

fn main() -> ExitCode {
    run().map_or_else(|error| ExitStatus::of_error(&*error).into(), |()| ExitCode::SUCCESS)
}
