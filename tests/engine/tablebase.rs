//! Tests Syzygy tablebases with broken files, and with real tables from the folder `syzygy` in the folder named by the
//! environment variable `ENROQUE_TEST_DATA`. `scripts/fetch_test_data.sh` downloads the real tables, and
//! `cargo test -- --ignored` runs the tests that need them.

use std::path::PathBuf;

use crate::common::program::{Session, field};
use enroque::chess::{Board, Move};
use enroque::tablebase::{Tablebases, Wdl};

fn folder() -> PathBuf {
    let data =
        std::env::var_os("ENROQUE_TEST_DATA").expect("ENROQUE_TEST_DATA names the folder of the test data");
    PathBuf::from(data).join("syzygy")
}

fn load() -> Tablebases {
    let (tables, damaged) = Tablebases::load(folder().to_str().unwrap()).unwrap();
    assert!(damaged.is_empty(), "{damaged:?}");
    assert!(tables.files() > 50 && tables.max_pieces() == 4);
    tables
}

#[test]
#[ignore = "needs the data of scripts/fetch_test_data.sh"]
fn wdl_values_match_suite() {
    let tables = load();
    let suite = std::env::var("ENROQUE_TEST_DATA").unwrap() + "/cases/syzygy_endgame.epd";
    let mut known = 0;
    for line in std::fs::read_to_string(suite).unwrap().lines() {
        let (fen, operations) = line.split_at(line.find("wdl_table").unwrap());
        let value = operations.split("; wdl ").nth(1).and_then(|rest| rest.split(';').next()).unwrap();
        let board: Board = fen.trim().parse().unwrap();
        let Some(wdl) = tables.probe(&board) else { continue };
        let expected = match value {
            "2" => Wdl::Win,
            "1" => Wdl::CursedWin,
            "0" => Wdl::Draw,
            "-1" => Wdl::BlessedLoss,
            _ => Wdl::Loss,
        };
        assert_eq!(wdl, expected, "{line}");
        known += 1;
    }
    assert!(known > 100, "{known}");
}

#[test]
#[ignore = "needs the data of scripts/fetch_test_data.sh"]
fn castling_rights_prevent_probing() {
    let tables = load();
    let with: Board = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
    let without: Board = "4k3/8/8/8/8/8/8/4K2R w - - 0 1".parse().unwrap();
    assert_eq!(tables.probe(&with), None);
    assert_eq!(tables.probe(&without), Some(Wdl::Win));
}

/// Returns the best outcome, and the moves with the best rank: in a won position those that make progress soonest.
fn best_moves(tables: &Tablebases, board: &Board) -> (Wdl, Vec<Move>) {
    let ranked = tables.rank_moves(board, true, true).unwrap();
    let best = ranked.iter().map(|&(_, rank)| rank).max().unwrap();
    (best.wdl, ranked.iter().filter(|(_, rank)| *rank == best).map(|&(mv, _)| mv).collect())
}

#[test]
#[ignore = "needs the data of scripts/fetch_test_data.sh"]
fn root_moves_make_progress() {
    let tables = load();
    // A capture is progress at once, so no other winning move ranks as high.
    let capture: Board = "7k/p7/8/8/4K3/8/R7/8 w - - 30 60".parse().unwrap();
    assert_eq!(best_moves(&tables, &capture), (Wdl::Win, vec![capture.parse_move("a2a7").unwrap()]));
    // Whichever of the best moves we play, bishop and knight must mate within a hundred plies.
    let mut board: Board = "8/8/8/3k4/8/8/8/KBN5 w - - 0 1".parse().unwrap();
    for ply in 0..100 {
        if !board.has_legal_move() {
            assert!(board.in_check(), "mate, not stalemate");
            return;
        }
        let (wdl, moves) = best_moves(&tables, &board);
        assert_eq!(wdl, if ply % 2 == 0 { Wdl::Win } else { Wdl::Loss });
        let mv: Move = moves[ply % moves.len()];
        board.make_move(mv);
    }
    panic!("no mate in a hundred plies");
}

#[test]
#[ignore = "needs the data of scripts/fetch_test_data.sh"]
fn engine_probes_tablebases() {
    let folder = folder();
    let mut session = Session::start();
    let said = session.ask(&format!("setoption name SyzygyPath value {}", folder.display()));
    assert!(said[0].starts_with("info string ") && said[0].ends_with("up to 4 pieces"), "{said:?}");
    // If the new folder cannot be read, the tables already loaded stay in use.
    assert!(session.ask("setoption name SyzygyPath value /nowhere")[0].contains("/nowhere: "));
    // The position has six pieces, and the tables have up to four, so the search probes them only after two captures.
    session.send("position fen 8/8/3k4/8/2p5/1P1K4/8/2B1n3 w - - 0 1");
    let lines = session.go("go depth 12");
    let hits =
        |lines: &[String]| lines.iter().filter_map(|line| field(line, "tbhits")?.parse::<u64>().ok()).max();
    assert!(hits(&lines) > Some(0));
    session.send("setoption name SyzygyProbeLimit value 0").send("ucinewgame");
    assert_eq!(hits(&session.go("go depth 8")), Some(0));
    // A rook's pawn with the wrong bishop is a draw, whatever the static evaluation says.
    session.send("setoption name SyzygyProbeLimit value 7");
    session.send("position fen k7/8/8/8/8/7K/P7/2B5 w - - 0 1");
    let lines = session.go("go depth 10");
    let board: Board = "k7/8/8/8/8/7K/P7/2B5 w - - 0 1".parse().unwrap();
    assert!(hits(&lines[..1]) >= Some(board.legal_moves().len() as u64), "{}", lines[0]);
    let last = lines.iter().rev().find(|line| line.contains(" score ")).unwrap();
    assert!(field(last, "cp").unwrap().parse::<i32>().unwrap().abs() <= 30, "{last}");
}

fn session_with_tables() -> Session {
    let mut session = Session::start();
    session.ask(&format!("setoption name SyzygyPath value {}", folder().display()));
    session
}

fn centipawns(line: &str) -> i32 {
    field(line, "cp").unwrap_or_else(|| panic!("{line}")).parse().unwrap()
}

#[test]
#[ignore = "needs the data of scripts/fetch_test_data.sh"]
fn lost_capture_is_no_stalemate() {
    let mut session = session_with_tables();
    // The only legal move takes the queen and loses to the pawn.
    session.send("setoption name SyzygyProbeLimit value 3");
    session.send("position fen 7K/6q1/8/2p5/8/2k5/8/8 w - - 0 1");
    let lines = session.go("go depth 8");
    let scores: Vec<i32> =
        lines.iter().filter(|line| line.contains(" score ")).map(|line| centipawns(line)).collect();
    assert!(scores.len() >= 8 && scores[1..].iter().all(|&score| score < -30_000), "{scores:?}");
}

#[test]
#[ignore = "needs the data of scripts/fetch_test_data.sh"]
fn lines_have_their_own_outcomes() {
    let mut session = session_with_tables();
    session.send("setoption name MultiPV value 4");
    session.send("position fen 4k3/8/4K3/4P3/8/8/8/8 w - - 0 1");
    let lines = session.go("go depth 6");
    let last = |number: &str| {
        let of_number = |line: &&String| field(line, "multipv") == Some(number);
        centipawns(lines.iter().rev().find(of_number).unwrap())
    };
    let [first, second, third, fourth] = ["1", "2", "3", "4"].map(last);
    assert!(first > 30_000 && second > 30_000, "Kd6 and Kf6 win: {first} {second}");
    assert_eq!((third, fourth), (0, 0), "Kd5 and Kf5 draw");
    let selected = session.go("go depth 6 searchmoves e6d5 e6d6");
    assert!(selected.iter().any(|line| line.contains(" multipv 2 ") && line.contains(" pv e6d5")));
    assert!(selected.last().unwrap().starts_with("bestmove e6d6"));
}

#[test]
fn broken_tablebase_files_are_reported() {
    let folder = std::env::temp_dir().join(format!("enroque-tables-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut valid_header = vec![0x71, 0xE8, 0x23, 0x5D];
    valid_header.resize(16 + 64, 0);
    std::fs::write(folder.join("KQvK.rtbw"), &valid_header).unwrap();
    std::fs::write(folder.join("KRvK.rtbw"), &valid_header[..70]).unwrap();
    std::fs::write(folder.join("KPvK.rtbw"), vec![1; 80]).unwrap();
    std::fs::write(folder.join("notes.txt"), "not a table").unwrap();
    let mut session = Session::start();
    let said = session.ask(&format!("setoption name SyzygyPath value {}", folder.display())).join("\n");
    assert!(said.contains("1 tablebase files, up to"), "{said}");
    assert!(said.contains("KRvK.rtbw: expected a Syzygy file, found a truncated file"), "{said}");
    assert!(said.contains("KPvK.rtbw: expected a Syzygy file, found other first bytes"), "{said}");
    assert!(!said.contains("notes.txt"));
    // `KQvK.rtbw` has a valid header and no data, so the search must do without this table.
    session.send("position fen 4k3/8/8/8/8/8/8/3QK3 w - - 0 1");
    assert!(session.go("go depth 6").len() > 3);
    let missing = folder.join("nowhere");
    let said = session.ask(&format!("setoption name SyzygyPath value {}", missing.display())).join("\n");
    assert!(said.starts_with("info string option SyzygyPath: ") && said.contains("nowhere: "), "{said}");
    std::fs::create_dir(&missing).unwrap();
    let said = session.ask(&format!("setoption name SyzygyPath value {}", missing.display())).join("\n");
    assert!(said.contains("nowhere: no Syzygy files"), "{said}");
    assert_eq!(session.ask("setoption name SyzygyPath value <empty>"), [""; 0]);
    std::fs::remove_dir_all(&folder).unwrap();
}
