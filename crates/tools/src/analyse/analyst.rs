//! Runs the engine for `analyse`: on one position with a live table, or on many positions in parallel. Also formats
//! principal variations for tables and JSON.
//!
//! On a terminal the table is redrawn in place. Elsewhere it is printed line by line.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use console::{Term, truncate_str};
use serde::Serialize;

use super::arguments::Arguments;
use crate::text::{WIDTH, fit};
use enroque::chess::{Board, Color, FenStyle};
use enroque::engine::Engine;
use enroque::search::Control;
use enroque::search::limits::Limits;
use enroque::search::report::{Info, Outcome, Reporter};
use enroque::search::score::Bound;
use enroque::terminal::{OutputError, eprint_line, print_line};
use enroque_runs::interrupt;
use enroque_runs::parallel::in_order;
use enroque_study::line::Variation;

pub use enroque_study::line::numbered;

/// We draw the live table at least this many columns wide, even if the terminal reports fewer.
const MIN_TERMINAL_WIDTH: u16 = 40;

pub struct Analyst {
    engine: Engine,
}

impl Analyst {
    /// `hash` is in MiB. If `reports_tablebases` is set, we say on standard error which tablebases were found.
    pub fn new(arguments: &Arguments, threads: usize, hash: usize, reports_tablebases: bool) -> Result<Self> {
        let mut engine = Engine::new()?;
        let options = [
            ("Hash", hash.to_string()),
            ("Threads", threads.to_string()),
            ("MultiPV", arguments.multipv.to_string()),
            ("UCI_AnalyseMode", "true".to_owned()),
        ];
        for (name, value) in options {
            engine.set_option(name, &value)?;
        }
        if let Some(folders) = &arguments.syzygy
            && let Some(message) = engine.set_option("SyzygyPath", folders)?
            && reports_tablebases
        {
            eprint_line(&message);
        }
        Ok(Self { engine })
    }

    /// Returns the handle with which the Ctrl-C handler stops a running search.
    pub fn control(&self) -> Arc<Control> {
        self.engine.control()
    }

    /// Searches a position with an empty TT, and prints what it finds in the given style.
    pub fn analyse(&mut self, board: &Board, style: Style, limits: Limits) -> Result<Analysis, OutputError> {
        self.engine.new_game();
        let table = Arc::new(Mutex::new(LiveTable::new(board, style, self.engine.control())));
        self.engine.set_board(board.clone());
        self.engine.search(limits, Box::new(SharedTable(table.clone())));
        let mut table = table.lock().unwrap_or_else(PoisonError::into_inner);
        table.finish()
    }

    /// Returns the best line, with its score on the centipawn scale of chess sites; `None` if there is no legal move.
    pub fn best_line(&mut self, board: &Board, limits: Limits) -> Result<Option<Variation>, OutputError> {
        let line = self.analyse(board, Style::Silent, limits)?.lines.into_iter().next();
        Ok(line.map(|line| line.in_site_centipawns(board)))
    }
}

/// Runs `search` on every job, with one thread per analyst, and passes the results to `take` in the order of the jobs.
/// Ctrl-C ends the work early.
pub fn search_in_order<J: Send, R: Send>(
    analysts: &mut [Analyst],
    jobs: impl Iterator<Item = J> + Send,
    search: impl Fn(&mut Analyst, J) -> Result<R, OutputError> + Sync,
    mut take: impl FnMut(R) -> Result<()>,
) -> Result<()> {
    let work = |analyst: &mut Analyst, job: J| {
        let result = search(analyst, job);
        (!interrupt::happened()).then_some(result)
    };
    in_order(analysts, jobs, work, |result| {
        take(result?)?;
        Ok(ControlFlow::Continue(()))
    })
}

/// How to print an analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    Silent,
    /// Prints each principal variation on a line of its own, as soon as the search reports it.
    Lines,
    /// Shows the principal variations in a table that we redraw in place.
    Terminal,
}

impl Style {
    /// Returns the style for standard output, which redraws the table only on a terminal.
    pub fn for_stdout() -> Self {
        if Term::stdout().is_term() { Self::Terminal } else { Self::Lines }
    }
}

pub struct Analysis {
    /// The principal variations of the last iteration, best first.
    pub lines: Vec<Variation>,
    /// The best principal variation of each iteration.
    pub iterations: Vec<Variation>,
}

/// Collects the principal variations of a running search, and prints them as `style` says.
struct LiveTable {
    board: Board,
    style: Style,
    /// The principal variation last reported for each MultiPV number, in that order.
    lines: Vec<Variation>,
    iterations: Vec<Variation>,
    /// How many rows of the table are on the terminal now, including the header.
    rows_drawn: usize,
    is_header_printed: bool,
    /// The first error in writing to standard output. When it occurs, we stop the search through `control`.
    error: Option<OutputError>,
    control: Arc<Control>,
}

impl LiveTable {
    fn new(board: &Board, style: Style, control: Arc<Control>) -> Self {
        Self {
            board: board.clone(),
            style,
            lines: Vec::new(),
            iterations: Vec::new(),
            rows_drawn: 0,
            is_header_printed: false,
            error: None,
            control,
        }
    }

    /// Prints the final principal variations in full (the rows above them are cut), and returns the analysis.
    fn finish(&mut self) -> Result<Analysis, OutputError> {
        if self.style != Style::Silent && !self.lines.is_empty() {
            let side = self.board.side_to_move();
            let full = |line: &Variation| {
                format!("{:>7}  {}", line.score_for_white(side), numbered(&self.board, &line.san))
            };
            let full = self.lines.iter().map(full).collect::<Vec<_>>().join("\n");
            self.print(&format!("\n{}", fit(&full)));
        }
        let lines = std::mem::take(&mut self.lines);
        let iterations = std::mem::take(&mut self.iterations);
        self.error.take().map_or(Ok(Analysis { lines, iterations }), Err)
    }

    fn print(&mut self, text: &str) {
        if self.error.is_none()
            && let Err(error) = print_line(text)
        {
            self.error = Some(error);
            self.control.stop();
        }
    }

    fn add(&mut self, line: Variation) {
        let rank = line.multipv - 1;
        if rank == 0 {
            self.iterations.push(line.clone());
        }
        if rank < self.lines.len() {
            self.lines[rank] = line;
        } else {
            self.lines.push(line);
        }
        match self.style {
            Style::Silent => {}
            Style::Lines => {
                if !self.is_header_printed {
                    self.is_header_printed = true;
                    self.print(HEADER);
                }
                let row = row(&self.lines[rank.min(self.lines.len() - 1)], &self.board);
                self.print(&truncate_str(&row, WIDTH, "…"));
            }
            Style::Terminal => {
                let (_, width) = Term::stdout().size();
                // Text in the last column would make some terminals wrap the line.
                self.draw(usize::from(width.max(MIN_TERMINAL_WIDTH)) - 1);
            }
        }
    }

    /// Redraws the table in place, with its rows cut to `width` columns.
    fn draw(&mut self, width: usize) {
        let terminal = Term::stdout();
        // We ignore drawing errors, because they should not stop the analysis.
        let _ = terminal.clear_last_lines(self.rows_drawn);
        let write = |line: &str, tail| {
            let _ = terminal.write_line(&truncate_str(line, width, tail));
        };
        write(&console::style(HEADER).bold().to_string(), "");
        for line in &self.lines {
            write(&row(line, &self.board), "…");
        }
        self.rows_drawn = self.lines.len() + 1;
    }
}

struct SharedTable(Arc<Mutex<LiveTable>>);

impl Reporter for SharedTable {
    fn info(&mut self, info: &Info<'_>) {
        if info.bound == Bound::Exact {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).add(Variation::of_info(info));
        }
    }

    fn finished(&mut self, board: &Board, outcome: &Outcome) {
        let mut table = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A search that stopped in its first iteration hasn't reported any line, so we make one from its best move.
        if table.lines.is_empty() && outcome.best_move.is_some() {
            table.add(Variation::of_outcome(board, outcome));
        }
    }
}

/// Header of the table whose rows [`row`] returns. Scores and win/draw/loss are for White.
pub const HEADER: &str = "depth   score    W/  D/  L    nodes  nodes/s seconds  line";

/// Formats a principal variation as a row below [`HEADER`].
pub fn row(line: &Variation, board: &Board) -> String {
    let side = board.side_to_move();
    let [win, draw, loss] = line.wdl.map(|thousandths| (f64::from(thousandths) / 10.0).round());
    let (win, loss) = if side == Color::White { (win, loss) } else { (loss, win) };
    let speed = line.nodes as f64 * 1000.0 / line.time.max(1) as f64;
    format!(
        "{:>5} {:>7}  {win:>3}/{draw:>3}/{loss:>3} {:>8} {:>8} {:>7.1}  {}",
        format!("{}/{}", line.depth, line.seldepth),
        line.score_for_white(side),
        compact(line.nodes as f64),
        compact(speed),
        line.time as f64 / 1000.0,
        numbered(board, &line.san)
    )
}

/// Formats a number compactly: `950`, `12.3k`, `4.56M`. Numbers below ten thousand are not abbreviated.
pub fn compact(number: f64) -> String {
    match number {
        n if n < 1e4 => format!("{n:.0}"),
        n if n < 1e6 => format!("{:.1}k", n / 1e3),
        n if n < 1e9 => format!("{:.2}M", n / 1e6),
        n => format!("{:.2}G", n / 1e9),
    }
}

/// A position and its principal variations, as `--json` prints them.
#[derive(Serialize)]
pub struct Report<'a> {
    /// In X-FEN.
    pub fen: String,
    /// Best first; empty if there is no legal move.
    pub lines: &'a [Variation],
}

impl<'a> Report<'a> {
    pub fn new(board: &Board, lines: &'a [Variation]) -> Self {
        Self { fen: board.fen(FenStyle::XFen), lines }
    }
}

pub fn json_line(value: &impl Serialize) -> String {
    // Serialising fails only for types that JSON cannot represent, and our reports contain none.
    serde_json::to_string(value).unwrap_or_default()
}

/// Makes a variation of one move for tests. `san` need not be a legal move.
#[cfg(test)]
pub fn test_line(cp: i32, mate: Option<i32>, san: &str) -> Variation {
    let empty = Variation::of_outcome(&Board::startpos(), &enroque::search::report::Outcome::default());
    let (cp, score) = (if mate.is_none() { Some(cp) } else { None }, cp);
    Variation { depth: 1, nodes: 1, cp, mate, score, san: vec![san.to_owned()], ..empty }
}
