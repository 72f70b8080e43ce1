//! Lines of an analysis as rows of a table and as JSON.

use serde::Serialize;

pub use enroque_study::line::numbered;

use enroque::chess::{Board, Color, FenStyle};
use enroque_study::line::Variation;

/// Header of a table of [`row`]s. Scores and win/draw/loss are for White.
pub const HEADER: &str = "depth   score    W/  D/  L    nodes  nodes/s seconds  line";

/// Returns a variation as a row of a table.
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

/// Returns a number in compact form: `950`, `12.3k`, `4.56M`. Numbers below ten thousand are not abbreviated.
pub fn compact(number: f64) -> String {
    match number {
        n if n < 1e4 => format!("{n:.0}"),
        n if n < 1e6 => format!("{:.1}k", n / 1e3),
        n if n < 1e9 => format!("{:.2}M", n / 1e6),
        n => format!("{:.2}G", n / 1e9),
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
    pub fn new(board: &Board, lines: &'a [Variation]) -> Self {
        Self { fen: board.fen(FenStyle::Shredder), lines }
    }
}

/// Returns a value as JSON on one line.
pub fn json_line(value: &impl Serialize) -> String {
    // Serialisation fails only for types that JSON cannot represent; there are none here.
    serde_json::to_string(value).unwrap_or_default()
}

/// Returns a variation of one move, whose text need not be legal anywhere.
#[cfg(test)]
pub fn test_line(cp: i32, mate: Option<i32>, san: &str) -> Variation {
    let empty = Variation::of_outcome(&Board::startpos(), &enroque::search::report::Outcome::default());
    let (cp, score) = (if mate.is_none() { Some(cp) } else { None }, cp);
    Variation { depth: 1, nodes: 1, cp, mate, score, san: vec![san.to_owned()], ..empty }
}
