//! Fuzz target: parses any text as a FEN under all castling rules. It must give an error, or a board that survives a
//! round trip.
#![no_main]

use enroque::chess::{Board, CastlingRules, FenStyle};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for rules in CastlingRules::ALL {
        let Ok(board) = Board::from_fen(text, rules) else { continue };
        for mv in board.legal_moves() {
            assert!(board.is_legal(mv));
            let mut after = board.clone();
            after.make_move(mv);
            after.unmake_move(mv);
            assert_eq!(after.key(), board.key());
        }
        let again = Board::from_fen(&board.fen(FenStyle::XFen), rules).expect("a written FEN parses");
        assert_eq!(again.fen(FenStyle::XFen), board.fen(FenStyle::XFen));
    }
});
