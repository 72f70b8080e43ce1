//! Commands beyond searching, and lines that are no commands.

use super::best_move;
use crate::common::choose;
use crate::common::program::{Session, printed, run};
use enroque::chess::{Board, Color};
use enroque::util::random::Random;

#[test]
fn byte_order_mark_is_skipped() {
    let mut session = Session::start();
    session.send("\u{FEFF}uci").until("uciok");
    session.send("\u{FEFF}isready").until("readyok");
}

#[test]
fn unknown_commands_are_skipped() {
    let mut session = Session::start();
    assert_eq!(session.ask("joho"), [""; 0]);
    assert_eq!(session.ask("\t  \r"), [""; 0]);
    session.send("joho   isready\r");
    session.until("readyok");
    session.send("debug on");
    assert!(session.ask("joho")[0].starts_with("info string unknown command: 'joho'"));
    assert_eq!(session.ask("ponderhit"), [""; 0]);
    assert_eq!(session.ask("stop"), [""; 0]);
    let mut session = Session::start();
    session.send("position startpos").send("go depth 2 nonsense 17");
    session.until("bestmove");
}

#[test]
fn malformed_arguments_are_reported() {
    let mut session = Session::start();
    for (line, complaint) in [
        ("go movtime 20", "go: not understood: 'movtime 20'"),
        ("go foo", "go: not understood: 'foo'"),
        ("go depth x nodes 20", "go depth: expected a number, found 'x'"),
        (
            "go depth 2 searchmoves e2e5",
            "go searchmoves: expected legal moves, found 'e2e5'; all moves are searched",
        ),
        (
            "go depth 2 searchmoves e2e5 d2d4 e2e6",
            "go searchmoves: expected legal moves, found 'e2e5 e2e6'; the others are searched",
        ),
        ("go searchmoves depth 2", "go searchmoves: expected legal moves, found ''; all moves are searched"),
    ] {
        session.send("position startpos").send(line);
        let lines = session.until("bestmove");
        assert!(lines.iter().any(|said| said == &format!("info string {complaint}")), "{line}: {lines:?}");
        assert!(!line.contains("d2d4") || best_move(&lines) == "d2d4", "{line}: {lines:?}");
    }
    session.send("position sp 80");
    let shown = session.ask("d");
    for (line, complaint) in [
        ("position startpos e2e4", "position startpos: expected 'moves' or nothing more, found 'e2e4'"),
        ("position dfrc 344 402", "position dfrc: expected 'moves' or nothing more, found '402'"),
        ("position sp 1 2", "position sp: expected 'moves' or nothing more, found '2'"),
        ("eval startpos", "eval: expected nothing more, found 'startpos'"),
        ("bench 16 1 13", "bench: expected nothing more, found '1 13'"),
        ("bench x", "bench: expected a number, found 'x'"),
        ("speedtest 1 x", "speedtest: expected a number, found 'x'"),
    ] {
        assert_eq!(session.ask(line), [format!("info string {complaint}")], "{line}");
    }
    assert_eq!(session.ask("d"), shown, "the position stays");
    assert!(session.send("exit").end().success());
}

#[test]
fn perft_divides_by_move() {
    let mut session = Session::start();
    session.send("go perft 1500");
    session.send("isready");
    let lines = session.until("readyok");
    assert!(lines.iter().any(|line| line.contains("expected a depth up to 64, found 1500")), "{lines:?}");
    let lines = session.ask("position startpos\ngo perft 4");
    assert!(lines.contains(&"e2e4: 13160".to_owned()), "{lines:#?}");
    assert!(lines.contains(&"Nodes searched: 197281".to_owned()), "{lines:#?}");
    assert_eq!(lines.iter().filter(|line| line.contains(": ") && line.len() < 14).count(), 20);
}

#[test]
fn genfens_openings() {
    let fens = |seed: &str, book: &str| -> Vec<String> {
        let text = printed(&[&format!("genfens 5 seed {seed} book {book}"), "quit"]);
        text.lines().map(|line| line.strip_prefix("info string genfens ").expect(line).to_owned()).collect()
    };
    let first = fens("42", "None");
    assert_eq!(first.len(), 5);
    assert!(first.iter().all(|fen| fen.parse::<Board>().is_ok_and(|board| board.has_legal_move())));
    assert_eq!(fens("42", "None"), first, "the seed decides the openings");
    assert_ne!(fens("43", "None"), first);
    assert_eq!(fens("42", "None standard"), first);
    // After the random moves, most kings still stand where they started, and their files tell the variant.
    let kinds = |word: &str| -> (bool, bool) {
        let drawn = fens("42", &format!("None {word}"));
        let boards: Vec<Board> = drawn.iter().map(|fen| fen.parse().unwrap()).collect();
        let king_file = |board: &Board, color| board.king(color).to_string().remove(0);
        let white_on_e = boards.iter().filter(|board| king_file(board, Color::White) == 'e').count();
        let alike =
            boards.iter().filter(|b| king_file(b, Color::White) == king_file(b, Color::Black)).count();
        (white_on_e >= 4, alike >= 4)
    };
    assert_eq!(kinds("standard"), (true, true));
    assert_eq!([kinds("chess960"), kinds("fischerandom"), kinds("FRC")], [(false, true); 3]);
    assert!(!kinds("dfrc").1);
    assert!(first.iter().any(|fen| fen.contains(" KQkq ")), "{first:?}");
    // The same openings in Shredder-FEN.
    let boards = |fens: &[String]| fens.iter().map(|fen| fen.parse().unwrap()).collect::<Vec<Board>>();
    let (plain, shredder) = (fens("42", "None dfrc"), fens("42", "None dfrc shredder"));
    assert_eq!(boards(&plain), boards(&shredder));
    let rights = |fen: &String| fen.split(' ').nth(2).unwrap().to_owned();
    assert!(shredder.iter().all(|fen| !rights(fen).contains(['K', 'Q', 'k', 'q'])), "{shredder:?}");
    let book = std::env::temp_dir().join(format!("enroque-book-{}.epd", std::process::id()));
    std::fs::write(&book, "8/8/4k3/8/8/3QK3/8/3q4 w - - id \"x\";\n4k3/8/8/3r4/3R4/8/8/4K3 b - - 0 1\n")
        .unwrap();
    assert!(fens("1", book.to_str().unwrap()).iter().all(|fen| fen.contains('k') && !fen.contains('p')));
    std::fs::remove_file(&book).unwrap();
    let mut session = Session::start();
    for bad in [
        "genfens",
        "genfens x seed 1 book None",
        "genfens 1 seed 1 book /no/such/file",
        "genfens 1 seed 1 book None dfcr",
        "genfens 1 seed 1 book some.epd dfrc",
    ] {
        assert!(session.ask(bad)[0].starts_with("info string genfens: "), "{bad}");
        assert_eq!(run(&[bad, "quit"]).status.code(), Some(2), "{bad}");
    }
    // The program parses only the book lines that it draws, so one invalid line among many hardly ever matters.
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("large.epd");
    std::fs::write(&book, "4k3/8/8/3r4/3R4/8/8/4K3 b - - 0 1\n".repeat(100_000) + "dear diary\n").unwrap();
    assert_eq!(fens("1", book.to_str().unwrap()).len(), 5);
}

#[test]
fn genfens_rejects_finished_games() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("over.epd");
    std::fs::write(&book, "k7/8/1Q6/2K5/8/8/8/7R w - -\n").unwrap();
    let output = crate::common::program::command()
        .arg(format!("genfens 1 seed 1 book {}", book.display()))
        .output()
        .unwrap();
    let text =
        String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("none of 500 openings from") && text.contains("over.epd"), "{text}");
}

#[test]
fn commands_beyond_uci() {
    let mut session = Session::start();
    assert!(session.ask("help").iter().any(|line| line.contains("go perft")));
    assert!(session.ask("compiler").iter().any(|line| line.starts_with("Built for")));
    assert!(session.ask("eval").iter().any(|line| line.starts_with("Static evaluation: ")));
    let lines = session.ask("position fen 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1\nd");
    assert!(lines.contains(&"Checkers:    e2".to_owned()));
}

/// The class `Stockfish` of PyPI's package `stockfish` 5.2.0 reads the position and the static evaluation as here. It
/// expects that `d` ends with the line about checkers, and that a line follows the evaluation.
#[test]
fn output_serves_pypi_stockfish() {
    let fen = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1";
    let mut session = Session::start();
    let lines = session.ask(&format!("position fen {fen}\nd"));
    assert!(lines.iter().any(|line| line.strip_prefix("Fen: ") == Some(fen)), "{lines:#?}");
    assert!(lines.last().is_some_and(|line| line.starts_with("Checkers")), "{lines:#?}");
    for (position, sign) in [(fen, ['+', '-']), ("k7/8/8/8/8/8/8/7K w - - 0 1", ['0', '0'])] {
        let lines = session.ask(&format!("position fen {position}\neval"));
        let at = lines.iter().position(|line| line.starts_with("Final evaluation")).expect("the line");
        let word = lines[at].split_whitespace().nth(2).expect("a third word");
        assert!(word.starts_with(sign) && word.parse::<f64>().is_ok(), "{word}");
        assert_eq!(lines[at + 1..], [""]);
    }
}

#[test]
fn random_input_is_survived() {
    let mut random = Random::new(7);
    let mut session = Session::start();
    for _ in 0..256 {
        let bytes: Vec<u8> = (0..4096).map(|_| random.bits() as u8).collect();
        session.send_bytes(&bytes);
    }
    session.send("").send("stop").send("isready");
    session.until("readyok");
    // We send commands with random arguments, but not perft, because nothing interrupts it.
    let commands = ["position fen", "go wtime", "setoption name", "position startpos moves", "go nodes"];
    for _ in 0..2000 {
        let command = choose(&mut random, &commands);
        let word: String = (0..random.below(12)).map(|_| (32 + random.below(95)) as u8 as char).collect();
        session.send(&format!("{command} {word}")).send("stop");
    }
    session.send("isready");
    session.until("readyok");
    assert!(session.finish().success());
}

#[test]
fn compiler_reports_network_kernels() {
    let mut session = Session::start();
    let kernels = session.ask("compiler").pop().unwrap().split_off("The network runs on ".len());
    session.send("uci");
    let last = session.until("uciok").into_iter().rev().nth(1).unwrap();
    assert!(
        last.starts_with("info string network ") && last.ends_with(&format!("kernels {kernels}")),
        "{last}"
    );
}
