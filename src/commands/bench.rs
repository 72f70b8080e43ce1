//! `bench` searches a set of positions to a fixed depth and prints the speed and the total node count. That count is
//! the engine's signature: it changes only if the search or the evaluation changes.

use std::error::Error;
use std::time::Duration;

use crate::engine::Engine;
use crate::search::limits::Limits;
use crate::search::report::Silent;
use crate::terminal::print_line;

/// Search depth in plies if `bench` is called without a number.
const DEFAULT_DEPTH: i32 = 14;

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
    "brnqkr1b/2n2p2/1p1pp2p/p1p3P1/P5P1/1P1N1N2/R1PPPP1B/1K1Q1R1B b Kkq - 0 11",
    "q1rbnk1r/2p1p1p1/ppn1pp2/7p/P2PPP2/1N3Q2/1PP3PP/2RKR1BN b KQkq - 0 8",
    "q1bbrnkr/pppppp1p/6pP/3n4/P3P3/1P1P4/2P2PP1/RNQBBNKR b KQkq - 0 7",
    "r1bqk2r/1ppn1p2/p2ppnp1/P7/3PP2p/2PB1N1P/1P2NPP1/R1Q1K2R w KQkq - 3 13",
    "rnbqkb1r/5ppp/1pp2n2/p3p3/2P1B3/1P2PQ2/PB1P1P1P/RN2K1NR w KQkq - 4 11",
    "rkbq1br1/1pp2p2/4pn1n/p2P2pp/P3P3/1Q1P1N1P/1P3PP1/BBNR1K1R b KQq - 0 9",
    "b1rqkb1r/p2p1ppp/n1p1p3/8/1pP3P1/1N1PB2P/PP2PP2/1R1KR1QB b KQkq - 1 9",
    "r1bqkbnr/p5pp/1pn5/2ppppP1/4P2P/N1PP4/PP2QP2/R1B1KBNR b KQkq - 1 8",
    "brk3qr/2ppp3/1p6/1N3B1p/2P3PQ/1K4P1/np2PP2/1R3RN1 b kq - 1 20",
    "1nr1kb1r/2p5/1p6/3B1p2/4pnp1/6N1/1PP2PP1/2NR1RK1 b q - 0 21",
    "1rq1k1rb/p1ppp1pp/1p3n2/5P2/5P1P/1N4N1/PPPP1B2/QB2R1K1 b kq - 2 12",
    "r1b1k2r/p1q1nnpp/1P1bpp2/8/4P3/1N6/2P1BPPP/RNBQ1RK1 b kq - 0 17",
    "5bkr/1b1p1np1/4pp2/1p5p/8/1P1N1PPB/r2PPB1P/1R2K2R w Kk - 2 18",
    "nb1r1kqr/1pp5/p4pp1/3Pp2p/P6P/3P1Q2/1PP2PPR/RK2N1B1 b Qkq - 0 11",
    "1rk2r2/ppbp4/1n3pp1/3Pp3/4P3/3N3R/P3PP2/B4RK1 b Qq - 0 18",
    "rnb2rkq/2bpnppp/ppp5/4pP2/2PP2P1/3B4/PPN1P2P/2KRRQBN b - - 1 10",
    "b1kr1r2/p1p1pqbp/NpPpnn2/5pp1/2QP4/1N2P2P/PP3PP1/1RBB1RK1 b - - 2 13",
    "b1qr1rk1/2n1ppbp/3p2p1/2p1n3/4P3/1NP1BP2/3PB1PP/QR1KN2R w HB - 5 12",
    "1rk1rbb1/1ppp2qp/1nn2pp1/p7/P3PNPP/3P4/1PP5/RKBBNR1Q w FAeb - 1 9",
    "n1brk2r/1pppbq2/2n5/Pp2pp1p/Q7/2N2P2/2PP2PP/1RKRNBB1 w DBhd - 0 12",
    "1krn2bb/1pp1q2p/r2p1np1/pN2pp2/2P2P2/1PNP2P1/P2QP2P/1RK2RBB w FBc - 2 12",
    "2rb1rkn/p3pqpp/1pn5/2p2p2/1P1p1P2/P1BP1NP1/2P1P2P/Q1RK1N1R w C - 0 10",
    "rkn1r1bq/1ppp2p1/4np2/p3p3/PbP4p/BPN1N3/3PPPPP/QR3RKB w ea - 3 8",
    "8/8/6p1/7p/5k1P/4p3/2p1K3/2B5 w - - 4 81",
    "r7/3k4/8/8/5BK1/3r4/8/1R6 w - - 12 81",
    "8/4nk2/6p1/Q4p2/4r2p/6P1/7K/8 w - - 0 62",
    "6k1/6p1/7p/pr5P/R7/6P1/5P2/5K2 w - - 0 43",
    "8/5pk1/6p1/r6p/8/4P1KP/6P1/1R6 b - - 12 51",
];

/// Searches every position to `depth` plies with one thread and an empty TT, and prints the total node count and
/// the speed. The time spent clearing the TT does not count.
pub fn run(depth: Option<i32>) -> Result<(), Box<dyn Error>> {
    let depth = depth.unwrap_or(DEFAULT_DEPTH);
    let mut engine = Engine::new()?;
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for (index, fen) in POSITIONS.iter().enumerate() {
        engine.new_game();
        engine.set_board(fen.parse()?);
        let outcome = engine.search(Limits::depth(depth), Box::new(Silent));
        nodes += outcome.nodes;
        time += outcome.time;
        let pieces = fen.split(' ').next().unwrap_or_default();
        print_line(&format!("{:>2}/{} {:>11}  {pieces}", index + 1, POSITIONS.len(), outcome.nodes))?;
    }
    let nps = nodes as f64 / time.as_secs_f64().max(1e-9);
    Ok(print_line(&format!("{nodes} nodes {nps:.0} nps"))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Board;

    #[test]
    fn positions_are_valid() {
        for fen in POSITIONS {
            assert!(fen.parse::<Board>().is_ok(), "{fen}");
        }
    }
}
