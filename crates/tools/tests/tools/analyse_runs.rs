//! Tests how `analyse` splits games among machines, joins them, and keeps what is done.

use crate::analyse_games::page_data;
use crate::common::program::command;
use crate::workbench::{exit_code, folder, in_folder, text};

/// Games with a mistake or two each.
fn games() -> String {
    let game = |white: &str, moves: &str| format!("[White \"{white}\"]\n[Black \"Z\"]\n\n{moves}\n\n");
    [
        game("A", "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0"),
        game("B", "1. f3 e5 2. g4 Qh4# 0-1"),
        game("C", "1. d4 {[%clk 0:03:00]} d5 {[%clk 0:02:58]} 2. Qd3 {[%clk 0:02:30]} *"),
        game("D", "1. e4 d5 2. Bb5+ c6 *"),
        "[White \"E\"]\n[FEN \"x\"]\n\n1. e4 *\n\n".to_owned(),
    ]
    .concat()
}

#[test]
fn shards_join() {
    let folder = folder();
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    std::fs::write(folder.path().join("games.pgn"), games()).unwrap();
    let run = |arguments: &[&str]| {
        let output = in_folder(folder.path(), &[&["analyse"], arguments].concat());
        (output.status.code(), text(&output.stderr))
    };
    let analyse =
        |arguments: &[&str]| run(&[&["games.pgn", "--nodes", "2000", "--threads", "1"], arguments].concat());
    assert_eq!(analyse(&["--page", "whole.html", "--output", "whole.pgn"]).0, Some(2));
    // The third part has only one game, and all games that it owns can be read.
    for (shard, code) in [("1/3", 0), ("2/3", 2), ("3/3", 0)] {
        let [page, pgn] = ["html", "pgn"].map(|kind| format!("part{}.{kind}", &shard[..1]));
        assert_eq!(analyse(&["--page", &page, "--output", &pgn, "--shard", shard]).0, Some(code), "{shard}");
    }
    assert_eq!(read("part2.pgn").matches("[White ").count(), 2);
    assert_eq!(page_data(&read("part1.html"))["total"], 2);
    let (code, errors) = run(&["merge", "all.pgn", "part2.pgn", "part3.pgn", "part1.pgn"]);
    assert_eq!((code, &*errors), (Some(0), ""));
    assert_eq!((read("all.pgn"), read("all.pgn.jsonl")), (read("whole.pgn"), read("whole.pgn.jsonl")));
    // The joined run is a whole one: the same command makes a page from it, without another search.
    let (_, errors) = analyse(&["--output", "all.pgn", "--page", "all.html"]);
    assert!(errors.contains("resuming after 5 of 5 games"), "{errors}");
    assert_eq!(page_data(&read("all.html")), page_data(&read("whole.html")));
    let (code, errors) = run(&["merge", "joined.html", "part1.pgn", "part3.pgn"]);
    assert_eq!(code, Some(1), "{errors}");
    assert!(errors.contains("joined.html: 2 games are missing: 2, 5"), "{errors}");
    let numbers: Vec<u64> = page_data(&read("joined.html"))["games"]
        .as_array()
        .unwrap()
        .iter()
        .map(|game| game["number"].as_u64().unwrap())
        .collect();
    assert_eq!(numbers, [1, 3, 4]);
    for ending in ["", ".json", ".jsonl"] {
        std::fs::write(folder.path().join(format!("again.pgn{ending}")), read(&format!("part1.pgn{ending}")))
            .unwrap();
    }
    let (code, errors) = run(&["merge", "twice.html", "part1.pgn", "again.pgn", "--anyway"]);
    assert!(code == Some(0) && errors.contains("2 games are in more than one file: 1, 4"), "{errors}");
    let (code, errors) = run(&["merge", "mixed.html", "part1.pgn", "whole.pgn"]);
    assert!(code == Some(2) && errors.contains("whole.pgn: the whole analysis"), "{errors}");
    // Parts that were made differently don't join, and nothing of the user's is overwritten.
    let (code, _) = run(&["games.pgn", "--nodes", "2001", "--output", "other.pgn", "--shard", "1/3"]);
    assert_eq!(code, Some(0));
    let (code, errors) = run(&["merge", "mixed.html", "other.pgn", "part2.pgn"]);
    assert!(code == Some(2) && errors.contains("made in different ways"), "{errors}");
    assert_eq!(run(&["merge", "games.pgn", "part1.pgn"]).0, Some(2));
    assert_eq!(read("games.pgn"), games());
}

#[test]
fn finished_run_prints_its_table_again() {
    let folder = folder();
    std::fs::write(folder.path().join("games.pgn"), games()).unwrap();
    let table = || {
        let arguments = ["analyse", "games.pgn", "--nodes", "500", "--output", "o.pgn"];
        let errors = text(&in_folder(folder.path(), &arguments).stderr);
        let lines = errors.lines().filter(|line| !line.starts_with("enroque-tools: ")).map(str::to_owned);
        lines.skip_while(|line| !line.starts_with("acc.%")).collect::<Vec<String>>()
    };
    let first = table();
    assert_eq!(first.len(), 7, "{first:?}");
    assert_eq!(table(), first);
}

#[test]
fn page_belongs_to_one_analysis() {
    let folder = folder();
    std::fs::write(folder.path().join("a.pgn"), games()).unwrap();
    std::fs::write(folder.path().join("b.pgn"), "[White \"F\"]\n\n1. e4 *\n").unwrap();
    let analyse = |games: &str, output: &str| {
        let arguments = ["analyse", games, "--nodes", "100", "--page", "p.html", "--output", output];
        text(&in_folder(folder.path(), &arguments).stderr)
    };
    assert!(analyse("a.pgn", "x.pgn").contains("p.html: written"));
    let page = std::fs::read_to_string(folder.path().join("p.html")).unwrap();
    let refused = analyse("b.pgn", "y.pgn");
    assert!(
        refused.contains("p.html: made with other settings, or by an analysis of other games"),
        "{refused}"
    );
    assert_eq!(std::fs::read_to_string(folder.path().join("p.html")).unwrap(), page);
    assert!(analyse("a.pgn", "x.pgn").contains("p.html: written"));
}

#[test]
fn lines_of_another_game_are_refused() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("games.pgn"), games()).unwrap();
    let analyse = || {
        let arguments = ["analyse", "games.pgn", "--nodes", "100", "--output", "o.pgn"];
        text(&in_folder(folder.path(), &arguments).stderr)
    };
    analyse();
    let lines = std::fs::read_to_string(path("o.pgn.jsonl")).unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    let swapped = [
        lines[0],
        &lines[2].replacen("\"number\":3", "\"number\":2", 1),
        &lines[1].replacen("\"number\":2", "\"number\":3", 1),
        "",
    ]
    .join("\n");
    std::fs::write(path("o.pgn.jsonl"), &swapped).unwrap();
    std::fs::remove_file(path("o.pgn")).unwrap();
    let errors = analyse();
    assert!(errors.contains("o.pgn.jsonl, line 2") && errors.contains("game 2"), "{errors}");
    assert_eq!(std::fs::read_to_string(path("o.pgn.jsonl")).unwrap(), swapped);
}

#[cfg(unix)]
#[test]
fn interrupted_game_goes_on() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let long = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 bxc6 5. Nxe5 Qg5 6. Nxf7 Qxg2 *";
    let games = format!("[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n{long}\n");
    std::fs::write(path("games.pgn"), games).unwrap();
    let arguments = |output: &'static str| {
        ["analyse", "games.pgn", "--nodes", "60000", "--threads", "1", "--output", output]
    };
    let whole = in_folder(folder.path(), &arguments("whole.pgn"));
    assert_eq!(whole.status.code(), Some(0), "{}", text(&whole.stderr));
    let child = command().current_dir(folder.path()).args(arguments("o.pgn")).spawn().expect("starts");
    while std::fs::metadata(path("o.pgn")).map_or(0, |file| file.len()) == 0 {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    crate::interrupt(&child);
    let code = exit_code(child);
    // A fast machine may have finished before.
    assert!(code == Some(130) && path("o.pgn.unfinished").exists() || code == Some(0), "{code:?}");
    let resumed = in_folder(folder.path(), &arguments("o.pgn"));
    assert_eq!(resumed.status.code(), Some(0), "{}", text(&resumed.stderr));
    let read = |name: &str| std::fs::read_to_string(path(name)).unwrap();
    assert_eq!(read("o.pgn"), read("whole.pgn"));
    assert!(
        !std::fs::read_dir(folder.path())
            .unwrap()
            .any(|file| { file.unwrap().file_name().to_string_lossy().contains("unfinished") })
    );
}
