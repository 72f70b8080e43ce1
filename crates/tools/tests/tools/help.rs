//! Tests help, manual pages and errors of the command line, and start positions by number.

use crate::common::program::{command, printed, run};

fn error(arguments: &[&str]) -> (Option<i32>, String) {
    let output = run(arguments);
    assert!(output.stdout.is_empty(), "{arguments:?}");
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

/// Returns the subcommands that a help text lists under its titles.
fn subcommands(help: &str) -> Vec<String> {
    const TITLES: [&str; 5] = ["Commands", "Analyse", "Starts and events", "Teach", "Shell"];
    let lists = TITLES.iter().filter_map(|title| help.split(&format!("\n{title}:\n")).nth(1));
    let lines = lists.flat_map(|list| list.lines().take_while(|line| !line.is_empty()));
    let names = lines.filter_map(|line| {
        let is_name = line.starts_with("  ") && !line.starts_with("   ");
        is_name.then(|| line.split_whitespace().next()).flatten()
    });
    names.filter(|&name| name != "help").map(str::to_owned).collect()
}

/// Collects the names of all commands below `parent`, such as `startpos roll`.
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
    assert!(commands.len() > 20 && commands.contains(&"startpos roll".to_owned()), "{commands:?}");
    for command in &commands {
        let words: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        let help = printed(&words);
        let examples = help.split("\nExamples:\n").nth(1).unwrap_or_default();
        let is_whole = |line: &str| line.starts_with("  enroque-tools ") || line.starts_with("      ");
        assert!(examples.lines().all(is_whole), "a broken example: {help}");
        let count = examples.lines().filter(|line| line.starts_with("  enroque-tools ")).count();
        assert!(count >= 2, "{command}: {count} examples\n{help}");
        assert!(help.lines().all(|line| line.chars().count() <= 80), "{command}: {help}");
        assert!(!help.contains('`'), "Markdown in the help and the manual: {help}");
    }
    for arguments in [&["--help"][..], &["help"], &["help", "startpos"]] {
        assert!(printed(arguments).contains("Examples:"), "{arguments:?}");
    }
    assert!(printed(&["--version"]).starts_with("enroque-tools "));
    let (code, text) = error(&["no-such-tool"]);
    assert_eq!(code, Some(2));
    assert!(text.contains("no-such-tool"));
}

#[test]
fn manual_has_a_page_for_each_command() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("share/man1");
    assert!(run(&["man", folder.to_str().unwrap()]).status.success());
    for name in ["enroque-tools", "enroque-tools-analyse", "enroque-tools-draw-verify"] {
        let page = std::fs::read_to_string(folder.join(format!("{name}.1"))).unwrap();
        assert!(page.contains(&format!(".TH {name} 1 ")), "{page}");
        // Without `.nf`, man would join the examples into one paragraph.
        assert!(page.contains("\n.SH EXAMPLES\n.nf\n.in 0\n  enroque"), "{page}");
    }
}

#[test]
fn startpos_numbers_sets_and_dice() {
    let text = printed(&["startpos"]);
    assert!(text.contains("518, the orthodox start") && text.contains("RNBQKBNR"), "{text}");
    assert!(printed(&["startpos", "0"]).contains("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"));
    assert!(printed(&["startpos", "344:402"]).contains("double Chess960 330642"));
    assert!(printed(&["startpos", "--set", "dfrc", "330642"]).contains("White 344, Black 402"));
    let fen = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1";
    assert!(printed(&["startpos", fen]).contains("Chess960 0"));
    let rolls = ["startpos", "roll", "one-die", "--rolls", "2", "3", "3", "2", "3"];
    assert!(printed(&rolls).contains("518"));
    assert!(printed(&["startpos", "roll", "dice", "--rolls", "3", "3", "3", "7"]).contains("518"));
    assert_eq!(
        printed(&["startpos", "518", "--fen", "x"]),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
    );
    let all = printed(&["startpos", "sets", "chess90"]);
    let mut lines: Vec<&str> = all.lines().collect();
    lines.dedup();
    assert_eq!(lines.len(), 90);
    assert!(
        printed(&["startpos", "sets", "chess90", "--fen", "shredder"])
            .lines()
            .all(|line| !line.contains("KQkq"))
    );
    assert!(printed(&["startpos", "random", "--set", "chess18"]).contains("Number    Chess960"));
    assert!(printed(&["startpos", "sets"]).contains("double-shuffle       25401600"));
    for (arguments, expected) in [
        (&["startpos", "960"][..], "expected a number from 0 to 959, found '960'"),
        (&["startpos", "--set", "chess90", "90"], "set chess90: expected a number from 0 to 89, found '90'"),
        (&["startpos", "random", "--exclude", "x"], "--exclude: expected a FEN"),
        (&["startpos", "1:960"], "or WHITE:BLACK, two numbers from 0 to 959, found '1:960'"),
        (&["startpos", "8/8/8/8/8/8/8/8 w - - 0 1"], "expected one white king"),
        (&["startpos", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"], "not a start position"),
        (&["startpos", "--set", "nothing"], "possible values: orthodox, chess960"),
        (&["startpos", "roll", "one-die", "--rolls", "1", "2"], "the rolls end before the queen is placed"),
    ] {
        let (code, text) = error(arguments);
        assert!(code == Some(2) && text.contains(expected), "{arguments:?}: {text}");
    }
    // Clap's errors begin with `error:`, ours with the program's name.
    assert!(error(&["startpos", "960"]).1.starts_with("enroque-tools: "));
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_is_an_error() {
    for arguments in
        [&["startpos", "518"][..], &["analyse", "startpos", "--depth", "2"], &["completions", "bash"]]
    {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = command().args(arguments).stdout(full).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        assert!(text.contains("standard output: "), "{arguments:?}: {text}");
    }
}
