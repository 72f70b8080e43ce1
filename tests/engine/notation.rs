//! Tests FEN dialects, algebraic notation, UCI coordinates with both forms of castling, and their errors.

use enroque::chess::notation::fen::FenError;
use enroque::chess::notation::san::SanError;
use enroque::chess::startpos::{back_rank, double_chess960};
use enroque::chess::{Board, CastlingNotation, CastlingRules, FenStyle};
use enroque::util::random::Random;

fn board(fen: &str) -> Board {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Each case is a FEN, followed by its castling field in X-FEN and in Shredder-FEN.
#[test]
fn castling_rights_in_every_dialect() {
    let cases = [
        // The letters of the files mean the same as K and Q, which stand for the outermost rooks.
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "KQkq", "HAha"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "KQkq", "HAha"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1", "KQkq", "HAha"),
        // An inner rook needs the letter of its file.
        ("4k1rr/8/8/8/8/8/8/RR2K3 w Bg - 0 1", "Bg", "Bg"),
        ("4k1rr/8/8/8/8/8/8/RR2K3 w Qk - 0 1", "Qk", "Ah"),
        // We drop rights without their rook, and the rights of a king that is not on its back rank.
        ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "-", "-"),
        ("r3k2r/8/8/8/8/4K3/8/R6R w KQkq - 0 1", "kq", "ha"),
        ("r3k3/8/8/8/8/8/8/R3K3 w KQkq - 0 1", "Qq", "Aa"),
        // In double Chess960 the two sides castle with rooks on different files.
        ("rk3r2/8/8/8/8/8/8/2R1K1R1 w GCfa - 0 1", "KQkq", "GCfa"),
    ];
    for (fen, x, shredder) in cases {
        let board = board(fen);
        assert_eq!(board.fen(FenStyle::XFen).split(' ').nth(2), Some(x), "{fen}");
        assert_eq!(board.fen(FenStyle::Shredder).split(' ').nth(2), Some(shredder), "{fen}");
    }
    let without = Board::from_fen(cases[0].0, CastlingRules::None).unwrap();
    assert!(without.castling_rights().is_empty());
}

#[test]
fn start_positions_round_trip() {
    let mut random = Random::new(1);
    for number in 0..960 {
        let board = double_chess960(number, random.below(960) as u32).unwrap();
        for style in [FenStyle::XFen, FenStyle::Shredder] {
            let fen = board.fen(style);
            assert_eq!(fen.parse::<Board>().unwrap().fen(style), fen);
        }
        assert_eq!(board.fen(FenStyle::XFen).split(' ').nth(2), Some("KQkq"));
    }
}

#[test]
fn fen_fields_may_be_missing() {
    let full = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq"), board(full));
    assert_eq!(board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - - -").fen(FenStyle::XFen), full);
    for end in [";", " ;", "; "] {
        assert_eq!(board(&format!("{full}{end}")), board(full));
        assert_eq!(board(&format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq{end}")), board(full));
    }
    // We keep the en passant square only if a pawn can capture there, which a pinned pawn cannot.
    let fields = |fen: &str| board(fen).fen(FenStyle::XFen).split(' ').nth(3).map(str::to_owned);
    assert_eq!(fields("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1").as_deref(), Some("-"));
    assert_eq!(fields("4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1").as_deref(), Some("e6"));
    assert_eq!(fields("4k3/8/8/K2Pp2r/8/8/8/8 w - e6 0 1").as_deref(), Some("-"));
    assert_eq!(fields("4k3/4p3/8/3P4/8/8/8/4K3 w - e6 0 1").as_deref(), Some("-"));
}

#[test]
fn fen_errors_name_the_field() {
    let cases = [
        ("", "FEN: expected at least a board, found nothing"),
        ("8/8/8", "FEN board: expected 8 ranks separated by '/', found 3"),
        ("9/8/8/8/8/8/8/8 w - - 0 1", "expected a piece letter or a digit from 1 to 8, found '9'"),
        ("k7/8/8/8/8/8/8/K6 w - - 0 1", "expected 8 squares on rank 1, found 7 in 'K6'"),
        ("k7/8/8/8/8/8/8/KRRRRRRRR w - - 0 1", "expected 8 squares on rank 1, found 9"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "expected one black king, found 0"),
        ("k7/8/8/8/8/8/8/KK6 w - - 0 1", "expected one white king, found 2"),
        ("k6P/8/8/8/8/8/8/K7 w - - 0 1", "expected no pawn on the first or last rank, found one on h8"),
        ("k7/8/8/8/8/8/8/KR6 x - - 0 1", "expected 'w' or 'b', found 'x'"),
        ("k7/8/8/8/8/8/8/K7 w xyz - 0 1", "expected '-' or letters of KQkq, A-H, a-h, found 'xyz'"),
        ("k7/8/8/8/8/8/8/K7 w - e5 0 1", "expected '-' or a square on rank 3 or 6, found 'e5'"),
        ("k7/8/8/8/8/8/8/K7 w - - many 1", "FEN halfmove clock: expected a number"),
        ("k7/8/8/8/8/8/8/K7 w - - 0 1 2", "expected at most 6 fields, found '2' after them"),
        ("k7/8/8/8/8/8/8/R3K3 w - - 0 1", "white is to move, but the black king is in check"),
        ("kK6/8/8/8/8/8/8/8 w - - 0 1", "but the black king is in check"),
    ];
    for (fen, expected) in cases {
        let error = fen.parse::<Board>().unwrap_err().to_string();
        assert!(error.contains(expected), "{fen}: {error}");
    }
    assert_eq!("é/8/8/8/8/8/8/8".parse::<Board>(), Err(FenError::Piece('é')));
}

#[test]
fn castling_moves_in_both_notations() {
    use CastlingNotation::{KingDestination, KingTakesRook};
    // With king and rook on orthodox squares, we read both forms of castling, and write the form that we are asked for.
    let orthodox = board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    let short = orthodox.parse_move("e1g1").unwrap();
    assert!(short.is_castle());
    assert_eq!(orthodox.parse_move("e1h1"), Some(short));
    assert_eq!(orthodox.format_move(short, KingDestination), "e1g1");
    assert_eq!(orthodox.format_move(short, KingTakesRook), "e1h1");
    assert_eq!(orthodox.format_move(orthodox.parse_move("e1c1").unwrap(), KingDestination), "e1c1");

    // With king and rook on other squares, only king takes rook is unambiguous, so we write nothing else.
    let other = board("r1k4r/8/8/8/8/8/8/R1K4R w KQkq - 0 1");
    let short = other.parse_move("c1h1").unwrap();
    assert_eq!(other.format_move(short, KingDestination), "c1h1");
    assert_eq!(other.parse_move("c1g1"), Some(short));

    // If the king can simply step to the destination of the castling, `f1g1` means the step.
    let near = board("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
    let step = near.parse_move("f1g1").unwrap();
    assert!(!step.is_castle());
    assert!(near.parse_move("f1h1").unwrap().is_castle());
    // A rook on g1 rules out the step, so that `f1g1` means castling.
    let swap = board("4k3/8/8/8/8/8/8/5KR1 w G - 0 1");
    assert!(swap.parse_move("f1g1").unwrap().is_castle());

    for text in ["", "e", "e1", "e1g", "e1z9", "e1g1q", "a1a8x", "e1g1qq", "éé"] {
        assert_eq!(orthodox.parse_move(text), None, "{text}");
    }
    let promoting = board("3r4/2P1k3/8/8/8/8/8/4K3 w - - 0 1");
    for text in ["c7c8q", "c7c8n", "c7d8r", "c7d8b"] {
        let mv = promoting.parse_move(text).unwrap();
        assert_eq!(promoting.format_move(mv, KingDestination), text);
    }
    assert_eq!(promoting.parse_move("c7c8"), None);
    assert_eq!(promoting.parse_move("c7c8k"), None);
}

#[test]
fn san_parsing_is_lenient() {
    let two_knights = board("4k3/8/8/8/8/8/8/N3KN2 w - - 0 1");
    assert!(two_knights.parse_san("Nd2").is_ok());
    let rooks = board("4k3/8/8/R7/8/8/8/R3K3 w Q - 0 1");
    assert!(matches!(rooks.parse_san("Ra3"), Err(SanError::Ambiguous { .. })));
    let names = ["R1a3", "O-O-O", "0-0-0", "o-o-o", "R5a3!?", "R1a3!!"];
    assert!(names.iter().all(|name| rooks.parse_san(name).is_ok()));
    assert!(matches!(rooks.parse_san("Ra9"), Err(SanError::Syntax(_))));
    assert!(matches!(rooks.parse_san("O-O"), Err(SanError::Illegal(_))));
    assert!(matches!(rooks.parse_san("Qa3"), Err(SanError::Illegal(_))));
    for text in ["", "é", "=Q", "N", "Nx", "a", "exd", "ééé", "e8=é", "K-O"] {
        assert!(rooks.parse_san(text).is_err(), "{text}");
    }
    let promoting = board("3r3k/2P5/8/8/8/8/8/4K3 w - - 0 1");
    let written: Vec<String> = ["c8=Q", "c8Q", "cxd8=N", "cd8N", "c7xd8=Q+"]
        .iter()
        .map(|text| promoting.san(promoting.parse_san(text).unwrap()))
        .collect();
    assert_eq!(written, ["c8=Q", "c8=Q", "cxd8=N", "cxd8=N", "cxd8=Q+"]);
    let mate = board("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1");
    assert_eq!(mate.san(mate.parse_san("Ra8").unwrap()), "Ra8#");
}

#[test]
fn missing_castling_right_is_named() {
    let board = board("r3k2r/8/8/8/8/8/8/R3K2R w Qk - 0 1");
    for (text, right) in
        [("O-O", 'K'), ("0-0", 'K'), ("e1g1", 'K'), ("e1h1", 'K')].map(|(text, right)| (text, Some(right)))
    {
        assert_eq!(board.missing_castling_right(text), right, "{text}");
    }
    for text in ["O-O-O", "e1c1", "e1f1", "e1e3", "a1c1", "e8g8", "e1", "é", "e1g1q"] {
        assert_eq!(board.missing_castling_right(text), None, "{text}");
    }
}

/// In Chess2880, K and Q tell the sides apart even if both rooks stand on the same side of the king.
#[test]
fn nearest_rook_fen_round_trip() {
    let fen = "krrbbnnq/pppppppp/8/8/8/8/PPPPPPPP/KRRBBNNQ w KQkq - 0 1";
    let nearest = Board::from_fen(fen, CastlingRules::NearestRook).unwrap();
    assert_eq!(nearest.fen(FenStyle::Shredder), fen);
    // Under Chess960 rules both rooks are on the king's h-side, so only the outermost has a castling right.
    let fischer = Board::from_fen(fen, CastlingRules::Fischer).unwrap();
    assert_eq!(fischer.fen(FenStyle::XFen).split(' ').nth(2), Some("Kk"));
    let letters: String = back_rank(960).unwrap().iter().map(|kind| kind.letter()).collect();
    assert_eq!(letters, "BBQNNKRR");
    // A single rook castles to one side only, whatever the FEN claims.
    let one_rook = Board::from_fen("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", CastlingRules::NearestRook).unwrap();
    assert_eq!(one_rook.fen(FenStyle::XFen).split(' ').nth(2), Some("K"));
    let a_side = "4k3/8/8/8/8/8/8/K1R4R w Q - 0 1";
    let board = Board::from_fen(a_side, CastlingRules::NearestRook).unwrap();
    let mv = board.parse_move("a1c1").unwrap();
    assert_eq!(board.san(mv), "O-O-O");
    let mut after = board.clone();
    after.make_move(mv);
    assert_eq!(after.fen(FenStyle::XFen), "4k3/8/8/8/8/8/8/2KR3R b - - 1 1");
}
