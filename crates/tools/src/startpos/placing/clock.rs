//! The clock of a placement game: each player has the same time for all placements.

use std::time::{Duration, Instant};

use enroque::chess::Color;

pub struct Clock {
    left: [Duration; 2],
    /// When the player to move began to think.
    started: Instant,
}

impl Clock {
    pub fn new(time: Duration) -> Self {
        Self { left: [time; 2], started: Instant::now() }
    }

    /// Starts the clock of a player. Only one runs at a time.
    pub fn start(&mut self) {
        self.started = Instant::now();
    }

    /// Stops the clock of `color`. Returns `false` if the time is up.
    pub fn stop(&mut self, color: Color) -> bool {
        let left = &mut self.left[color.index()];
        *left = left.saturating_sub(self.started.elapsed());
        !left.is_zero()
    }

    /// Returns whether this player's time is up.
    pub fn is_up(&self, color: Color) -> bool {
        self.left[color.index()].is_zero()
    }

    /// Returns the minutes and seconds that a player has left: `4:07`.
    pub fn text(&self, color: Color) -> String {
        let seconds = self.left[color.index()].as_secs();
        format!("{}:{:02}", seconds / 60, seconds % 60)
    }
}
