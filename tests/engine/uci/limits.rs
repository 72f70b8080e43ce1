//! Limits of `go`: time, nodes, mate.

use std::time::Duration;

use super::{best_move, last_info, number};
use crate::common::program::{Session, pv};

#[test]
fn search_limits_combine() {
    let mut session = Session::start();
    for nodes in [1, 2, 3, 20, 100, 1023, 1024, 5000, 40_000] {
        session.send("ucinewgame").send("position startpos moves e2e4 e7e5 g1f3");
        let lines = session.go(&format!("go nodes {nodes}"));
        assert_eq!(number(last_info(&lines), "nodes"), nodes, "{lines:#?}");
        assert_eq!(pv(last_info(&lines))[0], best_move(&lines));
    }
    let lines = session.go("go movestogo 3 depth 4 winc 10 wtime 60000");
    assert_eq!(number(last_info(&lines), "depth"), 4);
    for go in [
        "go wtime 100",
        "go btime 100",
        "go wtime 0 btime 0",
        "go wtime -50 btime -50 winc 0 binc 0",
        "go wtime 1 winc 1 movestogo 1",
        "go movetime 1",
        "go movetime 0",
        "go movetime -7",
        "go depth 0",
        "go depth 1 nodes 1000 movetime 1000",
        "go nodes 0",
    ] {
        for position in ["startpos", "startpos moves g1f3"] {
            session.send(&format!("position {position}"));
            assert_ne!(best_move(&session.go(go)), "(none)", "{go}");
        }
    }
}

/// With `nodestime` the engine measures time in nodes, so that the test does not depend on the speed of the machine.
#[test]
fn time_limits_are_kept() {
    let mut session = Session::start();
    session.send("setoption name nodestime value 50").send("setoption name Move Overhead value 0");
    for go in ["go wtime 100", "go btime 100", "go wtime 100 btime 9000 winc 50", "go movetime 100"] {
        session.send("ucinewgame").send("position startpos");
        let nodes = number(last_info(&session.go(go)), "nodes");
        // The clock is checked every 1024 nodes.
        assert!(nodes <= 100 * 50 + 1024, "{go}: {nodes}");
    }
}

#[test]
fn crowded_board_respects_time() {
    let mut session = Session::start();
    session.send(
        "position fen kqqqqqqq/qqqqqqqq/qqqqqqqq/qqqqqqq1/1QQQQQQQ/QQQQQQQQ/QQQQQQQQ/KQQQQQQQ w - - 0 1",
    );
    for go in ["go movetime 100", "go wtime 1000 btime 1000", "go wtime 1 btime 1"] {
        let start = std::time::Instant::now();
        session.send(go);
        session.until("bestmove");
        assert!(start.elapsed() < Duration::from_secs(2), "{go}: {:?}", start.elapsed());
    }
}

#[test]
fn invalid_limit_is_reported() {
    let mut session = Session::start();
    session.send("position startpos").send("setoption name nodestime value 5");
    for (go, complaint) in [
        ("go wtime abc", "go wtime: expected a number, found 'abc'"),
        ("go depth", "go depth: expected a number, found ''"),
        ("go depth 2 nodes 1e6", "go nodes: expected a number, found '1e6'"),
        ("go movetime 10.5 nodes 100", "go movetime: expected a number, found '10.5'"),
    ] {
        let lines = session.go(go);
        assert_eq!(lines[0], format!("info string {complaint}"), "{go}");
        assert_ne!(best_move(&lines), "(none)");
    }
}

#[test]
fn go_mate_finds_mates() {
    let mut session = Session::start();
    for (fen, moves) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 1),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    ] {
        session.send("ucinewgame").send(&format!("position fen {fen}"));
        let lines = session.go(&format!("go mate {moves}"));
        assert_eq!(number(last_info(&lines), "mate"), moves, "{fen}");
    }
}

#[test]
fn threads_share_node_limit() {
    let mut session = Session::start();
    for threads in [1, 2, 4, 16] {
        session.send(&format!("setoption name Threads value {threads}"));
        for limit in [1000, 5000, 50_000] {
            session.send("ucinewgame").send("position sp 334");
            let lines = session.go(&format!("go nodes {limit}"));
            let (nodes, depth) = (number(last_info(&lines), "nodes"), number(last_info(&lines), "depth"));
            assert!((limit * 9 / 10..=limit).contains(&nodes), "{threads} threads, {limit}: {nodes}");
            assert!(depth >= 4, "{threads} threads, {limit}: depth {depth}");
        }
    }
}
