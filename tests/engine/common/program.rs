//! Runs the built program as a child process, and talks to it through pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// After this time we assume that the program hangs. No test takes that long, even on a slow and busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

pub fn command() -> Command {
    Command::new(crate::PROGRAM)
}

pub fn run(arguments: &[&str]) -> Output {
    command().args(arguments).stdin(Stdio::null()).output().expect("the program runs")
}

pub fn printed(arguments: &[&str]) -> String {
    String::from_utf8(run(arguments).stdout).expect("UTF-8")
}

/// The program running as a UCI engine. A thread reads its output, so that tests can wait for it with a timeout.
pub struct Session {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Session {
    pub fn start() -> Self {
        let mut child =
            command().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
        let output = child.stdout.take().expect("piped");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let Ok(line) = line else { return };
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self { input: child.stdin.take(), child, lines }
    }

    pub fn send(&mut self, line: &str) -> &mut Self {
        self.send_bytes(format!("{line}\n").as_bytes())
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.input.as_mut().expect("open").write_all(bytes).expect("the program reads");
        self
    }

    /// Waits for a line that begins with `start`, and returns the lines up to and including it.
    pub fn until(&mut self, start: &str) -> Vec<String> {
        let deadline = Instant::now() + TIMEOUT;
        let mut lines = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => {
                    lines.push(line);
                    if lines[lines.len() - 1].starts_with(start) {
                        return lines;
                    }
                }
                Err(_) => panic!("no '{start}' after {lines:#?}"),
            }
        }
    }

    /// Waits for `time`, and returns all lines that have arrived by then.
    pub fn within(&mut self, time: Duration) -> Vec<String> {
        std::thread::sleep(time);
        self.lines.try_iter().collect()
    }

    /// Sends a line and `isready`, and returns the answers before `readyok`.
    pub fn ask(&mut self, line: &str) -> Vec<String> {
        self.send(line).send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Sends a `go` command, and returns all answers up to and including `bestmove`.
    pub fn go(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.until("bestmove")
    }

    /// Closes the program's input, waits until it exits, and returns its exit status.
    pub fn finish(mut self) -> ExitStatus {
        self.input = None;
        self.end()
    }

    /// Closes the program's input, as happens when a GUI exits.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits until the program exits by itself.
    pub fn end(&mut self) -> ExitStatus {
        let deadline = Instant::now() + TIMEOUT;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        panic!("the program does not end");
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // A failed test must not leave the program running.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the word after `key` in a line.
pub fn field<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let mut words = line.split(' ');
    words.find(|&word| word == key)?;
    words.next()
}

/// Returns the moves after `pv`, none if the line has no PV.
pub fn pv(line: &str) -> Vec<&str> {
    line.split_once(" pv ").map(|(_, pv)| pv.split(' ').collect()).unwrap_or_default()
}
