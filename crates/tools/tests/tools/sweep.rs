//! Tests `sweep`: interrupted, merged and damaged runs, and what it prints.

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;
use std::time::Duration;

use crate::analyse_games::{GAMES, page_data};
use crate::common::program::command;
use crate::workbench::{exit_code, folder, in_folder, text};
use enroque::util::random::Random;

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
    crate::interrupt(&child);
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
    crate::interrupt(&child);
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
    crate::interrupt(&child);
    let mut errors = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut errors).expect("UTF-8");
    assert_eq!(exit_code(child), Some(130));
    let games = std::fs::read_to_string(&file).unwrap().matches("[White ").count();
    let kept = format!("interrupted: {games} of 50 games are kept, and the searches of the next");
    assert!(errors.contains(&kept), "{errors}");
}

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
        // We cut the last line, as if the program had been killed while it wrote the line.
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
    // The page loads nothing from the network; its only outside address is a link to the Lichess editor.
    let page = read("ab.html").replace("https://lichess.org/editor/", "");
    assert!(page.contains(&read("ab.csv").lines().nth(1).unwrap().split(',').nth(4).unwrap().to_owned()));
    for outside in ["http:", "https:", "src=", "@import", "<link"] {
        assert!(!page.contains(outside), "{outside}");
    }

    // A forged FEN could run a script on the page, so the FEN of each row must match its number.
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

    // Missing and duplicate positions are errors unless --anyway is given.
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

    // Results made with different settings can be neither resumed nor merged.
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

    // A killed sweep with an incomplete last line gives the same results when resumed. So do two shards when we merge
    // them.
    std::fs::write(folder.path().join("a.csv"), &results[..results.len() * 2 / 3]).unwrap();
    assert_eq!(sweep("a.csv", &["--range", "515..520"]).status.code(), Some(0));
    assert_eq!(read("a.csv"), results);
    for shard in ["1/2", "2/2"] {
        sweep(&format!("p{}.csv", &shard[..1]), &["--range", "515..520", "--shard", shard]);
    }
    let merged = in_folder(folder.path(), &["sweep", "merge", "b.csv", "p1.csv", "p2.csv"]);
    assert_eq!(merged.status.code(), Some(0), "{}", text(&merged.stderr));
    assert_eq!(read("b.csv"), results);

    // A plain sweep and one with --difficulty refuse each other's results.
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
