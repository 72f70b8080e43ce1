//! Property tests: written data reads back the same, and damaged data gives an error, never a panic.

use enroque::chess::board::BoardBuilder;
use enroque::chess::square::{File, Rank};
use enroque::chess::startpos::double_chess960;
use enroque::chess::{
    Board, CastlingNotation, CastlingRules, CastlingSide, Color, FenStyle, Move, Piece, PieceKind, Square,
};
use enroque::nnue::Network;
use enroque::search::limits::Limits;
use enroque::uci::arguments::{self, Go};
use proptest::prelude::*;

/// Positions from random games of double Chess960, in which both sides castle whenever they can.
fn positions() -> impl Strategy<Value = Board> {
    (0..960_u32, 0..960_u32, prop::collection::vec(any::<u16>(), 0..120)).prop_map(
        |(white, black, choices)| {
            let mut board = double_chess960(white, black).unwrap();
            for choice in choices {
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let castling = moves.iter().copied().find(|mv| mv.is_castle());
                board.make_move(castling.unwrap_or(moves[usize::from(choice) % moves.len()]));
            }
            board
        },
    )
}

/// Random texts, some made only of `letters`, some of any characters.
fn texts(letters: &'static str) -> impl Strategy<Value = String> {
    prop_oneof![
        prop::collection::vec(prop::sample::select(letters.chars().collect::<Vec<_>>()), 0..90)
            .prop_map(|letters| letters.into_iter().collect()),
        any::<String>(),
    ]
}

/// Positions with only kings and rooks on the back ranks, and castling rights that the rules allow.
fn castling_positions() -> impl Strategy<Value = Board> {
    let side =
        || (0..8_usize, prop::sample::subsequence((0..8_usize).collect::<Vec<_>>(), 1..5), any::<[u8; 2]>());
    (prop::sample::select(CastlingRules::ALL.to_vec()), side(), side()).prop_filter_map(
        "a position",
        |(rules, white, black)| {
            let mut builder = BoardBuilder::new(rules);
            let mut rights = Vec::new();
            for (color, (king, rooks, chosen)) in Color::ALL.into_iter().zip([white, black]) {
                let square = |file: usize| {
                    Square::new(File::from_index(file).unwrap(), Rank::First.relative_to(color))
                };
                builder = builder.piece(square(king), Piece::new(color, PieceKind::King));
                let rooks: Vec<_> = rooks.into_iter().filter(|&rook| rook != king).map(square).collect();
                for &rook in &rooks {
                    builder = builder.piece(rook, Piece::new(color, PieceKind::Rook));
                }
                for (side, choice) in CastlingSide::ALL.into_iter().zip(chosen) {
                    // Taken modulo one more than the number of rooks, `choice` picks a rook or no right.
                    if let Some(&rook) = rooks.get(usize::from(choice) % (rooks.len() + 1)) {
                        rights.push((color, side, rook));
                    }
                }
            }
            // The rules reject some rights, so we add one right after another and keep those that the rules allow.
            for (color, side, rook) in rights {
                let more = builder.clone().castling(color, side, rook);
                if more.clone().build().is_ok() {
                    builder = more;
                }
            }
            builder.build().ok()
        },
    )
}

proptest! {
    #[test]
    fn castling_rights_round_trip(board in castling_positions()) {
        let rules = board.castling_geometry().rules();
        for style in [FenStyle::XFen, FenStyle::Shredder] {
            let fen = board.fen(style);
            let again = Board::from_fen(&fen, rules).unwrap();
            prop_assert_eq!(again.key(), board.key(), "{:?} {}", rules, fen);
            for color in Color::ALL {
                for side in CastlingSide::ALL {
                    prop_assert_eq!(again.castling(color, side), board.castling(color, side), "{:?} {}", rules, &fen);
                }
            }
            let castlings = |board: &Board| -> Vec<Move> {
                board.legal_moves().iter().copied().filter(|mv| mv.is_castle()).collect()
            };
            prop_assert_eq!(castlings(&again), castlings(&board));
        }
    }

    #[test]
    fn fen_round_trip(board in positions()) {
        for style in [FenStyle::XFen, FenStyle::Shredder] {
            let fen = board.fen(style);
            let again = Board::from_fen(&fen, CastlingRules::Fischer).unwrap();
            prop_assert_eq!(again.key(), board.key(), "{}", fen);
            prop_assert_eq!(again.castling_rights(), board.castling_rights());
            prop_assert_eq!(again.fen(style), fen);
        }
    }

    #[test]
    fn damaged_fen_is_safe(
        board in positions(),
        at in any::<prop::sample::Index>(),
        letter in any::<char>(),
        garbage in texts("rnbqkpRNBQKP12345678/ wb-KQkqABCDEFGHabcdefgh"),
    ) {
        let mut letters: Vec<char> = board.fen(FenStyle::XFen).chars().collect();
        let at = at.index(letters.len());
        letters[at] = letter;
        for text in [letters.into_iter().collect(), garbage] {
            for rules in CastlingRules::ALL {
                if let Ok(board) = Board::from_fen(&text, rules) {
                    prop_assert!(board.legal_moves().iter().all(|&mv| board.is_legal(mv)), "{}", text);
                    let again = Board::from_fen(&board.fen(FenStyle::XFen), rules).unwrap();
                    prop_assert_eq!(again.fen(FenStyle::Shredder), board.fen(FenStyle::Shredder));
                }
            }
        }
    }

    #[test]
    fn move_notation_round_trip(board in positions()) {
        let mut names = std::collections::HashSet::new();
        for mv in board.legal_moves() {
            let san = board.san(mv);
            prop_assert_eq!(board.parse_san(&san), Ok(mv), "{}", san);
            prop_assert!(names.insert(san.clone()), "{} is ambiguous", san);
            let text = board.format_move(mv, CastlingNotation::KingTakesRook);
            prop_assert_eq!(board.parse_move(&text), Some(mv), "{}", text);
        }
    }

    #[test]
    fn random_text_parses_safely_as_move(board in positions(), text in texts("NBRQKabcdefgh12345678x=+#O-")) {
        if let Ok(mv) = board.parse_san(&text) {
            prop_assert!(board.is_legal(mv), "{}", text);
        }
        if let Some(mv) = board.parse_move(&text) {
            prop_assert!(board.is_legal(mv), "{}", text);
        }
    }

    #[test]
    fn legality_of_any_move_code(board in positions(), code in any::<u16>()) {
        if let Some(mv) = Move::from_code(code) {
            prop_assert_eq!(board.is_legal(mv), board.legal_moves().contains(&mv));
        }
    }

    #[test]
    fn random_position_is_safe(line in texts("positionfensgwdblcmv0123456789 -/KQkqrnb\t")) {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let _ = arguments::position(&words, CastlingRules::Fischer);
    }

    #[test]
    fn random_go_still_searches(words in prop::collection::vec(texts("wbtimencdphoas0123456789-"), 0..12)) {
        let board = Board::startpos();
        let line = words.join(" ").replace("perft", "");
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let Ok(Go::Search(limits, errors)) = arguments::go(&words, &board) else { panic!("{line}") };
        prop_assert!(errors.is_empty() || limits != Limits::default(), "{}", line);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn damaged_network_is_rejected(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let good = Network::embedded().to_bytes();
        let at = at.index(good.len());
        let mut damaged = good.clone();
        damaged[at] = byte;
        prop_assert_eq!(Network::from_bytes(&damaged).is_ok(), damaged == good);
        prop_assert!(Network::from_bytes(&good[..at]).is_err());
        prop_assert_eq!(&Network::from_bytes(&good).unwrap().to_bytes(), &good);
    }
}
