//! `bench`: fixed-depth searches whose node count is the engine's signature, and their speed.

use std::time::Duration;

use thiserror::Error;

use crate::chess::{Board, CastlingRules, FenError};
use crate::engine::{Engine, EngineError};
use crate::search::limits::Limits;
use crate::search::report::Silent;
use crate::terminal::{OutputError, print_line};

/// Default depth, plies.
const DEFAULT_DEPTH: i32 = 12;

/// Openings, middlegames and endgames of orthodox chess, Chess960 and double Chess960.
const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w HAha - 0 1",
    "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1",
    "bbnnrkrq/pppppppp/8/8/8/8/PPPPPPPP/BBNNRKRQ w GEge - 0 1",
    "nrkbbrqn/pppppppp/8/8/8/8/PPPPPPPP/QRKNBBNR w HBfb - 0 1",
    "rkbnqbrn/pppppppp/8/8/8/8/PPPPPPPP/NQRBKRBN w FCga - 0 1",
    "3b1k1r/1p2pb1p/r2pqp2/p1p1n1pn/2P5/PB2N1PP/1P1PPP1N/RQ2K1BR w h - 0 13",
    "nqkr3r/p1pb1p2/p2ppbpp/3n4/3PP3/1P5N/1QP1BPPP/N1RKBR2 w C - 2 12",
    "brkr1bnn/2p1pp2/P5pp/1p1p3q/3P3P/5PR1/P1P1P1P1/B1KRQBNN w Ddb - 1 12",
    "rk2n1bq/4bppp/3r2n1/1pppp1NB/p1P4P/4P1N1/PP1P1PP1/RK3RBQ w Aa - 2 11",
    "1qbb2kr/3pp2p/1p1nn3/r5pP/P1p2pP1/4PP2/2PP3Q/RBKRNNB1 w DAh - 0 11",
    "1kqn1n2/rpp1Bpr1/2b3pp/3p4/p1Pb4/P4P2/1PNPPNPP/1BR2QKR w HC - 0 10",
    "r1bq1rk1/pp3ppp/2n1pn2/2bp4/3P4/2N1PN2/PP2BPPP/R1BQ1RK1 w - - 0 10",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "r1bq1rk1/1pp1bppp/p1np1n2/4p3/B3P3/2PP1N2/PP3PPP/RNBQR1K1 w - - 0 9",
    "8/2p2k2/1p1p2p1/p2P1p2/P1P2P2/1P4K1/6P1/8 w - - 0 40",
    "8/5pk1/4p1p1/3pP2p/1p1P1P1P/1P2KP2/8/8 w - - 3 45",
    "8/1R6/6pk/5p1p/7P/r4PPK/8/8 w - - 2 50",
    "4r1k1/5pp1/1q2p2p/1p1n4/3P4/P2Q1N1P/1P3PP1/2R3K1 w - - 0 28",
    "6k1/5p1p/2bP2p1/4p3/1p2P3/1P3P2/2B3PP/6K1 w - - 0 35",
    "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 47",
    "2K5/p7/7P/5pR1/8/5k2/r7/8 w - - 4 60",
];

/// Error of `bench`.
#[derive(Debug, Error)]
pub enum BenchError {
    /// The engine cannot be started.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Standard output cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A position of the list is not valid.
    #[error("bench: {fen}: {reason}")]
    Position {
        /// The position.
        fen: &'static str,
        /// Cause.
        reason: FenError,
    },
}

/// Searches every position to `depth` plies with one thread and an empty table, and prints the totals.
///
/// # Errors
/// Returns an error if the engine cannot be started or standard output cannot be written.
pub fn run(depth: Option<i32>) -> Result<(), BenchError> {
    let depth = depth.unwrap_or(DEFAULT_DEPTH);
    let mut engine = Engine::new()?;
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for (index, fen) in POSITIONS.iter().enumerate() {
        let board = Board::from_fen(fen, CastlingRules::Fischer)
            .map_err(|reason| BenchError::Position { fen, reason })?;
        engine.new_game();
        engine.set_board(board);
        let outcome = engine.search(Limits::depth(depth), Box::new(Silent));
        nodes += outcome.nodes;
        time += outcome.time;
        print_line(&format!("{:>2}/{} {:>10} nodes  {fen}", index + 1, POSITIONS.len(), outcome.nodes))?;
    }
    let nps = nodes as f64 / time.as_secs_f64().max(1e-9);
    print_line(&format!("{nodes} nodes {nps:.0} nps"))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_valid() {
        for fen in POSITIONS {
            assert!(Board::from_fen(fen, CastlingRules::Fischer).is_ok(), "{fen}");
        }
    }
}
