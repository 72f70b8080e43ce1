//! Any bytes as games of self-play: refused, or games that are written and read back the same.
#![no_main]

use std::io::Cursor;

use enroque::learn::games::format::Game;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut input = Cursor::new(bytes);
    while let Ok(Some(game)) = Game::read(&mut input) {
        let mut written = Vec::new();
        game.write(&mut written).expect("memory takes it");
        let again = Game::read(&mut Cursor::new(&written)).expect("what is written is read").expect("a game");
        assert_eq!((again.plies, again.result), (game.plies, game.result));
    }
});
