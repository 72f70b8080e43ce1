//! Searches with several lines, for `prep` and `puzzles`.

use std::cmp::Reverse;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;

use enroque::chess::{Board, Move};
use enroque::engine::Engine;
use enroque::search::Control;
use enroque::search::limits::Limits;
use enroque::search::report::{Info, Reporter};
use enroque::search::score::{Bound, moves_to_mate};
use enroque::search::wdl::{normalized, win_draw_loss};
use enroque_runs::interrupt;
use enroque_study::line::{numbered, san_line};

/// Limit of a search.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    pub nodes: u64,
    /// In milliseconds.
    pub move_time: Option<u64>,
}

impl Effort {
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes, move_time: None }
    }

    /// Returns a share of the effort, at least one node.
    pub fn share(self, divisor: u64) -> Self {
        Self {
            nodes: (self.nodes / divisor).max(1),
            move_time: self.move_time.map(|time| (time / divisor).max(1)),
        }
    }
}

/// Mates are worth about this much, more than any score in centipawns.
const MATE_VALUE: i32 = 100_000;

/// Principal variation with its score for the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    pub score: LineScore,
    /// Chances to win, draw and lose in thousandths.
    pub wdl: [u32; 3],
    pub pv: Vec<Move>,
    /// How many nodes had been searched when the line was reported.
    pub nodes: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineScore {
    /// Centipawns.
    Cp(i32),
    /// Moves to mate, negative if the side to move is mated.
    Mate(i32),
}

impl LineScore {
    /// Returns the score in centipawns, with mates beyond all others.
    pub fn value(self) -> i32 {
        match self {
            Self::Cp(cp) => cp,
            Self::Mate(moves) if moves > 0 => MATE_VALUE - moves,
            Self::Mate(moves) => -MATE_VALUE - moves,
        }
    }
}

/// Lines of one depth, or of two if the iteration was stopped.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// In plies, the smaller of two.
    pub depth: i32,
    /// The best first.
    pub lines: Vec<Line>,
}

#[cfg(test)]
impl Iteration {
    /// Returns an iteration with these moves of `board` and their scores.
    pub fn of_moves(board: &Board, depth: i32, nodes: u64, moves: &[(&str, i32)]) -> Self {
        let line = |&(mv, cp): &(&str, i32)| Line {
            score: LineScore::Cp(cp),
            wdl: [0; 3],
            pv: board.parse_move(mv).into_iter().collect(),
            nodes,
        };
        Self { depth, lines: moves.iter().map(line).collect() }
    }
}

/// Lines in the order in which the engine reports them.
#[derive(Default)]
struct Collector {
    /// Depths and lines; each report begins with the line of rank 1.
    reports: Vec<Vec<(i32, Line)>>,
}

impl Collector {
    /// Adds a line with its depth and its rank, counted from 1. The line of rank 1 begins a new report.
    fn add(&mut self, depth: i32, rank: usize, line: Line) {
        if rank == 1 {
            self.reports.push(Vec::new());
        }
        if let Some(report) = self.reports.last_mut().filter(|report| report.len() + 1 == rank) {
            report.push((depth, line));
        }
    }

    /// Returns the iterations with `count` lines, or the most there are.
    ///
    /// A stopped iteration reports lines of two depths, whose scores cannot be compared. We use it only if there is no
    /// other.
    fn finish(self, count: usize) -> Vec<Iteration> {
        let most = self.reports.iter().map(Vec::len).max().unwrap_or(0).min(count);
        let is_complete = |report: &Vec<(i32, Line)>| report.iter().all(|(depth, _)| *depth == report[0].0);
        let full = self.reports.into_iter().filter(|report| report.len() >= most);
        let (mut chosen, mut mixed): (Vec<_>, Vec<_>) = full.partition(is_complete);
        if chosen.is_empty() {
            chosen.extend(mixed.pop());
        }
        let iteration = |report: Vec<(i32, Line)>| {
            let depth = report.iter().map(|(depth, _)| *depth).min().unwrap_or(0);
            let mut lines: Vec<Line> = report.into_iter().map(|(_, line)| line).collect();
            lines.sort_by_key(|line| Reverse(line.score.value()));
            Iteration { depth, lines }
        };
        chosen.into_iter().map(iteration).collect()
    }
}

/// Collector shared with a running search.
struct Shared(Arc<Mutex<Collector>>);

impl Reporter for Shared {
    fn info(&mut self, info: &Info<'_>) {
        if info.bound != Bound::Exact {
            return;
        }
        let chances = win_draw_loss(info.score, info.board);
        let score = moves_to_mate(info.score)
            .map_or_else(|| LineScore::Cp(normalized(info.score, info.board)), LineScore::Mate);
        let wdl = [chances.win, chances.draw, chances.loss];
        let line = Line { score, wdl, pv: info.pv.to_vec(), nodes: info.nodes };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).add(info.depth, info.multi_pv, line);
    }
}

/// Engine that searches positions with several lines.
pub struct Searcher(Engine);

impl Searcher {
    /// Starts the engine with this many threads and a hash table of `hash` MiB.
    pub fn new(threads: u64, hash: u64) -> Result<Self> {
        let mut engine = Engine::new()?;
        for (name, value) in [("Hash", hash), ("Threads", threads)] {
            engine.set_option(name, &value.to_string())?;
        }
        engine.set_option("UCI_AnalyseMode", "true")?;
        Ok(Self(engine))
    }

    /// Returns the control that stops the search.
    pub fn control(&self) -> Arc<Control> {
        self.0.control()
    }

    /// Forgets earlier searches, so that each start has the same result alone and after others.
    pub fn new_game(&mut self) {
        self.0.new_game();
    }

    /// Searches `board` with up to `lines` lines. The result is empty without a legal move, and after Ctrl-C.
    pub fn search(&mut self, board: &Board, lines: usize, effort: Effort) -> Result<Vec<Iteration>> {
        if interrupt::happened() {
            return Ok(Vec::new());
        }
        self.0.set_option("MultiPV", &lines.to_string())?;
        self.0.set_board(board.clone());
        let collector = Arc::new(Mutex::new(Collector::default()));
        let move_time = effort.move_time.map(|time| time as i64);
        let limits = Limits { nodes: Some(effort.nodes), move_time, ..Limits::default() };
        self.0.search(limits, Box::new(Shared(collector.clone())));
        let collector = std::mem::take(&mut *collector.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(collector.finish(lines))
    }
}

/// Returns moves in algebraic notation with their numbers: `7... Nxe4 8. O-O`.
pub fn numbered_line(board: &Board, moves: &[Move]) -> String {
    numbered(board, &san_line(board, moves))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(cp: i32) -> Line {
        Line { score: LineScore::Cp(cp), wdl: [0; 3], pv: Vec::new(), nodes: 0 }
    }

    #[test]
    fn partial_iterations_are_dropped() {
        let collect = |reported: &[(i32, usize, i32)]| {
            let mut collector = Collector::default();
            reported.iter().for_each(|&(depth, rank, cp)| collector.add(depth, rank, line(cp)));
            collector.finish(2)
        };
        let depths = |iterations: &[Iteration]| iterations.iter().map(|each| each.depth).collect::<Vec<_>>();
        let shallow = [(1, 1, 5), (1, 2, 3), (2, 1, 9), (1, 2, 5), (2, 1, 8), (2, 2, 7)];
        let iterations = collect(&shallow);
        assert_eq!(depths(&iterations), [1, 2]);
        assert_eq!(iterations[1].lines, [line(8), line(7)]);
        // The search stops within depth 3: before its second line, and with the old second line.
        assert_eq!(depths(&collect(&[&shallow[..], &[(3, 1, 6)]].concat())), [1, 2]);
        assert_eq!(depths(&collect(&[&shallow[..], &[(3, 1, 6), (2, 2, 4)]].concat())), [1, 2]);
        // Lines of two depths are better than none.
        let stopped = collect(&[(2, 1, 1), (3, 1, 6), (2, 2, 9)]);
        assert_eq!(depths(&stopped), [2]);
        assert_eq!(stopped[0].lines, [line(9), line(6)]);
        assert!(collect(&[]).is_empty());
    }

    #[test]
    fn mates_order_beyond_scores() {
        let ordered = [
            LineScore::Mate(1),
            LineScore::Mate(9),
            LineScore::Cp(500),
            LineScore::Cp(-500),
            LineScore::Mate(-9),
            LineScore::Mate(-1),
        ];
        assert!(ordered.is_sorted_by_key(|score| -score.value()));
    }
}
