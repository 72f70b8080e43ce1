//! Fuzz target: parses any words as moves in UCI or algebraic notation. Two numbers before the text choose
//! the start position.
#![no_main]

use enroque::chess::startpos::double_chess960;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u16, u16, &str)| {
    let (white, black, text) = input;
    let Some(mut board) = double_chess960(u32::from(white) % 960, u32::from(black) % 960) else { return };
    for word in text.split_whitespace().take(300) {
        let Some(mv) = board.parse_move(word).or_else(|| board.parse_san(word).ok()) else { continue };
        assert!(board.is_legal(mv));
        assert_eq!(board.parse_san(&board.san(mv)), Ok(mv));
        board.make_move(mv);
    }
});
