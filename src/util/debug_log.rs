//! Logs every line in and out with the time, for the UCI option `Debug Log File`.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// The first line of every log, by which we recognise a file as a log.
const TITLE: &str = "Enroque: lines in (>>) and out (<<); time of day in UTC, process\n";

/// Whether a line came in from the GUI or went out to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    In,
    Out,
}

static LOG: Mutex<Option<File>> = Mutex::new(None);

/// From now on, logs all lines to the end of the file `path`; `None` ends logging. Several processes may share a file.
///
/// # Errors
/// Returns an error if the file is not a log or cannot be written. The previous log then stays in use.
pub fn set(path: Option<&Path>) -> io::Result<()> {
    let log = path.map(open).transpose()?;
    *LOG.lock().unwrap_or_else(PoisonError::into_inner) = log;
    Ok(())
}

fn open(path: &Path) -> io::Result<File> {
    if path.is_file() {
        let mut start = Vec::new();
        File::open(path)?.take(TITLE.len() as u64).read_to_end(&mut start)?;
        if !start.is_empty() && start != TITLE.as_bytes() {
            let reason = "holds something else; choose another name or remove it";
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, reason));
        }
    }
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    // Otherwise opening a named pipe would wait for somebody to read it, and so would writing to a full one.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    let mut log = options.open(path).map_err(explained)?;
    if log.metadata()?.len() == 0 {
        log.write_all(TITLE.as_bytes())?;
    }
    Ok(log)
}

/// Says in words what the error of a pipe without a reader means.
fn explained(error: io::Error) -> io::Error {
    #[cfg(unix)]
    if error.raw_os_error() == Some(libc::ENXIO) {
        return io::Error::new(error.kind(), "nobody reads this pipe; start its reader first");
    }
    error
}

/// Logs one or more lines, if there is a log. If writing fails, we end the log, not the game.
pub fn record(direction: Direction, text: &str) {
    let mut log = LOG.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(file) = log.as_mut() else { return };
    let sign = if direction == Direction::In { ">>" } else { "<<" };
    let stamp = format!("{} {}", time_of_day(SystemTime::now()), std::process::id());
    let lines: String = text.lines().map(|line| format!("{stamp} {sign} {line}\n")).collect();
    // We write all lines in one call, so that they don't mix with lines from other processes.
    if file.write_all(lines.as_bytes()).is_err() {
        *log = None;
    }
}

/// Formats the time of day in UTC as `HH:MM:SS.mmm`.
fn time_of_day(time: SystemTime) -> String {
    let milliseconds = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() % 86_400_000;
    let (seconds, rest) = (milliseconds / 1000, milliseconds % 1000);
    format!("{:02}:{:02}:{:02}.{rest:03}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn time_of_day_padded() {
        let time =
            UNIX_EPOCH + Duration::from_millis(20_000 * 86_400_000 + (23 * 3600 + 5 * 60 + 9) * 1000 + 40);
        assert_eq!(time_of_day(time), "23:05:09.040");
    }
}
