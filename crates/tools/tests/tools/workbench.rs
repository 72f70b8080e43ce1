//! Workbench commands: analyse, sweep, explain, startpos, quiz, manual pages.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::choose;
use crate::common::program::{command, printed, run};
use enroque::chess::movegen::obstacles::CastlingObstacle;
use enroque::chess::startpos::START_SETS;
use enroque::chess::{Board, CastlingRules, CastlingSide, Color, Move, MoveKind, startpos};
use enroque::util::random::Random;
use serde_json::Value;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn in_folder(folder: &Path, arguments: &[&str]) -> Output {
    command().current_dir(folder).args(arguments).stdin(Stdio::null()).output().expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// Runs with `input` on standard input.
fn fed(arguments: &[&str], input: &str) -> Output {
    let mut child = command()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that refuses its arguments may end before it reads.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    child.wait_with_output().expect("the program ends")
}

/// Waits up to 30 seconds for the exit code of a child.
fn exit_code(mut child: Child) -> Option<i32> {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(30) {
        if let Some(status) = child.try_wait().expect("a child") {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    panic!("the program does not end");
}

// Positions.

#[test]
fn analyse_prints_depth_lines() {
    let output = run(&["analyse", "sp:334", "--depth", "8"]);
    let lines = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0));
    assert!(lines.contains("Chess960 334") && !lines.contains('\x1b'), "{lines}");
    let rows: Vec<&str> = lines.lines().filter(|line| line.contains("/") && line.contains("  1. ")).collect();
    assert!(rows.len() >= 8, "{lines}");
    assert!(rows[rows.len() - 1].trim_start().starts_with("8/"), "{lines}");

    let all = text(
        &run(&["analyse", "startpos", "dfrc:502:532", "dfrc:482452", "--depth", "3", "--multipv", "2"])
            .stdout,
    );
    assert_eq!(all.matches("depth   score").count(), 3, "{all}");
    assert_eq!(all.matches("\n  3/").count(), 6, "expected two lines of three positions: {all}");
}

#[test]
fn analyse_json_lines() {
    let output =
        text(&run(&["analyse", "sp:0", "8/8/8/8/8/3k4/3p4/3K4 b - - 0 1", "--json", "--depth", "6"]).stdout);
    let objects: Vec<serde_json::Value> =
        output.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(objects.len(), 2);
    let line = &objects[0]["lines"][0];
    assert_eq!(line["depth"], 6);
    assert_eq!(line["san"].as_array().unwrap().len(), line["uci"].as_array().unwrap().len());
    assert_eq!(
        line["wdl"].as_array().unwrap().iter().map(|share| share.as_u64().unwrap()).sum::<u64>(),
        1000
    );
}

#[test]
fn analyse_names_mate_and_stalemate() {
    let mate = printed(&["analyse", "6k1/5ppp/8/8/8/8/8/R3K3 w A - 0 1", "--mate", "1", "--depth", "10"]);
    assert!(mate.contains(" #1 ") && mate.contains("Ra8#"), "{mate}");
    assert!(printed(&["analyse", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]).contains("Stalemate"));
    assert!(printed(&["analyse", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"]).contains("Checkmate"));
}

#[test]
fn invalid_arguments_are_reported() {
    for (arguments, expected) in [
        (&["analyse", "sp:960"][..], "sp:960"),
        (&["analyse", "dfrc:1:2000"], "dfrc:1:2000"),
        (&["analyse", "no-such-file.pgn"], "no-such-file.pgn"),
        (&["analyse", "nonsense"], "nonsense"),
        (&["analyse", "8/8/8/8/8/8/8/8 w - - 0 1"], "king"),
        (&["analyse", "startpos", "--depth", "0"], "--depth"),
        (&["analyse"], "INPUT"),
        (&["explain", "sp:-1"], "sp:-1"),
        (&["sweep", "x.csv", "--range", "9..1"], "FIRST..LAST"),
        (&["sweep", "x.csv", "--range", "0..960"], "0 to 959"),
        (&["sweep", "x.csv", "--shard", "3/2"], "I/N"),
        (&["sweep"], "FILE"),
        (&["startpos", "roll", "coins", "--rolls", "HX"], "found 'X'"),
        (&["completions", "no-such-shell"], "no-such-shell"),
    ] {
        let output = in_folder(folder().path(), arguments);
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(output.stdout.is_empty() && errors.contains(expected), "{arguments:?}: {errors}");
    }
}

// Test suites.

const SUITE: &str = "\
# a comment\n\
6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; id \"mate; in one\";\n\
6k1/5ppp/8/8/8/8/8/R3K3 w - - am Ra8#; id \"the only good move is wrong\";\n\
6k1/5ppp/8/8/8/8/8/R3K3 w - - bm #1; id \"by number\";\n\
6k1/5ppp/8/8/8/8/8/R3K3 w A - bm Ra8; c0 \"Ra8#=100, O-O-O=30\"; id \"scored\";\n";

#[test]
fn suite_verdicts_and_totals() {
    let folder = folder();
    let file = folder.path().join("suite.epd");
    std::fs::write(&file, SUITE).unwrap();
    let output = in_folder(folder.path(), &["analyse", "suite.epd", "--depth", "5"]);
    let lines = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "expected one unsolved position");
    assert_eq!(lines.matches("unsolved").count(), 1, "{lines}");
    let totals = "\n4 positions; solved 3 of 4 (75.0 %); 100 of 100 points (100.0 %)\na solution took ";
    assert!(lines.contains(totals) && lines.lines().all(|line| line.chars().count() <= 80), "{lines}");
    // One row for each position, in the order of the file, the names below each other with points or none.
    let rows: Vec<&str> = lines.lines().collect();
    let names = ["mate; in one", "the only good move is wrong", "by number", "scored"];
    let columns: Vec<_> = rows.iter().zip(names).map(|(row, name)| row.find(name)).collect();
    assert_eq!(columns, [Some("unsolved  100 ".len()); 4], "{lines}");
    assert!(
        rows[0].starts_with("solved ") && rows[0].contains("#1 Ra8#") && rows[0].contains(" nodes, "),
        "{lines}"
    );
    assert!(rows[1].starts_with("unsolved ") && rows[1].ends_with("  expected not Ra8#"), "{lines}");
    let alone =
        in_folder(folder.path(), &["analyse", "suite.epd", "--depth", "5", "--threads", "1", "--json"]);
    let together =
        in_folder(folder.path(), &["analyse", "suite.epd", "--depth", "5", "--threads", "3", "--json"]);
    let without_times = |output: &Output| {
        let mut games: Vec<serde_json::Value> =
            text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        for game in &mut games {
            game["lines"][0]["time"] = 0.into();
            if !game["solution"].is_null() {
                game["solution"]["time"] = 0.into();
            }
        }
        games
    };
    assert_eq!(without_times(&alone), without_times(&together), "the number of threads changes nothing");

    let solved = SUITE.lines().filter(|line| !line.contains(" am ")).collect::<Vec<_>>().join("\n");
    let output = fed(&["analyse", "-", "--depth", "5", "--json"], &solved);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stdout).matches("\"solved\":true").count(), 3);
}

#[test]
fn extreme_suite_numbers_are_survived() {
    let line = "6k1/5ppp/8/8/8/8/8/R3K3 w - - dm -2147483648; c0 \"Ra8#=4294967295\";\n";
    let mated = "7k/8/5K2/8/8/8/8/6Q1 b - - dm -2147483648;\n";
    let output = fed(&["analyse", "-", "--depth", "6"], &(line.repeat(2) + mated));
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("8589934590 points (100.0 %)"), "{}", text(&output.stdout));
}

#[test]
fn broken_suite_lines_are_skipped() {
    let folder = folder();
    let broken = format!("{SUITE}6k1/5ppp/8/8/8/8/8/R3K3 w\n4k3/8/8/8/8/8/8/4K2R w - - bm Zz9;\n{SUITE}");
    std::fs::write(folder.path().join("suite.epd"), broken).unwrap();
    let output = in_folder(folder.path(), &["analyse", "suite.epd", "--depth", "4"]);
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        errors.contains("suite.epd, line 6:") && errors.contains("suite.epd, line 7: bm: 'Zz9'"),
        "{errors}"
    );
    assert!(text(&output.stdout).contains("8 positions; solved 6 of 8"));
}

// Games.

const GAMES: &str = r#"[White "A"]
[Black "B"]
[Result "1-0"]

1. e4 {a good move} e5 2. Qh5 (2. Nf3 Nc6) Nc6 3. Bc4 Nf6 4. Qxf7# 1-0

[White "Broken"]
[FEN "not a position"]

1. e4 *

[White "Illegal"]

1. e4 e5 2. Ke3 Nf6 *

[White "C"]
[SetUp "1"]
[Variant "Chess960"]
[FEN "nrk2r2/pppppppp/8/8/8/8/PPPPPPPP/NRK2R2 w KQkq - 0 1"]

1. Nb3 Nb6 2. O-O O-O 3. f3 1/2-1/2
"#;

#[test]
fn games_are_annotated() {
    let folder = folder();
    std::fs::write(folder.path().join("games.pgn"), format!("\u{FEFF}{GAMES}")).unwrap();
    let output = in_folder(folder.path(), &["analyse", "games.pgn", "--nodes", "3000", "--graph", "g.svg"]);
    let (annotated, errors) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("games.pgn, game 2 at line 7: tag FEN"), "{errors}");
    assert!(errors.contains("games.pgn, game 3 at line 12: move 2."), "{errors}");
    assert_eq!(annotated.matches("[Annotator \"Enroque").count(), 3, "{annotated}");
    // Black's blunder gets its better line. White's moves get none.
    let flowing = annotated.split_whitespace().collect::<Vec<_>>().join(" ");
    for expected in [
        "Nf6 $4 { [%eval #1] Blunder. ",
        " was best. } ( { Enroque } 3... ",
        "] a good move }",
        "( 2. Nf3 Nc6 )",
        "[WhiteAccuracy \"",
        "0 mistakes, 1 blunder\"]",
        "Qxf7# 1-0",
        "2. O-O ",
        // Broken games keep their place and their valid moves.
        "[White \"Broken\"] [FEN \"not a position\"] 1. e4 *",
        "] not read from here: Ke3 Nf6 * } *",
    ] {
        assert!(flowing.contains(expected), "{expected}: {annotated}");
    }
    let places = ["\"A\"", "\"Broken\"", "\"Illegal\"", "\"C\""].map(|name| annotated.find(name).unwrap());
    assert!(places.is_sorted(), "{annotated}");
    assert!(annotated.lines().all(|line| line.len() <= 80), "{annotated}");
    // The graphs have the numbers of their games.
    for name in ["g.svg", "g-3.svg", "g-4.svg"] {
        assert!(std::fs::read_to_string(folder.path().join(name)).unwrap().starts_with("<svg"), "{name}");
    }

    // Annotating the output again changes nothing.
    let again = fed(&["analyse", "-", "--nodes", "3000"], &annotated);
    assert_eq!(text(&again.stdout), annotated, "{}", text(&again.stderr));
    assert!(!text(&again.stderr).contains("move 2"), "unread moves are a comment now");

    let json = fed(&["analyse", "-", "--nodes", "500", "--json"], &annotated);
    let games: Vec<serde_json::Value> =
        text(&json.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(games.len(), 4);
    assert_eq!(games[0]["moves"].as_array().unwrap().len(), 7);
    let accuracy = |color: usize| games[0]["players"][color]["accuracy"].as_f64().unwrap();
    assert!(accuracy(1) < accuracy(0));
    assert_eq!(games[0]["players"][1]["blunders"], 1);
    assert!(games[1]["error"].as_str().unwrap().contains("FEN"));
}

#[test]
fn truncated_games_are_analysed() {
    let output = fed(&["analyse", "-", "--nodes", "100"], "1. e4 e5 2. Sf3 Nc6 *\n");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr)
            .contains("standard input, game 1 at line 1: move 2.: 'Sf3' is not a legal move here")
    );
    let german = fed(&["analyse", "-", "--nodes", "100"], "1. e4 e5 2. Sf3 Sc6 3. Lb5 *\n");
    assert_eq!(german.status.code(), Some(0));
    assert!(text(&german.stdout).contains("3. Bb5"));
}

#[test]
fn text_encodings_are_detected() {
    let folder = folder();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    write("latin1.pgn", b"[White \"Gr\xfcnfeld\"]\n\n1. e4 *\n");
    write("utf16.pgn", &"1. e4 *".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
    write("packed.pgn", &[0x1f, 0x8b, 8, 0, 0, 0]);
    write("binary.pgn", b"ELF\0\0\0\x01\x02\x03");
    let run = |name| in_folder(folder.path(), &["analyse", name, "--nodes", "100"]);
    let latin1 = run("latin1.pgn");
    assert_eq!(latin1.status.code(), Some(0));
    assert!(
        text(&latin1.stdout).contains("[White \"Grünfeld\"]") && text(&latin1.stderr).contains("Latin-1")
    );
    for (name, reason) in [("utf16.pgn", "UTF-16"), ("packed.pgn", "gzip"), ("binary.pgn", "not a text")] {
        let output = run(name);
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(text(&output.stderr).contains(reason) && output.stdout.is_empty(), "{name}");
    }
}

#[test]
fn game_analysis_resumes() {
    let folder = folder();
    let games: String = (0..6)
        .map(|n| format!("[White \"{n}\"]\n\n1. e4 e5 {{a ) \n\n b}} 2. Nf3 Nc6 3. Bb5 a6 *\n\n"))
        .collect();
    std::fs::write(folder.path().join("games.pgn"), games).unwrap();
    let command = |output: &'static str| ["analyse", "games.pgn", "--nodes", "2000", "--output", output];
    let run = |output| in_folder(folder.path(), &command(output));
    let whole = run("whole.pgn");
    assert_eq!((whole.status.code(), whole.stdout.len()), (Some(0), 0), "{}", text(&whole.stderr));
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    let expected = read("whole.pgn");
    assert_eq!(text(&expected).matches("[%eval").count(), 36);
    // A killed run continues: a torn last line is dropped, and the output may lag behind.
    let lines = read("whole.pgn.jsonl");
    assert_eq!(text(&lines).lines().count(), 6);
    run("cut.pgn");
    for cut in [0, 1, 700, lines.len() / 2, lines.len() - 1, lines.len()] {
        let complete = lines[..cut].iter().filter(|&&byte| byte == b'\n').count();
        let begins = text(&expected).match_indices("[White ").map(|(at, _)| at).nth(complete);
        std::fs::write(folder.path().join("cut.pgn.jsonl"), &lines[..cut]).unwrap();
        std::fs::write(folder.path().join("cut.pgn"), &expected[..begins.unwrap_or(expected.len()) * 2 / 3])
            .unwrap();
        let resumed = run("cut.pgn");
        assert_eq!(resumed.status.code(), Some(0), "{cut}: {}", text(&resumed.stderr));
        let message = format!("resuming after {complete} of 6 games");
        assert_eq!(text(&resumed.stderr).contains(&message), complete > 0, "{cut}");
        assert_eq!(
            (text(&read("cut.pgn")), read("cut.pgn.jsonl") == lines),
            (text(&expected), true),
            "{cut}"
        );
    }
    // Games that cannot be read stay as they are.
    let broken = "[White \"X\"]\n[FEN \"x\"]\n\n1. e4\n\n\ne5 *\n\n".repeat(2);
    std::fs::write(folder.path().join("broken.pgn"), &broken).unwrap();
    for _ in 0..2 {
        let output = in_folder(folder.path(), &["analyse", "broken.pgn", "--output", "o.pgn"]);
        assert_eq!((output.status.code(), text(&read("o.pgn"))), (Some(2), broken.clone()));
    }
    // Changed settings, damaged lines and foreign files are rejected.
    let refused = |arguments: &[&str], expected: &str| {
        let output = in_folder(folder.path(), &[&["analyse", "games.pgn"], arguments].concat());
        let errors = text(&output.stderr);
        assert!(output.status.code() == Some(2) && errors.contains(expected), "{arguments:?}: {errors}");
    };
    refused(&["--nodes", "2001", "--output", "cut.pgn"], "cut.pgn: made with other settings");
    let damaged = text(&lines).replacen("\n{\"number\":2,", "\n{\"number\":3,", 1);
    std::fs::write(folder.path().join("cut.pgn.jsonl"), &damaged).unwrap();
    refused(
        &["--nodes", "2000", "--output", "cut.pgn"],
        "cut.pgn.jsonl, line 2: expected game 2 of this analysis",
    );
    std::fs::write(folder.path().join("whole.pgn"), "mine").unwrap();
    refused(&["--nodes", "2000", "--output", "whole.pgn"], "whole.pgn: holds something else");
    for (mine, output) in [("mine.pgn", "mine.pgn"), ("new.pgn.jsonl", "new.pgn")] {
        std::fs::write(folder.path().join(mine), "mine").unwrap();
        refused(&["--nodes", "2000", "--output", output], mine);
        assert_eq!(read(mine), b"mine");
    }
    assert_eq!((read("whole.pgn"), text(&read("cut.pgn.jsonl"))), (b"mine".to_vec(), damaged));
    for name in ["cut.pgn", "cut.pgn.json"] {
        std::fs::remove_file(folder.path().join(name)).unwrap();
    }
    refused(&["--nodes", "1999", "--output", "cut.pgn"], "cut.pgn.jsonl: its record cut.pgn.json is missing");
}

/// Returns the data of a page.
fn page_data(page: &str) -> Value {
    let (_, data) = page.split_once("\nconst data = ").expect("a data line");
    let mut values = serde_json::Deserializer::from_str(data).into_iter();
    values.next().expect("data").expect("JSON")
}

#[test]
fn page_and_output_resume() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("games.pgn"), GAMES).unwrap();
    let analyse = |outputs: &[&str]| {
        let output =
            in_folder(folder.path(), &[&["analyse", "games.pgn", "--nodes", "500"], outputs].concat());
        // One game of the file cannot be read.
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        output
    };
    let read = |name: &str| std::fs::read_to_string(path(name)).unwrap();
    let printed = analyse(&["--page", "whole.html", "--output", "whole.pgn"]);
    let errors = text(&printed.stderr);
    let rows: Vec<&str> = errors.lines().skip_while(|line| !line.contains("players")).collect();
    assert!(rows.len() == 5 && errors.lines().skip(2).all(|line| line.chars().count() <= 80), "{errors}");
    assert_eq!(rows[4], "whole.html: written; open it in a browser");
    let (page, games) = (read("whole.html"), read("whole.pgn"));
    let data = page_data(&page);
    assert!(!page.contains("@DATA@") && !page.contains("@STYLE@"));
    let numbers: Vec<_> =
        data["games"].as_array().unwrap().iter().map(|game| game["number"].as_u64()).collect();
    assert_eq!(numbers, [Some(1), Some(2), Some(3), Some(4)]);
    assert!(data["games"][1]["error"].as_str().unwrap().contains("tag FEN"), "{}", data["games"][1]);
    assert_eq!(data["games"][1]["title"], "Broken - ?");
    assert!(data["games"][0]["moves"][0]["line"].as_str().unwrap().starts_with("1... "));
    // Standard output alone gives the same games; next to a page it gets JSON if that is asked for.
    assert_eq!(text(&analyse(&[]).stdout), games);

    // An interrupted run is continued: its games are not searched again, and both outputs are made from its lines.
    let lines = read("whole.pgn.jsonl").replacen("\"title\":\"A - B\"", "\"title\":\"kept\"", 1);
    std::fs::copy(path("whole.pgn.json"), path("page.pgn.json")).unwrap();
    std::fs::write(path("page.pgn.jsonl"), &lines[..lines.len() - 9]).unwrap();
    std::fs::write(path("page.pgn"), &games[..games.find("[White \"Illegal").unwrap()]).unwrap();
    let resumed = analyse(&["--page", "page.html", "--output", "page.pgn"]);
    assert!(text(&resumed.stderr).contains("resuming after 3 of 4 games"), "{}", text(&resumed.stderr));
    assert_eq!((read("page.pgn"), read("page.pgn.jsonl")), (games.clone(), lines));
    let resumed = page_data(&read("page.html"));
    assert_eq!((&resumed["games"][0]["title"], &resumed["games"][3]), (&"kept".into(), &data["games"][3]));
    // A finished run makes further outputs without a search.
    assert_eq!(text(&analyse(&["--page", "alone.html"]).stdout), "");
    assert_eq!(text(&analyse(&["--page", "json.html", "--json"]).stdout).lines().count(), 4);
    let complete = analyse(&["--page", "alone.html", "--output", "later.pgn"]);
    assert!(text(&complete.stderr).contains("resuming after 4 of 4 games"), "{}", text(&complete.stderr));
    assert_eq!((read("later.pgn"), page_data(&read("alone.html"))), (games, data));
    // A foreign text in the file of the run stays data on the page.
    let hostile =
        read("alone.html.jsonl").replacen("\"title\":\"A - B\"", "\"title\":\"</script><script>\"", 1);
    std::fs::write(path("alone.html.jsonl"), hostile).unwrap();
    analyse(&["--page", "alone.html"]);
    let page = read("alone.html");
    assert_eq!(page.matches("</script>").count(), 1);
    assert_eq!(page_data(&page)["games"][0]["title"], "</script><script>");
    // The page of another analysis and other files are refused.
    let other =
        |page: &str| in_folder(folder.path(), &["analyse", "games.pgn", "--nodes", "501", "--page", page]);
    assert!(text(&other("alone.html").stderr).contains("alone.html: made with other settings"));
    std::fs::write(path("mine.html"), "mine").unwrap();
    assert_eq!(other("mine.html").status.code(), Some(2));
    assert_eq!(read("mine.html"), "mine");
}

#[test]
fn own_mistakes_are_counted() {
    let folder = folder();
    let game =
        |white, black| format!("[White \"{white}\"]\n[Black \"{black}\"]\n\n1. f3 e5 2. g4 Qh4# *\n\n");
    let games = game("Polgar, J.", "Short") + &game("Short", "polgar") + &game("Short", "Adams");
    std::fs::write(folder.path().join("g.pgn"), games).unwrap();
    let analyse = |me: &str| {
        in_folder(folder.path(), &["analyse", "g.pgn", "--nodes", "3000", "--page", "p.html", "--me", me])
    };
    // A second run reads the games from its file.
    for _ in 0..2 {
        let output = analyse("POLGAR");
        let (errors, page) =
            (text(&output.stderr), std::fs::read_to_string(folder.path().join("p.html")).unwrap());
        assert_eq!(page_data(&page)["me"], "POLGAR");
        let own = errors.lines().find(|line| line.starts_with("POLGAR: 2 games, ")).expect(&errors);
        // Only White errs in this game, and was Polgar once.
        let games = &page_data(&page)["games"];
        assert_eq!([&games[0]["players"][0]["blunders"], &games[1]["players"][1]["blunders"]], [1, 0]);
        assert!(own.ends_with(", 1 blunder"), "{own}");
    }
    let nobody = analyse("Carlsen");
    assert!(
        nobody.status.code() == Some(2) && text(&nobody.stderr).contains("--me Carlsen: no game of g.pgn")
    );
}

#[test]
fn graphs_have_numbers_of_games() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let games = |names: &[&str]| -> String {
        names.iter().map(|name| format!("[White \"{name}\"]\n\n1. e4 e5 *\n\n")).collect()
    };
    std::fs::write(path("a.pgn"), games(&["A", "B"])).unwrap();
    std::fs::write(path("b.pgn"), games(&["C", "D", "E"])).unwrap();
    let analyse = |arguments: &[&str]| {
        in_folder(folder.path(), &[&["analyse", "--nodes", "100", "--graph", "g.svg"], arguments].concat())
    };
    let title = |name: &str| {
        let graph = std::fs::read_to_string(path(name)).unwrap();
        graph.split_once("<title>").unwrap().1.chars().next().unwrap()
    };
    let titles = |count: usize| -> String {
        (1..=count).map(|n| title(&if n == 1 { "g.svg".to_owned() } else { format!("g-{n}.svg") })).collect()
    };
    assert_eq!(analyse(&["a.pgn", "b.pgn"]).status.code(), Some(0));
    assert_eq!(titles(5), "ABCDE");
    // A resumed run counts the games from the first one, too.
    for name in ["g-2.svg", "g-3.svg", "g-4.svg", "g-5.svg"] {
        std::fs::remove_file(path(name)).unwrap();
    }
    let resumed = ["b.pgn", "--output", "o.pgn"];
    assert_eq!(analyse(&resumed).status.code(), Some(0));
    let whole = std::fs::read_to_string(path("o.pgn")).unwrap();
    std::fs::write(path("o.pgn"), &whole[..whole.find("[White \"D").unwrap()]).unwrap();
    std::fs::remove_file(path("g-2.svg")).unwrap();
    assert_eq!(analyse(&resumed).status.code(), Some(0));
    assert_eq!(titles(3), "CDE");
    // A finished run draws the graphs that are missing.
    std::fs::remove_file(path("g-2.svg")).unwrap();
    assert_eq!((analyse(&resumed).status.code(), titles(3)), (Some(0), "CDE".to_owned()));
}

#[test]
fn given_start_serves_games() {
    let game = "[Variant \"Chess960\"]\n\n1. Nb3 *\n";
    let refused = fed(&["analyse", "-", "--nodes", "100"], game);
    assert!(text(&refused.stderr).contains("--start sp:NUMBER"), "{}", text(&refused.stderr));
    let read = fed(&["analyse", "-", "--nodes", "100", "--start", "sp:334"], game);
    assert_eq!((read.status.code(), text(&read.stdout).contains("1. Nb3")), (Some(0), true));
    // The output names its start position, also to other programs.
    let again = fed(&["analyse", "-", "--nodes", "100"], &text(&read.stdout));
    assert_eq!(text(&again.stdout), text(&read.stdout), "{}", text(&again.stderr));
    let unnamed = "[FEN \"?\"]\n[SP \"334\"]\n\n1. Nb3 *\n";
    let read = fed(&["analyse", "-", "--nodes", "100", "--start", "sp:334"], unnamed);
    let tags = "[SP \"334\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"nrqkrbbn/pppppppp/8/8/8/8/PPPPPPPP/NRQKRBBN w KQkq - 0 1\"]\n";
    assert!(text(&read.stdout).starts_with(tags), "{}", text(&read.stdout));
    let wrong = fed(&["analyse", "-", "--start", "sp:960"], game);
    assert!(text(&wrong.stderr).contains("from 0 to 959"), "{}", text(&wrong.stderr));
}

#[test]
fn start_numbers_round_trip() {
    for set in START_SETS.iter() {
        for index in [0, 5, set.count() / 2, set.count() - 1] {
            let index = index.min(set.count() - 1).to_string();
            let shown = printed(&["startpos", "--set", set.name, &index]);
            let is_fen = |line: &&str| line.starts_with("FEN");
            let fen = |text: &str| text.lines().find(is_fen).unwrap().to_owned();
            if let Some(word) = shown.lines().find_map(|line| line.strip_prefix("Set       ")) {
                let word = word.split(',').next().unwrap();
                assert_eq!(fen(&printed(&["startpos", word])), fen(&shown), "{word}");
                assert!(printed(&["explain", word]).contains(&fen(&shown)), "{word}");
            } else {
                assert_eq!(set.name, "chess960");
            }
            let pair = shown.lines().find(|line| line.starts_with("Number")).unwrap();
            if let Some((white, black)) =
                pair.split_once("(White ").and_then(|(_, pair)| pair.split_once(", Black "))
            {
                let pair = format!("{white}:{}", black.trim_end_matches(')'));
                assert_eq!(fen(&printed(&["startpos", "--set", set.name, &pair])), fen(&shown), "{pair}");
            }
        }
    }
    for wrong in
        [&["startpos", "--set", "chess90", "1:2"][..], &["startpos", "chess90:1:2"], &["startpos", "960"]]
    {
        assert_eq!(run(wrong).status.code(), Some(2), "{wrong:?}");
    }
    let own = printed(&["startpos", "chess2880:2000"]);
    assert!(own.contains("\nFEN       bbnnrrkq"), "{own}");
    assert!(!printed(&["explain", "sp:334", "--castling", "none"]).contains("king  "));
}

#[test]
fn random_draws_are_reproducible() {
    let folder = folder();
    let draw = ["startpos", "random", "--count", "8", "--seed", "5", "--exclude", "518"];
    let sheet = [&draw[..], &["--sheet", "s.svg"]].concat();
    let output = in_folder(folder.path(), &sheet);
    let log = text(&output.stdout);
    assert_eq!((output.status.code(), log.lines().count()), (Some(0), 9), "{}", text(&output.stderr));
    // The first line is the command that repeats the draw.
    let command = log.lines().next().unwrap().strip_prefix("# enroque-tools ").unwrap();
    let again: Vec<&str> = command.split(' ').collect();
    assert_eq!(printed(&again), log);
    for (name, boards) in [("s.svg", 6), ("s-2.svg", 2)] {
        let page = std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(page.starts_with("<svg") && page.contains("Chess960"), "{page}");
        assert_eq!(page.matches("scale(").count(), boards, "{name}");
        assert!(
            page.contains("Seed 5") && page.contains(&format!("enroque-tools {}", again.join(" "))),
            "{page}"
        );
        assert!(text(&output.stderr).contains(&format!("{name}: written")));
    }
    std::fs::write(folder.path().join("s.svg"), "mine").unwrap();
    assert_eq!(in_folder(folder.path(), &sheet).status.code(), Some(2));
    let too_many = run(&["startpos", "random", "--set", "chess90", "--count", "91"]);
    assert_eq!(too_many.status.code(), Some(2));
    assert!(text(&too_many.stderr).contains("chess90 has 90"));
}

#[test]
fn position_words_mean_the_same() {
    for command in [&["explain"][..], &["startpos"]] {
        let shown = |word| printed(&[command, &[word]].concat()).replace(char::is_numeric, "");
        let expected = shown("NRQKRBBN");
        assert!(!expected.is_empty(), "{command:?}");
        for word in ["334", "sp334", "sp:334", "nrqkrbbn/pppppppp/8/8/8/8/PPPPPPPP/NRQKRBBN w KQkq - 0 1"] {
            assert_eq!(shown(word), expected, "{command:?} {word}");
        }
    }
    for word in ["334", "sp334"] {
        let analysis = printed(&["analyse", word, "--depth", "1", "--json"]);
        assert!(analysis.contains("NRQKRBBN"), "{word}: {analysis}");
    }
}

#[test]
fn sheets_of_given_starts() {
    let folder = folder();
    let sheet = |words: &[&str]| in_folder(folder.path(), &[&["startpos", "--sheet"], words].concat());
    let round = ["12", "345", "344:402", "--event", "A & B", "--round", "3", "--date", "May"];
    let output = sheet(&[&["r.svg"], &round[..]].concat());
    assert!(output.status.success() && text(&output.stderr).contains("r.svg: written"));
    let page = std::fs::read_to_string(folder.path().join("r.svg")).unwrap();
    for expected in [
        "A &amp; B, Round 3",
        ">May<",
        "1.  Chess960 12<",
        ">NBRKBQRN BRQNNBKR<",
        "startpos --set chess960 12 ",
    ] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
    // Today is local: 26 hours apart it is never the same day.
    #[cfg(unix)]
    {
        let date = |zone: &str| {
            let mut dated = command();
            dated.current_dir(folder.path()).args(["startpos", "--sheet", "d.svg", "12"]).env("TZ", zone);
            assert!(dated.output().unwrap().status.success());
            std::fs::read_to_string(folder.path().join("d.svg")).unwrap()
        };
        assert_ne!(date("EAST-14"), date("WEST+12"));
    }
    let refused = sheet(&["r.pdf", "12"]);
    assert!(refused.status.code() == Some(2) && text(&refused.stderr).contains("ending .svg"));
    assert!(!folder.path().join("r.pdf").exists());
}

#[test]
fn excluded_ranges_are_not_drawn() {
    let draw = ["startpos", "random", "--exclude", "0..957,BBQNNRKR,sp959"];
    assert!(printed(&draw).contains("Chess960 958"));
    let drawn = printed(&[&draw[..], &["--count", "1"]].concat());
    assert!(drawn.lines().nth(1).unwrap().contains("  958  "), "{drawn}");
    // One start is shown in full, under the command that draws it again.
    let shown = printed(&["startpos", "random"]);
    let command = shown.lines().next().unwrap().strip_prefix("# enroque-tools ").unwrap();
    assert_eq!(printed(&command.split(' ').collect::<Vec<_>>()), shown);
    let wrong = run(&["startpos", "random", "--exclude", "5..0"]);
    assert!(wrong.status.code() == Some(2) && text(&wrong.stderr).contains("'5..0'"));
}

#[test]
fn useless_options_are_rejected() {
    for (arguments, option) in [
        (&["analyse", "startpos", "--graph", "g.svg"][..], "--graph"),
        (&["analyse", "startpos", "--output", "o.pgn"], "--output"),
        (&["sweep", "s.csv", "--seed", "3"], "--sample"),
        (&["sweep", "s.csv", "--sample", "0"], "--sample"),
        (&["analyse", "startpos", "--me", "A"], "--me"),
        (&["startpos", "place", "--set", "chess90"], "--set"),
        (&["startpos", "sets", "chess90", "--board", "svg"], "--board"),
        (&["startpos", "5", "--seed", "3"], "--seed"),
        (&["startpos", "random", "--count", "3", "--json"], "--json"),
        (&["startpos", "5", "--json", "--fen", "x"], "--json"),
    ] {
        let output = in_folder(folder().path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(option), "{arguments:?}");
    }
}

#[test]
fn other_variants_are_rejected() {
    let output = fed(&["analyse", "-"], "[Variant \"Atomic\"]\n\n1. e4 *\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("standard input, game 1 at line 1: tag Variant: 'Atomic'"));
}

// Signals and pipes.

#[test]
fn closed_pipe_is_no_error() {
    for arguments in [&["analyse", "startpos", "--nodes", "2000000000"][..], &["startpos", "sets", "dfrc"]] {
        let mut child = command().args(arguments).stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut first = String::new();
        BufReader::new(child.stdout.take().expect("piped")).read_line(&mut first).expect("a line");
        assert!(!first.is_empty());
        assert_eq!(exit_code(child), Some(0), "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_results() {
    let mut child = command()
        .args(["analyse", "startpos", "--movetime", "600000"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let fifth = lines.by_ref().map(Result::unwrap).find(|line| line.trim_start().starts_with("5/"));
    assert!(fifth.is_some());
    crate::common::program::interrupt(&child);
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(exit_code(child), Some(130), "{rest:?}");

    let folder = folder();
    let mut child = command()
        .current_dir(folder.path())
        .args(["sweep", "s.csv", "--nodes", "20000"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let file = folder.path().join("s.csv");
    while std::fs::read_to_string(&file).map_or(0, |text| text.lines().count()) < 5 {
        std::thread::sleep(Duration::from_millis(2));
    }
    crate::common::program::interrupt(&child);
    let mut errors = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut errors).expect("UTF-8");
    assert_eq!(exit_code(child), Some(130));
    assert!(errors.contains("interrupted"), "{errors}");
    assert!(std::fs::read_to_string(&file).unwrap().lines().count() >= 5);

    std::fs::write(folder.path().join("games.pgn"), "[White \"A\"]\n\n1. e4 e5 *\n\n".repeat(50)).unwrap();
    let mut child = command()
        .current_dir(folder.path())
        .args(["analyse", "games.pgn", "--nodes", "100000", "--output", "o.pgn"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let file = folder.path().join("o.pgn");
    while std::fs::read_to_string(&file).map_or(0, |text| text.len()) == 0 {
        std::thread::sleep(Duration::from_millis(2));
    }
    crate::common::program::interrupt(&child);
    let mut errors = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut errors).expect("UTF-8");
    assert_eq!(exit_code(child), Some(130));
    let games = std::fs::read_to_string(&file).unwrap().matches("[White ").count();
    let kept = format!("interrupted: {games} of 50 games are kept; the same command resumes");
    assert!(errors.contains(&kept), "{errors}");
}

// Sweeps.

const SWEEP: [&str; 6] = ["sweep", "s.csv", "--range", "480..579", "--nodes", "3000"];

#[test]
fn killed_sweep_resumes_identically() {
    let [killed, whole] = [folder(), folder()];
    let file = killed.path().join("s.csv");
    let rows = || std::fs::read_to_string(&file).map_or(0, |text| text.lines().count());
    let mut random = Random::new(8);
    for round in 1..=3 {
        let mut child = command()
            .current_dir(killed.path())
            .args(SWEEP)
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let wanted = rows() + 3 + random.below(15) as usize;
        while rows() < wanted {
            assert!(
                child.try_wait().unwrap().is_none(),
                "round {round}: the sweep ended before it was killed"
            );
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        // An interrupted write leaves a partial line.
        if round == 2 {
            let cut = std::fs::read(&file).unwrap();
            std::fs::write(&file, &cut[..cut.len() - 7]).unwrap();
        }
    }
    for folder in [&killed, &whole] {
        let output = in_folder(folder.path(), &SWEEP);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    let [one, other] =
        [killed, whole].map(|folder| std::fs::read_to_string(folder.path().join("s.csv")).unwrap());
    assert_eq!(one.lines().count(), 101);
    assert_eq!(one, other);
}

#[test]
fn pages_link_to_board() {
    let folder = folder();
    std::fs::write(folder.path().join("games.pgn"), GAMES).unwrap();
    let games = ["analyse", "games.pgn", "--nodes", "100", "--page", "page.html"];
    let scores = ["sweep", "scores.csv", "--range", "334..335", "--nodes", "100", "--page", "page.html"];
    let difficulty =
        ["sweep", "all.csv", "--range", "334..335", "--nodes", "100", "--difficulty", "--page", "page.html"];
    for command in [&games[..], &scores, &difficulty] {
        let page = || {
            let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
            std::fs::remove_file(folder.path().join("page.html")).unwrap();
            assert!(page.contains("fen, data.board)"), "{command:?}");
            page_data(&page)["board"].clone()
        };
        let with_board = |address: &str| in_folder(folder.path(), &[command, &["--board", address]].concat());
        with_board("my board.html");
        assert_eq!(page(), "my board.html", "{command:?}");
        in_folder(folder.path(), command);
        assert_eq!(page(), serde_json::Value::Null, "{command:?}");
        let refused = with_board("enroque.html#sp=334");
        assert!(
            refused.status.code() == Some(2) && text(&refused.stderr).contains("without #"),
            "{command:?}"
        );
    }
    let no_page = in_folder(folder.path(), &["sweep", "x.csv", "--board", "enroque.html"]);
    assert!(no_page.status.code() == Some(2) && text(&no_page.stderr).contains("--page"));
}

#[test]
fn merged_sweep_shards_equal_one_run() {
    let folder = folder();
    let common = ["--set", "dfrc", "--sample", "40", "--seed", "3", "--nodes", "1500"];
    let sweep = |file: &'static str, shard: &'static str| {
        let output = in_folder(folder.path(), &[&["sweep", file, "--shard", shard][..], &common].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
    };
    sweep("whole.csv", "1/1");
    sweep("a.csv", "1/2");
    sweep("b.csv", "2/2");
    let merge = ["sweep", "merge", "ab.csv", "b.csv", "a.csv", "--json", "ab.json", "--page", "ab.html"];
    let output = in_folder(folder.path(), &merge);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("whole.csv"), read("ab.csv"));
    assert_eq!(read("whole.csv.json"), read("ab.csv.json"));
    assert!(read("a.csv").lines().count() == 21 && read("ab.csv").lines().count() == 41);

    let json: serde_json::Value = serde_json::from_str(&read("ab.json")).expect("JSON");
    assert_eq!(json["positions"].as_array().unwrap().len(), 40);
    assert_eq!(json["summary"]["positions"], 40);
    // The page loads nothing from outside. Only its link to an editor leads there.
    let page = read("ab.html").replace("https://lichess.org/editor/", "");
    assert!(page.contains(&read("ab.csv").lines().nth(1).unwrap().split(',').nth(4).unwrap().to_owned()));
    for outside in ["http:", "https:", "src=", "@import", "<link"] {
        assert!(!page.contains(outside), "{outside}");
    }

    // A row that is not the position of its number might bring markup into the page.
    let [good, records] = ["a.csv", "a.csv.json"].map(read);
    let fen = good.lines().nth(1).unwrap().split(',').nth(4).unwrap();
    let script = "\"\"\"><img src=x onerror=alert(1)>\"";
    for (hostile, complaint) in [
        (good.replacen(fen, script, 1), "e.csv, line 2: not a position of this sweep"),
        (good.replacen("\n", "\n9", 1), "e.csv, line 2: not a position of this sweep"),
    ] {
        std::fs::write(folder.path().join("e.csv"), hostile).unwrap();
        std::fs::write(folder.path().join("e.csv.json"), &records).unwrap();
        let merge = ["sweep", "merge", "x.csv", "b.csv", "e.csv", "--page", "x.html"];
        let output = in_folder(folder.path(), &merge);
        assert!(output.status.code() == Some(2) && text(&output.stderr).contains(complaint), "{output:?}");
        assert!(!folder.path().join("x.html").exists() && !folder.path().join("x.csv").exists());
    }

    // Missing and double positions are errors that --anyway overrides.
    for (parts, complaint) in [
        (&["a.csv"][..], "x.csv: 20 positions are missing: "),
        (&["a.csv", "b.csv", "a.csv"], "x.csv: 20 positions are in more than one file: "),
    ] {
        let merge = [&["sweep", "merge", "x.csv"], parts].concat();
        let output = in_folder(folder.path(), &merge);
        assert!(output.status.code() == Some(1) && text(&output.stderr).contains(complaint), "{output:?}");
        assert!(in_folder(folder.path(), &[&merge[..], &["--anyway"]].concat()).status.success());
    }
    std::fs::write(folder.path().join("y.csv.json"), "dear diary").unwrap();
    let output = in_folder(folder.path(), &["sweep", "merge", "y.csv", "a.csv", "b.csv"]);
    assert!(
        output.status.code() == Some(2) && text(&output.stderr).contains("y.csv.json: holds something else")
    );
    assert_eq!(read("y.csv.json"), "dear diary");

    // Different settings can neither resume nor merge.
    let output = in_folder(folder.path(), &["sweep", "a.csv", "--nodes", "1501"]);
    assert!(output.status.code() == Some(2) && text(&output.stderr).contains("a.csv.json"));
    in_folder(folder.path(), &["sweep", "c.csv", "--range", "0..1", "--nodes", "100"]);
    let output = in_folder(folder.path(), &["sweep", "merge", "x.csv", "a.csv", "c.csv"]);
    assert!(output.status.code() == Some(2) && text(&output.stderr).contains("a.csv and c.csv"));
    let output = in_folder(folder.path(), &["sweep", "merge", "x.csv", "missing.csv"]);
    let errors = text(&output.stderr);
    assert!(output.status.code() == Some(2) && errors.contains("missing.csv: No such file"), "{errors}");
}

#[test]
fn damaged_results_are_explained() {
    let folder = folder();
    let sweep = ["sweep", "s.csv", "--range", "0..3", "--nodes", "50"];
    assert!(in_folder(folder.path(), &sweep).status.success());
    let path = folder.path().join("s.csv");
    let csv = std::fs::read_to_string(&path).unwrap();
    for (damaged, expected) in [
        (csv.replacen("\n1,", "\nx,", 1), "s.csv, line 3: column 1: expected a number"),
        (csv.replacen("\n1,", "\n1,,", 1), "s.csv, line 3: expected 12 columns, found 13"),
    ] {
        std::fs::write(&path, damaged).unwrap();
        let output = in_folder(folder.path(), &sweep);
        let errors = text(&output.stderr);
        assert!(output.status.code() == Some(2) && errors.contains(expected), "{errors}");
    }
}

#[test]
fn sweep_prints_summary() {
    let folder = folder();
    let output = in_folder(folder.path(), &["sweep", "s.csv", "--nodes", "100"]);
    let summary = text(&output.stdout);
    for expected in
        ["960 positions", "deviation", "96.1 % (923)", "Chess18 mean", "mean minus orthodox", "0.57 (SP 80)"]
    {
        assert!(summary.contains(expected), "{expected}: {summary}");
    }
}

#[test]
fn sweep_names_positions_by_set() {
    let folder = folder();
    let summary = |file: &str, options: &[&str]| {
        let sweep = ["sweep", file, "--range", "7..7", "--nodes", "50", "--hash", "1"];
        text(&in_folder(folder.path(), &[&sweep[..], options].concat()).stdout)
    };
    for (file, options, name) in [
        ("a.csv", &[][..], "(SP 7)"),
        ("b.csv", &["--set", "chess90"], "(chess90:7)"),
        ("c.csv", &["--set", "double-shuffle", "--difficulty"], "(double-shuffle:7)"),
    ] {
        let summary = summary(file, options);
        assert!(summary.contains(name) && summary.contains("SP 7") == (file == "a.csv"), "{summary}");
        assert!(summary.lines().all(|line| line.chars().count() <= 80), "{summary}");
    }
}

#[test]
fn difficulty_sweep_resumes_and_merges() {
    let folder = folder();
    let sweep = |file: &str, options: &[&str]| {
        let arguments =
            [&["sweep", file, "--difficulty", "--nodes", "1500", "--hash", "1", "--lines", "4"], options]
                .concat();
        in_folder(folder.path(), &arguments)
    };
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let whole = sweep("a.csv", &["--range", "515..520", "--page", "a.html", "--json", "a.json"]);
    let table = text(&whole.stdout);
    assert_eq!(whole.status.code(), Some(0), "{}", text(&whole.stderr));
    for expected in ["6 positions", "good moves", "settled at depth", "error", "ranks"] {
        assert!(table.contains(expected), "{expected}: {table}");
    }
    let results = read("a.csv");
    let rows: Vec<Vec<&str>> = results.lines().map(|line| line.split(',').collect()).collect();
    assert!(rows.len() == 7 && rows[0][10] == "good" && rows[0][6] == "score");
    for row in &rows[1..] {
        let good: Vec<u32> = row[10].split(' ').map(|word| word.parse().unwrap()).collect();
        assert!(good.len() == 3 && good.iter().all(|good| (1..=4).contains(good)), "{row:?}");
    }
    assert!(
        rows[1..].iter().any(|row| row[6].split(' ').any(|score| !row[6].starts_with(score))),
        "equal searches"
    );
    assert!(read("a.html").contains("Atlas of start positions") && read("a.json").contains("\"difficulty\""));

    // A killed sweep, its last line incomplete, ends with the same results; so do two shards.
    std::fs::write(folder.path().join("a.csv"), &results[..results.len() * 2 / 3]).unwrap();
    assert_eq!(sweep("a.csv", &["--range", "515..520"]).status.code(), Some(0));
    assert_eq!(read("a.csv"), results);
    for shard in ["1/2", "2/2"] {
        sweep(&format!("p{}.csv", &shard[..1]), &["--range", "515..520", "--shard", shard]);
    }
    let merged = in_folder(folder.path(), &["sweep", "merge", "b.csv", "p1.csv", "p2.csv"]);
    assert_eq!(merged.status.code(), Some(0), "{}", text(&merged.stderr));
    assert_eq!(read("b.csv"), results);

    // Files of another kind are refused.
    let scores = ["sweep", "s.csv", "--nodes", "50", "--range", "515..520"];
    assert!(in_folder(folder.path(), &scores).status.success());
    for (arguments, expected) in [
        (
            &["sweep", "a.csv", "--nodes", "1500", "--range", "515..520"][..],
            "a.csv: made with other settings",
        ),
        (&["sweep", "s.csv", "--difficulty", "--range", "515..520"], "s.csv: made with other settings"),
        (&["sweep", "pack", "a.csv", "a.zst"], "all 960"),
        (
            &["sweep", "pack", "s.csv", "a.zst"],
            "s.csv: made without --difficulty; expected the results of a sweep with it",
        ),
        (&["sweep", "pack", "none.csv", "a.zst"], "none.csv: No such file"),
        (&["sweep", "c.csv", "--seeds", "2"], "--difficulty"),
    ] {
        let output = in_folder(folder.path(), arguments);
        let errors = text(&output.stderr);
        assert!(output.status.code() == Some(2) && errors.contains(expected), "{arguments:?}: {errors}");
    }
}

// Explaining.

#[test]
fn castling_obstacles_match_move_generator() {
    let mut random = Random::new(21);
    let (mut positions, mut with_rights, mut legal) = (0, 0, 0);
    while positions < 100_000 {
        let start = startpos::double_chess960(random.below(960) as u32, random.below(960) as u32);
        let mut board = start.expect("a number");
        for _ in 0..60 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            positions += 1;
            for color in Color::ALL {
                for side in CastlingSide::ALL {
                    let Some(path) = board.castling(color, side) else { continue };
                    with_rights += 1;
                    let mv = Move::new(path.king_from, path.rook_from, MoveKind::Castle);
                    let can_castle = color == board.side_to_move() && moves.contains(&mv);
                    legal += usize::from(can_castle);
                    let found = board.castling_obstacles(color, path);
                    assert_eq!(found.is_empty(), can_castle, "{board:?} {mv:?} {found:?}");
                }
            }
            // Castlings and king moves would soon lose the rights.
            let keeping_rights: Vec<Move> = moves
                .iter()
                .copied()
                .filter(|mv| {
                    !mv.is_castle()
                        && board
                            .piece_on(mv.from())
                            .is_some_and(|piece| piece.kind() != enroque::chess::PieceKind::King)
                })
                .collect();
            let choices = if keeping_rights.is_empty() { moves.to_vec() } else { keeping_rights };
            board.make_move(choose(&mut random, &choices));
        }
    }
    assert!(with_rights > 100_000 && legal > 2_000, "{with_rights} {legal}");
}

#[test]
fn castling_obstacles_are_named() {
    let found = |fen: &str, color: Color, side: CastlingSide| {
        let board = Board::from_fen(fen, CastlingRules::Fischer).expect("a position");
        let path = *board.castling(color, side).expect("a right");
        board.castling_obstacles(color, &path)
    };
    let at = |name: &str| enroque::chess::Square::parse(name).expect("a square");
    let white = |fen, side| found(fen, Color::White, side);
    use CastlingSide::{A, H};
    assert_eq!(white("4k3/8/8/8/8/8/8/rR2K3 w B - 0 1", A), [CastlingObstacle::Uncovered(at("a1"))]);
    assert_eq!(white("4k3/8/8/8/8/8/8/R2NK3 w A - 0 1", A), [CastlingObstacle::Blocked(at("d1"))]);
    assert_eq!(white("3rk3/8/8/8/8/8/8/R3K3 w A - 0 1", A), [CastlingObstacle::Attacked(at("d1"), at("d8"))]);
    assert_eq!(
        white("2r1k3/8/8/8/8/8/8/R3K3 w A - 0 1", A),
        [CastlingObstacle::Attacked(at("c1"), at("c8"))]
    );
    // The rook may pass an attacked square.
    assert_eq!(white("1r2k3/8/8/8/8/8/8/R3K3 w A - 0 1", A), []);
    assert_eq!(white("4k3/4r3/8/8/8/8/8/4K2R w H - 0 1", H), [CastlingObstacle::InCheck(at("e7"))]);
    assert_eq!(found("r3k3/8/8/8/8/8/8/4K3 w a - 0 1", Color::Black, A), [CastlingObstacle::NotToMove]);

    let output = printed(&["explain", "4k3/8/8/8/8/8/8/rR2K3 w B - 0 1"]);
    for expected in [
        "White O-O: no castling right.",
        "White O-O-O (e1b1): cannot be played now.",
        "king  e1 to c1",
        "With the rook gone from b1, the rook on a1 would give check on c1.",
    ] {
        assert!(output.contains(expected), "{expected}: {output}");
    }
    assert!(printed(&["explain", "sp:959"]).contains("Number"));
    // Impossible rights in a FEN.
    for (fen, claim) in [
        ("4k3/8/8/8/8/8/8/1R2K3 w A - 0 1", "claims 'A': White has no rook on a1"),
        ("4k3/8/8/8/8/4K3/8/R6R w Q - 0 1", "claims 'Q': White's king stands on e3, not on its back rank"),
        ("4k3/8/8/8/8/8/8/4K2R w Q - 0 1", "claims 'Q': White has no rook"),
        ("4k3/8/8/8/8/8/8/K6R w K - 0 1", "claims 'K': accepted, although"),
        ("1rr1k3/8/8/8/8/8/8/4K3 b bc - 0 1", "claims 'b': the right on that side belongs to the rook on c8"),
    ] {
        assert!(printed(&["explain", fen]).contains(claim), "{fen}: {}", printed(&["explain", fen]));
    }
    assert!(!printed(&["explain", "sp:334"]).contains("claims"));
}

// Drawing by hand.

#[test]
fn manual_drawing_methods() {
    let methods = printed(&["startpos", "roll"]);
    for method in
        ["one-die", "dice", "dice-4-12-20", "dice-6-8-20", "dice-8-10-12", "cards", "coins", "ten-coins"]
    {
        assert!(methods.lines().any(|line| line == method), "{methods}");
        let output = run(&["startpos", "roll", method, "--fen", "x"]);
        let log = text(&output.stderr);
        assert!(output.status.success() && log.contains("start ") && log.contains("iform: "), "{log}");
        let shown = run(&["startpos", "roll", method]);
        assert!(text(&shown.stdout).contains("iform: ") && shown.stderr.is_empty(), "{method}");
        assert!(Board::from_fen(text(&output.stdout).trim(), CastlingRules::Fischer).is_ok(), "{method}");
    }
    let coins = run(&["startpos", "roll", "coins", "--rolls", "HTTHTHTT", "HH", "T", "HT"]);
    assert!(text(&coins.stdout).contains("518"), "{}", text(&coins.stderr));
    let note =
        "Not uniform: 576 starts have probability 1/1152, 384 starts have probability 1/768. On average 11.5";
    let flowing = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flowing(&text(&coins.stdout)).contains(note), "{}", text(&coins.stdout));
    let game = "Ra\nra\nNb\nnb\nBc\nbc\nQd\nqd\nKe\nke\nBf\nbf\nNg\nng\nRh\nrh\n";
    let output = fed(&["startpos", "place"], game);
    assert!(output.status.success() && text(&output.stdout).contains("Chess960 518"));
    let output = fed(&["startpos", "place", "--fen", "x"], game);
    assert!(text(&output.stderr).contains("White places:"), "{}", text(&output.stderr));
    assert_eq!(Board::from_fen(text(&output.stdout).trim(), CastlingRules::Fischer), Ok(Board::startpos()));
    let output = fed(&["startpos", "place", "prechess"], game);
    assert!(output.status.success() && text(&output.stdout).contains("Benko"));
    let output = fed(&["startpos", "place"], "Ra\n");
    assert!(output.status.code() == Some(2) && text(&output.stderr).contains("15 pieces"));
}

#[test]
fn board_styles() {
    assert!(printed(&["startpos", "518", "--board", "unicode"]).contains("♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖"));
    let svg = printed(&["startpos", "518", "--board", "svg"]);
    assert!(
        svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>") && svg.matches("<path").count() == 32
    );
    assert!(printed(&["startpos", "518"]).contains("| R | N |"));
}

#[test]
fn startpos_prints_facts() {
    let text = printed(&["startpos", "518"]);
    assert!(text.contains("Mirror    Chess960 534") && text.contains("Only king defends   f2"), "{text}");
    let json: Value = serde_json::from_str(&printed(&["startpos", "dfrc:0:518", "--json"])).unwrap();
    assert_eq!(json["black"]["king_only"], serde_json::json!(["f7"]));
    assert_eq!(json["white"]["bishops"][0]["is_in_corner"], true);
    assert_eq!(json["number"]["white"], 0);
}

#[test]
fn completions_offer_values() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = printed(&["completions", shell]);
        assert!(script.contains("enroque") && script.contains("explain"), "{shell}");
    }
    for value in ["orthodox480", "chess324", "one-die", "shredder"] {
        assert!(printed(&["completions", "bash"]).contains(value), "{value} is offered");
    }
}

/// Returns true if the castling of a quiz question is legal for shakmaty.
fn shakmaty_castles(question: &Value) -> bool {
    use shakmaty::{CastlingMode, Chess, Position};
    let fen: shakmaty::fen::Fen = question["fen"].as_str().unwrap().parse().unwrap();
    let position: Chess = fen.into_position(CastlingMode::Chess960).unwrap();
    let squares = [0, 1].map(|index| question["pieces"][index].as_str().unwrap());
    let moves = position.legal_moves();
    moves.iter().any(|mv| mv.is_castle() && mv.to_uci(CastlingMode::Chess960).to_string() == squares.concat())
}

#[test]
fn quiz_answers_match_shakmaty() {
    let folder = tempfile::tempdir().unwrap();
    let quiz = ["quiz", "quiz.html", "--seed", "5", "--count", "300"];
    let read = || std::fs::read_to_string(folder.path().join("quiz.html")).unwrap();
    for (arguments, count) in [(&["quiz", "quiz.html", "--graded"][..], 50), (&quiz, 300)] {
        assert_eq!(in_folder(folder.path(), arguments).status.code(), Some(0));
        let data = page_data(&read());
        let questions = data["questions"].as_array().unwrap();
        assert_eq!(questions.len(), count);
        for question in questions {
            assert_eq!(question["can"], shakmaty_castles(question), "{question}");
        }
    }
    let page = read();
    // The seed decides the questions. An own page is replaced, another file is not.
    assert_eq!(in_folder(folder.path(), &quiz).status.code(), Some(0));
    assert_eq!(read(), page);
    std::fs::write(folder.path().join("quiz.html"), "<!DOCTYPE html>\n<p>mine").unwrap();
    assert_eq!(in_folder(folder.path(), &quiz).status.code(), Some(2));
    assert_eq!(in_folder(folder.path(), &["quiz", "none.html", "--count", "0"]).status.code(), Some(2));
}
