//! Fuzz target: imports any bytes as positions from another program. They must be refused, or become games that survive
//! a round trip. The first byte chooses the format.
#![no_main]

use std::io::{self, Cursor};

use enroque_learn::data::positions::{Format, read_games};
use enroque_learn::games::format::Game;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, bytes)) = bytes.split_first() else { return };
    let format = if first & 1 == 0 { Format::Bullet } else { Format::Epd };
    let _ = read_games(bytes, format, |_, game| {
        let Ok(game) = game else { return Ok(()) };
        let mut written = Vec::new();
        game.write(&mut written)?;
        let again = Game::read(&mut Cursor::new(&written)).expect("a written game parses").expect("a game");
        assert_eq!((again.plies, again.result), (game.plies, game.result));
        Ok::<(), io::Error>(())
    });
});
