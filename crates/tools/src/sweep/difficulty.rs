//! Measures with several MultiPV searches how difficult a start is. Each search but the first follows a different
//! warm-up, so that their results differ.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;

use super::figures::{DifficultyRow, GOOD_MARGIN, SETTLED_MARGIN};
use super::record::{Difficulty, Record};
use enroque::chess::startpos::{StartNumbers, opening};
use enroque::chess::{Board, Color, FenStyle, Move};
use enroque::engine::Engine;
use enroque::search::limits::Limits;
use enroque::search::report::{Info, Reporter, Silent};
use enroque::search::wdl::normalized;
use enroque::util::mean;
use enroque::util::random::Random;
use enroque_runs::interrupt;
use enroque_study::line::{Variation, numbered};

/// The node limit of the warm-up is the node limit of the search divided by this.
const WARM_UP_DIVISOR: u64 = 16;
/// The warm-up gets this many nodes if the search has no node limit.
const WARM_UP_NODES: u64 = 10_000;
/// We play this many random plies before the warm-up: one for each side.
const WARM_UP_PLIES: u64 = 2;

/// Starts an engine with the settings that [`measure`] needs.
pub fn engine(record: &Record, difficulty: &Difficulty) -> Result<Engine> {
    let mut engine = Engine::new()?;
    engine.set_hash(record.hash)?;
    for (name, value) in [("MultiPV", difficulty.lines.to_string()), ("UCI_AnalyseMode", "true".to_owned())] {
        engine.set_option(name, &value)?;
    }
    Ok(engine)
}

/// Searches a position once for each seed. With a node or depth limit, the result is the same on every machine.
pub fn measure(
    engine: &mut Engine,
    number: u64,
    board: &Board,
    record: &Record,
    difficulty: &Difficulty,
) -> DifficultyRow {
    let Some(numbers) = StartNumbers::of(board) else { unreachable!("a set has only start positions") };
    let mut row = DifficultyRow {
        number,
        white: numbers.white(),
        black: numbers.black(),
        pieces: numbers.letters_joined(" "),
        fen: board.fen(FenStyle::XFen),
        ..DifficultyRow::default()
    };
    // Ctrl-C ends the loop early. The caller then drops the row.
    for seed in (0..difficulty.seeds).take_while(|_| !interrupt::happened()) {
        let found = search(engine, board, &record.limits(), number, seed);
        found.add_to(&mut row, board);
    }
    row
}

/// What a search found: the MultiPV lines that it reported last, and the best score at each depth.
#[derive(Default)]
struct Found {
    lines: Vec<Variation>,
    /// Pairs of depth in plies and score in centipawns.
    curve: Vec<(i32, i32)>,
    depth: i32,
    nodes: u64,
}

struct Collector(Arc<Mutex<Found>>);

impl Reporter for Collector {
    fn info(&mut self, info: &Info<'_>) {
        let mut found = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if info.multi_pv == 1 {
            found.curve.retain(|&(depth, _)| depth < info.depth);
            found.curve.push((info.depth, normalized(info.score, info.board)));
            found.lines.clear();
        }
        found.lines.push(Variation::of_info(info));
    }
}

/// Searches a position. With seed 0, the search begins with an empty TT. With another seed, a warm-up first searches
/// the position after a random move of each side, so that TT and histories differ.
fn search(engine: &mut Engine, board: &Board, limits: &Limits, number: u64, seed: u64) -> Found {
    engine.new_game();
    if seed > 0 {
        let mut random = Random::new(number << 8 | seed);
        if let Some(beginning) = opening::play_random(board.clone(), WARM_UP_PLIES, &mut random) {
            let nodes = limits.nodes.map_or(WARM_UP_NODES, |nodes| (nodes / WARM_UP_DIVISOR).max(1));
            engine.set_board(beginning);
            engine.search(Limits::nodes(nodes), Box::new(Silent));
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
    /// Adds a value of each figure to `row`. Only the first search sets `curve` and `line`.
    fn add_to(self, row: &mut DifficultyRow, board: &Board) {
        let Some(best) = self.lines.first() else { return };
        let score_of = |line: &Variation| normalized(line.score, board);
        let good: Vec<&Variation> =
            self.lines.iter().filter(|line| score_of(line) >= score_of(best) - GOOD_MARGIN).collect();
        let figures = [
            (&mut row.depth, f64::from(self.depth)),
            (&mut row.score, f64::from(score_of(best))),
            (&mut row.win, f64::from(best.wdl[0])),
            (&mut row.draw, f64::from(best.wdl[1])),
            (&mut row.loss, f64::from(best.wdl[2])),
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
            row.line = numbered(board, &best.san);
        }
        row.nodes += self.nodes;
    }
}

/// Returns the depth at which the score settles: from there on, it stays within [`SETTLED_MARGIN`] of the final score.
fn settled_depth(curve: &[(i32, i32)]) -> i32 {
    let Some(&(_, last)) = curve.last() else { return 0 };
    let is_far = |&&(_, score): &&(i32, i32)| (score - last).abs() > SETTLED_MARGIN;
    curve.iter().rev().take_while(|point| !is_far(point)).last().map_or(0, |&(depth, _)| depth)
}

/// Returns the ply, counted from 1, at which `color` castles in the line.
fn castling_ply(board: &Board, pv: &[Move], color: Color) -> Option<u32> {
    let parity = usize::from(color != board.side_to_move());
    pv.iter().enumerate().find(|(ply, mv)| ply % 2 == parity && mv.is_castle()).map(|(ply, _)| ply as u32 + 1)
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
