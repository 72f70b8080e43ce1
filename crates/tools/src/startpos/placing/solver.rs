//! Solves the placement games in which both players fill one back rank: minimax over the scores of the atlas. White
//! wants a start with a high score, Black one with a low score.

use super::rules::{Action, CODES, Filling, PlacementGame, Rules, code};
use enroque::chess::Color;
use enroque::chess::startpos::scharnagl_number;
use enroque_study::atlas::Atlas;

/// The value of every state that we have met, for one game and one player who begins.
pub struct Solver<'a> {
    rules: &'a Rules,
    first: Color,
    /// White's scores in pawns, NaN if unknown; see [`Solver::index`].
    values: Vec<f64>,
}

/// In how many ways the players can have used their right to move a piece.
const MOVED_STATES: usize = 4;

/// Returns who places the next piece if `placed` pieces stand and `first` began.
pub fn color_to_place(game: &PlacementGame, first: Color, placed: usize) -> Color {
    if (placed / game.per_turn).is_multiple_of(2) { first } else { !first }
}

impl<'a> Solver<'a> {
    /// Returns `None` if each player fills their own back rank: the atlas has no such starts.
    pub fn new(rules: &'a Rules, first: Color) -> Option<Self> {
        let states = if rules.game.has_move { MOVED_STATES } else { 1 };
        rules.game.is_shared.then(|| Self { rules, first, values: vec![f64::NAN; states * CODES] })
    }

    fn index(filling: &Filling) -> usize {
        let [white, black] = filling.has_moved.map(usize::from);
        (2 * white + black) * CODES + code(&filling.rank)
    }

    /// Returns White's score in pawns if both players place as well as they can.
    pub fn value(&mut self, filling: &Filling) -> f64 {
        let index = Self::index(filling);
        if self.values[index].is_nan() {
            self.values[index] = self.search(filling);
        }
        self.values[index]
    }

    fn search(&mut self, filling: &Filling) -> f64 {
        if let Some(rank) = filling.complete() {
            let number = scharnagl_number(&self.rules.game.settled(rank));
            let entry = number.and_then(|number| Atlas::shipped().entry(number));
            return entry.map_or(0.0, |entry| entry.score);
        }
        let color = self.color(filling);
        self.worths(filling).into_iter().map(|(_, value)| value).reduce(better(color)).unwrap_or(0.0)
    }

    fn color(&self, filling: &Filling) -> Color {
        color_to_place(self.rules.game, self.first, filling.placed())
    }

    /// Returns everything that the player to place may do, with White's score after it.
    pub fn worths(&mut self, filling: &Filling) -> Vec<(Action, f64)> {
        let (rules, color) = (self.rules, self.color(filling));
        let actions = rules.actions(filling, color);
        actions.map(|action| (action, self.value(&filling.after(action, color)))).collect()
    }

    /// Returns the best actions of the player to place, and White's score after them.
    pub fn best(&mut self, filling: &Filling) -> (Vec<Action>, f64) {
        let best = self.value(filling);
        let actions = self.worths(filling).into_iter().filter(|&(_, value)| value == best);
        (actions.map(|(action, _)| action).collect(), best)
    }
}

/// Returns the function that chooses the score which `color` prefers.
fn better(color: Color) -> fn(f64, f64) -> f64 {
    match color {
        Color::White => f64::max,
        Color::Black => f64::min,
    }
}

#[cfg(test)]
mod tests {
    use super::super::rules::BACK_RANK;
    use super::*;
    use enroque::chess::PieceKind;

    /// `crates/tools/tests/solve_placing.py` found these values without our code.
    #[test]
    fn values_equal_independent_minimax() {
        use PieceKind::{Bishop, King, Knight, Queen, Rook};
        let of = |name: &str| Rules::new(PlacementGame::by_name(name).unwrap());
        let files = |letter: char| usize::from(letter as u8 - b'a');
        let places = |worths: &[(Action, f64)], kind, file| {
            worths.iter().find(|(action, _)| *action == Action::Place(kind, files(file))).unwrap().1
        };
        for (name, first, root, chosen) in [
            ("shared", Color::White, 0.28, [(Rook, 'e', 0.28), (King, 'f', 0.22), (Knight, 'h', 0.26)]),
            ("shared", Color::Black, 0.26, [(Bishop, 'h', 0.33), (King, 'f', 0.26), (Rook, 'g', 0.27)]),
            ("spanish", Color::White, 0.28, [(Queen, 'h', 0.28), (Bishop, 'g', 0.27), (King, 'a', 0.25)]),
            ("spanish", Color::Black, 0.28, [(Bishop, 'd', 0.28), (Knight, 'c', 0.29), (Rook, 'e', 0.32)]),
            ("pairs", Color::White, 0.31, [(Queen, 'h', 0.31), (Knight, 'g', 0.24), (King, 'a', 0.27)]),
            ("pairs", Color::Black, 0.23, [(Rook, 'b', 0.23), (Bishop, 'g', 0.32), (King, 'h', 0.24)]),
        ] {
            let rules = of(name);
            let mut solver = Solver::new(&rules, first).unwrap();
            let empty = Filling::default();
            assert_eq!(solver.value(&empty), root, "{name} {first:?}");
            let worths = solver.worths(&empty);
            assert_eq!(worths.len(), 5 * BACK_RANK - if name == "shared" { 2 } else { 0 }, "{name}");
            for (kind, file, value) in chosen {
                assert_eq!(places(&worths, kind, file), value, "{name} {first:?} {kind:?}{file}");
            }
        }
        assert!(Solver::new(&of("chess960"), Color::White).is_none());
    }

    #[test]
    fn partial_ranks_are_counted() {
        let count = |name: &str| Rules::new(PlacementGame::by_name(name).unwrap()).allowed();
        assert_eq!((count("shared"), count("spanish")), (78_108, 156_841));
    }
}
