//! What the search remembers of moves that did well or badly, to order others by it.

use crate::chess::{Board, Color, Move, Square};

/// Histories stay within ± this.
pub const HISTORY_LIMIT: i32 = 16_384;

/// One remembered value.
#[derive(Clone, Copy, Default)]
struct Counter(i16);

impl Counter {
    /// The one update rule: towards `bonus`, less the nearer the limit, so that no value passes it.
    fn update(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-HISTORY_LIMIT, HISTORY_LIMIT);
        let value = i32::from(self.0);
        self.0 = (value + bonus - value * bonus.abs() / HISTORY_LIMIT) as i16;
    }

    fn get(self) -> i32 {
        i32::from(self.0)
    }
}

/// By colour and from and to; castling counts by where the king lands.
pub struct QuietHistory(Box<[[[Counter; Square::COUNT]; Square::COUNT]; 2]>);

impl Default for QuietHistory {
    fn default() -> Self {
        Self(Box::new([[[Counter::default(); Square::COUNT]; Square::COUNT]; 2]))
    }
}

impl QuietHistory {
    /// The value of a move by `color`.
    pub fn get(&self, color: Color, mv: Move, to: Square) -> i32 {
        self.0[color.index()][mv.from().index()][to.index()].get()
    }

    /// Rewards or punishes a move by `color`.
    pub fn update(&mut self, color: Color, mv: Move, to: Square, bonus: i32) {
        self.0[color.index()][mv.from().index()][to.index()].update(bonus);
    }
}

/// Where the moving piece really lands: for castling the king's destination.
pub fn landing_square(board: &Board, mv: Move) -> Square {
    if mv.is_castle() {
        let path = board.castling_geometry().path_of_rook(board.side_to_move(), mv.to());
        return path.map_or(mv.to(), |path| path.king_to);
    }
    mv.to()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_never_leave_their_range() {
        let mut counter = Counter::default();
        for _ in 0..1000 {
            counter.update(1_000_000);
        }
        assert_eq!(counter.get(), HISTORY_LIMIT);
        counter.update(-300);
        assert!(counter.get() < HISTORY_LIMIT - 500, "a surprise weighs more than a confirmation");
    }
}
