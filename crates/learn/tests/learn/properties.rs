//! Property tests of the game format: games read back the same, and no damage makes us panic.

use std::io::Cursor;

use enroque::chess::Board;
use enroque::chess::startpos::double_chess960;
use enroque_learn::games::format::{Game, GameResult, Ply};
use proptest::prelude::*;

/// Generates games of random legal moves from double Chess960 positions.
fn games() -> impl Strategy<Value = Game> {
    let plies = prop::collection::vec((any::<u16>(), any::<i16>()), 0..160);
    (0..960_u32, 0..960_u32, plies, 0..3_usize).prop_map(|(white, black, choices, result)| {
        let start = double_chess960(white, black).unwrap();
        let mut board: Board = start.clone();
        let mut plies = Vec::new();
        for (choice, score) in choices {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[usize::from(choice) % moves.len()];
            plies.push(Ply { mv, score });
            board.make_move(mv);
        }
        let result = [GameResult::Loss, GameResult::Draw, GameResult::Win][result];
        Game { start, plies, result }
    })
}

proptest! {
    #[test]
    fn game_format_round_trip(game in games()) {
        let mut bytes = Vec::new();
        game.write(&mut bytes).unwrap();
        let again = Game::read(&mut Cursor::new(&bytes)).unwrap().unwrap();
        prop_assert_eq!(again.start.key(), game.start.key());
        prop_assert_eq!((again.plies, again.result), (game.plies, game.result));
    }

    #[test]
    fn damaged_game_is_safe(
        game in games(),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
        garbage in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        let mut bytes = Vec::new();
        game.write(&mut bytes).unwrap();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        for bytes in [&bytes, &bytes[..at], &garbage] {
            if let Ok(Some(game)) = Game::read(&mut Cursor::new(bytes)) {
                let mut again = Vec::new();
                game.write(&mut again).unwrap();
                prop_assert!(Game::read(&mut Cursor::new(&again)).is_ok());
            }
        }
    }
}
