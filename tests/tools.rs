//! Command-line tools: help, bench, perft, startpos, eval.

mod common;

use common::program::{command, printed, run};

fn error(arguments: &[&str]) -> (Option<i32>, String) {
    let output = run(arguments);
    assert!(output.stdout.is_empty(), "{arguments:?}");
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

/// Returns the subcommands that a help text lists.
fn subcommands(help: &str) -> Vec<String> {
    let listed = help.split("\nCommands:\n").nth(1).unwrap_or_default();
    let names = listed.lines().take_while(|line| !line.is_empty()).filter_map(|line| {
        let is_name = line.starts_with("  ") && !line.starts_with("   ");
        is_name.then(|| line.split_whitespace().next()).flatten()
    });
    names.filter(|&name| name != "help").map(str::to_owned).collect()
}

/// Collects the names of all commands below `parent`, with spaces between their words.
fn collect_commands(parent: &[&str], commands: &mut Vec<String>) {
    for name in subcommands(&printed(&[parent, &["--help"]].concat())) {
        let words = [parent, &[name.as_str()]].concat();
        commands.push(words.join(" "));
        collect_commands(&words, commands);
    }
}

#[test]
fn help_shows_two_examples() {
    let mut commands = Vec::new();
    collect_commands(&[], &mut commands);
    assert!(commands.len() > 30 && commands.contains(&"draw verify".to_owned()), "{commands:?}");
    for command in &commands {
        let words: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        let help = printed(&words);
        let examples = help.split("\nExamples:\n").nth(1).unwrap_or_default();
        let count = examples.lines().filter(|line| line.starts_with("  enroque ")).count();
        assert!(count >= 2, "{command}: {count} examples\n{help}");
    }
    for arguments in [&["--help"][..], &["help"], &["help", "startpos"]] {
        assert!(printed(arguments).contains("Examples:"), "{arguments:?}");
    }
    assert!(printed(&["--version"]).starts_with("enroque "));
    let (code, text) = error(&["no-such-tool"]);
    assert_eq!(code, Some(2));
    assert!(text.contains("no-such-tool"));
}

/// Returns the pages that a page refers to, such as `enroque-data-merge(6)`.
fn references(page: &str) -> Vec<String> {
    let page = page.replace("\\-", "-");
    let ends = page.match_indices("(6)").map(|(at, _)| at);
    let name = |end: usize| {
        let start = page[..end].rfind(|c: char| !c.is_alphanumeric() && c != '-').map_or(0, |at| at + 1);
        page[start..end].to_owned()
    };
    ends.map(name).collect()
}

#[test]
fn manual_has_every_page_it_names() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(&["man", "--output", folder.path().to_str().unwrap()]);
    assert!(output.status.success() && output.stdout.is_empty());
    let mut names = 0;
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        let page = std::fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let title = format!(".TH {name} 6 ");
        assert_eq!(page.matches(".TH ").count(), 1, "{name}");
        assert!(page.contains(&title) && page.contains("EXIT STATUS"), "{name}: {page}");
        assert_eq!(page.contains("UCI OPTIONS"), name == "enroque", "{name}");
        for named in references(&page) {
            names += 1;
            assert!(folder.path().join(format!("{named}.6")).exists(), "{name} names {named}");
        }
    }
    assert!(names >= 22, "{names}");
    // Pages are overwritten, other files are not.
    assert!(run(&["man", "--output", folder.path().to_str().unwrap()]).status.success());
    std::fs::write(folder.path().join("enroque-quiz.6"), "notes").unwrap();
    assert_eq!(run(&["man", "--output", folder.path().to_str().unwrap()]).status.code(), Some(2));

    let page = printed(&["man"]).replace("\\-", "-");
    for option in printed(&["uci"]).lines().filter_map(|line| line.strip_prefix("option name ")) {
        let name = option.split(" type ").next().unwrap();
        assert!(page.contains(name), "{name}");
    }
    assert!(printed(&["man", "data", "merge"]).contains(".TH enroque-data-merge 6 "));
    assert!(error(&["man", "nothing"]).1.contains("no command is called 'nothing'"));
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
    let first = signature(&printed(&["bench", "5"]));
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
    assert!((0.5..2.0).contains(&seconds), "{report}");
    assert!((speed * seconds / nodes - 1.0).abs() < 0.02, "{report}");
    assert!(printed(&["position startpos", "speedtest 1 1"]).contains("Threads:      1"));
}

#[test]
fn perft_counts_and_checks_suites() {
    assert!(printed(&["perft", "3"]).contains("Nodes searched: 8902"));
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    assert!(printed(&["perft", "3", "--fen", fen, "--hash", "1", "--threads", "2"]).contains(": 13744"));

    let folder = std::env::temp_dir().join(format!("enroque-test-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let suite = folder.join("suite.epd");
    let path = suite.to_str().unwrap();
    std::fs::write(&suite, format!("# comment\n{fen} ;D1 26 ;D2 568 ;D9 1\n")).unwrap();
    let output = run(&["perft", "3", "--epd", path]);
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("PASS: 1 positions, 2 counts, 0 wrong"));

    std::fs::write(&suite, format!("{fen} ;D1 26 ;D2 567\n")).unwrap();
    let output = run(&["perft", "3", "--epd", path]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("line 1, depth 2: expected 567, counted 568") && text.contains("FAIL"), "{text}");

    std::fs::write(&suite, format!("{fen} ;D1 26\n{fen} ;X2 5\n")).unwrap();
    let (code, text) = error(&["perft", "3", "--epd", path]);
    assert_eq!(code, Some(2));
    assert!(text.contains("line 2: expected ';D1 20', found ';X2 5'"), "{text}");
    std::fs::remove_dir_all(&folder).unwrap();
    let (code, text) = error(&["perft", "3", "--epd", path]);
    assert!(code == Some(2) && text.contains(path), "{text}");
    let (code, text) = error(&["perft", "3", "--fen", "8/8"]);
    assert!(code == Some(2) && text.contains("--fen: FEN board: expected 8 ranks"), "{text}");
}

#[test]
fn startpos_numbers_sets_and_dice() {
    let text = printed(&["startpos"]);
    assert!(text.contains("518, the orthodox start") && text.contains("RNBQKBNR"), "{text}");
    assert!(printed(&["startpos", "0"]).contains("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1"));
    assert!(printed(&["startpos", "344:402"]).contains("double Chess960 330642"));
    assert!(printed(&["startpos", "--set", "dfrc", "330642"]).contains("White 344, Black 402"));
    let fen = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1";
    assert!(printed(&["startpos", fen]).contains("Chess960 0"));
    assert!(
        printed(&["startpos", "--method", "one-die", "--rolls", "2", "3", "3", "2", "3"]).contains("518")
    );
    assert!(printed(&["startpos", "--method", "dice", "--rolls", "3", "3", "3", "7"]).contains("518"));
    assert_eq!(
        printed(&["startpos", "518", "--fen", "x"]),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
    );
    let all = printed(&["startpos", "--all", "--set", "chess90"]);
    let mut lines: Vec<&str> = all.lines().collect();
    lines.dedup();
    assert_eq!(lines.len(), 90);
    assert_eq!(
        printed(&["startpos", "--all", "--set", "double2880", "--fen", "x"]).lines().take(5000).count(),
        5000
    );
    assert!(printed(&["startpos", "--random", "--set", "chess18"]).contains("Number    Chess960"));
    assert!(printed(&["startpos", "--sets"]).contains("double-shuffle       25401600"));
    for (arguments, expected) in [
        (&["startpos", "960"][..], "expected a number from 0 to 959, found '960'"),
        (&["startpos", "--set", "chess90", "90"], "set chess90: expected a number from 0 to 89, found '90'"),
        (&["startpos", "1:960"], "or WHITE:BLACK, two numbers from 0 to 959, found '1:960'"),
        (&["startpos", "8/8/8/8/8/8/8/8 w - - 0 1"], "expected one white king"),
        (&["startpos", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"], "not a start position"),
        (&["startpos", "--set", "nothing"], "possible values: orthodox, chess960"),
        (
            &["startpos", "--method", "one-die", "--rolls", "1", "2"],
            "the rolls end before the queen is placed",
        ),
    ] {
        let (code, text) = error(arguments);
        assert!(code == Some(2) && text.contains(expected), "{arguments:?}: {text}");
    }
}

#[test]
fn eval_prints_static_evaluation() {
    assert!(printed(&["eval"]).contains("Static evaluation: +0."));
    let (code, text) = error(&["eval", "8/8"]);
    assert!(code == Some(2) && text.contains("expected 8 ranks"), "{text}");
}

#[test]
fn perft_reads_project_suite() {
    let output = run(&["perft", "3", "--epd", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/perft.epd")]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.starts_with("PASS: "), "{text}");
    let positions: u32 = text["PASS: ".len()..].split(' ').next().unwrap().parse().unwrap();
    assert!(positions > 300, "{text}");
}

#[test]
fn excessive_hash_is_rejected() {
    for hash in ["0", "1099511627776", "18446744073709551615"] {
        let (code, text) = error(&["perft", "2", "--hash", hash]);
        assert!(code == Some(2) && text.contains("--hash: expected MiB"), "{hash}: {text}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_is_an_error() {
    for arguments in [
        &["startpos", "518"][..],
        &["perft", "2"],
        &["bench", "1"],
        &["analyse", "startpos", "--depth", "2"],
        &["man"],
        &["uci"],
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = command().args(arguments).stdout(full).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        assert!(text.contains("standard output: "), "{arguments:?}: {text}");
    }
}
