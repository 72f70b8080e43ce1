//! Difficulty of a start position: several searches with many lines, each begun in another way.

use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::record::{Difficulty, Record};
use super::results::{self, SweepRow};
use super::samples::Samples;
use crate::analyse::variation::numbered;
use enroque::chess::position::back_ranks_text;
use enroque::chess::startpos::{self, opening};
use enroque::chess::{Board, Color, FenStyle, Move};
use enroque::engine::{Engine, EngineError};
use enroque::search::limits::Limits;
use enroque::search::report::{Info, Reporter};
use enroque::search::wdl::{normalized, win_draw_loss};
use enroque::util::mean;
use enroque::util::random::Random;
use enroque_runs::interrupt;

/// Centipawns by which a good move may be worse than the best.
pub const GOOD_MARGIN: i32 = 20;
/// Centipawns within which a settled score stays around the final one.
pub const SETTLED_MARGIN: i32 = 10;
/// Part of the nodes that a search with another beginning spends on that beginning.
const WARM_UP_DIVISOR: u64 = 16;
/// Nodes of the beginning if the searches have no node limit.
const WARM_UP_NODES: u64 = 10_000;
/// Random plies before the beginning, one of each side.
const WARM_UP_PLIES: u64 = 2;

/// Difficulty of one start position. Samples have one value for each search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Number in the set.
    pub number: u64,
    /// Chess960 number of White's pieces.
    pub white: u32,
    /// Chess960 number of Black's pieces.
    pub black: u32,
    /// Letters of White's back rank and, if it differs, Black's.
    pub pieces: String,
    /// Shredder-FEN.
    pub fen: String,
    /// Depth of the last complete iteration in plies.
    pub depth: Samples,
    /// Score for White in centipawns.
    pub score: Samples,
    /// Win probability for White, per mille.
    pub win: Samples,
    /// Draw probability, per mille.
    pub draw: Samples,
    /// Loss probability for White, per mille.
    pub loss: Samples,
    /// Moves at most [`GOOD_MARGIN`] worse than the best, limited by the lines of the search.
    pub good: Samples,
    /// Depth from which the score stays within [`SETTLED_MARGIN`] of the final one.
    pub settled: Samples,
    /// Ply of White's castling, the mean over the good lines that have one; no value for a search without.
    pub white_castles: Samples,
    /// Ply of Black's castling, likewise.
    pub black_castles: Samples,
    /// Score for White by depth from 1, in centipawns, of the first search.
    pub curve: Samples,
    /// Nodes of all searches.
    pub nodes: u64,
    /// Principal variation of the first search in standard algebraic notation.
    pub line: String,
}

impl SweepRow for Row {
    const HEADER: &'static [u8] = b"number,white,black,pieces,fen,depth,score,win,draw,loss,good,settled,\
        white_castles,black_castles,curve,nodes,line\n";

    fn number(&self) -> u64 {
        self.number
    }

    fn fen(&self) -> &str {
        &self.fen
    }

    fn pawns(&self) -> f64 {
        self.score.mean().unwrap_or_default() / 100.0
    }
}

impl Row {
    /// Returns the mean figures as the row of a sweep without difficulty.
    pub fn plain(&self) -> results::Row {
        let rounded = |samples: &Samples| samples.mean().unwrap_or_default().round();
        results::Row {
            number: self.number,
            white: self.white,
            black: self.black,
            pieces: self.pieces.clone(),
            fen: self.fen.clone(),
            depth: rounded(&self.depth) as i32,
            score: rounded(&self.score) as i32,
            win: rounded(&self.win) as u32,
            draw: rounded(&self.draw) as u32,
            loss: rounded(&self.loss) as u32,
            nodes: self.nodes,
            line: self.line.clone(),
        }
    }
}

/// Returns an engine for [`measure`].
///
/// # Errors
/// Returns an error if the memory cannot be allocated or the thread cannot be started.
pub fn engine(record: &Record, difficulty: &Difficulty) -> Result<Engine, EngineError> {
    let mut engine = Engine::new()?;
    engine.set_hash(record.hash)?;
    for (name, value) in [("MultiPV", difficulty.lines.to_string()), ("UCI_AnalyseMode", "true".to_owned())] {
        if let Err(error) = engine.set_option(name, &value) {
            unreachable!("the option exists, its value is in range: {error}");
        }
    }
    Ok(engine)
}

/// Searches a position once for each seed. The result is the same on every machine if the limit is a node count or a
/// depth.
pub fn measure(
    engine: &mut Engine,
    number: u64,
    board: &Board,
    record: &Record,
    difficulty: &Difficulty,
) -> Row {
    let (white, black) = startpos::start_numbers(board).unwrap_or_default();
    let mut row = Row {
        number,
        white,
        black,
        pieces: back_ranks_text(white, black),
        fen: board.fen(FenStyle::Shredder),
        depth: Samples::default(),
        score: Samples::default(),
        win: Samples::default(),
        draw: Samples::default(),
        loss: Samples::default(),
        good: Samples::default(),
        settled: Samples::default(),
        white_castles: Samples::default(),
        black_castles: Samples::default(),
        curve: Samples::default(),
        nodes: 0,
        line: String::new(),
    };
    // An interrupted row is discarded by the caller.
    for seed in (0..difficulty.seeds).take_while(|_| !interrupt::happened()) {
        let found = search(engine, board, &record.limits(), number, seed);
        found.add_to(&mut row, board);
    }
    row
}

/// Result of a search: the lines of its last report and the best score by depth.
#[derive(Default)]
struct Found {
    lines: Vec<Line>,
    /// Depth and score in centipawns.
    curve: Vec<(i32, i32)>,
    wdl: [u32; 3],
    depth: i32,
    nodes: u64,
}

struct Line {
    score: i32,
    pv: Vec<Move>,
}

struct Collector(Arc<Mutex<Found>>);

impl Reporter for Collector {
    fn info(&mut self, info: &Info<'_>) {
        let mut found = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let rank = info.multi_pv - 1;
        let line = Line { score: normalized(info.score, info.board), pv: info.pv.to_vec() };
        if rank == 0 {
            let chances = win_draw_loss(info.score, info.board);
            found.wdl = [chances.win, chances.draw, chances.loss];
            found.curve.retain(|&(depth, _)| depth < info.depth);
            found.curve.push((info.depth, line.score));
            found.lines.clear();
        }
        found.lines.push(line);
    }
}

/// Searches a position. Seed 0 begins with an empty table; others first search the position after a random move of each
/// side, so that table and histories differ.
fn search(engine: &mut Engine, board: &Board, limits: &Limits, number: u64, seed: u64) -> Found {
    engine.new_game();
    if seed > 0 {
        let mut random = Random::new(number << 8 | seed);
        if let Some(beginning) = opening::play_random(board.clone(), WARM_UP_PLIES, &mut random) {
            let nodes = limits.nodes.map_or(WARM_UP_NODES, |nodes| (nodes / WARM_UP_DIVISOR).max(1));
            engine.set_board(beginning);
            engine.search(Limits::nodes(nodes), Box::new(enroque::search::report::Silent));
        }
    }
    engine.set_board(board.clone());
    let found = Arc::new(Mutex::new(Found::default()));
    let outcome = engine.search(limits.clone(), Box::new(Collector(found.clone())));
    let mut found = std::mem::take(&mut *found.lock().unwrap_or_else(PoisonError::into_inner));
    (found.depth, found.nodes) = (outcome.depth, outcome.nodes);
    found
}

impl Found {
    /// Adds the figures of this search to the row.
    fn add_to(self, row: &mut Row, board: &Board) {
        let Some(best) = self.lines.first() else { return };
        let good: Vec<&Line> =
            self.lines.iter().filter(|line| line.score >= best.score - GOOD_MARGIN).collect();
        let figures = [
            (&mut row.depth, f64::from(self.depth)),
            (&mut row.score, f64::from(best.score)),
            (&mut row.win, f64::from(self.wdl[0])),
            (&mut row.draw, f64::from(self.wdl[1])),
            (&mut row.loss, f64::from(self.wdl[2])),
            (&mut row.good, good.len() as f64),
            (&mut row.settled, f64::from(settled_depth(&self.curve))),
        ];
        for (samples, value) in figures {
            samples.0.push(value);
        }
        for (samples, color) in
            [(&mut row.white_castles, Color::White), (&mut row.black_castles, Color::Black)]
        {
            let plies: Vec<f64> =
                good.iter().filter_map(|line| castling_ply(board, &line.pv, color)).map(f64::from).collect();
            if !plies.is_empty() {
                samples.0.push((10.0 * mean(&plies)).round() / 10.0);
            }
        }
        if row.nodes == 0 {
            row.curve.0 = self.curve.iter().map(|&(_, score)| f64::from(score)).collect();
            row.line = numbered(board, &san(board, &best.pv));
        }
        row.nodes += self.nodes;
    }
}

/// Returns the depth from which the score stays within [`SETTLED_MARGIN`] of the last.
fn settled_depth(curve: &[(i32, i32)]) -> i32 {
    let Some(&(_, last)) = curve.last() else { return 0 };
    let is_far = |&&(_, score): &&(i32, i32)| (score - last).abs() > SETTLED_MARGIN;
    curve.iter().rev().take_while(|point| !is_far(point)).last().map_or(0, |&(depth, _)| depth)
}

/// Returns the ply, counted from 1, in which `color` castles in the line.
fn castling_ply(board: &Board, pv: &[Move], color: Color) -> Option<u32> {
    let parity = usize::from(color != board.side_to_move());
    pv.iter().enumerate().find(|(ply, mv)| ply % 2 == parity && mv.is_castle()).map(|(ply, _)| ply as u32 + 1)
}

fn san(board: &Board, pv: &[Move]) -> Vec<String> {
    let mut board = board.clone();
    let text = |&mv: &Move| {
        let text = board.san(mv);
        board.make_move(mv);
        text
    };
    pv.iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn score_settles_at_last_jump() {
        let curve = |scores: &[i32]| -> Vec<(i32, i32)> { (1..).zip(scores.iter().copied()).collect() };
        assert_eq!(settled_depth(&curve(&[90, 20, 50, 18, 25, 30, 22])), 4);
        assert_eq!(settled_depth(&curve(&[20, 20])), 1);
        assert_eq!(settled_depth(&curve(&[20, 80])), 2);
        assert_eq!(settled_depth(&[]), 0);
    }

    #[test]
    fn castling_is_found_by_side() {
        let board = Board::startpos();
        let mut position = board.clone();
        let mut pv = Vec::new();
        for text in ["Nf3", "Nf6", "g3", "g6", "Bg2", "Bg7", "d3", "O-O", "O-O"] {
            let mv = position.parse_san(text).unwrap();
            position.make_move(mv);
            pv.push(mv);
        }
        assert_eq!(castling_ply(&board, &pv, Color::Black), Some(8));
        assert_eq!(castling_ply(&board, &pv, Color::White), Some(9));
        assert_eq!(castling_ply(&board, &pv[..8], Color::White), None);
    }
}
