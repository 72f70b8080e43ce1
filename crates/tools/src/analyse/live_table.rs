//! Draws the lines of a running search as a table. On a terminal the table is redrawn in place. Elsewhere it is printed
//! line by line.

use console::{Term, truncate_str};

use crate::searcher::Analysis;
use crate::searcher::limits::compact;
use enroque::chess::{Board, Color};
use enroque::search::wdl::WinDrawLoss;
use enroque::terminal::{OutputError, print_line};
use enroque_runs::wrap::{WIDTH, fit};
use enroque_study::line::{Variation, numbered};

/// We draw the table at least this many columns wide, even if the terminal reports fewer.
const MIN_TERMINAL_WIDTH: u16 = 40;

/// Header of the table whose rows [`row`] returns. Scores and win/draw/loss are for White.
const HEADER: &str = "depth   score    W/  D/  L    nodes  nodes/s seconds  line";

pub struct LiveTable<'a> {
    board: &'a Board,
    /// Whether we redraw the table in place.
    in_place: bool,
    /// How many rows of the table are on the terminal now, including the header.
    rows_drawn: usize,
}

impl<'a> LiveTable<'a> {
    /// Makes a table for standard output.
    pub fn new(board: &'a Board) -> Self {
        Self { board, in_place: Term::stdout().is_term(), rows_drawn: 0 }
    }

    /// Shows the line at `place`, which is new.
    pub fn show(&mut self, analysis: &Analysis, place: usize) -> Result<(), OutputError> {
        if self.in_place {
            let (_, width) = Term::stdout().size();
            // Text in the last column would make some terminals wrap the line.
            self.draw(&analysis.lines, usize::from(width.max(MIN_TERMINAL_WIDTH)) - 1);
            return Ok(());
        }
        if self.rows_drawn == 0 {
            print_line(HEADER)?;
        }
        self.rows_drawn += 1;
        print_line(&truncate_str(&row(&analysis.lines[place], self.board), WIDTH, "…"))
    }

    /// Redraws the table in place, with its rows cut to `width` columns.
    fn draw(&mut self, lines: &[Variation], width: usize) {
        let terminal = Term::stdout();
        // We ignore drawing errors, because they should not stop the analysis.
        let _ = terminal.clear_last_lines(self.rows_drawn);
        let write = |line: &str, tail| {
            let _ = terminal.write_line(&truncate_str(line, width, tail));
        };
        write(&console::style(HEADER).bold().to_string(), "");
        for line in lines {
            write(&row(line, self.board), "…");
        }
        self.rows_drawn = lines.len() + 1;
    }

    /// Prints the final lines in full, because the rows above them are cut.
    pub fn finish(&self, analysis: &Analysis) -> Result<(), OutputError> {
        if analysis.lines.is_empty() {
            return Ok(());
        }
        let full = |line: &Variation| {
            let score = line.evaluation.own.for_white(self.board.side_to_move());
            format!("{score:>7}  {}", numbered(self.board, &line.pv))
        };
        let full = analysis.lines.iter().map(full).collect::<Vec<_>>().join("\n");
        print_line(&format!("\n{}", fit(&full)))
    }
}

/// Formats a line as a row below [`HEADER`].
fn row(line: &Variation, board: &Board) -> String {
    let side = board.side_to_move();
    let WinDrawLoss { win, draw, loss } = line.evaluation.chances;
    let [win, draw, loss] = [win, draw, loss].map(|thousandths| (f64::from(thousandths) / 10.0).round());
    let (win, loss) = if side == Color::White { (win, loss) } else { (loss, win) };
    let speed = line.nodes as f64 * 1000.0 / line.time.max(1) as f64;
    format!(
        "{:>5} {:>7}  {win:>3}/{draw:>3}/{loss:>3} {:>8} {:>8} {:>7.1}  {}",
        format!("{}/{}", line.depth, line.seldepth),
        line.evaluation.own.for_white(side),
        compact(line.nodes as f64),
        compact(speed),
        line.time as f64 / 1000.0,
        numbered(board, &line.pv)
    )
}
