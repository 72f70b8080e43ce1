//! The command `position`: every form of it, and what is wrong with one.

use super::best_move;
use crate::common::program::Session;

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
fn dropped_rights_are_reported() {
    let mut session = Session::start();
    for word in ["fen ", ""] {
        session.send(&format!("position {word}4k3/8/8/8/8/8/8/4K2R w KQq - 0 1 moves O-O"));
        session.send("isready");
        let lines = session.until("readyok");
        let rights: Vec<&String> = lines.iter().filter(|line| line.contains("is dropped")).collect();
        assert_eq!(rights.len(), 2, "{lines:?}");
        assert!(
            rights[0].starts_with("info string position: The FEN claims 'Q': White has no rook"),
            "{rights:?}"
        );
    }
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
