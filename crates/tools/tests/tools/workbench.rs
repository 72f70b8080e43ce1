//! Tests `startpos`, `explain`, `quiz` and completions, and has helpers for the other test modules.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

use crate::analyse_games::page_data;
use crate::common::choose;
use crate::common::program::{command, printed, run};
use enroque::chess::movegen::obstacles::CastlingObstacle;
use enroque::chess::startpos::START_SETS;
use enroque::chess::{Board, CastlingRules, CastlingSide, Color, Move, MoveKind, startpos};
use enroque::util::random::Random;
use expect_test::expect;
use serde_json::Value;

pub fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

pub fn in_folder(folder: &Path, arguments: &[&str]) -> Output {
    command().current_dir(folder).args(arguments).stdin(Stdio::null()).output().expect("the program runs")
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// Runs the program with `input` on standard input.
pub fn fed(arguments: &[&str], input: &str) -> Output {
    let mut child = command()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // We ignore errors, because a program that refuses its arguments may end before it reads.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    child.wait_with_output().expect("the program ends")
}

/// Waits for the child to end and returns its exit code. Panics after 30 seconds.
pub fn exit_code(mut child: Child) -> Option<i32> {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(30) {
        if let Some(status) = child.try_wait().expect("a child") {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    panic!("the program does not end");
}

#[test]
fn start_numbers_round_trip() {
    for set in START_SETS.iter() {
        for index in [0, 5, set.count() / 2, set.count() - 1] {
            let index = index.min(set.count() - 1).to_string();
            let shown = printed(&["startpos", "--set", set.name, &index]);
            let is_fen = |line: &&str| line.starts_with("FEN");
            let fen = |text: &str| text.lines().find(is_fen).unwrap().to_owned();
            if let Some(word) = shown.lines().find_map(|line| line.strip_prefix("Set       ")) {
                let word = word.split(',').next().unwrap();
                assert_eq!(fen(&printed(&["startpos", word])), fen(&shown), "{word}");
                assert!(printed(&["explain", word]).contains(&fen(&shown)), "{word}");
            } else {
                assert_eq!(set.name, "chess960");
            }
            let pair = shown.lines().find(|line| line.starts_with("Number")).unwrap();
            if let Some((white, black)) =
                pair.split_once("(White ").and_then(|(_, pair)| pair.split_once(", Black "))
            {
                let pair = format!("{white}:{}", black.trim_end_matches(')'));
                assert_eq!(fen(&printed(&["startpos", "--set", set.name, &pair])), fen(&shown), "{pair}");
            }
        }
    }
    for wrong in
        [&["startpos", "--set", "chess90", "1:2"][..], &["startpos", "chess90:1:2"], &["startpos", "960"]]
    {
        assert_eq!(run(wrong).status.code(), Some(2), "{wrong:?}");
    }
    let own = printed(&["startpos", "chess2880:2000"]);
    assert!(own.contains("\nFEN       bbnnrrkq"), "{own}");
    assert!(!printed(&["explain", "sp:334", "--castling", "none"]).contains("king  "));
}

#[test]
fn random_draws_are_reproducible() {
    let folder = folder();
    let draw = ["startpos", "random", "--count", "8", "--seed", "5", "--exclude", "518"];
    let sheet = [&draw[..], &["--sheet", "s.svg"]].concat();
    let output = in_folder(folder.path(), &sheet);
    let log = text(&output.stdout);
    assert_eq!((output.status.code(), log.lines().count()), (Some(0), 9), "{}", text(&output.stderr));
    // The first line is the command that repeats the draw.
    let command = log.lines().next().unwrap().strip_prefix("# enroque-tools ").unwrap();
    let again: Vec<&str> = command.split(' ').collect();
    assert_eq!(printed(&again), log);
    for (name, boards) in [("s.svg", 6), ("s-2.svg", 2)] {
        let page = std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(page.starts_with("<svg") && page.contains("Chess960"), "{page}");
        assert_eq!(page.matches("scale(").count(), boards, "{name}");
        assert!(
            page.contains("Seed 5") && page.contains(&format!("enroque-tools {}", again.join(" "))),
            "{page}"
        );
        assert!(text(&output.stderr).contains(&format!("{name}: written")));
    }
    std::fs::write(folder.path().join("s.svg"), "mine").unwrap();
    assert_eq!(in_folder(folder.path(), &sheet).status.code(), Some(2));
    let too_many = run(&["startpos", "random", "--set", "chess90", "--count", "91"]);
    assert_eq!(too_many.status.code(), Some(2));
    assert!(text(&too_many.stderr).contains("chess90 has 90"));
}

#[test]
fn position_words_mean_the_same() {
    for command in [&["explain"][..], &["startpos"]] {
        let shown = |word| printed(&[command, &[word]].concat()).replace(char::is_numeric, "");
        let expected = shown("NRQKRBBN");
        assert!(!expected.is_empty(), "{command:?}");
        for word in ["334", "sp334", "sp:334", "nrqkrbbn/pppppppp/8/8/8/8/PPPPPPPP/NRQKRBBN w KQkq - 0 1"] {
            assert_eq!(shown(word), expected, "{command:?} {word}");
        }
    }
    for word in ["334", "sp334"] {
        let analysis = printed(&["analyse", word, "--depth", "1", "--json"]);
        assert!(analysis.contains("NRQKRBBN"), "{word}: {analysis}");
    }
}

#[test]
fn sheets_of_given_starts() {
    let folder = folder();
    let sheet = |words: &[&str]| in_folder(folder.path(), &[&["startpos", "--sheet"], words].concat());
    let round = ["12", "345", "344:402", "--event", "A & B", "--round", "3", "--date", "May"];
    let output = sheet(&[&["r.svg"], &round[..]].concat());
    assert!(output.status.success() && text(&output.stderr).contains("r.svg: written"));
    let page = std::fs::read_to_string(folder.path().join("r.svg")).unwrap();
    for expected in [
        "A &amp; B, Round 3",
        ">May<",
        "1.  Chess960 12<",
        ">NBRKBQRN BRQNNBKR<",
        "startpos --set chess960 12 ",
    ] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
    // The date is local, and time zones that are 26 hours apart never have the same date.
    #[cfg(unix)]
    {
        let date = |zone: &str| {
            let mut dated = command();
            dated.current_dir(folder.path()).args(["startpos", "--sheet", "d.svg", "12"]).env("TZ", zone);
            assert!(dated.output().unwrap().status.success());
            std::fs::read_to_string(folder.path().join("d.svg")).unwrap()
        };
        assert_ne!(date("EAST-14"), date("WEST+12"));
    }
    let refused = sheet(&["r.pdf", "12"]);
    assert!(refused.status.code() == Some(2) && text(&refused.stderr).contains("ending .svg"));
    assert!(!folder.path().join("r.pdf").exists());
}

#[test]
fn excluded_ranges_are_not_drawn() {
    let draw = ["startpos", "random", "--exclude", "0..957,BBQNNRKR,sp959"];
    assert!(printed(&draw).contains("Chess960 958"));
    let drawn = printed(&[&draw[..], &["--count", "1"]].concat());
    assert!(drawn.lines().nth(1).unwrap().contains("  958  "), "{drawn}");
    // A single start is shown in full, below the command that draws it again.
    let shown = printed(&["startpos", "random"]);
    let command = shown.lines().next().unwrap().strip_prefix("# enroque-tools ").unwrap();
    assert_eq!(printed(&command.split(' ').collect::<Vec<_>>()), shown);
    let wrong = run(&["startpos", "random", "--exclude", "5..0"]);
    assert!(wrong.status.code() == Some(2) && text(&wrong.stderr).contains("'5..0'"));
}

#[test]
fn useless_options_are_rejected() {
    for (arguments, option) in [
        (&["analyse", "startpos", "--graph", "g.svg"][..], "--graph"),
        (&["analyse", "startpos", "--output", "o.pgn"], "--output"),
        (&["sweep", "s.csv", "--seed", "3"], "--sample"),
        (&["sweep", "s.csv", "--sample", "0"], "--sample"),
        (&["analyse", "startpos", "--me", "A"], "--me"),
        (&["startpos", "place", "--set", "chess90"], "--set"),
        (&["startpos", "sets", "chess90", "--board", "svg"], "--board"),
        (&["startpos", "5", "--seed", "3"], "--seed"),
        (&["startpos", "random", "--count", "3", "--json"], "--json"),
        (&["startpos", "5", "--json", "--fen", "x"], "--json"),
    ] {
        let output = in_folder(folder().path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(option), "{arguments:?}");
    }
}

#[test]
fn other_variants_are_rejected() {
    let output = fed(&["analyse", "-"], "[Variant \"Atomic\"]\n\n1. e4 *\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("standard input, game 1 at line 1: tag Variant: 'Atomic'"));
}

#[test]
fn closed_pipe_is_no_error() {
    for arguments in [&["analyse", "startpos", "--nodes", "2000000000"][..], &["startpos", "sets", "dfrc"]] {
        let mut child = command().args(arguments).stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut first = String::new();
        BufReader::new(child.stdout.take().expect("piped")).read_line(&mut first).expect("a line");
        assert!(!first.is_empty());
        assert_eq!(exit_code(child), Some(0), "{arguments:?}");
    }
}

#[test]
fn castling_obstacles_match_move_generator() {
    let mut random = Random::new(21);
    let (mut positions, mut with_rights, mut legal) = (0, 0, 0);
    while positions < 100_000 {
        let start = startpos::double_chess960(random.below(960) as u32, random.below(960) as u32);
        let mut board = start.expect("a number");
        for _ in 0..60 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            positions += 1;
            for color in Color::ALL {
                for side in CastlingSide::ALL {
                    let Some(path) = board.castling(color, side) else { continue };
                    with_rights += 1;
                    let mv = Move::new(path.king_from, path.rook_from, MoveKind::Castle);
                    let can_castle = color == board.side_to_move() && moves.contains(&mv);
                    legal += usize::from(can_castle);
                    let found = board.castling_obstacles(color, path);
                    assert_eq!(found.is_empty(), can_castle, "{board:?} {mv:?} {found:?}");
                }
            }
            // Castlings and king moves would soon end all castling rights, so we avoid them.
            let keeping_rights: Vec<Move> = moves
                .iter()
                .copied()
                .filter(|mv| {
                    !mv.is_castle()
                        && board
                            .piece_on(mv.from())
                            .is_some_and(|piece| piece.kind() != enroque::chess::PieceKind::King)
                })
                .collect();
            let choices = if keeping_rights.is_empty() { moves.to_vec() } else { keeping_rights };
            board.make_move(choose(&mut random, &choices));
        }
    }
    assert!(with_rights > 100_000 && legal > 2_000, "{with_rights} {legal}");
}

#[test]
fn castling_obstacles_are_named() {
    let found = |fen: &str, color: Color, side: CastlingSide| {
        let board = Board::from_fen(fen, CastlingRules::Fischer).expect("a position");
        let path = *board.castling(color, side).expect("a right");
        board.castling_obstacles(color, &path)
    };
    let at = |name: &str| enroque::chess::Square::parse(name).expect("a square");
    let white = |fen, side| found(fen, Color::White, side);
    use CastlingSide::{A, H};
    assert_eq!(white("4k3/8/8/8/8/8/8/rR2K3 w B - 0 1", A), [CastlingObstacle::Uncovered(at("a1"))]);
    assert_eq!(white("4k3/8/8/8/8/8/8/R2NK3 w A - 0 1", A), [CastlingObstacle::Blocked(at("d1"))]);
    assert_eq!(white("3rk3/8/8/8/8/8/8/R3K3 w A - 0 1", A), [CastlingObstacle::Attacked(at("d1"), at("d8"))]);
    assert_eq!(
        white("2r1k3/8/8/8/8/8/8/R3K3 w A - 0 1", A),
        [CastlingObstacle::Attacked(at("c1"), at("c8"))]
    );
    // When White castles queenside, the rook may pass an attacked square.
    assert_eq!(white("1r2k3/8/8/8/8/8/8/R3K3 w A - 0 1", A), []);
    assert_eq!(white("4k3/4r3/8/8/8/8/8/4K2R w H - 0 1", H), [CastlingObstacle::InCheck(at("e7"))]);
    assert_eq!(found("r3k3/8/8/8/8/8/8/4K3 w a - 0 1", Color::Black, A), [CastlingObstacle::NotToMove]);

    let output = printed(&["explain", "4k3/8/8/8/8/8/8/rR2K3 w B - 0 1"]);
    let (_, below_board) = output.split_once("\n\n").expect("a board");
    expect![[r#"
        FEN       4k3/8/8/8/8/8/8/rR2K3 w Q - 0 1

        White O-O: no castling right.

        White O-O-O (e1b1): cannot be played now.
          king  e1 to c1
          rook  b1 to d1
          must be empty         c1 d1
          must not be attacked  c1 d1 e1
          by hand               announce "I castle"; king from e1 off the board, next to
                                c1; rook from b1 to d1; king to c1; press the clock, all
                                with the same hand
          - With the rook gone from b1, the rook on a1 would give check on c1.

        Black O-O: no castling right.

        Black O-O-O: no castling right.
    "#]]
    .assert_eq(below_board);
    assert!(printed(&["explain", "sp:959"]).contains("Number"));
    // These FENs claim castling rights that the position cannot have.
    let mut claims = String::new();
    for fen in [
        "4k3/8/8/8/8/8/8/1R2K3 w A - 0 1",
        "4k3/8/8/8/8/4K3/8/R6R w Q - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w Q - 0 1",
        "4k3/8/8/8/8/8/8/K6R w K - 0 1",
        "1rr1k3/8/8/8/8/8/8/4K3 b bc - 0 1",
    ] {
        let output = printed(&["explain", fen]);
        claims += &output[output.find("The FEN claims").expect(fen)..];
    }
    expect![[r#"
        The FEN claims 'A': White has no rook on a1; the right is dropped.
        The FEN claims 'Q': White's king stands on e3, not on its back rank; the right
        is dropped.
        The FEN claims 'Q': White has no rook on its back rank between the king on e1
        and the a-file; the right is dropped.
        The FEN claims 'K': accepted, although no Chess960 game starts with the king on
        a1.
        The FEN claims 'b': the right on that side belongs to the rook on c8; the right
        is dropped.
    "#]]
    .assert_eq(&claims);
    assert!(!printed(&["explain", "sp:334"]).contains("claims"));
}

#[test]
fn manual_drawing_methods() {
    let methods = printed(&["startpos", "roll"]);
    for method in
        ["one-die", "dice", "dice-4-12-20", "dice-6-8-20", "dice-8-10-12", "cards", "coins", "ten-coins"]
    {
        assert!(methods.lines().any(|line| line == method), "{methods}");
        let output = run(&["startpos", "roll", method, "--fen", "x"]);
        let log = text(&output.stderr);
        assert!(output.status.success() && log.contains("start ") && log.contains("iform: "), "{log}");
        let shown = run(&["startpos", "roll", method]);
        assert!(text(&shown.stdout).contains("iform: ") && shown.stderr.is_empty(), "{method}");
        assert!(Board::from_fen(text(&output.stdout).trim(), CastlingRules::Fischer).is_ok(), "{method}");
    }
    let coins = run(&["startpos", "roll", "coins", "--rolls", "HTTHTHTT", "HH", "T", "HT"]);
    assert!(text(&coins.stdout).contains("518"), "{}", text(&coins.stderr));
    let note =
        "Not uniform: 576 starts have probability 1/1152, 384 starts have probability 1/768. On average 11.5";
    let flowing = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flowing(&text(&coins.stdout)).contains(note), "{}", text(&coins.stdout));
    let game = "Ra\nra\nNb\nnb\nBc\nbc\nQd\nqd\nKe\nke\nBf\nbf\nNg\nng\nRh\nrh\n";
    let output = fed(&["startpos", "place"], game);
    assert!(output.status.success() && text(&output.stdout).contains("Chess960 518"));
    let output = fed(&["startpos", "place", "--fen", "x"], game);
    assert!(text(&output.stderr).contains("White places:"), "{}", text(&output.stderr));
    assert_eq!(Board::from_fen(text(&output.stdout).trim(), CastlingRules::Fischer), Ok(Board::startpos()));
    let output = fed(&["startpos", "place", "prechess"], game);
    assert!(output.status.success() && text(&output.stdout).contains("Benko"));
    let output = fed(&["startpos", "place"], "Ra\n");
    assert!(output.status.code() == Some(2) && text(&output.stderr).contains("15 pieces"));
}

#[test]
fn board_styles() {
    assert!(printed(&["startpos", "518", "--board", "unicode"]).contains("♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖"));
    let svg = printed(&["startpos", "518", "--board", "svg"]);
    assert!(
        svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>") && svg.matches("<path").count() == 32
    );
    assert!(printed(&["startpos", "518"]).contains("| R | N |"));
}

#[test]
fn startpos_prints_facts() {
    let text = printed(&["startpos", "518"]);
    assert!(text.contains("Mirror    Chess960 534") && text.contains("Only king defends   f2"), "{text}");
    let json: Value = serde_json::from_str(&printed(&["startpos", "dfrc:0:518", "--json"])).unwrap();
    assert_eq!(json["black"]["king_only"], serde_json::json!(["f7"]));
    assert_eq!(json["white"]["bishops"][0]["is_in_corner"], true);
    assert_eq!(json["number"]["white"], 0);
}

#[test]
fn completions_offer_values() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = printed(&["completions", shell]);
        assert!(script.contains("enroque") && script.contains("explain"), "{shell}");
    }
    for value in ["orthodox480", "chess324", "one-die", "shredder"] {
        assert!(printed(&["completions", "bash"]).contains(value), "{value} is offered");
    }
}

/// Whether shakmaty finds the castling in a quiz question legal.
fn shakmaty_castles(question: &Value) -> bool {
    use shakmaty::{CastlingMode, Chess, Position};
    let fen: shakmaty::fen::Fen = question["fen"].as_str().unwrap().parse().unwrap();
    let position: Chess = fen.into_position(CastlingMode::Chess960).unwrap();
    let squares = [0, 1].map(|index| question["pieces"][index].as_str().unwrap());
    let moves = position.legal_moves();
    moves.iter().any(|mv| mv.is_castle() && mv.to_uci(CastlingMode::Chess960).to_string() == squares.concat())
}

#[test]
fn quiz_answers_match_shakmaty() {
    let folder = tempfile::tempdir().unwrap();
    let quiz = ["quiz", "quiz.html", "--seed", "5", "--count", "300"];
    let read = || std::fs::read_to_string(folder.path().join("quiz.html")).unwrap();
    for (arguments, count) in [(&["quiz", "quiz.html", "--graded"][..], 50), (&quiz, 300)] {
        assert_eq!(in_folder(folder.path(), arguments).status.code(), Some(0));
        let data = page_data(&read());
        let questions = data["questions"].as_array().unwrap();
        assert_eq!(questions.len(), count);
        for question in questions {
            assert_eq!(question["can"], shakmaty_castles(question), "{question}");
        }
    }
    let page = read();
    // The same seed gives the same questions. An older page is replaced, but any other file stays.
    assert_eq!(in_folder(folder.path(), &quiz).status.code(), Some(0));
    assert_eq!(read(), page);
    std::fs::write(folder.path().join("quiz.html"), "<!DOCTYPE html>\n<p>mine").unwrap();
    assert_eq!(in_folder(folder.path(), &quiz).status.code(), Some(2));
    assert_eq!(in_folder(folder.path(), &["quiz", "none.html", "--count", "0"]).status.code(), Some(2));
}
