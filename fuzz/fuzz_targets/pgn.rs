//! Any text as a file of games: each is refused or a game whose moves are legal.
#![no_main]

use enroque::chess::CastlingRules;
use enroque::workbench::analyse::pgn;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for section in pgn::sections(text) {
        assert!(section.line >= 1);
        let Ok(game) = pgn::read(section.text, CastlingRules::Fischer) else { continue };
        let mut board = game.start.clone();
        for played in &game.moves {
            assert!(board.is_legal(played.mv));
            board.make_move(played.mv);
        }
    }
});
