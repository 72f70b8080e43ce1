//! The engine of the tools: every command that searches does so through a [`Searcher`].

pub mod limits;

use std::cmp::Reverse;
use std::sync::Arc;

use anyhow::{Result, anyhow};

use enroque::chess::Board;
use enroque::engine::Engine;
use enroque::engine::lines::{FoundLines, Line};
use enroque::engine::options::MAX_HASH;
use enroque::search::Control;
use enroque::search::limits::Limits;
use enroque::search::score::Bound;
use enroque_runs::interrupt;
use enroque_study::line::Variation;

/// Parses the argument of `--hash`, in MiB.
pub fn parse_hash(text: &str) -> Result<usize, String> {
    let hash = text.parse().ok().filter(|hash| (1..=MAX_HASH).contains(hash));
    hash.ok_or_else(|| format!("expected a size in MiB from 1 to {MAX_HASH}"))
}

pub struct Settings<'a> {
    /// Size of the transposition table in MiB.
    pub hash: usize,
    pub threads: usize,
    /// How many lines a search reports.
    pub multi_pv: usize,
    /// Folders with tablebases, separated as in `PATH`.
    pub syzygy: Option<&'a str>,
}

/// An engine in analysis mode.
pub struct Searcher {
    engine: Engine,
    /// How many lines [`Self::analyse`] reports.
    multi_pv: usize,
    tablebases: Option<String>,
}

impl Searcher {
    pub fn new(settings: &Settings<'_>) -> Result<Self> {
        let mut engine = Engine::new()?;
        engine.set_hash(settings.hash)?;
        engine.set_threads(settings.threads)?;
        engine.set_analyse_mode(true);
        let tablebases = settings.syzygy.map(|folders| engine.set_tablebases(folders)).transpose()?.flatten();
        Ok(Self { engine, multi_pv: settings.multi_pv, tablebases })
    }

    /// Returns `count` searchers, which search different positions at the same time.
    pub fn several(count: usize, settings: &Settings<'_>) -> Result<Vec<Self>> {
        let start = |number| {
            let advice = "use fewer --threads or a smaller --hash";
            Self::new(settings).map_err(|error| {
                anyhow!("can run {number} searches at a time, not {count} ({error}); {advice}")
            })
        };
        (0..count).map(start).collect()
    }

    /// Returns a note for the user that says which tablebases were found; `None` if we looked for none.
    pub fn tablebases(&self) -> Option<&str> {
        self.tablebases.as_deref()
    }

    /// Returns the control through which Ctrl-C stops a running search.
    pub fn control(&self) -> Arc<Control> {
        self.engine.control()
    }

    /// Clears the TT and the histories, so that the next result doesn't depend on earlier searches.
    pub fn new_game(&mut self) {
        self.engine.new_game();
    }

    /// Searches a position and returns all lines that the search reports.
    pub fn lines(&mut self, board: &Board, limits: Limits) -> FoundLines {
        self.engine.set_board(board.clone());
        self.engine.search_lines(limits, |_| {})
    }

    /// Searches a position with an empty TT. Calls `watch` each time the search reports a line, with all that it found
    /// so far and the line's place in [`Analysis::lines`].
    pub fn analyse(
        &mut self,
        board: &Board,
        limits: Limits,
        mut watch: impl FnMut(&Analysis, usize),
    ) -> Analysis {
        self.new_game();
        self.engine.set_multi_pv(self.multi_pv);
        self.engine.set_board(board.clone());
        let mut analysis = Analysis::default();
        let found = self.engine.search_lines(limits, |line| {
            if line.bound == Bound::Exact {
                let place = analysis.add(Variation::of_line(board, line));
                watch(&analysis, place);
            }
        });
        // A search that stopped in its first iteration hasn't reported any line, so we make one from its best move.
        if analysis.lines.is_empty() && found.outcome.best_move.is_some() {
            let place = analysis.add(Variation::of_outcome(board, &found.outcome));
            watch(&analysis, place);
        }
        analysis
    }

    /// Searches a position with an empty TT for `count` lines, and returns those that were last complete at the same
    /// depth, best first. The result is empty if there is no legal move, and has fewer lines if there are fewer moves or
    /// if the search was too short.
    pub fn equal_lines(&mut self, board: &Board, count: usize, limits: Limits) -> Vec<Variation> {
        self.new_game();
        self.engine.set_multi_pv(count);
        let found = self.lines(board, limits);
        let is_complete = |lines: &&Vec<Line>| {
            let is_equal = |line: &Line| line.bound == Bound::Exact && line.depth == lines[0].depth;
            lines.len() >= count && lines.iter().all(is_equal)
        };
        let lines = found.iterations.iter().rev().find(is_complete);
        let lines =
            lines.into_iter().flatten().map(|line| Variation::of_line(board, line)).collect::<Vec<_>>();
        if lines.is_empty() && found.outcome.best_move.is_some() {
            return vec![Variation::of_outcome(board, &found.outcome)];
        }
        lines
    }

    /// Searches with MultiPV `lines` and returns the iterations that can be compared with each other. The result is
    /// empty if `board` has no legal move, or if Ctrl-C has already been pressed.
    pub fn search(&mut self, board: &Board, lines: usize, limits: Limits) -> Result<Vec<Iteration>> {
        if interrupt::happened() {
            return Ok(Vec::new());
        }
        self.engine.set_multi_pv(lines);
        let found = self.lines(board, limits);
        let variations =
            |report: &Vec<Line>| unbroken(report).map(|line| Variation::of_line(board, line)).collect();
        Ok(comparable(found.iterations.iter().map(variations).collect(), lines))
    }
}

/// What a search found.
#[derive(Default)]
pub struct Analysis {
    /// The lines reported last, best first.
    pub lines: Vec<Variation>,
    /// The best line of each iteration.
    pub iterations: Vec<Variation>,
}

impl Analysis {
    /// Puts a line in place of the earlier one with the same MultiPV number, if any. Returns its index in `lines`.
    fn add(&mut self, line: Variation) -> usize {
        let rank = line.multipv - 1;
        if rank == 0 {
            self.iterations.push(line.clone());
        }
        if rank < self.lines.len() {
            self.lines[rank] = line;
        } else {
            self.lines.push(line);
        }
        rank.min(self.lines.len() - 1)
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
impl Iteration {
    /// For tests: `moves` are moves of `board` in UCI notation, each with its score in centipawns.
    pub fn of_moves(board: &Board, depth: i32, nodes: u64, moves: &[(&str, i32)]) -> Self {
        let line = |&(mv, cp): &(&str, i32)| Variation {
            nodes,
            pv: board.parse_move(mv).into_iter().collect(),
            ..test_line(board, Shown::Centipawns(cp), None)
        };
        Self { depth, lines: moves.iter().map(line).collect() }
    }
}

/// Returns the lines of a report up to the first one that has only a bound.
fn unbroken(report: &[Line]) -> impl Iterator<Item = &Line> {
    let is_next = |&(index, line): &(usize, &Line)| line.bound == Bound::Exact && line.multi_pv == index + 1;
    report.iter().enumerate().take_while(is_next).map(|(_, line)| line)
}

/// Returns the iterations that have `count` lines or, if no iteration has that many, those with the most lines.
///
/// An iteration that was stopped midway mixes lines from two depths, whose scores can't be compared. We return such an
/// iteration only if there is no other.
fn comparable(iterations: Vec<Vec<Variation>>, count: usize) -> Vec<Iteration> {
    let most = iterations.iter().map(Vec::len).max().unwrap_or(0).min(count);
    let is_complete = |lines: &Vec<Variation>| lines.iter().all(|line| line.depth == lines[0].depth);
    let full = iterations.into_iter().filter(|lines| !lines.is_empty() && lines.len() >= most);
    let (mut chosen, mut mixed): (Vec<_>, Vec<_>) = full.partition(is_complete);
    if chosen.is_empty() {
        chosen.extend(mixed.pop());
    }
    let iteration = |mut lines: Vec<Variation>| {
        let depth = lines.iter().map(|line| line.depth).min().unwrap_or(0);
        lines.sort_by_key(|line| Reverse(line.evaluation.own.order()));
        Iteration { depth, lines }
    };
    chosen.into_iter().map(iteration).collect()
}

#[cfg(test)]
use enroque_study::evaluation::{Evaluation, Shown};

/// For tests: a variation with this score on both scales. `san` is its only move, if there is one.
#[cfg(test)]
pub fn test_line(board: &Board, shown: Shown, san: Option<&str>) -> Variation {
    let line = Variation::of_outcome(board, &enroque::search::report::Outcome::default());
    let evaluation = Evaluation { own: shown, site: shown, ..line.evaluation };
    let pv = san.map(|san| board.parse_san(san).unwrap()).into_iter().collect();
    Variation { depth: 1, nodes: 1, evaluation, pv, ..line }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partial_iterations_are_dropped() {
        let board = Board::startpos();
        let collect = |reports: &[&[(i32, i32)]]| {
            let line = |&(depth, cp): &(i32, i32)| Variation {
                depth,
                ..test_line(&board, Shown::Centipawns(cp), None)
            };
            comparable(reports.iter().map(|report| report.iter().map(line).collect()).collect(), 2)
        };
        let depths = |iterations: &[Iteration]| iterations.iter().map(|each| each.depth).collect::<Vec<_>>();
        let shallow = [&[(1, 5), (1, 3)][..], &[(2, 9), (1, 5)], &[(2, 8), (2, 7)]];
        let iterations = collect(&shallow);
        assert_eq!(depths(&iterations), [1, 2]);
        let scores = |iteration: &Iteration| {
            iteration.lines.iter().map(|line| line.evaluation.own.order()).collect::<Vec<_>>()
        };
        assert_eq!(scores(&iterations[1]), [8, 7]);
        // We drop the iteration at depth 3 if the search stops before it reports the second line, or if that line is
        // still from depth 2.
        assert_eq!(depths(&collect(&[&shallow[..], &[&[(3, 6)]]].concat())), [1, 2]);
        assert_eq!(depths(&collect(&[&shallow[..], &[&[(3, 6), (2, 4)]]].concat())), [1, 2]);
        // If the only iteration with two lines mixes depths 2 and 3, we keep it.
        let stopped = collect(&[&[(2, 1)], &[(3, 6), (2, 9)]]);
        assert_eq!(depths(&stopped), [2]);
        assert_eq!(scores(&stopped[0]), [9, 6]);
        assert!(collect(&[]).is_empty());
    }

    #[test]
    fn bounds_end_a_report() {
        let board = Board::startpos();
        let line = |multi_pv, bound| Line {
            multi_pv,
            depth: 1,
            sel_depth: 1,
            score: 0,
            bound,
            nodes: 1,
            time: std::time::Duration::ZERO,
            pv: board.legal_moves().into_iter().take(1).collect(),
        };
        let count = |bounds: &[Bound]| {
            let report: Vec<Line> = (1..).zip(bounds).map(|(rank, &bound)| line(rank, bound)).collect();
            unbroken(&report).count()
        };
        let (exact, lower) = (Bound::Exact, Bound::Lower);
        assert_eq!(
            [count(&[exact, exact]), count(&[exact, lower, exact]), count(&[lower, exact])],
            [2, 1, 0]
        );
    }
}
