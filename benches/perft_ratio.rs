//! Measures how much faster our perft is than cozy-chess's. The two take turns, so that noise affects both alike.
//!
//! `cargo bench --bench perft_ratio [-- ROUNDS]` prints the ratio for each position, then for each round the ratio of
//! the geometric means. It ends with minimum, median and maximum of the rounds, also for parallel against serial perft.
#![allow(clippy::expect_used)]

mod common;

use std::hint::black_box;
use std::time::Instant;

use enroque::chess::Board;
use enroque::chess::perft::{divide, perft};
use enroque::util::parallel::available_threads;

const DEFAULT_ROUNDS: u32 = 5;

/// Measures the speed of a perft, which returns its node count, in millions of nodes per second.
fn speed(count: impl FnOnce() -> u64) -> f64 {
    let start = Instant::now();
    let nodes = black_box(count());
    nodes as f64 / start.elapsed().as_secs_f64() / 1e6
}

fn parallel_perft(board: &Board, depth: u32) -> u64 {
    divide(board, depth, available_threads()).iter().map(|(_, leaves)| leaves).sum()
}

fn geometric_mean(values: &[f64]) -> f64 {
    (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp()
}

fn summary(values: &mut [f64]) -> String {
    values.sort_by(f64::total_cmp);
    format!(
        "min {:.3}  median {:.3}  max {:.3}",
        values[0],
        values[values.len() / 2],
        values[values.len() - 1]
    )
}

fn main() {
    let rounds = std::env::args().filter_map(|arg| arg.parse().ok()).next().unwrap_or(DEFAULT_ROUNDS);
    let (mut ratios, mut parallel) = (Vec::new(), Vec::new());
    println!("{:<78} {:>9} {:>9} {:>6}   (million nodes/s)", "position", "enroque", "cozy", "ratio");
    for round in 0..rounds {
        let (mut ours, mut theirs, mut threads) = (Vec::new(), Vec::new(), Vec::new());
        for (fen, depth) in common::POSITIONS {
            let board: Board = fen.parse().expect("a valid FEN");
            let cozy = cozy_chess::Board::from_fen(fen, true).expect("a valid Shredder-FEN");
            assert_eq!(perft(&board, 3), common::cozy_perft(&cozy, 3), "{fen}");
            ours.push(speed(|| perft(&board, depth)));
            theirs.push(speed(|| common::cozy_perft(&cozy, depth)));
            threads.push(speed(|| parallel_perft(&board, depth)) / ours[ours.len() - 1]);
            if round == 0 {
                let (our, their) = (ours[ours.len() - 1], theirs[theirs.len() - 1]);
                println!("{fen:<78} {our:>9.1} {their:>9.1} {:>6.2}", our / their);
            }
        }
        let (our, their) = (geometric_mean(&ours), geometric_mean(&theirs));
        println!("round {}: enroque {our:.1}, cozy-chess {their:.1}, ratio {:.3}", round + 1, our / their);
        ratios.push(our / their);
        parallel.push(geometric_mean(&threads));
    }
    println!("enroque / cozy-chess: {}", summary(&mut ratios));
    println!("parallel / serial on {} threads: {}", available_threads(), summary(&mut parallel));
}
