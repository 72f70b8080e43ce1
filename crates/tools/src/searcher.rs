//! Runs MultiPV searches for `prep` and `puzzles`, and returns the lines of each iteration.

use std::cmp::Reverse;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;

use enroque::chess::{Board, Move};
use enroque::engine::Engine;
use enroque::search::Control;
use enroque::search::limits::Limits;
use enroque::search::report::{Info, Reporter};
use enroque::search::score::Bound;
use enroque_runs::interrupt;
use enroque_study::line::{Variation, numbered, san_line};

/// When a search stops: at the node limit, or earlier if its time runs out.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    pub nodes: u64,
    /// In milliseconds; `None` means no time limit.
    pub move_time: Option<u64>,
}

impl Effort {
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes, move_time: None }
    }

    /// Divides both limits, but leaves at least one node and one millisecond.
    pub fn share(self, divisor: u64) -> Self {
        Self {
            nodes: (self.nodes / divisor).max(1),
            move_time: self.move_time.map(|time| (time / divisor).max(1)),
        }
    }
}

/// The MultiPV lines of one iteration. If the search stopped during the iteration, some lines are from the previous
/// depth.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// In plies; the smaller depth if the lines come from two depths.
    pub depth: i32,
    /// Best first.
    pub lines: Vec<Variation>,
}

#[cfg(test)]
use crate::analyse::test_line;

#[cfg(test)]
impl Iteration {
    /// For tests: `moves` are moves of `board` in UCI notation, each with its score in centipawns.
    pub fn of_moves(board: &Board, depth: i32, nodes: u64, moves: &[(&str, i32)]) -> Self {
        let line = |&(mv, cp): &(&str, i32)| Variation {
            nodes,
            pv: board.parse_move(mv).into_iter().collect(),
            ..test_line(cp, None, mv)
        };
        Self { depth, lines: moves.iter().map(line).collect() }
    }
}

/// Collects the lines of each iteration as the engine reports them. A line with `multipv 1` begins a new iteration.
#[derive(Default)]
struct Collector(Vec<Vec<Variation>>);

impl Collector {
    fn add(&mut self, line: Variation) {
        if line.multipv == 1 {
            self.0.push(Vec::new());
        }
        if let Some(report) = self.0.last_mut().filter(|report| report.len() + 1 == line.multipv) {
            report.push(line);
        }
    }

    /// Returns the iterations that have `count` lines or, if no iteration has that many, those with the most lines.
    ///
    /// An iteration that was stopped midway mixes lines from two depths, whose scores can't be compared. We return such
    /// an iteration only if there is no other.
    fn finish(self, count: usize) -> Vec<Iteration> {
        let most = self.0.iter().map(Vec::len).max().unwrap_or(0).min(count);
        let is_complete = |report: &Vec<Variation>| report.iter().all(|line| line.depth == report[0].depth);
        let full = self.0.into_iter().filter(|report| report.len() >= most);
        let (mut chosen, mut mixed): (Vec<_>, Vec<_>) = full.partition(is_complete);
        if chosen.is_empty() {
            chosen.extend(mixed.pop());
        }
        let iteration = |mut lines: Vec<Variation>| {
            let depth = lines.iter().map(|line| line.depth).min().unwrap_or(0);
            lines.sort_by_key(|line| Reverse(line.order()));
            Iteration { depth, lines }
        };
        chosen.into_iter().map(iteration).collect()
    }
}

struct SharedCollector(Arc<Mutex<Collector>>);

impl Reporter for SharedCollector {
    fn info(&mut self, info: &Info<'_>) {
        if info.bound == Bound::Exact {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).add(Variation::of_info(info));
        }
    }
}

/// An engine in analysis mode, for MultiPV searches.
pub struct Searcher(Engine);

impl Searcher {
    /// `hash` is in MiB.
    pub fn new(threads: u64, hash: u64) -> Result<Self> {
        let mut engine = Engine::new()?;
        for (name, value) in [("Hash", hash), ("Threads", threads)] {
            engine.set_option(name, &value.to_string())?;
        }
        engine.set_option("UCI_AnalyseMode", "true")?;
        Ok(Self(engine))
    }

    /// Returns the control through which Ctrl-C stops a running search.
    pub fn control(&self) -> Arc<Control> {
        self.0.control()
    }

    /// Clears the TT and the histories, so that the result for a start doesn't depend on the starts searched before it.
    pub fn new_game(&mut self) {
        self.0.new_game();
    }

    /// Searches with MultiPV `lines` and returns the iterations. The result is empty if `board` has no legal move, or
    /// if Ctrl-C has already been pressed.
    pub fn search(&mut self, board: &Board, lines: usize, effort: Effort) -> Result<Vec<Iteration>> {
        if interrupt::happened() {
            return Ok(Vec::new());
        }
        self.0.set_option("MultiPV", &lines.to_string())?;
        self.0.set_board(board.clone());
        let collector = Arc::new(Mutex::new(Collector::default()));
        let move_time = effort.move_time.map(|time| time as i64);
        let limits = Limits { nodes: Some(effort.nodes), move_time, ..Limits::default() };
        self.0.search(limits, Box::new(SharedCollector(collector.clone())));
        let collector = std::mem::take(&mut *collector.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(collector.finish(lines))
    }
}

/// Formats moves with their numbers: `7... Nxe4 8. O-O`.
pub fn numbered_line(board: &Board, moves: &[Move]) -> String {
    numbered(board, &san_line(board, moves))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partial_iterations_are_dropped() {
        let collect = |reported: &[(i32, usize, i32)]| {
            let mut collector = Collector::default();
            let line = |&(depth, multipv, cp)| Variation { depth, multipv, ..test_line(cp, None, "") };
            reported.iter().for_each(|reported| collector.add(line(reported)));
            collector.finish(2)
        };
        let depths = |iterations: &[Iteration]| iterations.iter().map(|each| each.depth).collect::<Vec<_>>();
        let shallow = [(1, 1, 5), (1, 2, 3), (2, 1, 9), (1, 2, 5), (2, 1, 8), (2, 2, 7)];
        let iterations = collect(&shallow);
        assert_eq!(depths(&iterations), [1, 2]);
        let scores = |iteration: &Iteration| iteration.lines.iter().map(Variation::order).collect::<Vec<_>>();
        assert_eq!(scores(&iterations[1]), [8, 7]);
        // We drop the iteration at depth 3 if the search stops before it reports the second line, or if that line is
        // still from depth 2.
        assert_eq!(depths(&collect(&[&shallow[..], &[(3, 1, 6)]].concat())), [1, 2]);
        assert_eq!(depths(&collect(&[&shallow[..], &[(3, 1, 6), (2, 2, 4)]].concat())), [1, 2]);
        // If the only iteration with two lines mixes depths 2 and 3, we keep it.
        let stopped = collect(&[(2, 1, 1), (3, 1, 6), (2, 2, 9)]);
        assert_eq!(depths(&stopped), [2]);
        assert_eq!(scores(&stopped[0]), [9, 6]);
        assert!(collect(&[]).is_empty());
    }
}
