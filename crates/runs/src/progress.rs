//! Shows the progress of long work on standard error: a bar on a terminal, else a line every 30 seconds.

use std::fmt;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressState, ProgressStyle};

use enroque::terminal::{OutputError, eprint_line, print_line};
use enroque::util::text::printable_lines;

/// How often we print a line if standard error is not a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(30);

/// A longer estimate is of no use to anybody, so we show none.
const MAX_LEFT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Formats the time left, with two spaces before it: `  3m left`. This run has finished `done` units in the time
/// `elapsed`, and `rest` are left. Before the first unit we don't know the speed, and the text is empty.
fn time_left(done: u64, rest: u64, elapsed: Duration) -> String {
    if done == 0 || rest == 0 {
        return String::new();
    }
    let seconds = elapsed.as_secs_f64() * rest as f64 / done as f64;
    if seconds > MAX_LEFT.as_secs_f64() {
        return String::new();
    }
    format!("  {:#} left", HumanDuration(Duration::from_secs_f64(seconds)))
}

/// Shows how many units of work, such as games, a run has finished.
pub struct Progress {
    bar: ProgressBar,
    unit: &'static str,
    start: Instant,
    /// How many units an earlier, interrupted run finished. They don't count towards the speed.
    done_before: u64,
    last_line: Instant,
}

impl Progress {
    /// Starts a bar for `length` units of work; 0 means that we don't know how many. An earlier, interrupted run has
    /// already finished `done_before` of them.
    pub fn new(length: u64, unit: &'static str, done_before: u64) -> Self {
        let template = match length {
            0 => format!("{{spinner}} {{human_pos}} {unit}  {{msg}}"),
            _ => format!("{{bar:24}} {{human_pos}}/{{human_len}} {unit}  {{msg}}{{left}}"),
        };
        let style = ProgressStyle::with_template(&template)
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .progress_chars("#>-")
            .tick_chars("|/-\\ ")
            .with_key("left", move |state: &ProgressState, out: &mut dyn fmt::Write| {
                let done = state.pos().saturating_sub(done_before);
                let rest = state.len().unwrap_or(0).saturating_sub(state.pos());
                let _ = out.write_str(&time_left(done, rest, state.elapsed()));
            });
        // The bar is hidden if standard error is not a terminal.
        let bar = ProgressBar::new(length).with_style(style).with_position(done_before);
        Self { bar, unit, start: Instant::now(), done_before, last_line: Instant::now() }
    }

    /// Sets how many units are finished; `done` includes those of an earlier, interrupted run. We call `message` only
    /// when we show it.
    pub fn set(&mut self, done: u64, message: impl FnOnce() -> String) {
        self.bar.set_position(done);
        if !self.bar.is_hidden() {
            self.bar.set_message(printable_lines(&message()));
        } else if self.last_line.elapsed() >= LINE_INTERVAL {
            self.last_line = Instant::now();
            let (goal, left) = match self.bar.length().unwrap_or(0) {
                0 => (String::new(), String::new()),
                length => {
                    let (own, rest) = (done.saturating_sub(self.done_before), length.saturating_sub(done));
                    (format!("/{}", HumanCount(length)), time_left(own, rest, self.start.elapsed()))
                }
            };
            eprint_line(&format!("{}{goal} {}  {}{left}", HumanCount(done), self.unit, message()));
        }
    }

    /// Returns the speed of this run in units per second; `done` includes the units of an earlier, interrupted run.
    pub fn speed(&self, done: u64) -> f64 {
        (done - self.done_before) as f64 / self.start.elapsed().as_secs_f64().max(1e-3)
    }

    /// Prints a line on standard error above the bar.
    pub fn eprint_line(&self, line: &str) {
        if self.bar.is_hidden() { eprint_line(line) } else { self.bar.println(printable_lines(line)) }
    }

    /// Prints a line on standard output and draws the bar again below it.
    pub fn print_line(&self, line: &str) -> Result<(), OutputError> {
        self.suspend(|| print_line(line))
    }

    /// Runs a function that may print lines, and draws the bar again below them.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Removes the bar from the terminal.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_left_follows_the_speed_so_far() {
        let minute = Duration::from_secs(60);
        assert_eq!(time_left(0, 40, minute), "");
        assert_eq!(time_left(10, 30, minute), "  3m left");
        // One puzzle in three days says nothing about the other 39.
        assert_eq!(time_left(1, 39, 3 * 24 * 60 * minute), "");
        assert_eq!(time_left(40, 0, minute), "");
    }
}
