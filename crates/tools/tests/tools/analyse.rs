//! Tests `analyse` on positions, games and test suites.

use std::process::Output;

use crate::common::program::{printed, run};
use crate::workbench::{fed, folder, in_folder, text};

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
    // The rows are in the order of the file, and the names line up whether a position has points or not.
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
