//! Reads PGN files as real events publish them. Each gives the right start position, or is refused with a reason.

use enroque::chess::{CastlingRules, FenStyle, position};
use enroque_study::pgn;

/// Start position 334 in X-FEN.
const SP_334: &str = "nrqkrbbn/pppppppp/8/8/8/8/PPPPPPPP/NRQKRBBN w KQkq - 0 1";
const ORTHODOX: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const NEEDS_START: &str = "there is neither a FEN nor a number of a start position";

/// Each file, with its start position or a part of the reason why we refuse it.
const FILES: [(&str, Result<&str, &str>); 20] = [
    ("01-variant-fen", Ok(SP_334)),
    ("02-variant-without-fen", Err(NEEDS_START)),
    ("03-fen-question-mark", Err(NEEDS_START)),
    ("04-fen-question-mark-orthodox", Ok(ORTHODOX)),
    ("05-position-in-event", Ok(SP_334)),
    ("06-sp-in-event", Ok(SP_334)),
    ("07-sp-glued-in-round", Ok(SP_334)),
    ("08-position-tag", Ok(SP_334)),
    ("09-start-position-tag", Ok(SP_334)),
    ("10-position-number-tag", Ok(SP_334)),
    ("11-wild-fr", Ok(SP_334)),
    ("12-wild-fr-without-fen", Err(NEEDS_START)),
    ("13-chess480", Ok("rk5r/pppppppp/8/8/8/8/PPPPPPPP/RK5R w KQkq - 0 1")),
    ("14-chess480-number", Ok(ORTHODOX)),
    ("15-chess2880", Ok("krr5/pppppppp/8/8/8/8/PPPPPPPP/KRR5 w KQkq - 0 1")),
    ("16-chess2880-number", Ok("bbnnrrkq/pppppppp/8/8/8/8/PPPPPPPP/BBNNRRKQ w KQkq - 0 1")),
    ("17-digits-castling", Ok(SP_334)),
    ("18-latin1", Ok(SP_334)),
    ("19-number-out-of-range", Err("expected a number from 0 to 959, found '960'")),
    ("20-other-variant", Err("'Atomic' is neither chess nor Chess960")),
];

/// Returns the text of a file. Bytes that are not UTF-8 become replacement characters.
fn file(name: &str) -> String {
    let path = format!("{}/tests/data/events/{name}.pgn", env!("CARGO_MANIFEST_DIR"));
    String::from_utf8_lossy(&std::fs::read(&path).expect(&path)).into_owned()
}

#[test]
fn event_files_read_or_refused() {
    for (name, expected) in FILES {
        let text = file(name);
        let read = pgn::read(&text, CastlingRules::Fischer, None);
        match (read, expected) {
            (Ok(game), Ok(start)) => {
                assert_eq!(game.start.fen(FenStyle::XFen), start, "{name}");
                assert!(game.errors.is_empty(), "{name}: {:?}", game.errors);
            }
            (Err(error), Err(reason)) => assert!(error.to_string().contains(reason), "{name}: {error}"),
            (read, _) => panic!("{name}: {:?}", read.map(|game| game.start.to_string())),
        }
    }
}

#[test]
fn given_start_replaces_missing_fen() {
    let start = position::parse("sp:334", CastlingRules::Fischer).unwrap();
    for (name, expected) in FILES {
        if expected != Err(NEEDS_START) {
            continue;
        }
        let game = pgn::read(&file(name), CastlingRules::Fischer, Some(&start)).unwrap();
        assert_eq!((game.errors.len(), game.start.to_string().as_str()), (0, SP_334), "{name}");
        assert!(game.moves().any(|mv| mv.is_some_and(|mv| mv.is_castle())), "{name}");
    }
}
