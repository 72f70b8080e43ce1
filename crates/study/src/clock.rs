//! How long the players thought about each move, by the clock times that a game records.

use super::pgn::comment::clock;
use super::pgn::{Note, PgnGame, PgnMove};

/// Returns how many seconds each move in the main line took; `None` where the game doesn't tell. The clock of a side
/// begins with the time of the `TimeControl` tag, and gains the tag's increment with each move.
pub fn seconds_spent(game: &PgnGame) -> Vec<Option<f64>> {
    let (time, increment) = time_control(game.tag("TimeControl"));
    // What the side that moves next, and the other side, had left after their last moves.
    let (mut own, mut other) = (time, time);
    let spent = |played: &PgnMove| {
        let left = left(played);
        let spent = own.zip(left).map(|(before, after)| (before + increment - after).max(0.0));
        own = left;
        std::mem::swap(&mut own, &mut other);
        spent
    };
    game.line.moves.iter().map(spent).collect()
}

/// Parses the seconds and the increment in a tag such as `300+3`, `5400` or `40/7200:3600`.
fn time_control(tag: &str) -> (Option<f64>, f64) {
    let first = tag.split(':').next().unwrap_or(tag);
    let first = first.split_once('/').map_or(first, |(_, time)| time);
    let (time, increment) = first.split_once('+').unwrap_or((first, "0"));
    (time.trim().parse().ok(), increment.trim().parse().unwrap_or(0.0))
}

/// Returns the seconds that a move's comment says were left after it.
fn left(played: &PgnMove) -> Option<f64> {
    let time = played.notes.iter().find_map(|note| match note {
        Note::Comment(comment) => clock(comment),
        _ => None,
    })?;
    time.split(':').try_fold(0.0, |sum, part| Some(60.0 * sum + part.trim().parse::<f64>().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn;
    use enroque::chess::CastlingRules;

    #[test]
    fn time_comes_from_the_clocks() {
        let spent = |tag: &str, moves: &str| {
            let text = format!("[TimeControl \"{tag}\"]\n\n{moves} *\n");
            let game = pgn::read(&text, CastlingRules::Fischer, None).unwrap();
            assert!(game.errors.is_empty());
            seconds_spent(&game)
        };
        let moves = "1. e4 {[%clk 0:03:00]} e5 {[%clk 0:02:50.5] quick} 2. Nf3 {[%clk 0:01:02]} Nc6 3. d4 {[%clk 0:01:03]} d6 {[%clk 0:00:01]}";
        assert_eq!(spent("180+2", moves), [Some(2.0), Some(11.5), Some(120.0), None, Some(1.0), None]);
        assert_eq!(spent("?", moves), [None, None, Some(118.0), None, Some(0.0), None]);
        assert_eq!(spent("40/7200:3600", "1. e4 {[%clk 1:58:30]}"), [Some(90.0)]);
        assert_eq!(spent("5400", "1. e4"), [None]);
    }
}
