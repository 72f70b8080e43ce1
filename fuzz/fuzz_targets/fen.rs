//! Any text as a FEN, by any castling rules: refused, or a sound board that is read back the same.
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
        let again = Board::from_fen(&board.fen(FenStyle::XFen), rules).expect("what is written is read");
        assert_eq!(again.fen(FenStyle::XFen), board.fen(FenStyle::XFen));
    }
});
