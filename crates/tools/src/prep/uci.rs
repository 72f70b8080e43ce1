//! UCI engine in a child process.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::error::{PrepError, UciError};
use super::searcher::{Collector, Effort, Iteration, Line, LineScore, Searcher};
use enroque::chess::{Board, FenStyle, Move};
use enroque_runs::interrupt;

/// Time in which an engine must answer `uci` and `isready`.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);
/// Longest silence of a search.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(120);
/// Time for an engine to end by itself.
const QUIT_TIMEOUT: Duration = Duration::from_secs(1);
/// Time between two checks for Ctrl-C.
const POLL: Duration = Duration::from_millis(50);

/// UCI engine with its pipes.
pub struct UciEngine {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    name: String,
    options: Vec<String>,
    timeout: Duration,
}

impl UciEngine {
    /// Starts an engine and sets its threads and hash size in MiB.
    ///
    /// # Errors
    /// Returns an error if the program is no UCI engine with Chess960 and several lines.
    pub fn start(command: &str, threads: u64, hash: u64) -> Result<Self, UciError> {
        let mut engine = Self::launch(command, ANSWER_TIMEOUT)?;
        engine.handshake()?;
        engine.require("UCI_Chess960", "Chess960 castling needs")?;
        engine.require("MultiPV", "several candidate moves need")?;
        for (name, value) in [
            ("UCI_Chess960", "true".to_owned()),
            ("UCI_ShowWDL", "true".to_owned()),
            ("UCI_AnalyseMode", "true".to_owned()),
            ("Threads", threads.to_string()),
            ("Hash", hash.to_string()),
        ] {
            if engine.has_option(name) {
                engine.send(&format!("setoption name {name} value {value}"))?;
            }
        }
        engine.wait_ready()?;
        Ok(engine)
    }

    fn launch(command: &str, timeout: Duration) -> Result<Self, UciError> {
        // A path with spaces needs no quotation marks.
        let words = if Path::new(command).is_file() {
            vec![command.to_owned()]
        } else {
            shlex::split(command).unwrap_or_default()
        };
        let (program, arguments) =
            words.split_first().ok_or_else(|| UciError::Command(command.to_owned()))?;
        let failed = |reason| UciError::Start { command: command.to_owned(), reason };
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (input, output) = pipes.ok_or_else(|| failed(std::io::ErrorKind::BrokenPipe.into()))?;
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                let line = String::from_utf8_lossy(&line).trim().to_owned();
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Self { child, input, lines, name: program.clone(), options: Vec::new(), timeout })
    }

    fn handshake(&mut self) -> Result<(), UciError> {
        let mut name = None;
        let mut options = Vec::new();
        self.send("uci")?;
        self.read_until("uci", "uciok", self.timeout, |line| {
            if let Some(text) = line.strip_prefix("id name ") {
                name = Some(text.trim().to_owned());
            } else if let Some(text) = line.strip_prefix("option name ") {
                options.push(text.split(" type ").next().unwrap_or(text).trim().to_owned());
            }
        })?;
        self.name = name.unwrap_or_else(|| self.name.clone());
        self.options = options;
        Ok(())
    }

    fn has_option(&self, name: &str) -> bool {
        self.options.iter().any(|option| option.eq_ignore_ascii_case(name))
    }

    fn require(&self, option: &'static str, purpose: &'static str) -> Result<(), UciError> {
        if self.has_option(option) {
            return Ok(());
        }
        Err(UciError::NoOption { name: self.name.clone(), option, purpose })
    }

    fn wait_ready(&mut self) -> Result<(), UciError> {
        self.send("isready")?;
        self.read_until("isready", "readyok", self.timeout, |_| {})
    }

    fn send(&mut self, line: &str) -> Result<(), UciError> {
        let sent = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        sent.map_err(|_| UciError::Ended { name: self.name.clone(), request: line.to_owned() })
    }

    /// Passes each line to `take` until one begins with the word `last`. `limit` is the longest silence.
    fn read_until(
        &self,
        request: &str,
        last: &str,
        limit: Duration,
        mut take: impl FnMut(&str),
    ) -> Result<(), UciError> {
        let (name, request) = (self.name.clone(), request.to_owned());
        let mut last_line = Instant::now();
        loop {
            match self.lines.recv_timeout(POLL) {
                Ok(line) if line.split_whitespace().next() == Some(last) => return Ok(()),
                Ok(line) => {
                    last_line = Instant::now();
                    take(&line);
                }
                Err(RecvTimeoutError::Disconnected) if interrupt::happened() => {
                    return Err(UciError::Interrupted);
                }
                Err(RecvTimeoutError::Disconnected) => return Err(UciError::Ended { name, request }),
                Err(RecvTimeoutError::Timeout) if interrupt::happened() => return Err(UciError::Interrupted),
                Err(RecvTimeoutError::Timeout) if last_line.elapsed() > limit => {
                    return Err(UciError::Silent { name, request, limit });
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

impl Searcher for UciEngine {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self) -> Result<(), PrepError> {
        self.send("ucinewgame")?;
        Ok(self.wait_ready()?)
    }

    fn search(&mut self, board: &Board, lines: usize, effort: Effort) -> Result<Vec<Iteration>, PrepError> {
        if !board.has_legal_move() {
            return Ok(Vec::new());
        }
        let fen = board.fen(FenStyle::Shredder);
        self.send(&format!("setoption name MultiPV value {lines}"))?;
        self.send(&format!("position fen {fen}"))?;
        let time = effort.move_time.map_or_else(String::new, |time| format!(" movetime {time}"));
        let go = format!("go nodes {}{time}", effort.nodes);
        self.send(&go)?;
        let mut collector = Collector::default();
        self.read_until(&go, "bestmove", SILENCE_TIMEOUT, |line| {
            if let Some((depth, rank, line)) = parse_info(board, line) {
                collector.add(depth, rank, line);
            }
        })?;
        let iterations = collector.finish(lines);
        if iterations.is_empty() {
            return Err(UciError::NoLine { name: self.name.clone(), fen }.into());
        }
        Ok(iterations)
    }
}

impl Drop for UciEngine {
    fn drop(&mut self) {
        let _ = self.send("quit");
        let deadline = Instant::now() + QUIT_TIMEOUT;
        while Instant::now() < deadline {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(POLL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Parses an `info` line with depth, exact score and moves. The moves end before the first illegal one.
fn parse_info(board: &Board, line: &str) -> Option<(i32, usize, Line)> {
    let mut words = line.strip_prefix("info ")?.split_whitespace();
    let (mut depth, mut rank, mut score, mut wdl, mut nodes) = (None, 1, None, None, 0);
    let mut pv = Vec::new();
    while let Some(word) = words.next() {
        match word {
            "depth" => depth = words.next()?.parse().ok(),
            "multipv" => rank = words.next()?.parse().ok()?,
            "nodes" => nodes = words.next()?.parse().ok()?,
            "cp" => score = words.next()?.parse().ok().map(LineScore::Cp),
            "mate" => score = words.next()?.parse().ok().map(LineScore::Mate),
            "wdl" => {
                let shares: Vec<u32> = words.by_ref().take(3).filter_map(|word| word.parse().ok()).collect();
                wdl = shares.try_into().ok();
            }
            "lowerbound" | "upperbound" | "string" => return None,
            "pv" => pv = legal_moves(board, words.by_ref()),
            _ => {}
        }
    }
    (!pv.is_empty()).then_some(())?;
    Some((depth?, rank, Line { score: score?, wdl, pv, nodes }))
}

fn legal_moves<'a>(board: &Board, words: impl Iterator<Item = &'a str>) -> Vec<Move> {
    let mut board = board.clone();
    let mut moves = Vec::new();
    for word in words {
        let Some(mv) = board.parse_move(word) else { break };
        board.make_move(mv);
        moves.push(mv);
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_lines_are_parsed() {
        let board = Board::startpos();
        let parsed = |line| parse_info(&board, line);
        let (depth, rank, line) = parsed(
            "info depth 12 seldepth 20 multipv 2 score cp -13 wdl 10 900 90 nodes 5 nps 9 time 1 pv e2e4 e7e5 a1a9 g1f3",
        )
        .unwrap();
        assert_eq!((depth, rank, line.score, line.wdl), (12, 2, LineScore::Cp(-13), Some([10, 900, 90])));
        assert_eq!(line.pv.len(), 2);
        let (_, rank, line) = parsed("info depth 3 score mate -4 pv e2e4").unwrap();
        assert_eq!((rank, line.score, line.wdl), (1, LineScore::Mate(-4), None));
        for useless in [
            "info depth 3 score cp 4 lowerbound pv e2e4",
            "info depth 3 score cp 4",
            "info depth 3 score cp 4 pv e2e5",
            "info depth 3 pv e2e4",
            "info string depth 3 score cp 4 pv e2e4",
            "info depth",
            "bestmove e2e4",
        ] {
            assert_eq!(parsed(useless), None, "{useless}");
        }
    }

    #[test]
    fn missing_programs_are_named() {
        let start = |command| UciEngine::start(command, 1, 1).map(|_| ()).unwrap_err().to_string();
        assert!(start("/nowhere/engine").contains("cannot start '/nowhere/engine'"));
        assert!(start("").contains("expected a command line"));
        assert!(start("'open").contains("expected a command line, found ''open'"));
    }

    #[cfg(unix)]
    #[test]
    fn failing_engines_are_named() {
        let start = |script: &str| {
            let mut engine = UciEngine::launch(script, Duration::from_millis(300)).unwrap();
            engine.handshake().and_then(|()| engine.require("UCI_Chess960", "Chess960 castling needs"))
        };
        assert!(matches!(start("sh -c 'read x; exit 3'"), Err(UciError::Ended { .. })));
        assert!(matches!(start("sh -c 'sleep 3'"), Err(UciError::Silent { .. })));
        let old = start(
            "sh -c 'echo id name Old Engine; echo option name Hash type spin; echo uciok; read x; read x'",
        );
        assert_eq!(
            old.unwrap_err().to_string(),
            "Old Engine has no option UCI_Chess960, which Chess960 castling needs"
        );
    }
}
