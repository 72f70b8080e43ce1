//! Progress of long work on standard error: a bar on a terminal, a line now and then elsewhere.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};

use crate::terminal::{OutputError, eprint_line, print_line};

/// Between two lines where there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(30);

/// How far some work has come.
pub struct Progress {
    bar: ProgressBar,
    unit: &'static str,
    is_terminal: bool,
    begun: Instant,
    /// Done before this run.
    earlier: u64,
    last_line: Instant,
}

impl Progress {
    /// Work of `length` units, 0 when nobody knows, of which `earlier` were done in an earlier run.
    pub fn new(length: u64, unit: &'static str, earlier: u64) -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        let template = match length {
            0 => format!("{{spinner}} {{human_pos}} {unit}  {{msg}}"),
            _ => format!("{{bar:24}} {{human_pos}}/{{human_len}} {unit}  {{msg}}  {{eta}} left"),
        };
        let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar =
            if is_terminal { ProgressBar::new(length) } else { ProgressBar::hidden() }.with_style(style);
        bar.set_length(length);
        bar.set_position(earlier);
        bar.reset_eta();
        Self { bar, unit, is_terminal, begun: Instant::now(), earlier, last_line: Instant::now() }
    }

    /// `done` units are done; `message` says more.
    pub fn set(&mut self, done: u64, message: impl FnOnce() -> String) {
        if self.is_terminal {
            self.bar.set_message(message());
            self.bar.set_position(done);
        } else if self.last_line.elapsed() >= LINE_INTERVAL {
            self.last_line = Instant::now();
            let (unit, message) = (self.unit, message());
            let length = self.bar.length().unwrap_or(0);
            if length == 0 {
                eprint_line(&format!("{} {unit}  {message}", HumanCount(done)));
                return;
            }
            let left = length.saturating_sub(done) as f64 / self.speed(done).max(1e-3);
            let left = HumanDuration(Duration::from_secs_f64(left));
            eprint_line(&format!(
                "{}/{} {unit}  {message}  {left} left",
                HumanCount(done),
                HumanCount(length)
            ));
        }
    }

    /// Units a second in this run.
    pub fn speed(&self, done: u64) -> f64 {
        (done - self.earlier) as f64 / self.begun.elapsed().as_secs_f64().max(1e-3)
    }

    /// A line that stays.
    pub fn eprint_line(&self, line: &str) {
        if self.is_terminal { self.bar.println(line) } else { eprint_line(line) }
    }

    /// A line of the result, on standard output.
    ///
    /// # Errors
    /// When standard output does not take it.
    pub fn print_line(&self, line: &str) -> Result<(), OutputError> {
        self.bar.suspend(|| print_line(line))
    }

    /// The work is done: the bar goes.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
