//! Measures what each move of a game costs on the clock besides the search: delays of GUI, network and machine.

use std::time::Duration;

use arrayvec::ArrayVec;

use crate::chess::{Board, Color};
use crate::search::limits::{Clock, Limits};

/// We look at the last moves only, because a connection or a busy machine can change during a game.
const WINDOW: usize = 16;
/// Fewer moves tell us nothing.
const MIN_SAMPLES: usize = 8;
/// What we plan for, as a part of what the last moves cost on average, percent.
const SAFETY_PERCENT: u32 = 125;
/// Clocks come in whole milliseconds, so a move may have cost this much more than it seems.
const RESOLUTION: Duration = Duration::from_millis(1);
/// A move that seems to cost more than this says nothing about the next moves; somebody has stopped the game.
const MAX_SAMPLE: Duration = Duration::from_secs(1);

/// Compares our clock in each `go` with the one before.
#[derive(Default)]
pub(super) struct OverheadMeter {
    last: Option<Turn>,
    /// What the last moves cost, oldest first.
    samples: ArrayVec<Duration, WINDOW>,
    /// Whether the user knows that moves cost more than the option says.
    is_reported: bool,
}

/// A turn on which we had to move, with our clock before it.
struct Turn {
    color: Color,
    move_number: u32,
    clock: Clock,
    is_last_before_control: bool,
}

impl OverheadMeter {
    /// Takes the clock at the beginning of a turn. `thinking_time` is how long our clock must have run in the turn before,
    /// if nothing else had taken any time.
    pub fn turn(&mut self, board: &Board, limits: &Limits, thinking_time: Option<Duration>) {
        let (color, move_number) = (board.side_to_move(), board.fullmove_number());
        let clock = limits.clocks[color];
        let turn = clock.time.map(|_| Turn {
            color,
            move_number,
            clock,
            is_last_before_control: limits.moves_to_go == Some(1),
        });
        let last = std::mem::replace(&mut self.last, turn);
        let (Some(last), Some(now), Some(thinking_time)) = (last, clock.time, thinking_time) else { return };
        let is_next = last.color == color && last.move_number.checked_add(1) == Some(move_number);
        let Some(before) = last.clock.time.filter(|_| is_next && !last.is_last_before_control) else {
            return;
        };
        let lost = before.saturating_add(last.clock.increment).saturating_sub(now);
        // If the clock has more than the increment explains, somebody has set it.
        let Ok(lost) = u64::try_from(lost) else { return };
        let sample = Duration::from_millis(lost).saturating_sub(thinking_time);
        if sample <= MAX_SAMPLE {
            if self.samples.is_full() {
                self.samples.remove(0);
            }
            self.samples.push(sample);
        }
    }

    /// Returns what the last moves cost on average; `None` until we have seen enough moves. The most expensive move doesn't
    /// count, because one stall is no rule.
    pub fn mean(&self) -> Option<Duration> {
        let worst = *self.samples.iter().max()?;
        let others = self.samples.len() as u32 - 1;
        (self.samples.len() >= MIN_SAMPLES).then(|| (self.samples.iter().sum::<Duration>() - worst) / others)
    }

    /// Returns what to plan for each move: the mean and a margin.
    pub fn measured(&self) -> Option<Duration> {
        self.mean().map(|mean| mean * SAFETY_PERCENT / 100 + RESOLUTION)
    }

    /// Returns a note for the user if moves cost more than the `allowed` milliseconds; once only.
    pub fn note(&mut self, allowed: u64) -> Option<String> {
        let cost = self.mean()?.as_millis() as u64;
        if cost <= allowed || std::mem::replace(&mut self.is_reported, true) {
            return None;
        }
        Some(format!(
            "each move costs {cost} ms of the clock besides the search; Move Overhead says {allowed} ms"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::ByColor;

    /// Plays `moves` moves on a clock without increment. Each search takes 50 ms, and the move costs `delay(number)`.
    fn play(moves: u32, delay: impl Fn(u32) -> i64) -> OverheadMeter {
        let mut meter = OverheadMeter::default();
        let mut board = Board::startpos();
        let mut left = 60_000;
        for number in 0..moves {
            let clocks = ByColor([Clock { time: Some(left), increment: 0 }; 2]);
            let thinking_time = (number > 0).then_some(Duration::from_millis(50));
            meter.turn(&board, &Limits { clocks, ..Limits::default() }, thinking_time);
            left -= 50 + delay(number);
            board.make_null_move();
            board.make_null_move();
        }
        meter
    }

    fn measured(moves: u32, delay: impl Fn(u32) -> i64) -> Option<u128> {
        play(moves, delay).measured().map(|time| time.as_millis())
    }

    #[test]
    fn a_steady_delay_is_found() {
        assert_eq!(measured(8, |_| 20), None, "too few moves");
        assert_eq!(measured(9, |_| 20), Some(26), "20 × 1.25 + 1");
        assert_eq!(measured(40, |_| 0), Some(1));
    }

    #[test]
    fn the_user_hears_once_what_moves_really_cost() {
        let mut meter = play(20, |_| 12);
        assert_eq!(meter.note(12), None, "the margin is ours, not a cost");
        assert!(meter.note(10).is_some_and(|note| note.contains("costs 12 ms")));
        assert_eq!(meter.note(10), None);
    }

    #[test]
    fn one_stall_does_not_count_and_old_moves_are_forgotten() {
        assert_eq!(measured(40, |number| if number == 30 { 900 } else { 4 }), Some(6));
        assert_eq!(measured(40, |number| if number < 20 { 200 } else { 4 }), Some(6));
        assert_eq!(measured(40, |number| if number % 2 == 0 { 40 } else { 0 }), Some(24), "19 on average");
    }

    #[test]
    fn a_clock_that_was_set_and_an_adjourned_game_do_not_count() {
        assert_eq!(measured(40, |number| if number % 3 == 0 { -10_000 } else { 8 }), Some(11));
        assert_eq!(measured(40, |number| if number % 3 == 0 { 5_000 } else { 8 }), Some(11));
    }

    #[test]
    fn a_taken_back_move_and_the_other_side_are_no_next_turn() {
        let mut meter = OverheadMeter::default();
        let mut board = Board::startpos();
        let limits =
            Limits { clocks: ByColor([Clock { time: Some(1000), increment: 0 }; 2]), ..Limits::default() };
        for _ in 0..20 {
            meter.turn(&board, &limits, Some(Duration::ZERO));
            board.make_null_move();
        }
        assert!(meter.samples.is_empty());
    }
}
