//! Shows the progress of long work on standard error: a bar on a terminal, else a line every 30 seconds.

use std::fmt;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressState, ProgressStyle};

use enroque::terminal::{OutputError, eprint_line, print_line};
use enroque::util::text::printable_lines;

/// How often we print a line if standard error is not a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(30);

/// Formats the time left, with two spaces before it: `  3m left`. Until this run has finished its first unit, we don't
/// know its speed, and the text is empty.
fn time_left(is_started: bool, left: Duration) -> String {
    if is_started { format!("  {:#} left", HumanDuration(left)) } else { String::new() }
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
                let _ = out.write_str(&time_left(state.pos() > done_before, state.eta()));
            });
        // The bar is hidden if standard error is not a terminal.
        let bar = ProgressBar::new(length).with_style(style).with_position(done_before);
        bar.reset_eta();
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
                    (format!("/{}", HumanCount(length)), time_left(done > self.done_before, self.bar.eta()))
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
    fn no_time_left_before_start() {
        assert_eq!(time_left(false, Duration::ZERO), "");
        assert_eq!(time_left(true, Duration::from_secs(180)), "  3m left");
    }
}
