//! `speedtest` measures nodes per second over the positions of two games. Unlike `bench` it keeps the TT and the
//! histories between moves, as in a game. Use it to compare machines, builds and thread counts.

use std::error::Error;
use std::time::Duration;

use crate::chess::Board;
use crate::engine::Engine;
use crate::search::limits::Limits;
use crate::search::report::Silent;
use crate::simd;
use crate::terminal::{eprint_line, print_line};
use crate::util::parallel::available_threads;

const DEFAULT_SECONDS: u64 = 10;
/// TT size per thread, in MiB.
const HASH_PER_THREAD: usize = 64;
/// We search every third position of a game. The step is odd, so that White and Black are to move equally often.
const PLY_STEP: usize = 3;

/// The start positions and moves of two self-play games at 20,000 nodes a move.
const GAMES: [(&str, &str); 2] = [
    (
        "r3kqbr/bppppppp/pn2n3/1P6/P7/5P2/2PPP1PP/BNRBQNKR w KQkq - 1 5",
        "bxa6 bxa6 e3 f6 f4 h5 Qe2 Nd5 f5 Nd8 d4 e5 fxe6 Bxe6 h3 Qe7 c4 Nb4 Nbd2 h4 Bb3 Bf7 Nh2 Bg6 Bc3 Nd3 Ra1 \
         c5 d5 Ne5 e4 Bh5 Qf2 Bb8 Bc2 Ndf7 O-O Kf8 Rae1 Bd6 Kh1 Kg8 Rb1 Ng6 a5 Bg3 Qe3 d6 Rb6 Qe8 Rfb1 Bf4 Qd3 \
         Bg3 Ndf3 Rh6 Rb7 Nge5 Nxe5 Bxe5 Be1 Ng5 Bd2 Bxh2 Bxg5 fxg5 Kxh2 Qe5+ Kg1 Rf8 Rb8 Rf6 Bd1 Bg6 Rxf8+ \
         Rxf8 Rb7 Bxe4 Qe3 g4 hxg4 h3 Bf3 Rf4 Rb8+ Kf7 Rb7+ Kf6 g5+ Kg6 Rd7 Bxf3 Qxe5 dxe5 gxf3 Rxc4 Kh2 Rc3 \
         Rd6+ Kxg5 Rxa6 Rxf3 Re6 Kf5 Re8 Kg4 Rxe5",
    ),
    (
        "r1bqkbnr/p1ppnppp/1p2p3/8/3P3P/6R1/PPP1PPP1/RNBQKBN1 b Qkq - 0 5",
        "Nf6 e3 c5 Nc3 Bb7 Bd3 c4 Bf1 a6 Rh3 h5 b3 b5 bxc4 bxc4 Bd2 Qc7 a4 Ned5 Nxd5 Bxd5 Ne2 Be4 Ng3 Bg6 c3 d5 \
         Be2 Rb8 Kf1 Rb2 e4 Nxe4 Nxe4 Bxe4 Bc1 Rb3 Bxh5 Be7 Kg1 O-O Qd2 Bf5 g4 Be4 g5 Bf5 Qe3 Bxh3 Qxh3 Qa5 \
         Bd2 Qb6 Kg2 Rb1 Rxb1 Qxb1 Be3 Qd3 Qg3 g6 Bg4 Qxc3 Qc7 Bd8 Qe5 Qd3 Bf4 Bb6 Be3 Qe4+ Qxe4 dxe4 Bf4 c3 \
         Bd1 Bxd4 Bb3 Kg7 Bc2 e5 Bc1 f5 Ba3 Rd8 Bc1 Rb8 Kg3 Kf7 f3 exf3 Kxf3 e4+ Kg3 Be5+ Kg2 Ke6 h5 gxh5",
    ),
];

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Request {
    /// Number of search threads; `None` for one per core.
    pub threads: Option<usize>,
    /// Total search time in seconds; `None` for [`DEFAULT_SECONDS`].
    pub seconds: Option<u64>,
}

/// Searches the positions of both games, each for an equal share of the time. The result goes to standard output, the
/// progress to standard error.
pub fn run(request: Request) -> Result<(), Box<dyn Error>> {
    let threads = request.threads.unwrap_or_else(available_threads).max(1);
    let seconds = request.seconds.unwrap_or(DEFAULT_SECONDS).max(1);
    let games = GAMES.iter().map(|&(start, moves)| positions(start, moves)).collect::<Result<Vec<_>, _>>()?;
    let count: usize = games.iter().map(Vec::len).sum();
    let limits = Limits {
        move_time: Some((Duration::from_secs(seconds).as_millis() / count as u128).max(1) as i64),
        ..Limits::default()
    };

    let hash = HASH_PER_THREAD * threads;
    let mut engine = Engine::new()?;
    engine.set_threads(threads)?;
    engine.set_hash(hash)?;
    engine.set_move_overhead(0);
    let (mut nodes, mut time) = (0, Duration::ZERO);
    let speed = |nodes: u64, time: Duration| nodes as f64 / time.as_secs_f64().max(1e-9);
    for (index, positions) in games.into_iter().enumerate() {
        engine.new_game();
        for board in positions {
            engine.set_board(board);
            let outcome = engine.search(limits.clone(), Box::new(Silent));
            nodes += outcome.nodes;
            time += outcome.time;
        }
        eprint_line(&format!("game {} of {}: {:.0} nodes/s", index + 1, GAMES.len(), speed(nodes, time)));
    }
    print_line(&format!("Positions:    {count} of {} games", GAMES.len()))?;
    print_line(&format!("Threads:      {threads}"))?;
    print_line(&format!("Hash:         {hash} MiB"))?;
    print_line(&format!("Instructions: {}", simd::name()))?;
    print_line(&format!("Time:         {:.2} s", time.as_secs_f64()))?;
    print_line(&format!("Nodes:        {nodes}"))?;
    print_line(&format!("Nodes/second: {:.0}", speed(nodes, time)))?;
    Ok(())
}

/// Returns every [`PLY_STEP`]th position of a game, each with the earlier positions, so that repetitions count.
fn positions(start: &str, moves: &str) -> Result<Vec<Board>, Box<dyn Error>> {
    let mut board: Board = start.parse()?;
    let mut positions = Vec::new();
    for (ply, san) in moves.split_ascii_whitespace().enumerate() {
        if ply.is_multiple_of(PLY_STEP) {
            positions.push(board.clone());
        }
        let mv = board.parse_san(san)?;
        board.make_move(mv);
    }
    Ok(positions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_legal() {
        for (start, moves) in GAMES {
            assert!(positions(start, moves).unwrap().len() > 30, "{start}");
        }
    }
}
