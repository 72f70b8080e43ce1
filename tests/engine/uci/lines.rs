//! What a search prints: PVs, MultiPV, ponder moves, win-draw-loss chances.

use super::{best_move, last_info, number};
use crate::common::program::{Session, field, pv};
use enroque::chess::{Board, CastlingRules};
use enroque::util::random::Random;

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
