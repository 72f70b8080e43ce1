//! Measures with several MultiPV searches how difficult a start is. Each search but the first follows a different
//! warm-up, so that their results differ.

use super::manifest::{Difficulty, SweepManifest};
use super::rows::{DifficultyRow, GOOD_MARGIN, SETTLED_MARGIN};
use crate::searcher::{Searcher, Settings};
use enroque::chess::startpos::{StartNumbers, opening};
use enroque::chess::{Board, Color, FenStyle, Move};
use enroque::engine::lines::FoundLines;
use enroque::search::limits::Limits;
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

/// Returns the settings of the searches that [`measure`] needs.
pub fn settings(manifest: &SweepManifest, difficulty: &Difficulty) -> Settings<'static> {
    Settings { hash: manifest.hash, threads: 1, multi_pv: difficulty.lines as usize, syzygy: None }
}

/// Searches a position once for each seed. With a node or depth limit, the result is the same on every machine.
pub fn measure(
    searcher: &mut Searcher,
    number: u64,
    board: &Board,
    manifest: &SweepManifest,
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
        let found = search(searcher, board, &manifest.limits(), number, seed);
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

/// Searches a position. With seed 0, the search begins with an empty TT. With another seed, a warm-up first searches
/// the position after a random move of each side, so that TT and histories differ.
fn search(searcher: &mut Searcher, board: &Board, limits: &Limits, number: u64, seed: u64) -> Found {
    searcher.new_game();
    if seed > 0 {
        let mut random = Random::new(number << 8 | seed);
        if let Some(beginning) = opening::play_random(board.clone(), WARM_UP_PLIES, &mut random) {
            let nodes = limits.nodes.map_or(WARM_UP_NODES, |nodes| (nodes / WARM_UP_DIVISOR).max(1));
            searcher.lines(&beginning, Limits::nodes(nodes));
        }
    }
    let FoundLines { outcome, iterations } = searcher.lines(board, limits.clone());
    let mut found = Found { depth: outcome.depth, nodes: outcome.nodes, ..Found::default() };
    for best in iterations.iter().filter_map(|lines| lines.first()) {
        found.curve.retain(|&(depth, _)| depth < best.depth);
        found.curve.push((best.depth, normalized(best.score, board)));
    }
    let last = iterations.last().into_iter().flatten();
    found.lines = last.map(|line| Variation::of_line(board, line)).collect();
    found
}

impl Found {
    /// Adds a value of each figure to `row`. Only the first search sets `curve` and `line`.
    fn add_to(self, row: &mut DifficultyRow, board: &Board) {
        let Some(best) = self.lines.first() else { return };
        let score_of = |line: &Variation| normalized(line.evaluation.score, board);
        let good: Vec<&Variation> =
            self.lines.iter().filter(|line| score_of(line) >= score_of(best) - GOOD_MARGIN).collect();
        let chances = best.evaluation.chances;
        let figures = [
            (&mut row.depth, f64::from(self.depth)),
            (&mut row.score, f64::from(score_of(best))),
            (&mut row.win, f64::from(chances.win)),
            (&mut row.draw, f64::from(chances.draw)),
            (&mut row.loss, f64::from(chances.loss)),
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
            row.line = numbered(board, &best.pv);
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
