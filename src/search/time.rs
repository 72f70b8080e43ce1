//! Time management: how long to think about a move.
//!
//! Worth: shares of nodes, stability and score together +45 ± 26 in 400 games at 0.5+0.005. Over twenty expected moves,
//! which spend half of the clock on the first dozen, on clocks of nodes (`match --clock 2+0.02`): 26 moves +38 ± 25 (492
//! games), 36 moves +68 ± 20 (836), 46 no more than 36. On a real clock, where ten times the nodes stand for a move, it is
//! not seen: forty, with a hard limit of six times the soft one, −1 ± 19 (670 games at 1+0.01), +8 ± 23
//! (472 at 0.5+0.005).

use std::time::{Duration, Instant};

use super::limits::{Clock, Limits, TimeOptions};
use super::params::parameters;
use crate::chess::Color;

parameters! {
    /// Time: expected moves left when the clock does not say.
    time_moves = 40, 10, 80, 3;
    /// Time: share of the increment used, percent.
    time_increment = 75, 30, 110, 5;
    /// Time: the hard limit as a multiple of the soft one, percent.
    time_hard = 600, 150, 2000, 50;
    /// Time: factor by the best move's share of nodes, percent: base, and what the whole share takes off.
    time_node_base = 225, 120, 350, 15;
    /// Time: see [`time_node_base`].
    time_node_slope = 170, 0, 250, 15;
    /// Time: factor by the iterations that the best move has held, percent: base, and per iteration up to eight.
    time_stability_base = 140, 80, 250, 10;
    /// Time: see [`time_stability_base`].
    time_stability_slope = 8, 0, 20, 1;
    /// Time: more for every ten centipawns that the score has fallen, percent.
    time_score_slope = 8, 0, 30, 2;
}

/// No single move takes more than this share of the clock, in percent.
const HARD_SHARE: i64 = 60;
/// Milliseconds of the clock that are not planned with: so long may the machine stall.
const RESERVE: i64 = 150;
/// But of a short clock at least so much is planned with, in percent.
const MIN_SHARE: i64 = 25;
/// Percent more for each move when the opponent's time is used too.
const PONDER_BONUS: i64 = 20;

/// A time in milliseconds, cut to thirty years either way, so that arithmetic with it cannot overflow.
fn within_years(milliseconds: i64) -> i64 {
    const LONGEST: i64 = 1_000_000_000_000;
    milliseconds.clamp(-LONGEST, LONGEST)
}

/// The time budget of one search.
#[derive(Clone, Debug)]
pub struct TimeManager {
    start: Instant,
    /// After this no new iteration begins.
    soft: Option<Duration>,
    /// After this the search stops where it is.
    hard: Option<Duration>,
    nodes_per_ms: u64,
}

impl TimeManager {
    /// The budget that `limits` leave `us`, counted from `start`, when the command arrived.
    pub fn new(limits: &Limits, options: TimeOptions, us: Color, start: Instant) -> Self {
        let mut manager = Self { start, soft: None, hard: None, nodes_per_ms: options.nodes_per_ms };
        let overhead = options.move_overhead.as_millis() as i64;
        let usable = |milliseconds: i64| (milliseconds - overhead).max(1);
        let millis = |milliseconds: i64| Duration::from_millis(milliseconds.max(1) as u64);

        // An interface that tells only the other side's clock still wants an answer in time.
        let [own, other] = [us, !us].map(|color| limits.clocks[color.index()]);
        let Clock { time, increment } = if own.time.is_some() { own } else { other };
        let time = time.map(within_years);
        let increment = within_years(increment.max(0));
        if time.is_some_and(|time| time <= overhead) {
            // Sending the move takes what is left: the best move known is played at once.
            manager.soft = Some(Duration::ZERO);
            manager.hard = Some(Duration::ZERO);
        } else if let Some(time) = time {
            // A clock that lives on its increment settles near the reserve: below it, less of the increment is used.
            let left = usable((time - RESERVE).max(time * MIN_SHARE / 100));
            let increment = increment * time.clamp(0, RESERVE) / RESERVE;
            let moves =
                limits.moves_to_go.map_or(i64::from(time_moves()), |moves| i64::from(moves.clamp(1, 50)));
            let max = (left * HARD_SHARE / 100).max(1);
            // With one move to the control, all of the clock may go, but for the overhead and a reserve.
            let max = if moves == 1 { (left * 9 / 10).max(1) } else { max };
            let soft = left / moves + increment * i64::from(time_increment()) / 100;
            let soft = (soft * (100 + if options.ponder { PONDER_BONUS } else { 0 }) / 100).min(max);
            manager.soft = Some(millis(soft));
            manager.hard = Some(millis((soft * i64::from(time_hard()) / 100).min(max)));
        }
        if let Some(time) = limits.move_time {
            let time = millis(usable(within_years(time)));
            manager.hard = Some(manager.hard.map_or(time, |hard| hard.min(time)));
        }
        manager
    }

    /// Time since the command arrived.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Time used, in the unit that the limits are in: the clock's, or nodes turned into time.
    fn used(&self, nodes: u64) -> Duration {
        nodes.checked_div(self.nodes_per_ms).map_or_else(|| self.elapsed(), Duration::from_millis)
    }

    /// `true` when a clock is running, rather than a fixed time or none.
    pub fn is_limited(&self) -> bool {
        self.soft.is_some()
    }

    /// `true` when the search must stop at once.
    pub fn hard_limit_reached(&self, nodes: u64) -> bool {
        self.hard.is_some_and(|hard| self.used(nodes) >= hard)
    }

    /// `true` when no new iteration should begin; `scale` stretches or shrinks the soft limit.
    pub fn soft_limit_reached(&self, nodes: u64, scale: f64) -> bool {
        self.soft.is_some_and(|soft| self.used(nodes) >= soft.mul_f64(scale))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hard(time: i64, increment: i64, moves_to_go: Option<u32>) -> Duration {
        let mut limits = Limits { moves_to_go, ..Limits::default() };
        limits.clocks[0] = Clock { time: Some(time), increment };
        let manager = TimeManager::new(&limits, TimeOptions::default(), Color::White, Instant::now());
        assert!(manager.soft <= manager.hard);
        manager.hard.unwrap()
    }

    #[test]
    fn no_clock_is_ever_overdrawn() {
        for time in [-500, 0, 1, 9, 11, 50, 100, 1000, 60_000, 7_200_000] {
            for increment in [0, 1, 100, 10_000, 60_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(400)] {
                    let hard = hard(time, increment, moves);
                    let limit = Duration::from_millis((time - 10).max(1) as u64);
                    assert!(hard <= limit, "{time}+{increment}/{moves:?}: {hard:?}");
                }
            }
        }
    }

    #[test]
    fn the_first_dozen_moves_leave_most_of_the_clock() {
        let mut left = 60_000;
        for _ in 0..12 {
            let mut limits = Limits::default();
            limits.clocks[0] = Clock { time: Some(left), increment: 0 };
            let manager = TimeManager::new(&limits, TimeOptions::default(), Color::White, Instant::now());
            left -= manager.soft.unwrap().as_millis() as i64;
        }
        assert!((42_000..48_000).contains(&left), "{left}");
    }

    #[test]
    fn with_less_than_the_overhead_left_nothing_is_thought_over() {
        for time in [-500, 0, 1, 10] {
            assert_eq!(hard(time, 0, None), Duration::ZERO, "{time}");
        }
        assert!(hard(11, 0, None) > Duration::ZERO);
    }

    #[test]
    fn no_number_that_a_user_can_give_is_too_large() {
        for time in [i64::MIN, i64::MAX, i64::MAX / 2] {
            for increment in [i64::MIN, i64::MAX] {
                for moves in [None, Some(0), Some(u32::MAX)] {
                    hard(time, increment, moves);
                }
            }
            let limits = Limits { move_time: Some(time), ..Limits::default() };
            TimeManager::new(&limits, TimeOptions::default(), Color::White, Instant::now());
        }
    }

    #[test]
    fn a_clock_that_lives_on_its_increment_outlasts_a_stall() {
        // What sending and receiving takes of each increment.
        for (increment, delay) in [(1, 0), (5, 3), (20, 10), (100, 50)] {
            let mut left = 100 * increment;
            for _ in 0..1000 {
                let mut limits = Limits::default();
                limits.clocks[0] = Clock { time: Some(left), increment };
                let manager = TimeManager::new(&limits, TimeOptions::default(), Color::White, Instant::now());
                left += increment - delay - manager.soft.unwrap().as_millis() as i64;
            }
            assert!(left >= 100, "+{increment}: {left} ms left");
        }
    }

    #[test]
    fn nodes_can_stand_for_time() {
        let limits = Limits { move_time: Some(110), ..Limits::default() };
        let options = TimeOptions { nodes_per_ms: 1000, ..TimeOptions::default() };
        let manager = TimeManager::new(&limits, options, Color::White, Instant::now());
        assert!(!manager.hard_limit_reached(99_999));
        assert!(manager.hard_limit_reached(100_000));
    }
}
