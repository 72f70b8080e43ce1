//! Runs the commands of the pages that people copy commands from, in a folder of its own for each page.
//!
//! In a block marked `console`, the lines after `$ ` are commands and the others what they print; a line `…` stands for
//! any lines. Commands in indented blocks only have to succeed. Words after several blanks are a comment.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::folder::Folder;

/// What we run instead of a part of a command that would take too long: fewer nodes, games or positions. The page stays
/// true, because the option stays and only its value changes, or the option is one that the page explains.
const SHORTER: &[(&str, &str)] = &[
    ("enroque perft 6", "enroque perft 3"),
    ("enroque bench", "enroque bench 3"),
    ("speedtest 8 30", "speedtest 2 1"),
    ("'genfens 100 ", "'genfens 3 "),
    ("go depth 15", "go depth 4"),
    ("go depth 12", "go depth 4"),
    ("analyse games.pgn", "analyse games.pgn --nodes 300"),
    ("analyse open.pgn", "analyse open.pgn --nodes 300"),
    ("--multipv 2 --nodes 50000", "--multipv 2 --nodes 500"),
    ("suite.epd --nodes 100000", "suite.epd --nodes 2000"),
    ("prep 334", "prep 334 --nodes 2000"),
    ("puzzles club.jsonl club.pgn", "puzzles club.jsonl club.pgn --nodes 1000"),
    ("sweep all.csv", "sweep all.csv --nodes 60 --hash 1"),
    ("--sample 2000", "--sample 20 --nodes 60"),
    ("sweep atlas.csv --difficulty", "sweep atlas.csv --difficulty --range 0..1 --nodes 200"),
    ("sweep part1.csv", "sweep part1.csv --nodes 60 --hash 1"),
    ("datagen games.gz --positions 50000", "datagen games.gz --positions 300 --nodes 50"),
    ("datagen part1.gz --games 100000", "datagen part1.gz --games 16 --nodes 50"),
    ("train my.nnue games.gz --epochs 10", "train my.nnue games.gz --epochs 1"),
    ("match my.nnue --games 100", "match my.nnue --games 2 --nodes 50"),
];

/// Beginnings of commands that we don't run: they build or install the programs, wait for a person, or play games until
/// they have found enough.
const NOT_RUN: &[&str] = &[
    "make",
    "sudo ",
    "cargo ",
    "man ",
    "enroque-tools startpos place",
    "enroque-tools puzzles 334.jsonl --start",
    "enroque-learn match my.nnue --sprt",
];

/// Commands that need what, by the page, other machines have made.
const PREPARED: &[(&str, &str)] = &[
    (
        "enroque-tools sweep merge",
        "for i in 2 3 4 5 6 7 8; do enroque-tools sweep part$i.csv --shard $i/8 --nodes 60 --hash 1; done",
    ),
    (
        "enroque-learn data merge",
        "for i in 2 3 4 5 6 7 8; do enroque-learn datagen part$i.gz --games 16 --nodes 50 --shard $i/8; done",
    ),
];

/// The pages, and files that must exist before their commands run.
const PAGES: &[(&str, &[(&str, &str)])] = &[
    ("README.md", &[("games.pgn", GAME)]),
    ("docs/commands.md", &[("games.pgn", GAME), ("open.pgn", START_MISSING), ("club.pgn", GAME)]),
    ("docs/events.md", &[]),
    ("docs/players.md", &[("club.pgn", GAME)]),
];

const GAME: &str =
    "[White \"NAME\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n";
const START_MISSING: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n1. c4 f6 2. e4 b6 *\n";

/// A command of a page, with the text that it must print, if the page shows that.
struct Example {
    command: String,
    printed: Option<String>,
}

/// Reads the commands of a page in order.
fn examples(page: &str) -> Vec<Example> {
    let mut examples = Vec::new();
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        if line == "```console" {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            for part in block.join("\n").strip_prefix("$ ").expect("a command").split("\n$ ") {
                let (command, printed) = part.split_once('\n').unwrap_or((part, ""));
                examples.push(Example { command: command.to_owned(), printed: Some(printed.to_owned()) });
            }
        } else if let Some(text) = line.strip_prefix("    ")
            && is_command(text)
        {
            let mut command = text.strip_prefix("$ ").unwrap_or(text).to_owned();
            while command.ends_with('\\') {
                command = format!("{command}\n{}", lines.next().expect("the rest of the command"));
            }
            if command.contains("<<'END'") {
                let here = lines.by_ref().map(|line| line.trim_start_matches("    "));
                let rest: Vec<&str> = here.take_while(|line| *line != "END").collect();
                command = format!("{command}\n{}\nEND", rest.join("\n"));
            } else {
                let end = command.find("   ").unwrap_or(command.len());
                command.truncate(end);
            }
            examples.push(Example { command, printed: None });
        }
    }
    examples
}

fn is_command(text: &str) -> bool {
    let words = [
        "$ ",
        "enroque ",
        "enroque-tools ",
        "enroque-learn ",
        "cat >",
        "mkdir ",
        "make",
        "sudo ",
        "cargo ",
        "man ",
    ];
    words.iter().any(|word| text.starts_with(word))
}

/// Returns a folder with all three programs. Cargo builds only those of the tested packages, so we build the others.
fn programs() -> PathBuf {
    let folder = Path::new(crate::PROGRAM).parent().expect("a folder").to_owned();
    for (program, package) in [("enroque", "enroque"), ("enroque-learn", "enroque-learn")] {
        if !folder.join(program).is_file() {
            let status = Command::new(env!("CARGO")).args(["build", "--quiet", "-p", package]).status();
            assert!(status.expect("cargo runs").success());
        }
    }
    folder
}

/// Whether `printed` is `expected`, in which a line `…` stands for any lines.
fn matches(printed: &str, expected: &str) -> bool {
    let printed: Vec<&str> = printed.trim_end().lines().collect();
    let expected: Vec<&str> = expected.trim_end().lines().collect();
    let mut rest = &printed[..];
    for (index, part) in expected.split(|line| *line == "…").enumerate() {
        let Some(at) = (0..=rest.len()).find(|&at| rest[at..].starts_with(part)) else { return false };
        if index == 0 && at > 0 {
            return false;
        }
        rest = &rest[at + part.len()..];
    }
    rest.is_empty() || expected.last() == Some(&"…")
}

#[test]
fn commands_of_the_pages_work() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = format!("{}:{}", programs().display(), std::env::var("PATH").unwrap_or_default());
    let mut used = vec![false; SHORTER.len()];
    for (page, files) in PAGES {
        let folder = Folder::new();
        files.iter().for_each(|(name, text)| folder.write(name, text));
        let examples = examples(&std::fs::read_to_string(root.join(page)).expect(page));
        assert!(examples.len() > 5, "{page}: {}", examples.len());
        for Example { command, printed } in examples {
            if NOT_RUN.iter().any(|beginning| command.starts_with(beginning)) {
                continue;
            }
            let before = PREPARED.iter().find(|(beginning, _)| command.starts_with(beginning));
            let mut short = before.map_or(String::new(), |(_, before)| format!("{before} && ")) + &command;
            for ((from, to), used) in SHORTER.iter().zip(&mut used) {
                if printed.is_none() && short.contains(from) {
                    short = short.replace(from, to);
                    *used = true;
                }
            }
            let start = std::time::Instant::now();
            let mut shell = Command::new("sh");
            shell.current_dir(folder.0.path()).env("PATH", &path).env("HOME", folder.0.path());
            let output = shell.args(["-c", &short]).output().expect("a shell");
            eprintln!("{:>6.2} s  {short}", start.elapsed().as_secs_f64());
            let text = String::from_utf8([output.stdout, output.stderr].concat()).expect("UTF-8");
            match printed {
                Some(expected) => assert!(matches(&text, &expected), "{page}: {command}\n{text}"),
                None => assert!(output.status.success(), "{page}: {short}\n{text}"),
            }
        }
    }
    let unused: Vec<_> = SHORTER.iter().zip(used).filter(|(_, used)| !used).collect();
    assert!(unused.is_empty(), "no page has these any more: {unused:?}");
}

#[test]
fn printed_lines_are_compared() {
    for (printed, expected, is_equal) in [
        ("a\nb\n", "a\nb", true),
        ("a\nb\n", "a", false),
        ("a\nb\nc\n", "a\n…\nc", true),
        ("a\nb\nc\n", "…\nc", true),
        ("a\nb\nc\n", "a\n…", true),
        ("a\nb\nc\n", "b\n…", false),
        ("a\nb\nc\n", "a\n…\nb", false),
    ] {
        assert_eq!(matches(printed, expected), is_equal, "{printed:?}, {expected:?}");
    }
}
