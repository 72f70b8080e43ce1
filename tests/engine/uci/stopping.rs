//! Searches that are stopped, replaced or wait for `stop` and `ponderhit`.

use std::time::Duration;

use super::{best_move, last_info, number};
use crate::common::program::{Session, field, printed};

#[test]
fn isready_and_stop_during_search() {
    let mut session = Session::start();
    session.send("position startpos").send("go infinite");
    assert!(!session.ask("").iter().any(|line| line.starts_with("bestmove")), "expected a running search");
    assert!(!session.within(Duration::from_millis(200)).iter().any(|line| line.starts_with("bestmove")));
    session.send("stop");
    assert_eq!(session.until("bestmove").iter().filter(|line| line.starts_with("bestmove")).count(), 1);
    for _ in 0..100 {
        session.send("go infinite").send("stop");
        session.until("bestmove");
    }
    assert!(session.finish().success());
}

#[test]
fn infinite_and_ponder_withhold_bestmove() {
    // A mate in one or a low limit ends the search long before we send `stop` or `ponderhit`.
    for go in [
        "go infinite",
        "go infinite depth 2",
        "go infinite nodes 500",
        "go infinite movetime 10",
        "go ponder wtime 1000 btime 1000",
        "go ponder nodes 10",
    ] {
        let mut session = Session::start();
        session.send("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1").send(go);
        let early = session.within(Duration::from_millis(300));
        assert!(!early.iter().any(|line| line.starts_with("bestmove")), "{go}");
        session.send(if go.contains("ponder") { "ponderhit" } else { "stop" });
        assert_eq!(best_move(&session.until("bestmove")), "a1a8");
    }
    let mut session = Session::start();
    session.send("position startpos").send("go ponder wtime 60000 btime 60000").send("stop");
    session.until("bestmove");
    session.send("position fen 7k/8/8/8/8/8/8/K7 w - - 0 1").send("go ponder movetime 20");
    session.within(Duration::from_millis(100));
    session.send("ponderhit");
    session.until("bestmove");
}

#[test]
fn stopped_first_iteration_is_finished() {
    let mut session = Session::start();
    // White can win the queen. If `stop` ended the search at once, it would play the first move of the list instead.
    session.send("position fen 4k3/8/8/8/3q4/8/8/3QK3 w - - 0 1");
    for _ in 0..20 {
        session.send_bytes(b"go infinite\nstop\n");
        assert_eq!(best_move(&session.until("bestmove")), "d1d4");
    }
}

#[test]
fn stopped_lines_have_exact_scores() {
    let mut session = Session::start();
    session.send("setoption name MultiPV value 3").send("position sp 334");
    for nodes in (1000..3000).step_by(50) {
        session.send("ucinewgame");
        // With three moves for three lines of MultiPV, each move has an exact score in every iteration. A fourth move
        // that failed high would have only a bound.
        let lines = session.go(&format!("go nodes {nodes} searchmoves f2f3 f2f4 e2e4"));
        assert!(!lines.iter().any(|line| line.contains("bound")), "{nodes}: {lines:#?}");
    }
}

#[test]
fn weak_levels_stay_weak_while_pondering() {
    let mut session = Session::start();
    session.send("setoption name UCI_LimitStrength value true").send("setoption name UCI_Elo value 1000");
    session.send("position startpos").send("go ponder wtime 60000 btime 60000");
    let mut lines = session.within(Duration::from_millis(500));
    session.send("ponderhit");
    lines.extend(session.until("bestmove"));
    let nodes = lines.iter().filter_map(|line| field(line, "nodes")?.parse::<u64>().ok()).max();
    assert!(nodes.expect("a report") < 20_000, "{lines:?}");
}

#[test]
fn ponderhit_keeps_infinite_search() {
    let mut session = Session::start();
    session.send("position startpos").send("go infinite depth 2").send("ponderhit");
    assert!(!session.within(Duration::from_millis(200)).iter().any(|line| line.starts_with("bestmove")));
    session.send("stop");
    session.until("bestmove");
}

#[test]
fn second_go_replaces_first() {
    let mut session = Session::start();
    session.send("go infinite").send("go depth 2");
    assert_eq!(session.until("bestmove").iter().filter(|line| line.starts_with("bestmove")).count(), 1);
    session.until("bestmove");
    session.send("go infinite");
    assert!(session.finish().success());
    let mut session = Session::start();
    session.send("go infinite").send("quit");
    assert!(session.finish().success());
}

#[test]
fn two_threads_search_and_stop() {
    let mut session = Session::start();
    session.send("setoption name Threads value 2").send("position dfrc 12345");
    let lines = session.go("go depth 8");
    assert_eq!(number(last_info(&lines), "depth"), 8);
    for _ in 0..30 {
        session.send("go infinite").send("stop");
        session.until("bestmove");
    }
}

/// After `ponderhit` or `stop`, the search ends before the program executes the next line.
#[test]
fn ponder_search_ends_before_next_command() {
    let text = printed(&["go ponder depth 12", "ponderhit", "d"]);
    assert!(text.contains("info depth 12 "), "{text}");
    assert!(text.find("bestmove") < text.find("X-FEN"), "{text}");
    let text = printed(&["go infinite", "stop", "d"]);
    assert!(text.find("bestmove") < text.find("X-FEN"), "{text}");
}
