//! Writes random games under each castling rule and reads them again.

use super::*;

const GAMES: usize = 1000;
const PLIES: usize = 40;

/// Returns a random game from a random start of the set. It castles as soon as it can, half of the time.
fn random_game(set: &StartSet, random: &mut Random) -> PgnGame {
    let start = set.position(random.below(set.count())).unwrap();
    let mut board = start.clone();
    let mut line = Line::default();
    while line.moves.len() < PLIES {
        let legal = board.legal_moves();
        let castlings: Vec<_> = legal.iter().copied().filter(|mv| mv.is_castle()).collect();
        let chosen = if castlings.is_empty() || random.below(2) == 0 { &legal[..] } else { &castlings[..] };
        if chosen.is_empty() {
            break;
        }
        let mv = chosen[random.below(chosen.len() as u64) as usize];
        board.make_move(mv);
        line.moves.push(PgnMove { mv: Some(mv), notes: Vec::new() });
    }
    PgnGame { tags: Vec::new(), start, line, result: "*".to_owned(), errors: Vec::new() }
}

#[test]
fn games_of_each_castling_rule_survive() {
    let mut random = Random::new(73);
    for (name, rules) in [
        ("dfrc", CastlingRules::Fischer),
        ("double2880", CastlingRules::NearestRook),
        ("chess480", CastlingRules::Orthodox480),
        ("double-shuffle", CastlingRules::None),
    ] {
        let mut castlings = 0;
        for _ in 0..GAMES {
            let game = random_game(StartSet::by_name(name).unwrap(), &mut random);
            assert_eq!(game.start.castling_geometry().rules(), rules);
            let text = write(&game);
            let again = read(&text, CastlingRules::Fischer, None).unwrap();
            assert!(again.errors.is_empty(), "{name}: {text}");
            // Boards are equal only if they have the same castlings. Where the rules of Chess960 give these, too, the tag
            // says Chess960, which more programs know.
            assert_eq!((&again.start, &again.line), (&game.start, &game.line), "{name}: {text}");
            assert_eq!(write(&again), text);
            castlings += game.moves().flatten().filter(|mv| mv.is_castle()).count();
        }
        assert!(
            if rules == CastlingRules::None { castlings == 0 } else { castlings > GAMES / 2 },
            "{name}: {castlings}"
        );
    }
}
