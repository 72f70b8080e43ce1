//! Clocks that count nodes instead of time: for matches that test time management independently of the machine's load.
//!
//! With a tenth of the usual nodes a move, differences are larger than on a real clock. Results need confirmation there.

use std::fmt;
use std::str::FromStr;

use enroque::chess::{Board, Color};
use enroque::search::limits::{Clock, Limits};

/// Nodes that count as a millisecond: a tenth of a core's speed, so that a match takes a tenth of its nominal time.
pub const NODES_PER_MS: u64 = 100;

/// Time control.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// Base time, milliseconds.
    pub time: i64,
    /// Increment, milliseconds.
    pub increment: i64,
}

impl fmt::Display for TimeControl {
    /// Writes seconds and increment, such as `2+0.02`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [time, increment] = [self.time, self.increment].map(|milliseconds| milliseconds as f64 / 1000.0);
        write!(f, "{time}+{increment}")
    }
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

/// Clocks of both sides in a game.
pub struct NodeClocks {
    control: TimeControl,
    /// Remaining nodes, by colour.
    left: [u64; 2],
}

impl NodeClocks {
    /// Creates the clocks at the start of a game.
    pub fn new(control: TimeControl) -> Self {
        Self { control, left: [control.time as u64 * NODES_PER_MS; 2] }
    }

    /// Returns the limits for the side to move on `board`: the times on its clock.
    pub fn limits(&self, board: &Board) -> Limits {
        let TimeControl { increment, .. } = self.control;
        let time = (self.left[board.side_to_move().index()] / NODES_PER_MS) as i64;
        Limits { clocks: [Clock { time: Some(time), increment }; 2], ..Limits::default() }
    }

    /// Subtracts the nodes of a move from the clock of `side` and adds the increment. A side without time left does not
    /// lose: it continues with the increment alone.
    pub fn spend(&mut self, side: Color, nodes: u64) {
        let left = &mut self.left[side.index()];
        *left = left.saturating_sub(nodes) + self.control.increment as u64 * NODES_PER_MS;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_control_parses_seconds() {
        let control = |text: &str| text.parse::<TimeControl>().ok();
        assert_eq!(control("2+0.02"), Some(TimeControl { time: 2000, increment: 20 }));
        assert_eq!(control("0.5"), Some(TimeControl { time: 500, increment: 0 }));
        assert_eq!(control("60+0.60").unwrap().to_string(), "60+0.6");
        for wrong in ["", "abc", "40/60", "+1", "0+1", "2+", "2+x", "-1+1", "2+-1", "nan+1", "1e30+1"] {
            assert_eq!(control(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn clock_stops_at_zero() {
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
