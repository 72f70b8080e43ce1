//! Speaks UCI to the built program through pipes.

use std::time::Duration;

use crate::common::choose;
use crate::common::program::{Session, field, printed, pv, run};
use enroque::chess::{Board, CastlingRules, Color};
use enroque::util::random::Random;

/// Returns the last `info` line that has a PV.
fn last_info(lines: &[String]) -> &str {
    lines
        .iter()
        .rev()
        .find(|line| line.starts_with("info depth") && line.contains(" pv "))
        .expect("an info line")
}

fn best_move(lines: &[String]) -> &str {
    field(&lines[lines.len() - 1], "bestmove").expect("a best move")
}

fn number(line: &str, key: &str) -> i64 {
    field(line, key).and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("no {key} in {line}"))
}

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
fn ponderhit_keeps_infinite_search() {
    let mut session = Session::start();
    session.send("position startpos").send("go infinite depth 2").send("ponderhit");
    assert!(!session.within(Duration::from_millis(200)).iter().any(|line| line.starts_with("bestmove")));
    session.send("stop");
    session.until("bestmove");
}

#[test]
fn no_legal_moves_at_root() {
    let mut session = Session::start();
    session.send("position fen R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1");
    assert_eq!(session.go("go depth 5"), ["info depth 0 score mate 0", "bestmove (none)"]);
    session.send("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(session.go("go movetime 50"), ["info depth 0 score cp 0", "bestmove (none)"]);
    session.send("go infinite").send("stop");
    session.until("bestmove (none)");
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
fn option_values_keep_their_blanks() {
    let lines = Session::start().ask("setoption  name  SyzygyPath  value  /no  where  ");
    assert!(lines[0].contains(" /no  where: "), "{lines:?}");
}

#[test]
fn dropped_rights_are_reported() {
    let mut session = Session::start();
    session.send("position fen 4k3/8/8/8/8/8/8/4K2R w KQq - 0 1 moves O-O");
    session.send("isready");
    let lines = session.until("readyok");
    let rights: Vec<&String> = lines.iter().filter(|line| line.contains("is dropped")).collect();
    assert_eq!(rights.len(), 2, "{lines:?}");
    assert!(
        rights[0].starts_with("info string position: The FEN claims 'Q': White has no rook"),
        "{rights:?}"
    );
    session.send("d");
    session.send("isready");
    let lines = session.until("readyok").join("\n");
    assert!(lines.contains("4k3/8/8/8/8/8/8/5RK1 b - - 1 1"), "{lines}");
    // If the rules have no castling, we drop every right on purpose, so there is nothing to report.
    session.send("setoption name CastlingRules value none");
    session.send("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    session.send("isready");
    assert!(!session.until("readyok").iter().any(|line| line.contains("dropped")));
}

#[test]
fn invalid_position_keeps_previous_one() {
    let mut session = Session::start();
    session.send("position startpos moves e2e4");
    let before = session.ask("d");
    for bad in [
        "position",
        "position nonsense",
        "position fen",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
        "position sp 960",
        "position sp -1",
        "position sp",
        "position dfrc 921600",
        "position fen \u{1F600}",
    ] {
        let lines = session.ask(bad);
        assert_eq!(lines.len(), 1, "{bad}: {lines:?}");
        assert!(lines[0].starts_with("info string position"), "{bad}: {lines:?}");
        assert_eq!(session.ask("d"), before, "{bad}");
    }
}

#[test]
fn moves_before_an_illegal_one_are_played() {
    let mut session = Session::start();
    let castling = "fen 4k3/8/8/8/8/8/8/4K2R w - - 0 1; moves h1h2 e8d8 h2h1 d8e8";
    for (bad, good, hint) in [
        ("startpos moves e2e4 e7e5 e4e5 g8f6", "startpos moves e2e4 e7e5", ""),
        ("startpos moves O-O", "startpos", ""),
        (&format!("{castling} e1g1 e8d8"), castling, ": the castling right 'K' is missing"),
        (&format!("{castling} O-O"), castling, ": the castling right 'K' is missing"),
    ] {
        session.send("position sp 0").send(&format!("position {good}"));
        let expected = session.ask("d");
        session.send("position sp 0");
        let lines = session.ask(&format!("position {bad}"));
        assert_eq!(lines.len(), 1, "{bad}: {lines:?}");
        assert!(lines[0].starts_with("info string position: move "), "{bad}: {lines:?}");
        assert!(lines[0].ends_with(&format!("{hint}; the moves before it are played")), "{bad}: {lines:?}");
        assert_eq!(session.ask("d"), expected, "{bad}");
    }
}

#[test]
fn byte_order_mark_is_skipped() {
    let mut session = Session::start();
    session.send("\u{FEFF}uci").until("uciok");
    session.send("\u{FEFF}isready").until("readyok");
}

#[test]
fn overfull_boards_are_searched() {
    let mut session = Session::start();
    for fen in [
        "qrkrbnnb/pppppppp/8/8/6P1/1p6/PPPPPP1P/QRKRBNNB b - - 0 1",
        "nnnnknnn/nnnnnnnn/nnnnnnnn/8/8/NNNNNNNN/NNNNNNNN/NNNNKNNN w - - 0 1",
        "kqqqqqqq/qqqqqqqq/nnnnnnnn/pppppppp/PPPPPPPP/NNNNNNNN/QQQQQQQQ/KQQQQQQQ w - - 0 1",
    ] {
        session.send(&format!("position fen {fen}"));
        session.send("go nodes 2000");
        let lines = session.until("bestmove");
        assert!(lines.iter().all(|line| !line.contains("info string")), "{fen}: {lines:?}");
        assert_ne!(best_move(&lines), "(none)", "{fen}");
    }
}

#[test]
fn start_positions_by_number() {
    let mut session = Session::start();
    let lines = session.ask("position sp 518\nd");
    assert!(lines.iter().any(|line| line.contains("518, the orthodox start")), "{lines:#?}");
    let lines = session.ask(&format!("position dfrc {}\nd", 344 * 960 + 402));
    assert!(
        lines.iter().any(|line| line.contains("double Chess960 330642 (White 344, Black 402)")),
        "{lines:#?}"
    );
    for word in ["sp334", "sp:334", "334", "NRQKRBBN", "chess960:334"] {
        let lines = session.ask(&format!("position {word} moves g2g3\nd"));
        assert!(lines.iter().any(|line| line.contains("/NRQKRBBN b KQkq")), "{word}: {lines:#?}");
    }
    let key = |lines: &[String]| lines.iter().find(|line| line.starts_with("Key")).cloned().unwrap();
    let keys = [key(&session.ask("d")), key(&session.ask("flip\nd")), key(&session.ask("flip\nd"))];
    assert!(keys[0] == keys[2] && keys[0] != keys[1]);
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

#[test]
fn unknown_commands_are_skipped() {
    let mut session = Session::start();
    assert_eq!(session.ask("joho"), [""; 0]);
    assert_eq!(session.ask("\t  \r"), [""; 0]);
    session.send("joho   isready\r");
    session.until("readyok");
    session.send("debug on");
    assert!(session.ask("joho")[0].starts_with("info string unknown command: 'joho'"));
    assert_eq!(session.ask("ponderhit"), [""; 0]);
    assert_eq!(session.ask("stop"), [""; 0]);
    let mut session = Session::start();
    session.send("position startpos").send("go depth 2 nonsense 17");
    session.until("bestmove");
}

#[test]
fn malformed_arguments_are_reported() {
    let mut session = Session::start();
    for (line, complaint) in [
        ("go movtime 20", "go: not understood: 'movtime 20'"),
        ("go foo", "go: not understood: 'foo'"),
        ("go depth x nodes 20", "go depth: expected a number, found 'x'"),
        (
            "go depth 2 searchmoves e2e5",
            "go searchmoves: expected legal moves, found 'e2e5'; all moves are searched",
        ),
        (
            "go depth 2 searchmoves e2e5 d2d4 e2e6",
            "go searchmoves: expected legal moves, found 'e2e5 e2e6'; the others are searched",
        ),
        ("go searchmoves depth 2", "go searchmoves: expected legal moves, found ''; all moves are searched"),
    ] {
        session.send("position startpos").send(line);
        let lines = session.until("bestmove");
        assert!(lines.iter().any(|said| said == &format!("info string {complaint}")), "{line}: {lines:?}");
        assert!(!line.contains("d2d4") || best_move(&lines) == "d2d4", "{line}: {lines:?}");
    }
    session.send("position sp 80");
    let shown = session.ask("d");
    for (line, complaint) in [
        ("position startpos e2e4", "position startpos: expected 'moves' or nothing more, found 'e2e4'"),
        ("position dfrc 344 402", "position dfrc: expected 'moves' or nothing more, found '402'"),
        ("position sp 1 2", "position sp: expected 'moves' or nothing more, found '2'"),
        ("eval startpos", "eval: expected nothing more, found 'startpos'"),
        ("bench 16 1 13", "bench: expected nothing more, found '1 13'"),
        ("bench x", "bench: expected a number, found 'x'"),
        ("speedtest 1 x", "speedtest: expected a number, found 'x'"),
    ] {
        assert_eq!(session.ask(line), [format!("info string {complaint}")], "{line}");
    }
    assert_eq!(session.ask("d"), shown, "the position stays");
    assert!(session.send("exit").end().success());
}

#[test]
fn multipv_lines_are_sorted() {
    let mut session = Session::start();
    session.send("setoption name MultiPV value 4").send("position sp 80");
    let lines = session.go("go depth 8");
    let infos: Vec<&String> = lines.iter().filter(|line| line.contains(" multipv ")).collect();
    assert_eq!(infos.len(), 8 * 4);
    for depth in infos.chunks(4) {
        let firsts: Vec<&str> = depth.iter().map(|line| pv(line)[0]).collect();
        assert!((1..4).all(|i| !firsts[..i].contains(&firsts[i])), "{depth:#?}");
        let scores: Vec<i64> = depth.iter().map(|line| number(line, "cp")).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "{depth:#?}");
        assert!((0..4).all(|i| number(depth[i], "multipv") == i as i64 + 1));
    }
    assert_eq!(pv(infos[28])[0], best_move(&lines));
    // MultiPV asks for four lines, but in this position there are only three moves.
    session.send("position fen 7k/8/8/8/8/8/8/K7 w - - 0 1");
    let lines = session.go("go depth 3");
    assert!(lines.iter().filter(|line| line.contains("depth 3 ")).count() == 3);
    session.send("position startpos");
    let lines = session.go("go depth 4 searchmoves a2a3 h2h3");
    assert!(
        lines.iter().filter(|line| line.contains(" pv ")).all(|line| ["a2a3", "h2h3"].contains(&pv(line)[0]))
    );
}

#[test]
fn principal_variations_are_legal() {
    let mut random = Random::new(5);
    let mut session = Session::start();
    session.send("setoption name UCI_Chess960 value true");
    let mut positions: Vec<String> = (0..12).map(|_| format!("dfrc {}", random.below(921_600))).collect();
    positions.extend(
        [
            "fen 8/8/8/8/8/5k2/6q1/7K w - - 0 1",
            "fen 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1",
            "fen 8/8/4k3/8/8/4K3/4R3/8 w - - 94 100",
            "fen 7k/8/5K2/6Q1/8/8/8/8 w - - 0 1",
            "fen r5k1/5ppp/8/8/8/8/5PPP/1R4K1 w - - 98 100",
            "fen 8/8/8/3k4/8/8/8/KBN5 w - - 0 1",
            "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1",
        ]
        .map(str::to_owned),
    );
    for position in positions {
        session.send("ucinewgame").send(&format!("position {position}"));
        let shown = session.ask("d");
        let fen = shown.iter().find_map(|line| line.strip_prefix("X-FEN:")).unwrap().trim().to_owned();
        for line in session.go("go nodes 60000").iter().filter(|line| line.contains(" pv ")) {
            let mut board = Board::from_fen(&fen, CastlingRules::Fischer).unwrap();
            for text in pv(line) {
                assert!(!board.is_threefold() && !board.is_fifty_move_draw(), "{position}: {line}");
                let mv = board.parse_move(text).unwrap_or_else(|| panic!("{position}: {text} in {line}"));
                board.make_move(mv);
            }
            if let Some(mate) = field(line, "mate").and_then(|text| text.parse::<i64>().ok()) {
                let plies = if mate > 0 { 2 * mate - 1 } else { -2 * mate };
                assert_eq!(pv(line).len() as i64, plies, "{position}: {line}");
                assert!(board.in_check() && !board.has_legal_move(), "{position}: {line}");
            }
        }
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
fn ponder_move_is_legal() {
    let mut session = Session::start();
    for position in ["startpos", "sp 0", "dfrc 330642", "fen 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"] {
        session.send(&format!("position {position}"));
        let lines = session.go("go depth 6");
        let last = &lines[lines.len() - 1];
        let Some(reply) = field(last, "ponder") else {
            assert!(last.contains("a1a8"), "expected no reply after mate: {last}");
            continue;
        };
        let answer = session.ask(&format!("position {position} moves {} {reply}", best_move(&lines)));
        assert_eq!(answer, [""; 0]);
    }
}

#[test]
fn perft_divides_by_move() {
    let mut session = Session::start();
    session.send("go perft 1500");
    session.send("isready");
    let lines = session.until("readyok");
    assert!(lines.iter().any(|line| line.contains("expected a depth up to 64, found 1500")), "{lines:?}");
    let lines = session.ask("position startpos\ngo perft 4");
    assert!(lines.contains(&"e2e4: 13160".to_owned()), "{lines:#?}");
    assert!(lines.contains(&"Nodes searched: 197281".to_owned()), "{lines:#?}");
    assert_eq!(lines.iter().filter(|line| line.contains(": ") && line.len() < 14).count(), 20);
}

#[test]
fn wdl_output_is_optional() {
    let mut session = Session::start();
    session.send("position startpos");
    assert!(session.go("go depth 4").iter().all(|line| !line.contains(" wdl ")));
    session.send("setoption name UCI_ShowWDL value true");
    for line in session.go("go depth 6").iter().filter(|line| line.contains(" score ")) {
        let words: Vec<&str> = line.split(' ').collect();
        let at = words.iter().position(|&word| word == "wdl").expect("chances");
        let sum: u32 = words[at + 1..at + 4].iter().map(|word| word.parse::<u32>().unwrap()).sum();
        assert!(sum == 1000 && words[at + 4] == "nodes", "{line}");
    }
    session.send("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1");
    assert!(last_info(&session.go("go depth 3")).contains("score mate 1 wdl 1000 0 0 nodes"));
}

#[test]
fn genfens_openings() {
    let fens = |seed: &str, book: &str| -> Vec<String> {
        let text = printed(&[&format!("genfens 5 seed {seed} book {book}"), "quit"]);
        text.lines().map(|line| line.strip_prefix("info string genfens ").expect(line).to_owned()).collect()
    };
    let first = fens("42", "None");
    assert_eq!(first.len(), 5);
    assert!(first.iter().all(|fen| fen.parse::<Board>().is_ok_and(|board| board.has_legal_move())));
    assert_eq!(fens("42", "None"), first, "the seed decides the openings");
    assert_ne!(fens("43", "None"), first);
    assert_eq!(fens("42", "None standard"), first);
    // After the random moves, most kings still stand where they started, and their files tell the variant.
    let kinds = |word: &str| -> (bool, bool) {
        let drawn = fens("42", &format!("None {word}"));
        let boards: Vec<Board> = drawn.iter().map(|fen| fen.parse().unwrap()).collect();
        let king_file = |board: &Board, color| board.king(color).to_string().remove(0);
        let white_on_e = boards.iter().filter(|board| king_file(board, Color::White) == 'e').count();
        let alike =
            boards.iter().filter(|b| king_file(b, Color::White) == king_file(b, Color::Black)).count();
        (white_on_e >= 4, alike >= 4)
    };
    assert_eq!(kinds("standard"), (true, true));
    assert_eq!([kinds("chess960"), kinds("fischerandom"), kinds("FRC")], [(false, true); 3]);
    assert!(!kinds("dfrc").1);
    assert!(first.iter().any(|fen| fen.contains(" KQkq ")), "{first:?}");
    let book = std::env::temp_dir().join(format!("enroque-book-{}.epd", std::process::id()));
    std::fs::write(&book, "8/8/4k3/8/8/3QK3/8/3q4 w - - id \"x\";\n4k3/8/8/3r4/3R4/8/8/4K3 b - - 0 1\n")
        .unwrap();
    assert!(fens("1", book.to_str().unwrap()).iter().all(|fen| fen.contains('k') && !fen.contains('p')));
    std::fs::remove_file(&book).unwrap();
    let mut session = Session::start();
    for bad in [
        "genfens",
        "genfens x seed 1 book None",
        "genfens 1 seed 1 book /no/such/file",
        "genfens 1 seed 1 book None dfcr",
        "genfens 1 seed 1 book some.epd dfrc",
    ] {
        assert!(session.ask(bad)[0].starts_with("info string genfens: "), "{bad}");
        assert_eq!(run(&[bad, "quit"]).status.code(), Some(2), "{bad}");
    }
    // The program parses only the book lines that it draws, so one invalid line among many hardly ever matters.
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("large.epd");
    std::fs::write(&book, "4k3/8/8/3r4/3R4/8/8/4K3 b - - 0 1\n".repeat(100_000) + "dear diary\n").unwrap();
    assert_eq!(fens("1", book.to_str().unwrap()).len(), 5);
}

#[test]
fn genfens_rejects_finished_games() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("over.epd");
    std::fs::write(&book, "k7/8/1Q6/2K5/8/8/8/7R w - -\n").unwrap();
    let output = crate::common::program::command()
        .arg(format!("genfens 1 seed 1 book {}", book.display()))
        .output()
        .unwrap();
    let text =
        String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("none of 500 openings from") && text.contains("over.epd"), "{text}");
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
fn commands_beyond_uci() {
    let mut session = Session::start();
    assert!(session.ask("help").iter().any(|line| line.contains("go perft")));
    assert!(session.ask("compiler").iter().any(|line| line.starts_with("Built for")));
    assert!(session.ask("eval").iter().any(|line| line.starts_with("Static evaluation: ")));
    let lines = session.ask("position fen 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1\nd");
    assert!(lines.contains(&"Checkers:    e2".to_owned()));
}

/// The class `Stockfish` of PyPI's package `stockfish` 5.2.0 reads the position and the static evaluation as here. It
/// expects that `d` ends with the line about checkers, and that a line follows the evaluation.
#[test]
fn output_serves_pypi_stockfish() {
    let fen = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1";
    let mut session = Session::start();
    let lines = session.ask(&format!("position fen {fen}\nd"));
    assert!(lines.iter().any(|line| line.strip_prefix("Fen: ") == Some(fen)), "{lines:#?}");
    assert!(lines.last().is_some_and(|line| line.starts_with("Checkers")), "{lines:#?}");
    for (position, sign) in [(fen, ['+', '-']), ("k7/8/8/8/8/8/8/7K w - - 0 1", ['0', '0'])] {
        let lines = session.ask(&format!("position fen {position}\neval"));
        let at = lines.iter().position(|line| line.starts_with("Final evaluation")).expect("the line");
        let word = lines[at].split_whitespace().nth(2).expect("a third word");
        assert!(word.starts_with(sign) && word.parse::<f64>().is_ok(), "{word}");
        assert_eq!(lines[at + 1..], [""]);
    }
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
fn random_input_is_survived() {
    let mut random = Random::new(7);
    let mut session = Session::start();
    for _ in 0..256 {
        let bytes: Vec<u8> = (0..4096).map(|_| random.bits() as u8).collect();
        session.send_bytes(&bytes);
    }
    session.send("").send("stop").send("isready");
    session.until("readyok");
    // We send commands with random arguments, but not perft, because nothing interrupts it.
    let commands = ["position fen", "go wtime", "setoption name", "position startpos moves", "go nodes"];
    for _ in 0..2000 {
        let command = choose(&mut random, &commands);
        let word: String = (0..random.below(12)).map(|_| (32 + random.below(95)) as u8 as char).collect();
        session.send(&format!("{command} {word}")).send("stop");
    }
    session.send("isready");
    session.until("readyok");
    assert!(session.finish().success());
}

#[test]
fn argument_lines_run_in_order() {
    let text = printed(&["position sp 518", "go depth 3", "d"]);
    let (search, board) = text.split_once("bestmove").expect("a search");
    assert!(search.contains("depth 3") && board.contains("Shredder"));
    assert!(printed(&["go", "perft", "3"]).contains("Nodes searched: 8902"));
    assert!(printed(&["uci", "quit"]).ends_with("uciok\n"));
    assert!(printed(&["go infinite", "stop"]).contains("bestmove"));
}

/// The start position has no mate in one or two, so only `stop` or the end of the input ends the search.
#[test]
fn missing_mate_ends_with_the_input() {
    for lines in [&["go mate 1", "stop", "go mate 1", "stop"][..], &["go mate 2", "d"]] {
        let text = printed(lines);
        assert_eq!(text.matches("bestmove").count(), lines.len() / 2, "{lines:?}");
    }
    let mut session = Session::start();
    session.send("go mate 1").send("stop").until("bestmove");
    session.send("go mate 2").close_input();
    session.until("bestmove");
    assert!(session.end().success());
    // If there is a mate, the next `go` must not stop `go mate`, but wait until it has found the mate.
    let mate = printed(&["position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "go mate 2", "go depth 1"]);
    assert!(mate.contains("score mate 2"), "{mate}");
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
    assert!((1000..20_000).contains(&nodes), "{nodes}");
    // Against a bare king, the limit on nodes is higher, even at a lower level.
    session.send("setoption name UCI_Elo value 840").send("position fen 8/8/4k3/8/8/8/R7/4K3 w - - 0 1");
    assert!(number(last_info(&session.go("go depth 30")), "nodes") >= 20_000);
    session.send("setoption name UCI_LimitStrength value false");
    assert!(number(last_info(&session.go("go nodes 5000")), "nodes") >= 4900);
}

#[test]
fn debug_log_records_every_line() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("game.log");
    let option = format!("setoption name Debug Log File value {}", log.display());
    for lines in [5, 9] {
        let mut session = Session::start();
        session.send(&option).send("position startpos").send("go depth 1");
        session.until("bestmove");
        session.send("setoption name Debug Log File value <empty>").send("go depth 1");
        session.until("bestmove");
        let text = std::fs::read_to_string(&log).unwrap();
        assert!(text.contains(" >> go depth 1\n") && text.contains(" << bestmove "), "{text}");
        assert_eq!(text.lines().filter(|line| !line.contains("<< info ")).count(), lines, "{text}");
    }
    std::fs::write(&log, "dear diary").unwrap();
    let mut session = Session::start();
    let said = session.ask(&option);
    assert!(said.iter().any(|line| line.contains("game.log: holds something else")), "{said:?}");
    assert_eq!(std::fs::read_to_string(&log).unwrap(), "dear diary");
}

#[test]
fn excess_threads_are_reported() {
    let mut session = Session::start();
    assert!(session.ask("setoption name Threads value 1").iter().all(|line| !line.contains("slows")));
    let said = session.ask("setoption name Threads value 200");
    assert!(said.iter().any(|line| line.contains("200 threads share")), "{said:?}");
}

#[test]
fn compiler_reports_network_kernels() {
    let mut session = Session::start();
    let kernels = session.ask("compiler").pop().unwrap().split_off("The network runs on ".len());
    session.send("uci");
    let last = session.until("uciok").into_iter().rev().nth(1).unwrap();
    assert!(
        last.starts_with("info string network ") && last.ends_with(&format!("kernels {kernels}")),
        "{last}"
    );
}

/// A CPU raises SIGILL when it lacks an instruction that the program was built for. We send the signal ourselves.
#[cfg(unix)]
#[test]
fn illegal_instruction_is_explained() {
    use std::process::{Command, Stdio};
    let mut child = crate::common::program::command()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Once the program answers, its signal handler is installed.
    std::io::Write::write_all(child.stdin.as_mut().unwrap(), b"isready\n").unwrap();
    let mut ready = [0; 7];
    std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut ready).unwrap();
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-ILL", &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("built for a newer CPU"), "{output:?}");
}

#[test]
fn limited_search_finishes_after_eof() {
    for (go, ends) in [
        ("go depth 9", true),
        ("go nodes 20000", true),
        ("go infinite", false),
        ("go infinite nodes 100", false),
        ("go", false),
    ] {
        let mut session = Session::start();
        session.send("position startpos").send(go);
        session.close_input();
        let lines = session.until("bestmove");
        let depth =
            lines.iter().rev().nth(1).map_or(0, |info| field(info, "depth").unwrap().parse().unwrap());
        assert!(!ends || depth >= 8, "{go}: {lines:?}");
        assert!(session.end().success());
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

#[test]
fn argument_lines_set_exit_code() {
    for (lines, code) in [
        (&["position startpos", "go depth 1", "quit"][..], 0),
        (&["setoption name Hash value 8", "d"], 0),
        (&["position startpos moves e2e5", "go depth 1"], 2),
        (&["position startpos", "go depth x"], 2),
        (&["setoption name Hush value 8", "d"], 2),
        (&["uci", "nonsense here"], 2),
        (&["go infinite", "stop"], 0),
        (&["go ponder depth 9", "ponderhit"], 0),
    ] {
        assert_eq!(run(lines).status.code(), Some(code), "{lines:?}");
    }
}

/// If an allocation fails, the program says so, and either works with less memory or exits with an error.
#[cfg(target_os = "linux")]
#[test]
fn low_memory_is_handled() {
    use std::process::{Command, Stdio};
    for kilobytes in (60_000..260_000).step_by(10_000) {
        let script = format!("ulimit -v {kilobytes}; exec '{}'", env!("CARGO_BIN_EXE_enroque"));
        let mut shell = Command::new("sh");
        let child = shell.args(["-c", &script]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = child.stderr(Stdio::piped()).spawn().unwrap();
        let lines = "setoption name Threads value 4\ngo depth 5\nucinewgame\ngo depth 5\n";
        // With too little memory the program may have ended before it reads all lines, so we ignore a write error.
        let _ = std::io::Write::write_all(&mut child.stdin.take().unwrap(), lines.as_bytes());
        let output = child.wait_with_output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        let answers = printed.lines().filter(|line| line.starts_with("bestmove")).count();
        let code = output.status.code();
        let is_reported = String::from_utf8(output.stderr).unwrap().starts_with("enroque: ");
        assert!(
            code == Some(0) && answers == 2 || code == Some(2) && answers == 0 && is_reported,
            "{kilobytes}: {code:?}, {answers} answers: {printed}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn full_log_ends_no_game() {
    let folder = tempfile::tempdir().unwrap();
    let script = format!(
        "ulimit -f 1; exec '{}' 'setoption name Debug Log File value log' 'go depth 9' 'go depth 10'",
        crate::PROGRAM
    );
    let output =
        std::process::Command::new("bash").args(["-c", &script]).current_dir(folder.path()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.matches("bestmove").count() == 2, "{text}");
    assert!(text.len() > 1024 && folder.path().join("log").metadata().unwrap().len() <= 1024, "{text}");
}

/// Opening a pipe that nobody writes to would block the engine forever.
#[cfg(unix)]
#[test]
fn engine_waits_for_no_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("KQvK.rtbw");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let option = format!("setoption name SyzygyPath value {}", folder.path().display());
    let text = printed(&[&option, "isready"]);
    assert!(text.contains("KQvK.rtbw: expected a Syzygy file") && text.ends_with("readyok\n"), "{text}");
    let text = printed(&[&format!("setoption name Debug Log File value {}", pipe.display()), "isready"]);
    assert!(text.contains("KQvK.rtbw: nobody reads this pipe") && text.ends_with("readyok\n"), "{text}");
}
