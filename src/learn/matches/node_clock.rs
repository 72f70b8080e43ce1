//! Clocks that count nodes: for matches in which time management matters and a busy machine does not.
//!
//! What they show wants a real clock's confirmation: with a tenth of the nodes a move, differences are larger. Twice the
//! expected moves, +68 ± 20 here, were −1 ± 19 at 1+0.01.

use std::str::FromStr;

use crate::chess::{Board, Color};
use crate::search::limits::{Clock, Limits};

/// Nodes that stand for a millisecond: a tenth of what a core searches, so that a match takes a tenth of its time.
pub const NODES_PER_MS: u64 = 100;

/// Time for the game and for each move, milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    pub time: i64,
    pub increment: i64,
}

impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let milliseconds = |text: &str| {
            let seconds = text.trim().parse::<f64>().ok().filter(|seconds| (0.0..=1e6).contains(seconds))?;
            Some((seconds * 1000.0).round() as i64)
        };
        let (time, increment) = text.split_once('+').unwrap_or((text, "0"));
        match (milliseconds(time), milliseconds(increment)) {
            (Some(time), Some(increment)) if time > 0 => Ok(Self { time, increment }),
            _ => Err("expected seconds and increment, such as 2+0.02".to_owned()),
        }
    }
}

/// The clocks of a game.
pub struct NodeClocks {
    control: TimeControl,
    /// Nodes left, by colour.
    left: [u64; 2],
}

impl NodeClocks {
    /// Before the first move.
    pub fn new(control: TimeControl) -> Self {
        Self { control, left: [control.time as u64 * NODES_PER_MS; 2] }
    }

    /// What the side to move on `board` is told.
    pub fn limits(&self, board: &Board) -> Limits {
        let TimeControl { increment, .. } = self.control;
        let time = (self.left[board.side_to_move().index()] / NODES_PER_MS) as i64;
        Limits { clocks: [Clock { time: Some(time), increment }; 2], ..Limits::default() }
    }

    /// Takes what `side` spent on a move, and adds the increment. Who spends all plays on at once, no better than that.
    pub fn spend(&mut self, side: Color, nodes: u64) {
        let left = &mut self.left[side.index()];
        *left = left.saturating_sub(nodes) + self.control.increment as u64 * NODES_PER_MS;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_control_is_seconds_and_increment() {
        let control = |text: &str| text.parse::<TimeControl>().ok();
        assert_eq!(control("2+0.02"), Some(TimeControl { time: 2000, increment: 20 }));
        assert_eq!(control("0.5"), Some(TimeControl { time: 500, increment: 0 }));
        for wrong in ["", "+1", "0+1", "2+", "2+x", "-1+1", "2+-1", "nan+1", "1e30+1"] {
            assert_eq!(control(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_clock_runs_for_the_side_that_moves_and_never_below_zero() {
        let mut clocks = NodeClocks::new(TimeControl { time: 1000, increment: 10 });
        let board = Board::startpos();
        clocks.spend(Color::White, 30_000);
        let Limits { clocks: [white, black], .. } = clocks.limits(&board);
        assert_eq!((white, black), (Clock { time: Some(710), increment: 10 }, white));
        clocks.spend(Color::White, 1_000_000);
        assert_eq!(clocks.limits(&board).clocks[0].time, Some(10));
        let mut black_to_move = board;
        black_to_move.make_null_move();
        assert_eq!(clocks.limits(&black_to_move).clocks[0].time, Some(1000));
    }
}
