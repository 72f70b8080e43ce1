//! A search that keeps every line which it reports, for programs that analyse.

use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use super::Engine;
use crate::chess::{Board, Move};
use crate::search::limits::Limits;
use crate::search::report::{Info, Outcome, Reporter};
use crate::search::score::{Bound, Score};
use crate::util::host::Instant;

/// A PV as the search reported it: an [`Info`] that outlives the search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Which of the MultiPV lines this is, from 1.
    pub multi_pv: usize,
    /// In plies.
    pub depth: i32,
    /// The deepest ply reached, quiescence included.
    pub sel_depth: usize,
    /// The internal score, for the side to move.
    pub score: Score,
    pub bound: Bound,
    /// Nodes searched so far, summed over all threads.
    pub nodes: u64,
    pub time: Duration,
    /// Legal from the first to the last move.
    pub pv: Vec<Move>,
}

impl From<&Info<'_>> for Line {
    fn from(info: &Info<'_>) -> Self {
        Self {
            multi_pv: info.multi_pv,
            depth: info.depth,
            sel_depth: info.sel_depth,
            score: info.score,
            bound: info.bound,
            nodes: info.nodes,
            time: info.time,
            pv: info.pv.to_vec(),
        }
    }
}

/// What [`Engine::search_lines`] found.
#[derive(Clone, Debug)]
pub struct FoundLines {
    pub outcome: Outcome,
    /// The lines of each report of the search, from the first line to the last. Usually there is one report for each
    /// iteration. If a report comes from an iteration that was stopped, some of its lines have the previous depth.
    pub iterations: Vec<Vec<Line>>,
}

struct LineSender(Option<Sender<Line>>);

impl Reporter for LineSender {
    fn info(&mut self, info: &Info<'_>) {
        if let Some(sender) = &self.0 {
            let _ = sender.send(info.into());
        }
    }

    fn finished(&mut self, _: &Board, _: &Outcome) {
        self.0 = None;
    }
}

impl Engine {
    /// Searches like [`Engine::search`], calls `watch` for each line as soon as the search reports it, and returns all
    /// lines.
    ///
    /// ```
    /// use enroque::engine::Engine;
    /// use enroque::search::limits::Limits;
    ///
    /// let mut engine = Engine::new()?;
    /// engine.set_multi_pv(3);
    /// let found = engine.search_lines(Limits::depth(4), |line| println!("{}: {}", line.depth, line.score));
    /// assert!(found.iterations.iter().map(Vec::len).eq([3; 4]));
    /// assert_eq!(found.iterations[3][0].pv[0], found.outcome.best_move.expect("a legal move"));
    /// # Ok::<(), enroque::engine::EngineError>(())
    /// ```
    pub fn search_lines(&mut self, limits: Limits, mut watch: impl FnMut(&Line)) -> FoundLines {
        let (sender, lines) = channel();
        self.go(limits, Instant::now(), Box::new(LineSender(Some(sender))));
        let mut iterations: Vec<Vec<Line>> = Vec::new();
        for line in lines {
            watch(&line);
            match iterations.last_mut() {
                Some(iteration) if line.multi_pv > 1 => iteration.push(line),
                _ => iterations.push(vec![line]),
            }
        }
        FoundLines { outcome: self.wait().unwrap_or_default(), iterations }
    }
}
