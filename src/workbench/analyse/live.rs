//! The table of an analysis while it goes on: redrawn in place on a terminal, line by line elsewhere.

use std::sync::{Arc, Mutex, PoisonError};

use ::console::{Term, truncate_str};

use super::variation::{HEAD, Variation};
use crate::chess::{Board, FenStyle, Move, startpos};
use crate::search::Control;
use crate::search::report::{Info, Outcome, Reporter};
use crate::search::score::Bound;
use crate::terminal::{OutputError, print_line};

/// How an analysis is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Not at all.
    Silent,
    /// A line for each that the search completes.
    Lines,
    /// A table that is redrawn.
    Terminal,
}

impl Style {
    /// A table that suits standard output.
    pub fn table() -> Self {
        if Term::stdout().is_term() { Self::Terminal } else { Self::Lines }
    }
}

/// What stands above a table.
pub fn title(board: &Board) -> String {
    let fen = board.fen(FenStyle::Shredder);
    match startpos::start_numbers(board) {
        Some((white, black)) => format!("{fen}  ({})", startpos::name_of(white, black)),
        None => fen,
    }
}

/// The lines so far, and how they are shown.
pub struct Live {
    board: Board,
    style: Style,
    /// By place, the newest.
    lines: Vec<Variation>,
    /// The best line of each iteration.
    iterations: Vec<Variation>,
    /// Rows of the table that stand on the terminal.
    drawn: usize,
    headed: bool,
    /// The first error of standard output, which also ends the search.
    error: Option<OutputError>,
    control: Arc<Control>,
}

impl Live {
    /// An analysis of `board` that has not begun.
    pub fn new(board: &Board, style: Style, control: Arc<Control>) -> Self {
        let (lines, iterations) = (Vec::new(), Vec::new());
        let board = board.clone();
        Self { board, style, lines, iterations, drawn: 0, headed: false, error: None, control }
    }

    /// The lines at last, best first, and the best line of each iteration. A table then shows its lines whole.
    ///
    /// # Errors
    /// When they could not be printed.
    pub fn finish(&mut self) -> Result<(Vec<Variation>, Vec<Variation>), OutputError> {
        if self.drawn > 0 {
            self.draw(None);
        }
        let found = (std::mem::take(&mut self.lines), std::mem::take(&mut self.iterations));
        self.error.take().map_or(Ok(found), Err)
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
        let place = line.multipv - 1;
        if place == 0 {
            self.iterations.push(line.clone());
        }
        self.lines.truncate(place.max(self.lines.len()));
        if place < self.lines.len() {
            self.lines[place] = line;
        } else {
            self.lines.push(line);
        }
        match self.style {
            Style::Silent => {}
            Style::Lines => {
                if !self.headed {
                    self.headed = true;
                    self.print(HEAD);
                }
                let row = self.lines[place.min(self.lines.len() - 1)].row(&self.board);
                self.print(&row);
            }
            Style::Terminal => self.draw(Some(usize::from(Term::stdout().size().1).max(40) - 1)),
        }
    }

    /// Draws the table over the last one, its lines cut to a width if there is one.
    fn draw(&mut self, width: Option<usize>) {
        let terminal = Term::stdout();
        // What a terminal refuses is not worth stopping for.
        let _ = terminal.clear_last_lines(self.drawn);
        let write = |line: &str, tail| {
            let _ = terminal.write_line(&width.map_or(line.into(), |width| truncate_str(line, width, tail)));
        };
        write(&::console::style(HEAD).bold().to_string(), "");
        for line in &self.lines {
            write(&line.row(&self.board), "…");
        }
        self.drawn = self.lines.len() + 1;
    }
}

/// A [`Live`] that the search reports to.
pub struct Shared(pub Arc<Mutex<Live>>);

impl Reporter for Shared {
    fn info(&mut self, info: &Info<'_>) {
        if info.bound == Bound::Exact {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).add(Variation::of_info(info));
        }
    }

    fn current_move(&mut self, _: &Board, _: i32, _: Move, _: usize) {}

    fn no_moves(&mut self, _: bool) {}

    fn finished(&mut self, board: &Board, outcome: &Outcome) {
        let mut live = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A search stopped in its first iteration has told nothing yet.
        if live.lines.is_empty() && outcome.best_move.is_some() {
            live.add(Variation::of_outcome(board, outcome));
        }
    }
}
