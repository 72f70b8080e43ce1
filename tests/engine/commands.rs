//! Tests the program's command-line arguments: bench, speedtest, perft, eval and help. If the argument is a command of
//! another of our programs, such as `datagen` of enroque-learn, an error must name that program.

use crate::common::program::{command, printed, run};

fn error(arguments: &[&str]) -> (Option<i32>, String) {
    let output = run(arguments);
    assert!(output.stdout.is_empty(), "{arguments:?}");
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn bench_is_deterministic() {
    let signature = |text: &str| {
        let last = text.lines().last().unwrap().to_owned();
        let words: Vec<&str> = last.split(' ').collect();
        assert!(words.len() == 4 && words[1] == "nodes" && words[3] == "nps", "{last}");
        assert!(words[2].parse::<u64>().is_ok());
        words[0].parse::<u64>().unwrap()
    };
    let text = printed(&["bench", "5"]);
    assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    let first = signature(&text);
    assert_eq!(signature(&printed(&["bench", "5"])), first);
    assert_eq!(signature(&printed(&["ucinewgame", "go depth 6", "bench 5"])), first);
    assert_ne!(signature(&printed(&["bench", "6"])), first);
}

#[test]
fn speedtest_reports_speed() {
    let report = printed(&["speedtest", "2", "1"]);
    let value = |name: &str| {
        let line = report.lines().find_map(|line| line.strip_prefix(name));
        let words = line.unwrap_or_else(|| panic!("{name} in {report}")).split_ascii_whitespace();
        words.map(str::to_owned).next().unwrap()
    };
    assert_eq!((value("Threads:"), value("Hash:")), ("2".to_owned(), "128".to_owned()));
    let (nodes, seconds): (f64, f64) = (value("Nodes:").parse().unwrap(), value("Time:").parse().unwrap());
    let speed: f64 = value("Nodes/second:").parse().unwrap();
    assert!(seconds >= 0.5, "{report}");
    assert!((speed * seconds / nodes - 1.0).abs() < 0.02, "{report}");
    assert!(printed(&["position startpos", "speedtest 1 1"]).contains("Threads:      1"));
}

#[test]
fn perft_counts_leaves() {
    for arguments in [&["perft", "3"][..], &["go", "perft", "3"], &["position startpos", "go perft 3"]] {
        assert!(printed(arguments).contains("Nodes searched: 8902"), "{arguments:?}");
    }
    let fen = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    assert!(printed(&["setoption name Threads value 2", fen, "perft 3"]).contains(": 13744"));
    let output = run(&["perft", "x"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stdout).unwrap().contains("expected a number, found 'x'"));
}

#[test]
fn eval_prints_static_evaluation() {
    assert!(printed(&["eval"]).contains("Static evaluation: +0."));
    assert!(printed(&["position NRQKRBBN", "eval"]).contains("Static evaluation"));
    let bare = "position fen k7/8/8/8/8/8/8/7K w - - 0 1";
    assert!(printed(&[bare, "eval"]).contains("0.00 (draw by insufficient material)"));
}

#[test]
fn help_fits_the_screen() {
    let help = printed(&["--help"]);
    assert!(help.contains("Usage: enroque") && help.contains("speedtest"), "{help}");
    assert!(help.lines().count() <= 40, "{help}");
    for line in help.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    assert!(printed(&["--version"]).starts_with("Enroque "));
}

#[test]
fn commands_of_other_programs_are_named() {
    for (word, program) in [("analyse", "enroque-tools"), ("datagen", "enroque-learn")] {
        let (code, text) = error(&[word, "x"]);
        assert!(code == Some(2) && text.contains(program), "{text}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_is_an_error() {
    for arguments in [&["perft", "2"][..], &["bench", "1"], &["--help"], &["uci"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = command().args(arguments).stdout(full).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        assert!(text.contains("standard output: "), "{arguments:?}: {text}");
    }
}
