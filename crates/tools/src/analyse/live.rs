//! Live table of an analysis: redrawn in place on a terminal, printed line by line elsewhere.

use std::sync::{Arc, Mutex, PoisonError};

use ::console::{Term, truncate_str};

use super::variation::{HEADER, Variation};
use enroque::chess::{Board, FenStyle, Move, startpos};
use enroque::search::Control;
use enroque::search::report::{Info, Outcome, Reporter};
use enroque::search::score::Bound;
use enroque::terminal::{OutputError, print_line};

/// Minimum width of a terminal in columns.
const MIN_TERMINAL_WIDTH: u16 = 40;

/// Output style of an analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// No output.
    Silent,
    /// One line per report of the search.
    Lines,
    /// Table redrawn in place.
    Terminal,
}

impl Style {
    /// Returns the style of table suitable for standard output.
    pub fn for_stdout() -> Self {
        if Term::stdout().is_term() { Self::Terminal } else { Self::Lines }
    }
}

/// Returns the title of a table: the FEN, and the name of a start position.
pub fn title(board: &Board) -> String {
    let fen = board.fen(FenStyle::Shredder);
    match startpos::start_numbers(board) {
        Some((white, black)) => format!("{fen}  ({})", startpos::name_of(white, black)),
        None => fen,
    }
}

/// Result of the analysis of a position.
pub struct Analysis {
    /// Best lines of the last iteration, best first.
    pub lines: Vec<Variation>,
    /// Best line of each iteration.
    pub iterations: Vec<Variation>,
}

/// Lines reported by a running search, printed in an output style.
pub struct LiveTable {
    board: Board,
    style: Style,
    /// Latest line of each rank.
    lines: Vec<Variation>,
    iterations: Vec<Variation>,
    /// Rows drawn on the terminal, including the header.
    rows_drawn: usize,
    is_header_printed: bool,
    /// First error of standard output; it stops the search.
    error: Option<OutputError>,
    control: Arc<Control>,
}

impl LiveTable {
    /// Creates an empty table for `board`. An output error stops the search through `control`.
    pub fn new(board: &Board, style: Style, control: Arc<Control>) -> Self {
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

    /// Returns the result of the analysis. A table on a terminal is redrawn with its lines in full length.
    ///
    /// # Errors
    /// Returns the first error of standard output.
    pub fn finish(&mut self) -> Result<Analysis, OutputError> {
        if self.rows_drawn > 0 {
            self.draw(None);
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
        self.lines.truncate(rank.max(self.lines.len()));
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
                let row = self.lines[rank.min(self.lines.len() - 1)].row(&self.board);
                self.print(&row);
            }
            Style::Terminal => {
                let (_, width) = Term::stdout().size();
                // Text in the last column would make some terminals wrap the line.
                self.draw(Some(usize::from(width.max(MIN_TERMINAL_WIDTH)) - 1));
            }
        }
    }

    /// Draws the table over the previous one, its lines truncated to `width` columns.
    fn draw(&mut self, width: Option<usize>) {
        let terminal = Term::stdout();
        // Errors of drawing are ignored: they must not stop the analysis.
        let _ = terminal.clear_last_lines(self.rows_drawn);
        let write = |line: &str, tail| {
            let _ = terminal.write_line(&width.map_or(line.into(), |width| truncate_str(line, width, tail)));
        };
        write(&::console::style(HEADER).bold().to_string(), "");
        for line in &self.lines {
            write(&line.row(&self.board), "…");
        }
        self.rows_drawn = self.lines.len() + 1;
    }
}

/// Table shared with the search that fills it.
pub struct SharedTable(pub Arc<Mutex<LiveTable>>);

impl Reporter for SharedTable {
    fn info(&mut self, info: &Info<'_>) {
        if info.bound == Bound::Exact {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).add(Variation::of_info(info));
        }
    }

    fn current_move(&mut self, _: &Board, _: i32, _: Move, _: usize) {}

    fn no_moves(&mut self, _: bool) {}

    fn finished(&mut self, board: &Board, outcome: &Outcome) {
        let mut table = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A search stopped in its first iteration has not reported anything.
        if table.lines.is_empty() && outcome.best_move.is_some() {
            table.add(Variation::of_outcome(board, outcome));
        }
    }
}
