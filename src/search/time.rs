//! Time management: a soft and a hard time limit for each move.
//!
//! After the soft limit we begin no iteration; at the hard limit we stop in the middle of one. After every iteration we
//! scale the soft limit: the clearer the choice of move, the lower the limit.

use std::sync::OnceLock;
use std::time::Duration;

use super::limits::{Clock, Limits, TimeOptions};
use super::params::parameters;
use super::score::Score;
use crate::chess::Board;
use crate::util::host::Instant;

parameters! {
    // Without `movestogo`, we expect to play this many more moves at move 1, `slope` fewer per 100 moves played, but at
    // least `min`.
    time_moves = 34, 10, 80, 3;
    time_moves_slope = 50, 0, 100, 5;
    time_moves_min = 14, 5, 60, 2;
    // How much of the increment we use, percent.
    time_increment = 90, 30, 110, 5;
    // The hard limit, percent of the soft one.
    time_hard = 600, 150, 2000, 50;
    // Factor of the soft limit that depends on the best move's share of the nodes, percent: base − slope × share.
    time_node_base = 225, 120, 350, 15;
    time_node_slope = 170, 0, 250, 15;
    // Factor of the soft limit for a best move that has stayed the same for some iterations, percent: base − slope ×
    // iterations.
    time_stability_base = 140, 80, 250, 10;
    time_stability_slope = 8, 0, 20, 1;
    // The soft limit grows by slope percent for every 10 centipawns by which the score has fallen: in this search
    // (first slope) and since our last move (second slope).
    time_score_slope = 8, 0, 24, 2;
    time_last_score_slope = 5, 0, 24, 2;
}

/// One move may use at most this much of the clock, percent.
const MAX_PERCENT: i64 = 60;
/// The last move before the time control may use at most this much of the clock, percent.
const MAX_PERCENT_LAST_MOVE: i64 = 90;
/// How much time we keep on the clock in case the machine stalls, as a multiple of the move overhead.
const RESERVE_FACTOR: i64 = 8;
/// However large the reserve is, we may use this much of the clock, percent: if the increment pays for the overhead, and
/// if it doesn't, so that the clock can only fall.
const MIN_USABLE_PERCENT: i64 = 25;
const MIN_USABLE_PERCENT_OF_FALLING_CLOCK: i64 = 5;
/// We expect at most `base` moves more, plus `slope`/2 for each piece on the board. In 200 games of double Chess960 that the
/// engine played against itself to the end, with 1,500 nodes a move, 97 % of the positions kept to that.
const LONG_GAME_BASE: i64 = 60;
const LONG_GAME_SLOPE: i64 = 5;
/// When the engine may ponder, the soft limit grows by this, percent.
const PONDER_BONUS: i64 = 20;
/// We plan for at most this many moves to the time control.
const MAX_MOVES_TO_GO: i64 = 50;
/// We clamp times to ± this, about thirty years in milliseconds, so that arithmetic with them can't overflow.
const MAX_TIME: i64 = 1_000_000_000_000;

/// After this many iterations with the same best move, the soft limit falls no further.
const MAX_STABLE_ITERATIONS: u32 = 8;
/// We clamp a fall of the score to this range before it changes the soft limit, centipawns; a rise is a negative fall.
const SCORE_FALL_RANGE: (Score, Score) = (-20, 60);
/// [`time_score_slope`] and [`time_last_score_slope`] are percent per this many centipawns.
const SCORE_FALL_UNIT: f64 = 10.0;
/// The factor for the best move's share of the nodes never falls below this.
const MIN_NODE_FACTOR: f64 = 0.3;
/// The factor for a best move that stays the same never falls below this.
const MIN_STABILITY_FACTOR: f64 = 0.5;

fn clamp_time(milliseconds: i64) -> i64 {
    milliseconds.clamp(-MAX_TIME, MAX_TIME)
}

fn expected_moves(move_number: u32) -> i64 {
    let played = i64::from(move_number) - 1;
    let expected = i64::from(time_moves()) - played * i64::from(time_moves_slope()) / 100;
    expected.max(i64::from(time_moves_min()))
}

/// Returns how many more moves we may have to play, if the game gets long.
fn moves_of_long_game(board: &Board) -> i64 {
    LONG_GAME_BASE + i64::from(board.occupied().count()) * LONG_GAME_SLOPE / 2
}

/// Returns the factor for the soft limit. It is low if the best move takes most nodes, has been best for several
/// iterations and keeps its score. `fall` and `last_fall` say how far the score fell in this search and since the last
/// move.
pub(super) fn soft_limit_scale(
    node_share: f64,
    stable_iterations: u32,
    fall: Score,
    last_fall: Score,
) -> f64 {
    let percent = |value: i32| f64::from(value) / 100.0;
    let by_nodes = percent(time_node_base()) - percent(time_node_slope()) * node_share;
    let stable_iterations = f64::from(stable_iterations.min(MAX_STABLE_ITERATIONS));
    let by_stability = percent(time_stability_base()) - percent(time_stability_slope()) * stable_iterations;
    let by_fall = |slope: i32, fall: Score| {
        percent(slope) * f64::from(fall.clamp(SCORE_FALL_RANGE.0, SCORE_FALL_RANGE.1)) / SCORE_FALL_UNIT
    };
    let by_score = 1.0 + by_fall(time_score_slope(), fall) + by_fall(time_last_score_slope(), last_fall);
    by_nodes.max(MIN_NODE_FACTOR) * by_stability.max(MIN_STABILITY_FACTOR) * by_score
}

#[derive(Clone, Debug)]
pub struct TimeManager {
    start: Instant,
    /// After this much time we begin no new iteration.
    soft: Option<Duration>,
    /// After this much time we stop the search.
    hard: Option<Duration>,
    /// Fixed time for the move (`movetime`), less the overhead.
    move_time: Option<Duration>,
    /// What [`Self::used`] returned when `move_time` began to count. If we ponder, the first check of the limits after
    /// `ponderhit` sets it.
    move_begin: OnceLock<Duration>,
    nodes_per_ms: u64,
}

impl TimeManager {
    /// Computes the limits for the side to move. `start` is when `go` arrived.
    pub fn new(limits: &Limits, options: TimeOptions, board: &Board, start: Instant) -> Self {
        let us = board.side_to_move();
        let move_begin = if limits.ponder { OnceLock::new() } else { OnceLock::from(Duration::ZERO) };
        let nodes_per_ms = options.nodes_per_ms;
        let mut manager = Self { start, soft: None, hard: None, move_time: None, move_begin, nodes_per_ms };
        let overhead = options.move_overhead.as_millis() as i64;
        let usable = |milliseconds: i64| (milliseconds - overhead).max(1);
        let millis = |milliseconds: i64| Duration::from_millis(milliseconds.max(1) as u64);

        // If a GUI sends only the other side's clock, we go by that one.
        let [own, other] = [us, !us].map(|color| limits.clocks[color]);
        let Clock { time, increment } = if own.time.is_some() { own } else { other };
        let time = time.map(clamp_time);
        let increment = clamp_time(increment.max(0));
        if time.is_some_and(|time| time <= overhead) {
            // Sending the move takes all the time left, so we play the best move so far at once.
            (manager.soft, manager.hard) = (Some(Duration::ZERO), Some(Duration::ZERO));
        } else if let Some(time) = time {
            // Some GUIs send `movestogo 0` when the time has to last for the rest of the game.
            let moves_to_go = limits.moves_to_go.filter(|&moves| moves > 0).map(i64::from);
            let moves = moves_to_go
                .map_or(expected_moves(board.fullmove_number()), |moves| moves.min(MAX_MOVES_TO_GO));
            // What each move costs besides the search, as far as the increment doesn't pay for it.
            let cost = options.measured_overhead.map_or(overhead, |measured| measured.as_millis() as i64);
            let unpaid = (cost - increment).max(0);
            let reserve = (unpaid * moves_to_go.unwrap_or(moves_of_long_game(board)))
                .max(overhead * RESERVE_FACTOR)
                .max(1);
            let min_percent =
                if unpaid == 0 { MIN_USABLE_PERCENT } else { MIN_USABLE_PERCENT_OF_FALLING_CLOCK };
            let left = usable((time - reserve).max(time * min_percent / 100));
            // If less than the reserve is left, we use less of the increment, so that the clock recovers. An increment
            // that doesn't pay for the overhead is partly gone before we search.
            let increment = increment * time.min(reserve) / reserve;
            let increment = if unpaid == 0 { increment } else { increment * increment / cost };
            let max_percent = if moves == 1 { MAX_PERCENT_LAST_MOVE } else { MAX_PERCENT };
            let max = (left * max_percent / 100).max(1);
            let soft = left / moves + increment * i64::from(time_increment()) / 100;
            let soft = (soft * (100 + if options.ponder { PONDER_BONUS } else { 0 }) / 100).min(max);
            manager.soft = Some(millis(soft));
            manager.hard = Some(millis((soft * i64::from(time_hard()) / 100).min(max)));
        }
        manager.move_time = limits.move_time.map(|time| millis(usable(clamp_time(time))));
        manager
    }

    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Returns the time since `start`, or with `nodestime` the nodes converted to time.
    fn used(&self, nodes: u64) -> Duration {
        nodes.checked_div(self.nodes_per_ms).map_or_else(|| self.elapsed(), Duration::from_millis)
    }

    /// Whether `go` came with a clock. A fixed time per move doesn't count as one.
    pub fn has_clock(&self) -> bool {
        self.soft.is_some()
    }

    /// Whether to stop at once. Must not be called while we ponder, because the first call starts a fixed move time.
    pub fn hard_limit_reached(&self, nodes: u64) -> bool {
        let (hard, move_time) = (self.hard, self.move_time);
        hard.is_some_and(|hard| self.used(nodes) >= hard)
            || move_time.is_some_and(|time| {
                let used = self.used(nodes);
                used.saturating_sub(*self.move_begin.get_or_init(|| used)) >= time
            })
    }

    /// Whether the soft limit, multiplied by `scale`, has passed; `false` without a clock.
    pub fn soft_limit_reached(&self, nodes: u64, scale: f64) -> bool {
        self.soft.is_some_and(|soft| self.used(nodes) >= soft.mul_f64(scale))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{ByColor, Color};

    fn manager(limits: &Limits, options: TimeOptions) -> TimeManager {
        TimeManager::new(limits, options, &Board::startpos(), Instant::now())
    }

    fn on_clock(time: i64, increment: i64, moves_to_go: Option<u32>) -> TimeManager {
        let clocks = ByColor([Clock { time: Some(time), increment }; 2]);
        manager(&Limits { clocks, moves_to_go, ..Limits::default() }, TimeOptions::default())
    }

    fn hard(time: i64, increment: i64, moves_to_go: Option<u32>) -> Duration {
        let manager = on_clock(time, increment, moves_to_go);
        assert!(manager.soft <= manager.hard);
        manager.hard.unwrap()
    }

    #[test]
    fn hard_limit_stays_within_clock() {
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
    fn opening_leaves_most_of_clock() {
        let mut left = 60_000;
        for _ in 0..12 {
            left -= on_clock(left, 0, None).soft.unwrap().as_millis() as i64;
        }
        assert!((38_000..44_000).contains(&left), "{left}");
    }

    #[test]
    fn fewer_moves_are_expected_later() {
        assert!(expected_moves(20) < expected_moves(1));
        assert_eq!(expected_moves(1000), i64::from(time_moves_min()));
        assert_eq!(expected_moves(u32::MAX), expected_moves(1000));
    }

    #[test]
    fn time_below_overhead_moves_at_once() {
        for time in [-500, 0, 1, 10] {
            assert_eq!(hard(time, 0, None), Duration::ZERO, "{time}");
        }
        assert!(hard(11, 0, None) > Duration::ZERO);
    }

    #[test]
    fn no_moves_to_go_means_all() {
        assert_eq!(hard(60_000, 0, Some(0)), hard(60_000, 0, None));
        assert!(hard(60_000, 0, Some(1)) > hard(60_000, 0, None));
    }

    #[test]
    fn extreme_numbers_do_not_overflow() {
        for time in [i64::MIN, i64::MAX, i64::MAX / 2] {
            for increment in [i64::MIN, i64::MAX] {
                for moves in [None, Some(0), Some(u32::MAX)] {
                    hard(time, increment, moves);
                }
            }
            manager(&Limits { move_time: Some(time), ..Limits::default() }, TimeOptions::default());
        }
    }

    #[test]
    fn increment_play_keeps_a_reserve() {
        // Increment, and the time that a move costs besides the search, milliseconds.
        for (increment, delay) in [(1, 0), (5, 3), (20, 10), (100, 50)] {
            let mut left = 100 * increment;
            let mut board = Board::startpos();
            for _ in 0..1000 {
                let mut limits = Limits::default();
                limits.clocks[Color::White] = Clock { time: Some(left), increment };
                let manager = TimeManager::new(&limits, TimeOptions::default(), &board, Instant::now());
                left += increment - delay - manager.soft.unwrap().as_millis() as i64;
                // Both sides pass, so that the next move has a higher number.
                board.make_null_move();
                board.make_null_move();
            }
            assert!(left >= 60, "+{increment}: {left} ms left");
        }
    }

    /// Returns after how many moves the flag falls without an increment, if each search takes `scale` times the soft
    /// limit and each move costs `delay` milliseconds besides.
    fn moves_until_flag(mut left: i64, delay: i64, scale: f64, options: TimeOptions) -> u32 {
        let mut board = Board::startpos();
        for played in 0..1000 {
            let mut limits = Limits::default();
            limits.clocks[Color::White] = Clock { time: Some(left), increment: 0 };
            let manager = TimeManager::new(&limits, options, &board, Instant::now());
            let used = manager.soft.unwrap().mul_f64(scale).min(manager.hard.unwrap());
            left -= used.as_millis() as i64 + delay;
            if left < 0 {
                return played;
            }
            board.make_null_move();
            board.make_null_move();
        }
        1000
    }

    #[test]
    fn flag_does_not_fall_before_a_long_game_ends() {
        let measured = |delay: u64| TimeOptions {
            measured_overhead: Some(Duration::from_millis(delay)),
            ..TimeOptions::default()
        };
        for scale in [0.7, 1.0, 1.5] {
            for (time, delay, options, moves) in [
                (3_000, 10, TimeOptions::default(), 150),
                (10_000, 10, TimeOptions::default(), 165),
                (60_000, 10, TimeOptions::default(), 185),
                (10_000, 30, measured(30), 145),
                // Here a search of a millisecond each move leaves no more.
                (1_000, 10, TimeOptions::default(), 85),
            ] {
                let flag = moves_until_flag(time, delay, scale, options);
                assert!(flag >= moves, "{time} ms, {delay} ms a move, {scale}: {flag} moves");
            }
        }
    }

    #[test]
    fn a_small_overhead_leaves_more_time_to_think() {
        let soft = |measured_overhead| {
            let limits = Limits {
                clocks: ByColor([Clock { time: Some(3_000), increment: 0 }; 2]),
                ..Limits::default()
            };
            manager(&limits, TimeOptions { measured_overhead, ..TimeOptions::default() }).soft.unwrap()
        };
        assert!(soft(Some(Duration::from_millis(1))) > soft(None).mul_f64(1.3));
        assert!(soft(Some(Duration::from_millis(20))) < soft(None));
    }

    #[test]
    fn an_increment_that_pays_for_the_overhead_needs_no_more_reserve() {
        let soft = |increment| on_clock(2_000, increment, None).soft.unwrap().as_millis();
        // (2000 − 8 × 10 − 10) / 34 + 0.9 × 20
        assert_eq!(soft(20), 56 + 18);
        assert!(soft(0) < soft(5) && soft(5) < soft(10) && soft(10) < soft(20));
    }

    #[test]
    fn unclear_choice_gets_more_time() {
        let scale = soft_limit_scale;
        let usual = scale(0.5, 3, 0, 0);
        assert!(
            scale(0.95, 3, 0, 0) < usual && scale(0.2, 3, 0, 0) > usual,
            "the best move's share of nodes"
        );
        assert!(scale(0.5, 8, 0, 0) < usual && scale(0.5, 0, 0, 0) > usual, "iterations as the best move");
        assert!(scale(0.5, 3, 40, 0) > usual && scale(0.5, 3, -40, 0) < usual, "fall of the score");
        assert!(scale(0.5, 3, 0, 40) > usual && scale(0.5, 3, 0, -40) < usual, "fall since the last move");
        assert!(scale(1.0, 8, -1000, -1000) > 0.05 && scale(0.0, 0, 1000, 1000) < 10.0);
    }

    #[test]
    fn nodes_replace_time() {
        let limits = Limits { move_time: Some(110), ..Limits::default() };
        let options = TimeOptions { nodes_per_ms: 1000, ..TimeOptions::default() };
        let manager = manager(&limits, options);
        assert!(!manager.hard_limit_reached(99_999));
        assert!(manager.hard_limit_reached(100_000));
    }

    #[test]
    fn move_time_counts_from_ponderhit() {
        let limits = Limits { move_time: Some(110), ponder: true, ..Limits::default() };
        let options = TimeOptions { nodes_per_ms: 1000, ..TimeOptions::default() };
        let manager = manager(&limits, options);
        for (nodes, is_over) in [(500_000, false), (599_999, false), (600_000, true)] {
            assert_eq!(manager.hard_limit_reached(nodes), is_over, "{nodes}");
        }
    }
}
