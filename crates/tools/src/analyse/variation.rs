//! Principal variation of an analysis with its score, as text and as JSON.

use std::time::Duration;

use serde::Serialize;

use enroque::chess::{Board, CastlingNotation, Color, FenStyle, Move};
use enroque::search::report::{Info, Outcome};
use enroque::search::score::{DRAW, INFINITE, Score, is_decisive, mate_in, moves_to_mate};
use enroque::search::wdl::{WinDrawLoss, normalized, win_draw_loss};
use enroque_study::judgement::site_centipawns;

/// Principal variation with its score and search statistics. Scores are for the side to move.
#[derive(Clone, Debug, Serialize)]
pub struct Variation {
    /// Rank among the lines of a position, counted from 1.
    pub multipv: usize,
    /// Depth of the search in plies.
    pub depth: i32,
    /// Maximum ply reached.
    pub seldepth: usize,
    /// Score in centipawns: 100 are an even chance to win, in games a pawn of chess sites. `None` if a mate was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cp: Option<Score>,
    /// Moves to mate, negative if the side to move is mated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// Probabilities of win, draw and loss in thousandths.
    pub wdl: [u32; 3],
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// Search time in milliseconds.
    pub time: u64,
    /// Moves in algebraic notation.
    pub san: Vec<String>,
    /// Moves in UCI notation, castling as king takes rook.
    pub uci: Vec<String>,
    /// Score of the search.
    #[serde(skip)]
    score: Score,
}

impl Variation {
    /// Creates a variation from a report of the search.
    pub fn of_info(info: &Info<'_>) -> Self {
        let figures = Figures { depth: info.depth, score: info.score, nodes: info.nodes, time: info.time };
        Self { multipv: info.multi_pv, seldepth: info.sel_depth, ..Self::new(info.board, &figures, info.pv) }
    }

    /// Creates a variation from the outcome of a search.
    pub fn of_outcome(board: &Board, outcome: &Outcome) -> Self {
        let Outcome { depth, score, nodes, time, .. } = *outcome;
        Self::new(board, &Figures { depth, score, nodes, time }, &outcome.pv)
    }

    fn new(board: &Board, figures: &Figures, pv: &[Move]) -> Self {
        let mate = moves_to_mate(figures.score);
        let WinDrawLoss { win, draw, loss } = win_draw_loss(figures.score, board);
        let (san, uci) = in_both_notations(board, pv);
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
            score: figures.score,
        }
    }

    /// Returns the variation with its score in centipawns of chess sites, unless it is a tablebase win.
    pub fn in_site_centipawns(self, board: &Board) -> Self {
        let cp = |cp| {
            if is_decisive(self.score) {
                cp
            } else {
                site_centipawns(self.score.into(), board).round() as Score
            }
        };
        Self { cp: self.cp.map(cp), ..self }
    }

    /// Creates the variation of a move played on `board`, with its score, from the best line after the move; `None` if the
    /// move ended the game.
    pub fn of_played(board: &Board, mv: Move, after: Option<&Self>) -> Self {
        let (san, uci) = in_both_notations(board, &[mv]);
        let Some(after) = after else {
            let mut end = board.clone();
            end.make_move(mv);
            let score = if end.in_check() { mate_in(1) } else { DRAW };
            let figures = Figures { depth: 1, score, nodes: 0, time: Duration::ZERO };
            return Self::new(board, &figures, &[mv]);
        };
        let [win, draw, loss] = after.wdl;
        Self {
            multipv: 1,
            depth: after.depth + 1,
            seldepth: after.seldepth + 1,
            cp: after.cp.map(|cp| -cp),
            // The played move counts for the side that mates with it.
            mate: after.mate.map(|moves| if moves > 0 { -moves } else { 1 - moves }),
            wdl: [loss, draw, win],
            nodes: after.nodes,
            time: after.time,
            san: [san, after.san.clone()].concat(),
            uci: [uci, after.uci.clone()].concat(),
            score: -after.score,
        }
    }

    /// Returns a number by which scores are ordered: quick mates, slow mates, centipawns, being mated.
    pub fn order(&self) -> i32 {
        match (self.mate, self.cp) {
            (Some(moves), _) => moves.signum() * (INFINITE - moves.abs()),
            (None, cp) => cp.unwrap_or(0),
        }
    }

    /// Creates a one-move variation for tests.
    #[cfg(test)]
    pub fn for_test(cp: Score, mate: Option<i32>, san: &str) -> Self {
        let figures = Figures { depth: 1, score: cp, nodes: 1, time: Duration::ZERO };
        let san = vec![san.to_owned()];
        let cp = if mate.is_none() { Some(cp) } else { None };
        Self { cp, mate, san, ..Self::new(&Board::startpos(), &figures, &[]) }
    }

    /// Returns the score for White as text: `+0.17`, `#5` or `#-3`.
    pub fn score_for_white(&self, side: Color) -> String {
        let sign = if side == Color::White { 1 } else { -1 };
        match (self.cp, self.mate) {
            (_, Some(moves)) => format!("#{}", sign * moves),
            (cp, None) => format!("{:+.2}", f64::from(sign * cp.unwrap_or(0)) / 100.0),
        }
    }

    /// Returns the search speed in nodes per second.
    fn speed(&self) -> f64 {
        self.nodes as f64 * 1000.0 / self.time.max(1) as f64
    }

    /// Returns the variation as a row of a table.
    pub fn row(&self, board: &Board) -> String {
        let side = board.side_to_move();
        let wdl = if side == Color::White { self.wdl } else { [self.wdl[2], self.wdl[1], self.wdl[0]] };
        let [win, draw, loss] = wdl.map(|thousandths| (f64::from(thousandths) / 10.0).round());
        let figures = format!(
            "{:>5} {:>7}  {win:>3}/{draw:>3}/{loss:>3} {:>8} {:>8} {:>7.1}",
            format!("{}/{}", self.depth, self.seldepth),
            self.score_for_white(side),
            compact(self.nodes as f64),
            compact(self.speed()),
            self.time as f64 / 1000.0,
        );
        format!("{figures}  {}", numbered(board, &self.san))
    }
}

/// Header of a table of [`Variation::row`]s. Scores and win/draw/loss are for White.
pub const HEADER: &str = "depth   score    W/  D/  L    nodes  nodes/s seconds  line";

/// Score and statistics of a search.
struct Figures {
    depth: i32,
    score: Score,
    nodes: u64,
    time: Duration,
}

/// Returns the moves of a line in algebraic and in UCI notation.
fn in_both_notations(board: &Board, pv: &[Move]) -> (Vec<String>, Vec<String>) {
    let mut board = board.clone();
    let both = |&mv: &Move| {
        let texts = (board.san(mv), board.format_move(mv, CastlingNotation::KingTakesRook));
        board.make_move(mv);
        texts
    };
    pv.iter().map(both).unzip()
}

/// Returns moves with their numbers: `12... Nf6 13. O-O`.
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

const THOUSAND: f64 = 1e3;
const MILLION: f64 = 1e6;
const BILLION: f64 = 1e9;
/// Smallest number that is abbreviated.
const MIN_ABBREVIATED: f64 = 10.0 * THOUSAND;

/// Returns a number in compact form: `950`, `12.3k`, `4.56M`.
pub fn compact(number: f64) -> String {
    match number {
        n if n < MIN_ABBREVIATED => format!("{n:.0}"),
        n if n < MILLION => format!("{:.1}k", n / THOUSAND),
        n if n < BILLION => format!("{:.2}M", n / MILLION),
        n => format!("{:.2}G", n / BILLION),
    }
}

/// Position and its lines, for JSON.
#[derive(Serialize)]
pub struct Report<'a> {
    /// Position in Shredder-FEN.
    pub fen: String,
    /// Lines of the position, best first; empty if there is no legal move.
    pub lines: &'a [Variation],
}

impl<'a> Report<'a> {
    /// Creates the report of `board`.
    pub fn new(board: &Board, lines: &'a [Variation]) -> Self {
        Self { fen: board.fen(FenStyle::Shredder), lines }
    }
}

/// Returns a value as JSON on one line.
pub fn json_line(value: &impl Serialize) -> String {
    // Serialisation fails only for types that JSON cannot represent; there are none here.
    serde_json::to_string(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use enroque::search::score::DECISIVE_RANGE;

    #[test]
    fn tablebase_wins_keep_their_score() {
        let of_site =
            |score| Variation::for_test(score, None, "e4").in_site_centipawns(&Board::startpos()).cp;
        assert_eq!(of_site(DECISIVE_RANGE), Some(DECISIVE_RANGE));
        assert_eq!(of_site(1000), Some(678));
    }
}
