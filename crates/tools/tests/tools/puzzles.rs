//! Tests `puzzles`: self-play and games; page, EPD and PGN; resumed runs.

use std::path::Path;

use crate::common::program::command;
use serde_json::Value;

/// Four games that end with a mistake, and an opening without one. In two of the games only one move wins.
const GAMES: &str = "\
[White \"A\"]\n[Black \"B\"]\n[SetUp \"1\"]\n[FEN \"b1rnqbkr/ppp2ppp/2n5/1P1pp3/3P4/4P3/P1P2PPP/BNRNQBKR b KQkq - 0 4\"]\n\n4... Nb4 *\n
[White \"C\"]\n[Black \"D\"]\n[SetUp \"1\"]\n[FEN \"bnqbr1kn/6pp/p2p4/1p3p2/2P2P2/Q2P2NP/P1P3P1/BN1B1RK1 w - - 0 12\"]\n\n12. Qxd6 *\n
[White \"E\"]\n[Black \"F\"]\n\n1. Nf3 d5 2. g3 Nf6 3. Bg2 e6 4. O-O *\n
[White \"G\"]\n[Black \"H\"]\n[SetUp \"1\"]\n[FEN \"1r1krbb1/p1np2pp/2q2p2/N1p1p3/2p1P3/3R1P2/PPQ1N1PP/2K1RBB1 b kq - 1 11\"]\n\n11... Qa6 *\n
[White \"I\"]\n[Black \"J\"]\n[SetUp \"1\"]\n[FEN \"r1k1rqb1/1p2p1pp/2n3n1/p2B1p2/P4b2/2NP2PP/1PP5/RK2RQBN b kq - 0 11\"]\n\n11... Bxd2 *\n";
/// Arguments for short searches of `g.pgn`, and for all outputs.
const SMALL: [&str; 6] = ["p.jsonl", "g.pgn", "--nodes", "40000", "--hash", "1"];
const OUTPUTS: [&str; 6] = ["--page", "p.html", "--epd", "p.epd", "--pgn", "p.pgn"];

/// Makes a temporary folder in which the file `g.pgn` has [`GAMES`].
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("g.pgn"), GAMES).unwrap();
    folder
}

/// Runs `puzzles` in a folder, and returns the exit code and standard error.
fn puzzles(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output =
        command().current_dir(folder).arg("puzzles").args(arguments).output().expect("the program runs");
    assert!(output.stdout.is_empty());
    (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).expect("a text file")
}

/// Searches games for puzzles and returns them as EPD.
fn puzzles_of_game(pgn: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("g.pgn"), pgn).unwrap();
    let arguments = [&SMALL[..], &OUTPUTS[2..4]].concat();
    let (code, log) = puzzles(folder.path(), &arguments);
    assert_eq!(code, Some(0), "{log}");
    read(folder.path(), "p.epd")
}

#[test]
fn outputs_have_same_puzzles() {
    let folder = folder();
    let folder = folder.path();
    let arguments = [&SMALL[..], &OUTPUTS].concat();
    let (code, log) = puzzles(folder, &arguments);
    assert_eq!(code, Some(0), "{log}");
    assert!(log.contains("p.jsonl: 2 of 40 puzzles from 5 games; grade 1: "), "{log}");
    let (epd, pgn, page) = (read(folder, "p.epd"), read(folder, "p.pgn"), read(folder, "p.html"));
    let data = page.lines().find_map(|line| line.strip_prefix("const data = ")).expect("a data line");
    let data: Value = serde_json::from_str(data.strip_suffix(';').unwrap()).expect("JSON");
    let questions = data["puzzles"].as_array().unwrap();
    assert_eq!((questions.len(), epd.lines().count(), pgn.matches("[FEN ").count()), (2, 2, 2));
    for (question, line) in questions.iter().zip(epd.lines()) {
        let text = |name: &str| question[name].as_str().unwrap().to_owned();
        assert!(line.contains(&format!(" bm {}; pv {}", text("answer"), text("answer"))), "{line}");
        assert!(line.contains(&format!("c1 \"grade {}\"", question["grade"])), "{line}");
        assert!(pgn.contains(&text("fen")), "{pgn}");
        for step in question["steps"].as_array().unwrap() {
            let legal = step["moves"].as_array().unwrap();
            assert!(legal.iter().any(|pair| pair[1] == step["move"]), "{step}");
        }
    }
    assert!(epd.contains(" bm Be7; ") && pgn.contains("Be7") && page.contains("Be7"), "{epd}");
    // All outputs name the motif and the score, and go on until the point is on the board.
    assert!(
        epd.contains("c2 \"wins; discovered attack; opening; +") && epd.contains("c3 \"then Qe5 Bc5+ "),
        "{epd}"
    );
    let told = pgn.replace('\n', " ");
    assert!(told.contains("): discovered attack. Then 13. Qe5 Bc5+ "), "{pgn}");
    assert!(page.contains("): discovered attack. Then 13. Qe5 Bc5+ "), "{page}");
    // In the other two games a longer search finds another good move.
    assert!(log.contains("dropped candidates: 1; the move ...\n     1  is not the only good move"), "{log}");
    assert!(read(folder, "p.jsonl").contains("{\"move\":\"12. Ra3\",\"reason\":\"not-only\"}"));
    // The program replaces files that it wrote itself, but no others.
    assert_eq!(puzzles(folder, &arguments).0, Some(0));
    for name in ["p.epd", "p.pgn", "p.html"] {
        std::fs::write(folder.join(name), "mine\n").unwrap();
        let (code, log) = puzzles(folder, &arguments);
        assert!(code == Some(2) && log.contains("holds something else"), "{log}");
        std::fs::remove_file(folder.join(name)).unwrap();
    }
}

#[test]
fn resumed_run_gives_same_puzzles() {
    let folder = folder();
    let folder = folder.path();
    let run = |extra: &[&str]| {
        let (code, log) = puzzles(folder, &[&SMALL[..], &OUTPUTS[2..4], extra].concat());
        assert_eq!(code, Some(0), "{log}");
        read(folder, "p.epd")
    };
    let whole = run(&["--threads", "3"]);
    let results = read(folder, "p.jsonl");
    assert_eq!((results.lines().count(), run(&[])), (5, whole.clone()));
    // We cut the last line, as if the process had been killed while it wrote the line.
    std::fs::write(folder.join("p.jsonl"), &results[..results.len() - 9]).unwrap();
    assert_eq!(run(&["--threads", "1"]), whole);
    assert_eq!(read(folder, "p.jsonl"), results);
    // With a smaller --count, the same results give fewer puzzles.
    assert_eq!(run(&["--count", "1"]).lines().count(), 1);
    // The program refuses to resume with other settings or from damaged results.
    let other = [&SMALL[..], &["--moves", "9"]].concat();
    assert!(puzzles(folder, &other).1.contains("made with other settings"));
    std::fs::write(folder.join("p.jsonl"), results.replacen("{\"game\":1,", "{\"game\":7,", 1)).unwrap();
    assert!(puzzles(folder, &SMALL).1.contains("line 2: expected game 1, found game 7"));
}

#[test]
fn seed_determines_self_play() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let run = |file: &str, seed: &str, threads: &str| {
        let limits = ["--count", "1", "--nodes", "1000", "--moves", "4", "--hash", "1"];
        let starts = ["--start", "sp:334", "--start", "dfrc:0:518"];
        let arguments = [&[file, "--seed", seed, "--threads", threads], &limits[..], &starts].concat();
        assert!(matches!(puzzles(folder, &arguments).0, Some(0 | 1)));
        read(folder, file)
    };
    let results = run("a.jsonl", "7", "1");
    assert_eq!(run("b.jsonl", "7", "3"), results);
    assert!(!results.is_empty());
}

#[test]
fn phases_choose_the_positions() {
    let folder = folder();
    let run = |phase: &str| {
        let name = format!("{phase}.jsonl");
        let arguments = [&[&*name, "g.pgn"], &SMALL[2..], &["--phase", phase]].concat();
        let (code, log) = puzzles(folder.path(), &arguments);
        assert_eq!(code, Some(0), "{log}");
        read(folder.path(), &name).matches("\"phase\":\"opening\"").count()
    };
    assert_eq!(["opening", "middlegame", "ending", "ending,opening"].map(run), [2, 0, 0, 2]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_writes_puzzles() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let arguments = ["puzzles", "p.jsonl", "--nodes", "1000", "--hash", "1", "--epd", "p.epd"];
    let mut child = command().current_dir(folder).args(arguments).spawn().expect("the program starts");
    let has_puzzle = || {
        let rows = std::fs::read_to_string(folder.join("p.jsonl"));
        rows.is_ok_and(|rows| rows.contains("\"before\""))
    };
    while !has_puzzle() && child.try_wait().expect("a child").is_none() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    crate::interrupt(&child);
    assert_eq!(child.wait().expect("a child").code(), Some(130));
    assert!(read(folder, "p.epd").contains(" bm "));
}

#[test]
fn obvious_moves_are_no_puzzles() {
    // Each last move allows or overlooks an obvious mate: Qxf7, where only the king defends the pawn; Nd6; and Nf3.
    for moves in [
        "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. d3 *",
        "1. e4 c6 2. d4 d5 3. Nc3 dxe4 4. Nxe4 Nd7 5. Qe2 Ngf6 6. Nf3 *",
        "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 *",
    ] {
        assert_eq!(puzzles_of_game(moves), "", "{moves}");
    }
}

#[test]
fn page_without_puzzles_says_so() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("g.pgn"), "1. e4 e5 *\n").unwrap();
    assert_eq!(puzzles(folder.path(), &[&SMALL[..], &OUTPUTS[..2]].concat()).0, Some(0));
    let page = read(folder.path(), "p.html");
    assert!(page.contains("\"puzzles\":[]") && page.contains("No puzzles were found."), "{page}");
}

#[test]
fn only_legal_move_is_no_puzzle() {
    let game = |fen| format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1... Qg2+ 2. Kxg2 *\n");
    assert_eq!(puzzles_of_game(&game("k7/8/8/8/6q1/8/7P/R6K b - - 0 1")), "");
}

#[test]
fn invalid_arguments_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("g.pgn"), "1. e4 *\n").unwrap();
    std::fs::write(folder.join("empty.pgn"), "\n").unwrap();
    for (arguments, reason) in [
        (&["p.jsonl", "none.pgn"][..], "none.pgn: "),
        (&["p.jsonl", "empty.pgn"], "empty.pgn: no games"),
        (&["p.jsonl", "g.pgn", "--start", "sp:1", "--start", "sp:2"], "can have one, found 2"),
        (&["g.pgn"], "g.pgn: holds something else"),
        (&["p.jsonl", "--epd", "p.jsonl"], "p.jsonl: would be written twice"),
        (&["p.jsonl", "g.pgn", "--pgn", "g.pgn"], "g.pgn: would be read and written"),
        (&["p.jsonl", "--start", "sp:960"], "sp:960"),
        (&["p.jsonl", "--start", "sp:1", "--start", "chess480:334"], "for chess and Chess960 only"),
        (&["p.jsonl", "--count", "0"], "--count"),
    ] {
        let (code, log) = puzzles(folder, arguments);
        assert_eq!(code, Some(2), "{arguments:?}: {log}");
        assert!(log.contains(reason), "{arguments:?}: {log}");
    }
    assert!(!folder.join("p.jsonl").exists());
}
