//! Progress of long work on standard error: a bar on a terminal, else a line every 30 seconds.

use std::fmt;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressState, ProgressStyle};

use enroque::terminal::{OutputError, eprint_line, print_line, printable_lines};

/// Time between two lines if standard error is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(30);

/// Returns `true` if the terminal shows UTF-8, by the variables of the locale. Windows always does.
fn is_utf8_locale(variable: impl Fn(&str) -> Option<String>) -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|name| variable(name).filter(|value| !value.is_empty()));
    let names_utf8 = |locale: String| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    };
    cfg!(windows) || locale.is_some_and(names_utf8)
}

/// Describes the time left, with a blank before it; empty until a unit is done, as the speed is unknown.
fn time_left(is_started: bool, left: impl fmt::Display) -> String {
    if is_started { format!("  {left} left") } else { String::new() }
}

/// Progress bar of some work.
pub struct Progress {
    bar: ProgressBar,
    unit: &'static str,
    is_terminal: bool,
    start: Instant,
    /// Units done before this run.
    done_before: u64,
    last_line: Instant,
}

impl Progress {
    /// Starts a bar for `length` units of work, 0 if unknown, of which `done_before` were done by an interrupted run.
    pub fn new(length: u64, unit: &'static str, done_before: u64) -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        let template = match length {
            0 => format!("{{spinner}} {{human_pos}} {unit}  {{msg}}"),
            _ => format!("{{bar:24}} {{human_pos}}/{{human_len}} {unit}  {{msg}}{{left}}"),
        };
        let mut style =
            ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
        style = style.with_key("left", move |state: &ProgressState, out: &mut dyn fmt::Write| {
            let left = format!("{:#}", HumanDuration(state.eta()));
            let _ = out.write_str(&time_left(state.pos() > done_before, left));
        });
        if !is_utf8_locale(|name| std::env::var(name).ok()) {
            style = style.progress_chars("#>-").tick_chars("|/-\\ ");
        }
        let bar =
            if is_terminal { ProgressBar::new(length) } else { ProgressBar::hidden() }.with_style(style);
        bar.set_length(length);
        bar.set_position(done_before);
        bar.reset_eta();
        Self { bar, unit, is_terminal, start: Instant::now(), done_before, last_line: Instant::now() }
    }

    /// Sets the number of finished units and the message beside it.
    pub fn set(&mut self, done: u64, message: impl FnOnce() -> String) {
        if self.is_terminal {
            self.bar.set_message(printable_lines(&message()));
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
            let left = time_left(done > self.done_before, left);
            eprint_line(&format!("{}/{} {unit}  {message}{left}", HumanCount(done), HumanCount(length)));
        }
    }

    /// Returns the units per second of this run.
    pub fn speed(&self, done: u64) -> f64 {
        (done - self.done_before) as f64 / self.start.elapsed().as_secs_f64().max(1e-3)
    }

    /// Prints a line on standard error above the bar.
    pub fn eprint_line(&self, line: &str) {
        if self.is_terminal { self.bar.println(printable_lines(line)) } else { eprint_line(line) }
    }

    /// Prints a line of the result on standard output.
    ///
    /// # Errors
    /// Returns an error if standard output cannot be written.
    pub fn print_line(&self, line: &str) -> Result<(), OutputError> {
        self.bar.suspend(|| print_line(line))
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(not(windows))]
    #[test]
    fn locale_decides_on_utf8() {
        let is_utf8 = |set: &[(&str, &str)]| {
            is_utf8_locale(|name| set.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned()))
        };
        assert!(is_utf8(&[("LANG", "de_DE.UTF-8")]) && is_utf8(&[("LC_ALL", ""), ("LC_CTYPE", "C.utf8")]));
        assert!(!is_utf8(&[]) && !is_utf8(&[("LANG", "C")]));
        assert!(!is_utf8(&[("LC_ALL", "C"), ("LANG", "de_DE.UTF-8")]));
    }

    #[test]
    fn no_time_left_before_start() {
        assert_eq!(time_left(false, "0 seconds"), "");
        assert_eq!(time_left(true, HumanDuration(Duration::from_secs(180))), "  3 minutes left");
    }
}
