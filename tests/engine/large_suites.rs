//! Tests with suites that are too large for the repository. `scripts/fetch_test_data.sh` downloads the suites to the
//! folder named by the environment variable `ENROQUE_TEST_DATA`, and `cargo test -- --ignored` runs the tests.

use std::path::PathBuf;

use crate::common::parallel_perft;
use crate::common::program::Session;
use enroque::chess::{Board, CastlingNotation, CastlingRules, CastlingSide, FenStyle};
use enroque::engine::Engine;
use enroque::search::limits::Limits;
use enroque::search::report::Silent;
use enroque::search::score::moves_to_mate;

fn data(name: &str) -> String {
    let folder =
        std::env::var_os("ENROQUE_TEST_DATA").expect("ENROQUE_TEST_DATA names the folder of the test data");
    let path = PathBuf::from(folder).join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Each line has the form `FEN ;D1 COUNT ;D2 COUNT …`. We check depths up to 5.
#[test]
#[ignore = "needs the data of scripts/fetch_test_data.sh"]
fn perft_suites() {
    for suite in ["standard", "fischer", "dfrc_start"] {
        let text = data(&format!("perft/{suite}.epd"));
        let mut counts = 0;
        for line in text.lines() {
            let mut fields = line.split(';').map(str::trim);
            let board: Board =
                fields.next().unwrap().parse().unwrap_or_else(|error| panic!("{line}: {error}"));
            for field in fields {
                let (depth, nodes) =
                    field.strip_prefix('D').and_then(|field| field.split_once(' ')).expect(line);
                let (depth, nodes): (u32, u64) = (depth.parse().unwrap(), nodes.trim().parse().unwrap());
                if depth <= 5 {
                    assert_eq!(parallel_perft(&board, depth), nodes, "{line}");
                    counts += 1;
                }
            }
        }
        assert!(counts >= 500, "{suite}: {counts}");
    }
}

/// In `tricky.perft`, lines of the form `perft DEPTH COUNT` follow each `epd FEN` line.
#[test]
#[ignore = "needs the data of scripts/fetch_test_data.sh"]
fn tricky_perft_positions() {
    let text = data("perft/tricky.perft");
    let mut board = Board::startpos();
    let mut counts = 0;
    for line in text.lines() {
        if let Some(fen) = line.strip_prefix("epd ") {
            board = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        } else if let Some((depth, nodes)) = line.strip_prefix("perft ").and_then(|rest| rest.split_once(' '))
        {
            let (depth, nodes): (u32, u64) = (depth.parse().unwrap(), nodes.trim().parse().unwrap());
            assert_eq!(parallel_perft(&board, depth), nodes, "{line}: {}", board.fen(FenStyle::XFen));
            counts += 1;
        }
    }
    assert!(counts > 80);
}

/// Each line has four fields separated by tabs: what follows `position`, depth, leaf count, and `UCI_Chess960`.
#[test]
#[ignore = "needs the data of scripts/fetch_test_data.sh"]
fn deep_perft_positions() {
    let text = data("perft/stockfish.tsv");
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let board = fields[0].strip_prefix("fen ").map_or_else(Board::startpos, |fen| fen.parse().unwrap());
        assert_eq!(
            parallel_perft(&board, fields[1].parse().unwrap()),
            fields[2].parse::<u64>().unwrap(),
            "{line}"
        );
    }
}

/// Positions where other programs got castling wrong. Each line has an id, a FEN, each legal castling in UCI and SAN
/// with the position after it, the number of legal moves, and the position as Shredder-FEN and X-FEN.
#[test]
#[ignore = "needs the data of scripts/fetch_test_data.sh"]
fn castling_cases() {
    let text = data("cases/castling_cases.tsv");
    let mut castlings = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [id, fen, expected, count, shredder, x] = fields[..6] else { panic!("{line}") };
        let board: Board = fen.parse().unwrap();
        assert_eq!(board.legal_moves().len(), count.parse::<usize>().unwrap(), "{id}");
        assert_eq!(board.fen(FenStyle::Shredder), shredder, "{id}");
        assert_eq!(board.fen(FenStyle::XFen), x, "{id}");
        let mut found = Vec::new();
        for mv in board.legal_moves().into_iter().filter(|mv| mv.is_castle()) {
            let mut after = board.clone();
            after.make_move(mv);
            let name = board.format_move(mv, CastlingNotation::KingTakesRook);
            found.push(format!("{name}={}->{}", board.san(mv), after.fen(FenStyle::Shredder)));
        }
        found.sort();
        castlings += found.len();
        let mut wanted: Vec<&str> = expected.split(", ").flat_map(|part| part.split("; ")).collect();
        wanted.retain(|&castling| castling != "-");
        wanted.sort_unstable();
        assert_eq!(found, wanted, "{id}");
        // A castling must be legal if and only if it has no obstacle.
        let us = board.side_to_move();
        let unhindered = CastlingSide::ALL
            .into_iter()
            .filter_map(|side| board.castling(us, side))
            .filter(|path| board.castling_obstacles(us, path).is_empty());
        assert_eq!(unhindered.count(), wanted.len(), "{id}");
    }
    assert!(castlings > 5);
}

/// cozy-chess accepts the FENs in the first file, and so must we. It refuses the FENs in the second file; we must
/// survive them, whether we accept or refuse them.
#[test]
#[ignore = "needs the data of scripts/fetch_test_data.sh"]
fn valid_and_invalid_fens() {
    for (name, good) in [("fen/valid.sfens", true), ("fen/invalid.sfens", false)] {
        let text = data(name);
        let mut session = Session::start();
        let mut refused = 0;
        for fen in text.lines() {
            match Board::from_fen(fen, CastlingRules::Fischer) {
                Ok(board) if good => {
                    assert_eq!(board.fen(FenStyle::Shredder).split(' ').nth(2), fen.split(' ').nth(2))
                }
                Ok(board) => drop(board.legal_moves()),
                Err(error) => {
                    assert!(!good, "{fen}: {error}");
                    refused += 1;
                }
            }
            session.send(&format!("position fen {fen}"));
            if fen.len() % 8 == 0 {
                session.send("go depth 1");
                session.until("bestmove");
            }
        }
        session.send("isready");
        let messages = session.until("readyok").len();
        assert!(good == (refused == 0) && (good || messages > 1), "{name}: {refused} refused");
    }
}

/// With the same number of nodes, `go mate` must find more than 1.2 times as many mates as a plain search.
#[test]
#[ignore = "needs the data of scripts/fetch_test_data.sh"]
fn mate_search_finds_more_mates() {
    let text = data("mates/mates2000.epd");
    let mut engine = Engine::new().unwrap();
    let mut found = |fen: &str, mate: Option<i32>| -> bool {
        engine.new_game();
        engine.set_board(fen.parse().unwrap());
        let outcome = engine.search(Limits { mate, ..Limits::nodes(20_000) }, Box::new(Silent));
        moves_to_mate(outcome.score).is_some()
    };
    let (mut with, mut without) = (0, 0);
    for line in text.lines() {
        let Some((fen, distance)) = line.split_once(" bm #") else { continue };
        let distance: i32 = distance.trim_end_matches(';').parse().unwrap();
        with += usize::from(found(fen, Some(distance.abs())));
        without += usize::from(found(fen, None));
    }
    assert!(with > without + without / 5, "{with} with `go mate`, {without} without");
}
