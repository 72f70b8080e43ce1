//! A line of analysis, as people and as programs read it.

use std::time::Duration;

use serde::Serialize;

use crate::chess::{Board, CastlingNotation, Color, FenStyle, Move};
use crate::search::report::{Info, Outcome};
use crate::search::score::{Score, moves_to_mate};
use crate::search::wdl::{WinDrawLoss, normalized, win_draw_loss};

/// One line: what is played, what it is worth, what that took. Scores are for the side to move.
#[derive(Clone, Debug, Serialize)]
pub struct Variation {
    /// Place among several, counted from 1.
    pub multipv: usize,
    /// Plies.
    pub depth: i32,
    /// Deepest ply reached.
    pub seldepth: usize,
    /// Centipawns, normalised: 100 are an even chance to win; none when a mate is seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cp: Option<Score>,
    /// Moves to mate, negative when being mated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// Thousandths to win, draw and lose.
    pub wdl: [u32; 3],
    /// Nodes of all threads.
    pub nodes: u64,
    /// Milliseconds.
    pub time: u64,
    /// The moves in algebraic notation.
    pub san: Vec<String>,
    /// The moves in coordinates, castling as king takes rook.
    pub uci: Vec<String>,
}

impl Variation {
    /// What the search tells.
    pub fn of_info(info: &Info<'_>) -> Self {
        let figures = Figures { depth: info.depth, score: info.score, nodes: info.nodes, time: info.time };
        Self { multipv: info.multi_pv, seldepth: info.sel_depth, ..Self::new(info.board, &figures, info.pv) }
    }

    /// What the search ended with.
    pub fn of_outcome(board: &Board, outcome: &Outcome) -> Self {
        let Outcome { depth, score, nodes, time, .. } = *outcome;
        Self::new(board, &Figures { depth, score, nodes, time }, &outcome.pv)
    }

    fn new(board: &Board, figures: &Figures, pv: &[Move]) -> Self {
        let mate = moves_to_mate(figures.score);
        let WinDrawLoss { win, draw, loss } = win_draw_loss(figures.score, board);
        let (san, uci) = in_words(board, pv);
        Self {
            multipv: 1,
            depth: figures.depth,
            seldepth: pv.len(),
            cp: if mate.is_none() { Some(normalized(figures.score, board)) } else { None },
            mate,
            wdl: [win, draw, loss],
            nodes: figures.nodes,
            time: figures.time.as_millis() as u64,
            san,
            uci,
        }
    }

    /// A line that no search found.
    #[cfg(test)]
    pub fn made_up(cp: Score, mate: Option<i32>, san: &str) -> Self {
        let figures = Figures { depth: 1, score: cp, nodes: 1, time: Duration::ZERO };
        let san = vec![san.to_owned()];
        let cp = if mate.is_none() { Some(cp) } else { None };
        Self { cp, mate, san, ..Self::new(&Board::startpos(), &figures, &[]) }
    }

    /// `+0.17`, `#5` or `#-3`, for White.
    pub fn score_for_white(&self, side: Color) -> String {
        let sign = if side == Color::White { 1 } else { -1 };
        match (self.cp, self.mate) {
            (_, Some(moves)) => format!("#{}", sign * moves),
            (cp, None) => format!("{:+.2}", f64::from(sign * cp.unwrap_or(0)) / 100.0),
        }
    }

    /// Nodes a second.
    pub fn speed(&self) -> f64 {
        self.nodes as f64 * 1000.0 / self.time.max(1) as f64
    }

    /// A row of the table.
    pub fn row(&self, board: &Board) -> String {
        let side = board.side_to_move();
        let wdl = if side == Color::White { self.wdl } else { [self.wdl[2], self.wdl[1], self.wdl[0]] };
        let [win, draw, loss] = wdl.map(|thousandths| (f64::from(thousandths) / 10.0).round());
        let figures = format!(
            "{:>5} {:>7}  {win:>3}/{draw:>3}/{loss:>3} {:>8} {:>8} {:>7.1}",
            format!("{}/{}", self.depth, self.seldepth),
            self.score_for_white(side),
            short(self.nodes as f64),
            short(self.speed()),
            self.time as f64 / 1000.0,
        );
        format!("{figures}  {}", numbered(board, &self.san))
    }
}

/// The head of the table of [`Variation::row`]s. Scores and chances are White's.
pub const HEAD: &str = "depth   score    W/  D/  L    nodes  nodes/s seconds  line";

struct Figures {
    depth: i32,
    score: Score,
    nodes: u64,
    time: Duration,
}

/// A line in algebraic notation and in coordinates.
fn in_words(board: &Board, pv: &[Move]) -> (Vec<String>, Vec<String>) {
    let mut board = board.clone();
    let both = |&mv: &Move| {
        let words = (board.san(mv), board.format_move(mv, CastlingNotation::KingTakesRook));
        board.make_move(mv);
        words
    };
    pv.iter().map(both).unzip()
}

/// Moves with their numbers: `12... Nf6 13. O-O`.
pub fn numbered(board: &Board, san: &[String]) -> String {
    let mut number = board.fullmove_number();
    let mut white = board.side_to_move() == Color::White;
    let mut words = Vec::with_capacity(san.len());
    for (index, mv) in san.iter().enumerate() {
        words.push(if white {
            format!("{number}. {mv}")
        } else if index == 0 {
            format!("{number}... {mv}")
        } else {
            mv.clone()
        });
        number += u32::from(!white);
        white = !white;
    }
    words.join(" ")
}

/// `950`, `12.3k`, `4.56M`
pub fn short(number: f64) -> String {
    match number {
        n if n < 1e4 => format!("{n:.0}"),
        n if n < 1e6 => format!("{:.1}k", n / 1e3),
        n if n < 1e9 => format!("{:.2}M", n / 1e6),
        n => format!("{:.2}G", n / 1e9),
    }
}

/// A position and its lines, for programs.
#[derive(Serialize)]
pub struct Report<'a> {
    /// The position in Shredder-FEN.
    pub fen: String,
    /// Its lines, best first; none when there is no legal move.
    pub lines: &'a [Variation],
}

impl<'a> Report<'a> {
    /// The lines of `board`.
    pub fn new(board: &Board, lines: &'a [Variation]) -> Self {
        Self { fen: board.fen(FenStyle::Shredder), lines }
    }
}
