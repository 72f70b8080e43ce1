//! Tests `prep`: text, JSON and page.

use crate::common::program::{printed, run};
use crate::workbench::{in_folder, text};
use serde_json::Value;

fn assert_refused(arguments: &[&str], reason: &str) {
    let output = run(&[&["prep"], arguments].concat());
    let log = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {log}");
    assert!(log.contains(reason), "{arguments:?}: {log}");
}

#[test]
fn prep_prints_sheet() {
    let sheet = printed(&["prep", "sp:334", "344:402", "--nodes", "4000", "--lines", "3"]);
    for part in
        ["Chess960 334", "double Chess960 330642", "\nFacts (White's squares)\n", "\nWhite\n", "\nBlack\n"]
    {
        assert_eq!(sheet.matches(part).count(), 1, "{part}: {sheet}");
    }
    assert!(sheet.lines().all(|line| line.chars().count() <= 80), "{sheet}");
    for part in ["Candidate moves", "Traps", "Sharpness", "In your first five moves", "candidates to depth"] {
        assert_eq!(sheet.matches(part).count(), 2, "{part}: {sheet}");
    }
}

#[test]
fn plans_have_four_moves() {
    let lines = printed(&["prep", "80", "518", "--nodes", "3000", "--lines", "4", "--json"]);
    let sheets: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(sheets.len(), 2);
    for sheet in &sheets {
        let candidates = sheet["candidates"].as_array().unwrap();
        assert_eq!(candidates.len(), 4);
        for candidate in candidates {
            let plan = candidate["plan"].as_str().unwrap();
            assert!(plan.contains(" 4. ") && !plan.contains(" 7. "), "{plan}");
            let sum: u64 =
                candidate["chances"].as_array().unwrap().iter().map(|each| each.as_u64().unwrap()).sum();
            assert_eq!(sum, 100, "{candidate}");
        }
        assert!(sheet["advice"].as_array().unwrap().len() >= 3, "{sheet}");
    }
}

#[test]
fn starts_are_independent() {
    let sheet = |starts: &[&str]| {
        let arguments = [&["prep"], starts, &["--nodes", "2000", "--json"]].concat();
        printed(&arguments).lines().last().unwrap().to_owned()
    };
    assert_eq!(sheet(&["12", "500"]), sheet(&["500"]));
}

#[test]
fn page_has_sheet_per_start() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["prep", "334", "dfrc:0:518", "--nodes", "1000", "--page", "p.html"];
    let output = in_folder(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(output.stdout.is_empty() && text(&output.stderr).contains("p.html: 2 starts"));
    let page = std::fs::read_to_string(folder.path().join("p.html")).unwrap();
    assert_eq!(page.matches("\"candidates\":").count(), 2);
    assert!(page.contains("size: A4") && page.contains("\"name\":\"Chess960 334\""));
    // An older page is replaced, but any other file stays.
    assert_eq!(in_folder(folder.path(), &arguments).status.code(), Some(0));
    std::fs::write(folder.path().join("p.html"), "mine").unwrap();
    assert_eq!(in_folder(folder.path(), &arguments).status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(folder.path().join("p.html")).unwrap(), "mine");
}

#[test]
fn invalid_arguments_are_reported() {
    assert_refused(&["960"], "expected a number from 0 to 959, found '960'");
    assert_refused(&["4k3/8/8/8/8/8/8/4K3 w - - 0 1"], "not a start position");
    let black_moves = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";
    assert_refused(&[black_moves], "not a start position");
    assert_refused(&["334", "--lines", "9"], "--lines");
    assert_refused(&["334", "--json", "--page", "p.html"], "--json");
}
