//! Fuzz target: reads any bytes as self-play games. They must give an error, or games that survive a round trip.
#![no_main]

use std::io::Cursor;

use enroque_learn::games::format::Game;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut input = Cursor::new(bytes);
    while let Ok(Some(game)) = Game::read(&mut input) {
        let mut written = Vec::new();
        game.write(&mut written).expect("writing to memory succeeds");
        let again = Game::read(&mut Cursor::new(&written)).expect("a written game parses").expect("a game");
        assert_eq!((again.plies, again.result), (game.plies, game.result));
    }
});
