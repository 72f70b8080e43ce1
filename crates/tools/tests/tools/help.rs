//! Tests help, manual pages and errors of the command line, and start positions by number.

use crate::common::program::{command, printed, run};
use expect_test::expect;

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
    expect![[r#"
        +---+---+---+---+---+---+---+---+
        | b | r | q | n | n | b | k | r | 8
        +---+---+---+---+---+---+---+---+
        | p | p | p | p | p | p | p | p | 7
        +---+---+---+---+---+---+---+---+
        |   |   |   |   |   |   |   |   | 6
        +---+---+---+---+---+---+---+---+
        |   |   |   |   |   |   |   |   | 5
        +---+---+---+---+---+---+---+---+
        |   |   |   |   |   |   |   |   | 4
        +---+---+---+---+---+---+---+---+
        |   |   |   |   |   |   |   |   | 3
        +---+---+---+---+---+---+---+---+
        | P | P | P | P | P | P | P | P | 2
        +---+---+---+---+---+---+---+---+
        | N | B | R | K | B | Q | R | N | 1
        +---+---+---+---+---+---+---+---+
          a   b   c   d   e   f   g   h

        Number    double Chess960 330642 (White 344, Black 402)
        Mirror    double Chess960 320423 (White 333, Black 743)
        White     NBRKBQRN
        Black     BRQNNBKR
        FEN       brqnnbkr/pppppppp/8/8/8/8/PPPPPPPP/NBRKBQRN w KQkq - 0 1

        White
          Undefended pawns    b2 h2
          Only king defends   none
          Attackable at once  none
          O-O                 after 3 moves: Be1, Qf1 in the way
          O-O-O               at once
          Bishops             b1, opened by a2 or c2; e1, opened by d2 or f2
          Knights             a1 to b3; h1 to g3
          Transposes to       none
          Without castling    248, 264

        Black
          Undefended pawns    a7
          Only king defends   none
          Attackable at once  none
          O-O                 after 2 moves: Bf8 in the way
          O-O-O               after 6 moves: Qc8, Nd8, Ne8, Bf8 in the way
          Bishops             a8 in the corner, opened by b7; f8, opened by e7 or g7
          Knights             d8 to c6 or e6; e8 to d6 or f6
          Transposes to       418, 434
          Without castling    50, 130, 146, 418, 434
    "#]]
    .assert_eq(&printed(&["startpos", "344:402"]));
    expect![[r#"
        orthodox                    1  the orthodox start position
        chess960                  960  Chess960 (Fischer random)
        dfrc                   921600  double Chess960: separate back ranks for White
                                       and Black
        chess18                    18  king and rooks on their orthodox squares
        chess324                  324  double Chess18
        chess90                    90  Chess960 with one castling blocked by the other
                                       rook
        chess870                  870  the other 870 positions of Chess960
        scharnagl480              480  Chess960 with the queen left of the king
                                       (Scharnagl)
        chess2880                2880  king anywhere, the rook nearest each corner
                                       castles
        double2880            8294400  double Chess2880
        transcendental        8294400  double Chess2880 without castling
        shuffle                  5040  any back rank, no castling
        shuffle-orthodox         5040  any back rank, castling from orthodox squares
        shuffle-nearest          5040  any back rank, nearest rooks castle
        double-shuffle       25401600  any two back ranks, no castling
        chess480                  960  Chess960, the king castles two squares towards
                                       the rook
        chess480-dark             480  Chess480 without mirror images: king on a dark
                                       square
    "#]]
    .assert_eq(&printed(&["startpos", "sets"]));
    let fen = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1";
    assert_eq!(printed(&["startpos", fen]), printed(&["startpos", "0"]));
    assert_eq!(printed(&["startpos", "0", "--fen", "x"]), format!("{fen}\n"));
    let orthodox = printed(&["startpos"]);
    assert!(orthodox.contains("518, the orthodox start"), "{orthodox}");
    for rolls in [
        &["one-die", "--rolls", "2", "3", "3", "2", "3"][..],
        &["dice", "--rolls", "3", "3", "3", "7"],
        &["one-die", "--rolls", "2,3,3,2,3"],
        &["one-die", "--rolls", "2,", "3,", "3", "2,3"],
    ] {
        let text = printed(&[&["startpos", "roll"], rolls].concat());
        let (_, facts) = orthodox.split_once("\nFEN ").expect("a FEN");
        assert!(text.ends_with(facts), "{text}");
    }
    let all = printed(&["startpos", "sets", "chess90"]);
    let mut lines: Vec<&str> = all.lines().collect();
    lines.dedup();
    assert_eq!(lines.len(), 90);
    let shredder = printed(&["startpos", "sets", "chess90", "--fen", "shredder"]);
    assert!(shredder.lines().all(|line| !line.contains("KQkq")));
    assert!(printed(&["startpos", "random", "--set", "chess18"]).contains("Number    Chess960"));
}

#[test]
fn startpos_explains_wrong_arguments() {
    let mut errors = String::new();
    for arguments in [
        &["startpos", "960"][..],
        &["startpos", "--set", "chess90", "90"],
        &["startpos", "random", "--exclude", "x"],
        &["startpos", "1:960"],
        &["startpos", "8/8/8/8/8/8/8/8 w - - 0 1"],
        &["startpos", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"],
        &["startpos", "roll", "one-die", "--rolls", "1", "2"],
    ] {
        let (code, text) = error(arguments);
        assert_eq!(code, Some(2), "{arguments:?}");
        errors += &text;
    }
    expect![[r#"
        enroque-tools: 960: set chess960: expected a number from 0 to 959, found '960'
        enroque-tools: set chess90: expected a number from 0 to 89, found '90'
        enroque-tools: --exclude: expected a FEN, startpos, a number, WHITE:BLACK, SET:NUMBER or a back rank such as NRQKRBBN, found 'x'
        enroque-tools: 1:960: set dfrc: expected a number from 0 to 921599, or WHITE:BLACK, two numbers from 0 to 959, found '1:960'
        enroque-tools: FEN board: expected one white king, found 0
        enroque-tools: not a start position: expected all pawns at home and one set of pieces behind them, found 4k3/8/8/8/8/8/8/4K3 w - - 0 1
        enroque-tools: --rolls: the rolls end before the queen is placed
    "#]]
    .assert_eq(&errors);
    assert!(error(&["startpos", "--set", "nothing"]).1.contains("possible values: orthodox, chess960"));
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
