//! Options: what they accept, report and change.

use std::time::Duration;

use super::{best_move, last_info, number};
use crate::common::program::{Session, pv};

#[test]
fn uci_command_lists_options() {
    let mut session = Session::start();
    assert!(session.within(Duration::from_millis(100)).is_empty());
    session.send("uci");
    let lines = session.until("uciok");
    assert!(lines[0].starts_with("id name Enroque "));
    assert!(lines[1].starts_with("id author "));
    // One option of each type.
    for option in [
        "Hash type spin default 16 min 1 max 33554432",
        "Ponder type check default false",
        "CastlingRules type combo default fischer var fischer var nearest var orthodox480 var none",
        "Clear Hash type button",
        "Debug Log File type string default <empty>",
    ] {
        assert!(lines.contains(&format!("option name {option}")), "{option}: {lines:#?}");
    }
    for spin in lines.iter().filter(|line| line.contains(" type spin ")) {
        let [default, min, max] = ["default", "min", "max"].map(|key| number(spin, key));
        assert!(min <= default && default <= max, "{spin}");
    }
    let allowed = ["id ", "option ", "info string network ", "uciok"];
    assert!(lines.iter().all(|line| allowed.iter().any(|start| line.starts_with(start))), "{lines:#?}");
    assert_eq!(session.ask(""), [""; 0]);
    assert!(session.finish().success());
}

#[test]
fn castling_notation_follows_mode() {
    let mut session = Session::start();
    let orthodox = "position fen 4k3/8/8/8/8/8/5PPP/4K2R w K - 0 1";
    session.send(orthodox);
    assert_eq!(best_move(&session.go("go depth 3 searchmoves e1g1")), "e1g1");
    assert_eq!(best_move(&session.go("go depth 3 searchmoves e1h1")), "e1g1");
    session.send("setoption name UCI_Chess960 value true");
    assert_eq!(best_move(&session.go("go depth 3 searchmoves e1g1")), "e1h1");
    let shown = session.ask(&format!("{orthodox} moves e1g1 e8e7\nd")).join("\n");
    assert!(shown.contains("8/4k3/8/8/8/8/5PPP/5RK1 w - - 2 2"), "{shown}");
    // If king and rook are not on their orthodox squares, we write king takes rook whatever the option says.
    session.send("setoption name UCI_Chess960 value false");
    session.send("position fen 3k4/8/8/8/8/8/5PPP/5K1R w H - 0 1");
    assert_eq!(best_move(&session.go("go depth 3 searchmoves f1h1")), "f1h1");
    assert!(session.ask("go perft 1").iter().any(|line| line == "f1h1: 1"));
}

#[test]
fn castling_rules_option() {
    let mut session = Session::start();
    let position = "position fen 1k6/8/8/8/8/8/PPP5/RK5R w KQ - 0 1";
    let rook_after = |session: &mut Session| {
        session.ask(&format!("{position} moves b1h1\nd")).into_iter().find(|line| line.starts_with("X-FEN"))
    };
    assert!(rook_after(&mut session).unwrap().contains("R4RK1"));
    session.send("setoption name CastlingRules value Orthodox480");
    assert!(rook_after(&mut session).unwrap().contains("R1RK4"));
    session.send("setoption name castlingrules value none");
    let lines = session.ask(&format!("{position} moves b1h1"));
    assert!(lines[0].contains("move 1 'b1h1' is not legal"), "{lines:?}");
    for start in ["startpos", "sp 518", "dfrc 518:518", "518"] {
        let moves = "g1f3 g8f6 g2g3 g7g6 f1g2 f8g7";
        let lines = session.ask(&format!("position {start} moves {moves} e1g1"));
        assert!(lines[0].contains("move 7 'e1g1' is not legal"), "{start}: {lines:?}");
    }
}

#[test]
fn draw_odds_turn_draws_into_wins_and_losses() {
    // Whatever Black plays is stalemate or leaves bare kings.
    let dead = "position fen 8/8/8/8/8/4k3/5p2/5K2 b - - 0 1";
    let mut session = Session::start();
    session.send("setoption name UCI_ShowWDL value true");
    for (odds, dead_score, chances) in
        [("none", 0, "wdl 0 1000 0"), ("black", 5000, "wdl 1000 0 0"), ("White", -5000, "wdl 0 0 1000")]
    {
        session.send(&format!("setoption name DrawOdds value {odds}\nucinewgame\n{dead}"));
        let lines = session.go("go depth 8");
        let info = last_info(&lines);
        let score: i32 = info.split("score cp ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        assert!(if dead_score == 0 { score == 0 } else { score / dead_score >= 1 }, "{odds}: {info}");
        assert!(odds == "none" || info.contains(chances), "{odds}: {info}");
    }
}

#[test]
fn option_values_keep_their_blanks() {
    let lines = Session::start().ask("setoption  name  SyzygyPath  value  /no  where  ");
    assert!(lines[0].contains(" /no  where: "), "{lines:?}");
}

#[test]
fn options_are_validated() {
    let mut session = Session::start();
    for bad in [
        "setoption name Hash value 0",
        "setoption name Hash value lots",
        "setoption name Hash value 33554432",
        "setoption name Threads value 0",
        "setoption name MultiPV value 257",
        "setoption name Ponder value maybe",
        "setoption name CastlingRules value capablanca",
        "setoption name NoSuchOption value 1",
        "setoption",
        "setoption Hash 5",
    ] {
        let lines = session.ask(bad);
        assert_eq!(lines.len(), 1, "{bad}: {lines:?}");
        assert!(lines[0].starts_with("info string"), "{bad}: {lines:?}");
    }
    for good in [
        "setoption name hash value 4",
        "setoption name CLEAR HASH",
        "setoption name Clear Hash value",
        "setoption name move overhead value 30",
        "setoption name Threads value 2",
        "setoption name UCI_AnalyseMode value true",
        "setoption name UCI_EngineAbout value anything",
        "setoption name nodestime value 100",
    ] {
        assert_eq!(session.ask(good), [""; 0], "{good}");
    }
    session.send("position startpos");
    assert!(!session.go("go depth 6").is_empty());
    // Setting an option ends a running search.
    session.send("go infinite").send("setoption name Hash value 2");
    session.until("bestmove");
    session.send("go depth 3");
    session.until("bestmove");
}

#[cfg(unix)]
#[test]
fn special_files_are_rejected_as_networks() {
    let mut session = Session::start();
    for file in ["/dev/zero", "/dev", "/dev/stdin"] {
        session.send(&format!("setoption name EvalFile value {file}"));
    }
    session.send("isready");
    let lines = session.until("readyok");
    assert_eq!(lines.iter().filter(|line| line.contains("not a regular file")).count(), 3, "{lines:?}");
}

#[test]
fn extreme_network_reports_no_mates() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = Session::start();
    for (name, weight, bias) in [("high", i16::MAX, i32::MAX), ("low", i16::MIN, i32::MIN)] {
        let mut network = (*enroque::nnue::Network::embedded()).clone();
        network.feature_weights.iter_mut().for_each(|row| row.0.fill(weight));
        network.output_bias.fill(bias);
        let file = folder.path().join(name);
        std::fs::write(&file, network.to_bytes()).unwrap();
        session.send(&format!("setoption name EvalFile value {}", file.display()));
        for go in ["go depth 4", "go movetime 1 searchmoves e2e4", "eval"] {
            session.send("position startpos");
            session.send(go);
        }
        session.send("go nodes 500");
        let mut lines = session.until("bestmove");
        for _ in 0..2 {
            lines.extend(session.until("bestmove"));
        }
        assert!(lines.iter().any(|line| line.contains("score cp")), "{lines:?}");
        assert!(!lines.iter().any(|line| line.contains("score mate")), "{lines:?}");
    }
}

#[test]
fn limited_strength_varies_moves() {
    let mut session = Session::start();
    session.send("setoption name Skill Level value 0");
    let mut moves = std::collections::HashSet::new();
    for _ in 0..30 {
        let lines = session.send("ucinewgame").go("go movetime 1000");
        let last = last_info(&lines);
        assert_eq!(pv(last)[0], best_move(&lines), "{lines:#?}");
        assert!(number(last, "nodes") < 1000, "{last}");
        assert!(
            lines.iter().all(|line| !line.contains(" multipv 2 ")),
            "expected a single variation: {lines:#?}"
        );
        moves.insert(best_move(&lines).to_owned());
    }
    assert!(moves.len() > 2, "{moves:?}");

    session.send("setoption name Skill Level value 20").send("setoption name UCI_LimitStrength value true");
    session.send("setoption name UCI_Elo value 1900");
    let nodes = number(last_info(&session.go("go depth 30")), "nodes");
    assert!((100..20_000).contains(&nodes), "{nodes}");
    session.send("setoption name UCI_LimitStrength value false");
    assert!(number(last_info(&session.go("go nodes 5000")), "nodes") >= 4900);
}

#[test]
fn excess_threads_are_reported() {
    let mut session = Session::start();
    assert!(session.ask("setoption name Threads value 1").iter().all(|line| !line.contains("slows")));
    let said = session.ask("setoption name Threads value 200");
    assert!(said.iter().any(|line| line.contains("200 threads share")), "{said:?}");
}
