//! Fuzz target: reads any text as PGN. Each game must give an error, or legal moves that survive a round trip.
#![no_main]

use enroque::chess::CastlingRules;
use enroque_study::pgn;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for section in pgn::sections(text) {
        assert!(section.line >= 1);
        let Ok(game) = pgn::read(&section.text, CastlingRules::Fischer, None) else { continue };
        let mut board = game.start.clone();
        for mv in game.moves() {
            assert!(mv.map_or(!board.in_check(), |mv| board.is_legal(mv)));
            pgn::play(&mut board, mv);
        }
        let written = pgn::write(&game);
        assert_eq!(pgn::sections(&written).len(), 1, "{written}");
        let again = pgn::read(&written, CastlingRules::Fischer, None);
        assert!(again.is_ok_and(|again| again.moves().eq(game.moves())), "{written}");
    }
});
