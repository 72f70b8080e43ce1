//! Tests `analyse` on games: annotated PGN, pages, JSON, and runs that resume.

use serde_json::Value;

use crate::workbench::{fed, folder, in_folder, text};

pub const GAMES: &str = r#"[White "A"]
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
    assert!(errors.contains("games.pgn, game 3 at line 14: move 2."), "{errors}");
    assert_eq!(annotated.matches("[Annotator \"Enroque").count(), 3, "{annotated}");
    // The annotation shows a better line after Black's blunder, and keeps the comments and variations of the file.
    let flowing = annotated.split_whitespace().collect::<Vec<_>>().join(" ");
    for expected in [
        "Nf6 $4 { [%eval #1] Blunder. ",
        " was best. } ({ Enroque } 3... ",
        "] a good move }",
        "(2. Nf3 Nc6)",
        "[WhiteAccuracy \"",
        "0 mistakes, 1 blunder\"]",
        "Qxf7# 1-0",
        "2. O-O ",
        // Broken games stay in their place, with their valid moves.
        "[White \"Broken\"] [FEN \"not a position\"] 1. e4 *",
        "] not read from here: Ke3 Nf6 * } *",
    ] {
        assert!(flowing.contains(expected), "{expected}: {annotated}");
    }
    let places = ["\"A\"", "\"Broken\"", "\"Illegal\"", "\"C\""].map(|name| annotated.find(name).unwrap());
    assert!(places.is_sorted(), "{annotated}");
    assert!(annotated.lines().all(|line| line.len() <= 80), "{annotated}");
    // Graph files after `g.svg` are numbered like their games. There is none for game 2, which can't be read.
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

/// Games that ended as a draw by the rules or not: the tags, the moves, and whether the last position is a draw.
const ENDINGS: [(&str, &str, bool); 14] = [
    // Repetitions. The position before the first move counts.
    (
        "[FEN \"3qk3/8/8/8/8/8/8/4K3 b - - 0 1\"]",
        "1... Qd7 2. Ke2 Qd8 3. Ke1 Qd7 4. Ke2 Qd8 5. Ke1 1/2-1/2",
        true,
    ),
    ("", "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2", true),
    (
        "[FEN \"3qk3/8/8/8/8/8/8/4K3 b - - 40 60\"]",
        "60... Qd7 61. Ke2 Qd8 62. Ke1 Qd7 63. Ke2 Qd8 64. Ke1 1/2-1/2",
        true,
    ),
    // Nobody says how the game ended.
    ("[FEN \"3qk3/8/8/8/8/8/8/4K3 b - - 0 1\"]", "1... Qd7 2. Ke2 Qd8 3. Ke1 Qd7 4. Ke2 Qd8 5. Ke1 *", true),
    // A player claims a draw by a move that is not played.
    ("[FEN \"3qk3/8/8/8/8/8/8/4K3 b - - 0 1\"]", "1... Qd7 2. Ke2 Qd8 3. Ke1 Qd7 4. Ke2 Qd8 1/2-1/2", true),
    // Somebody won, so nobody claimed the draw.
    (
        "[FEN \"3qk3/8/8/8/8/8/8/4K3 b - - 0 1\"]",
        "1... Qd7 2. Ke2 Qd8 3. Ke1 Qd7 4. Ke2 Qd8 5. Ke1 0-1",
        false,
    ),
    // The game went on.
    (
        "[FEN \"3qk3/8/8/8/8/8/8/4K3 b - - 0 1\"]",
        "1... Qd7 2. Ke2 Qd8 3. Ke1 Qd7 4. Ke2 Qd8 5. Ke1 Qd4 *",
        false,
    ),
    // The start doesn't count here, because the kings have lost their rights since.
    (CHESS960, "1. Kd1 Kd8 2. Kc1 Kc8 3. Kd1 Kd8 4. Kc1 Kc8 *", false),
    (CHESS960, "1. Kd1 Kd8 2. Kc1 Kc8 3. Kd1 Kd8 4. Kc1 Kc8 5. Kd1 Kd8 1/2-1/2", true),
    // Fifty moves, claimed and not, claimed by the next move, and not yet.
    ("[FEN \"3qk3/8/8/8/8/8/8/4K3 b - - 97 80\"]", "80... Qd6 81. Ke2 Qd5 1/2-1/2", true),
    ("[FEN \"3qk3/8/8/8/8/8/8/4K3 b - - 97 80\"]", "80... Qd6 81. Ke2 Qd5 *", true),
    ("[FEN \"3qk3/8/8/8/8/8/8/4K3 b - - 97 80\"]", "80... Qd6 81. Ke2 1/2-1/2", true),
    ("[FEN \"3qk3/8/8/8/8/8/8/4K3 b - - 97 80\"]", "80... Qd6 81. Ke2 *", false),
    ("[FEN \"3qk3/8/8/8/8/8/8/4K3 b - - 97 80\"]", "80... Qd6 81. Ke2 Qd5 0-1", false),
];
const CHESS960: &str =
    "[Variant \"Chess960\"]\n[FEN \"nrk2r2/pppppppp/8/8/8/8/PPPPPPPP/NRK2R2 w KQkq - 0 1\"]";

#[test]
fn drawn_games_end_as_draws() {
    for (tags, moves, is_drawn) in ENDINGS {
        let result = moves.rsplit(' ').next().unwrap();
        let game = format!("{tags}\n[Result \"{result}\"]\n\n{moves}\n");
        let output = fed(&["analyse", "-", "--nodes", "20000", "--json"], &game);
        let game: Value = serde_json::from_str(&text(&output.stdout)).expect("JSON");
        let last = game["moves"].as_array().unwrap().last().unwrap();
        // A drawn position has no best line.
        assert_eq!(last["after"].is_null(), is_drawn, "{moves}");
        assert!(!is_drawn || last["win"] == 50.0, "{moves}");
    }
}

#[test]
fn move_that_allows_a_claim_is_a_blunder() {
    let game = |result| {
        let moves = "1... Qd7 2. Ke2 Qd8 3. Ke1 Qd7 4. Ke2 Qd8 5. Ke1";
        format!("[FEN \"3qk3/8/8/8/8/8/8/4K3 b - - 0 1\"]\n[Result \"{result}\"]\n\n{moves} {result}\n")
    };
    let analyse = |result| {
        let output = text(&fed(&["analyse", "-", "--nodes", "20000"], &game(result)).stdout);
        output.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    // With the queen back on d8, White can repeat the position for the third time.
    let drawn = analyse("1/2-1/2");
    assert!(drawn.contains("4... Qd8 $4 { [%eval 0.00] Blunder. "), "{drawn}");
    let lost = analyse("0-1");
    assert!(lost.contains("4... Qd8 { [%eval -"), "{lost}");
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
    // A killed run can be resumed, even if its last line is incomplete, or if the output has fewer games than the
    // `.jsonl`.
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
    // Games that can't be read are copied unchanged.
    let broken = "[White \"X\"]\n[FEN \"x\"]\n\n1. e4\n\n\ne5 *\n\n".repeat(2);
    std::fs::write(folder.path().join("broken.pgn"), &broken).unwrap();
    for _ in 0..2 {
        let output = in_folder(folder.path(), &["analyse", "broken.pgn", "--output", "o.pgn"]);
        assert_eq!((output.status.code(), text(&read("o.pgn"))), (Some(2), broken.clone()));
    }
    // The program refuses to resume with other settings, damaged lines, or files that it didn't write.
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

/// Parses the JSON data in the script of an HTML page.
pub fn page_data(page: &str) -> Value {
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
        // The exit code is 2, because one game of the file can't be read.
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        output
    };
    let read = |name: &str| std::fs::read_to_string(path(name)).unwrap();
    let printed = analyse(&["--page", "whole.html", "--output", "whole.pgn"]);
    let errors = text(&printed.stderr);
    // Errors are reported when the turn of their game comes.
    let table = errors.lines().filter(|line| !line.starts_with("enroque-tools: "));
    let rows: Vec<&str> = table.skip_while(|line| !line.contains("players")).collect();
    assert!(rows.len() == 5 && rows.iter().all(|line| line.chars().count() <= 80), "{errors}");
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
    // Without an output file, the same games go to standard output.
    assert_eq!(text(&analyse(&[]).stdout), games);

    // A resumed run takes finished games from the `.jsonl` file instead of analysing them again: the title that we
    // change there appears on the page.
    let lines = read("whole.pgn.jsonl").replacen("\"title\":\"A - B\"", "\"title\":\"kept\"", 1);
    std::fs::copy(path("whole.pgn.json"), path("page.pgn.json")).unwrap();
    std::fs::write(path("page.pgn.jsonl"), &lines[..lines.len() - 9]).unwrap();
    std::fs::write(path("page.pgn"), &games[..games.find("[White \"Illegal").unwrap()]).unwrap();
    let resumed = analyse(&["--page", "page.html", "--output", "page.pgn"]);
    assert!(text(&resumed.stderr).contains("resuming after 3 of 4 games"), "{}", text(&resumed.stderr));
    assert_eq!((read("page.pgn"), read("page.pgn.jsonl")), (games.clone(), lines));
    let resumed = page_data(&read("page.html"));
    assert_eq!((&resumed["games"][0]["title"], &resumed["games"][3]), (&"kept".into(), &data["games"][3]));
    // Once a run has finished, we can make further outputs without another search.
    assert_eq!(text(&analyse(&["--page", "alone.html"]).stdout), "");
    assert_eq!(text(&analyse(&["--page", "json.html", "--json"]).stdout).lines().count(), 4);
    let complete = analyse(&["--page", "alone.html", "--output", "later.pgn"]);
    assert!(text(&complete.stderr).contains("resuming after 4 of 4 games"), "{}", text(&complete.stderr));
    assert_eq!((read("later.pgn"), page_data(&read("alone.html"))), (games, data));
    // HTML that somebody writes into the `.jsonl` file of a run stays text on the page.
    let hostile =
        read("alone.html.jsonl").replacen("\"title\":\"A - B\"", "\"title\":\"</script><script>\"", 1);
    std::fs::write(path("alone.html.jsonl"), hostile).unwrap();
    analyse(&["--page", "alone.html"]);
    let page = read("alone.html");
    assert_eq!(page.matches("</script>").count(), 1);
    assert_eq!(page_data(&page)["games"][0]["title"], "</script><script>");
    // We overwrite neither a page made with other settings nor any other file.
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
    // The first run analyses the games; the second run reads them from the `.jsonl` file.
    for _ in 0..2 {
        let output = analyse("POLGAR");
        let (errors, page) =
            (text(&output.stderr), std::fs::read_to_string(folder.path().join("p.html")).unwrap());
        assert_eq!(page_data(&page)["me"], "POLGAR");
        let own = errors.lines().find(|line| line.starts_with("POLGAR: 2 games, ")).expect(&errors);
        // Only White blunders in these games, and Polgar has White once.
        let games = &page_data(&page)["games"];
        assert_eq!([&games[0]["players"][0]["blunders"], &games[1]["players"][1]["blunders"]], [1, 0]);
        assert!(own.ends_with(", 1 blunder"), "{own}");
    }
    let nobody = analyse("Carlsen");
    assert!(
        nobody.status.code() == Some(2) && text(&nobody.stderr).contains("--me Carlsen: no game of g.pgn")
    );
    // Short has three games, the others have one each.
    let players = "The players are Short; Adams; Polgar, J.; polgar.";
    assert!(text(&nobody.stderr).split_whitespace().collect::<Vec<_>>().join(" ").contains(players));
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
    // When a run is resumed, the numbers of its graphs still count all games, not only those that remain.
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
    // If we repeat a finished run, it draws the graphs that are missing.
    std::fs::remove_file(path("g-2.svg")).unwrap();
    assert_eq!((analyse(&resumed).status.code(), titles(3)), (Some(0), "CDE".to_owned()));
}

#[test]
fn given_start_serves_games() {
    let game = "[Variant \"Chess960\"]\n\n1. Nb3 *\n";
    let refused = fed(&["analyse", "-", "--nodes", "100"], game);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("--start sp:NUMBER"), "{}", text(&refused.stderr));
    // python-chess writes games from 518 like this.
    let orthodox = "[Variant \"Chess960\"]\n\n1. e4 e5 *\n\n".repeat(2);
    let read = fed(&["analyse", "-", "--nodes", "100"], &orthodox);
    let errors = text(&read.stderr);
    assert_eq!((read.status.code(), errors.matches("read from 518").count()), (Some(0), 1), "{errors}");
    assert_eq!(text(&read.stdout).matches("1. e4").count(), 2);
    let read = fed(&["analyse", "-", "--nodes", "100", "--start", "sp:334"], game);
    assert_eq!((read.status.code(), text(&read.stdout).contains("1. Nb3")), (Some(0), true));
    // The output has a FEN tag, so it can be read without `--start`.
    let again = fed(&["analyse", "-", "--nodes", "100"], &text(&read.stdout));
    assert_eq!(text(&again.stdout), text(&read.stdout), "{}", text(&again.stderr));
    // The output says whose castling it is, so it needs no option either; and `--castling` counts for `--start`.
    let swap = "1. O-O-O O-O-O *\n";
    for arguments in [
        &["--start", "chess480:725"][..],
        &["--start", "sp:725", "--castling", "orthodox480"],
        &["--start", "rkbbnqnr/pppppppp/8/8/8/8/PPPPPPPP/RKBBNQNR w KQkq - 0 1", "--castling", "orthodox480"],
    ] {
        let read = fed(&[&["analyse", "-", "--nodes", "100"], arguments].concat(), swap);
        let written = text(&read.stdout);
        assert!(
            read.status.success() && written.contains("[Variant \"Chess480\"]"),
            "{}",
            text(&read.stderr)
        );
        let again = fed(&["analyse", "-", "--nodes", "100"], &written);
        assert_eq!(text(&again.stdout), written, "{}", text(&again.stderr));
    }
    let unnamed = "[FEN \"?\"]\n[SP \"334\"]\n\n1. Nb3 *\n";
    let read = fed(&["analyse", "-", "--nodes", "100", "--start", "sp:334"], unnamed);
    // The tags of the start stand where the FEN tag stood.
    let tags = "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"nrqkrbbn/pppppppp/8/8/8/8/PPPPPPPP/NRQKRBBN w KQkq - 0 1\"]\n[SP \"334\"]\n";
    assert!(text(&read.stdout).starts_with(tags), "{}", text(&read.stdout));
    let wrong = fed(&["analyse", "-", "--start", "sp:960"], game);
    assert!(text(&wrong.stderr).contains("from 0 to 959"), "{}", text(&wrong.stderr));
}
