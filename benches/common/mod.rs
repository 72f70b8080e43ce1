//! Positions for the benchmarks, and perft by cozy-chess to compare with.
#![allow(dead_code)]

/// Positions, each with a perft depth that takes about a second: the orthodox start, Kiwipete, and ten middlegames of
/// Chess960 and double Chess960, reached by random moves that do not lose material at once.
pub const POSITIONS: [(&str, u32); 12] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", 6),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w HAha - 0 1", 5),
    ("3b1k1r/1p2pb1p/r2pqp2/p1p1n1pn/2P5/PB2N1PP/1P1PPP1N/RQ2K1BR w h - 0 13", 5),
    ("bnrknrqb/Q4pp1/p1ppp3/4B2p/1p3P2/NP2P3/P1PP2PP/2NRKR1B b D - 0 13", 5),
    ("nqkr3r/p1pb1p2/p2ppbpp/3n4/3PP3/1P5N/1QP1BPPP/N1RKBR2 w C - 2 12", 5),
    ("brkr1bnn/2p1pp2/P5pp/1p1p3q/3P3P/5PR1/P1P1P1P1/B1KRQBNN w Ddb - 1 12", 5),
    ("rk2n1bq/4bppp/3r2n1/1pppp1NB/p1P4P/4P1N1/PP1P1PP1/RK3RBQ w Aa - 2 11", 5),
    ("n1rbkqrn/2p2p1p/p2pp3/1p1P2P1/5Q2/P1P2P2/1P1RP3/RBK2bBN b A - 0 13", 5),
    ("qbnrkrb1/1p3n2/3ppp2/p1pP2pp/P3P3/1PPK4/2N2PPP/1RB1QBRN b fd - 1 12", 5),
    ("1qbb2kr/3pp2p/1p1nn3/r5pP/P1p2pP1/4PP2/2PP3Q/RBKRNNB1 w DAh - 0 11", 5),
    ("rnbbr3/1p1pp1kp/2p1qp1n/p5p1/1P3PPP/3P1NQ1/P1P1P2R/RBKN2B1 w A - 3 12", 5),
    ("1kqn1n2/rpp1Bpr1/2b3pp/3p4/p1Pb4/P4P2/1PNPPNPP/1BR2QKR w HC - 0 10", 5),
];

/// Runs perft with cozy-chess, which counts the last ply in bulk, as our own perft does.
pub fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
        return nodes;
    }
    board.generate_moves(|moves| {
        for mv in moves {
            let mut next = board.clone();
            next.play_unchecked(mv);
            nodes += cozy_perft(&next, depth - 1);
        }
        false
    });
    nodes
}
