//! Measures how fast the network's kernels are with each instruction set, and how much of the time for making a
//! move goes to the network: `cargo bench --bench nnue`.
#![allow(clippy::expect_used)]

mod common;

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main};
use enroque::chess::Board;
use enroque::nnue::kernels::{Forward, Update};
use enroque::nnue::{Accumulators, Network, Row};
use enroque::simd::{self, Isa};

fn bench_kernels<I: Isa>(group: &mut BenchmarkGroup<'_, WallTime>) {
    let Some(isa) = I::detect() else { return };
    let network = Network::embedded();
    let [own, other] = [0, 1].map(|input| network.feature_weights[input]);
    let weights = &network.output_weights[0];
    group.bench_function(format!("forward, {}", I::NAME), |b| {
        b.iter(|| {
            isa.run(Forward { own: black_box(&own), other: black_box(&other), weights: black_box(weights) })
        });
    });
    let rows = &network.feature_weights;
    group.bench_function(format!("capture, {}", I::NAME), |b| {
        let mut target = [Row::ZERO; 2];
        b.iter(|| {
            let (added, removed) = ([[&rows[5]; 2]], [[&rows[70]; 2], [&rows[400]; 2]]);
            isa.run(Update { target: &mut target, source: black_box(&[own, other]), added, removed });
            black_box(&target);
        });
    });
}

fn kernels(c: &mut Criterion) {
    let mut group = c.benchmark_group("kernels");
    bench_kernels::<simd::Scalar>(&mut group);
    #[cfg(target_arch = "x86_64")]
    {
        bench_kernels::<simd::Avx2>(&mut group);
        bench_kernels::<simd::Avx512<false>>(&mut group);
        bench_kernels::<simd::Avx512<true>>(&mut group);
    }
    #[cfg(target_arch = "aarch64")]
    bench_kernels::<simd::Neon>(&mut group);
    group.finish();
}

/// Makes and unmakes every move of twelve positions, with and without the network.
fn moves(c: &mut Criterion) {
    let network = Network::embedded();
    let mut boards: Vec<Board> =
        common::POSITIONS.iter().map(|(fen, _)| fen.parse().expect("a valid FEN")).collect();
    let mut group = c.benchmark_group("all moves of 12 positions");
    group.bench_function("made", |b| {
        b.iter(|| {
            for board in &mut boards {
                for mv in board.legal_moves() {
                    board.make_move(mv);
                    black_box(&board);
                    board.unmake_move(mv);
                }
            }
        });
    });
    group.bench_function("made and evaluated", |b| {
        b.iter(|| {
            for board in &mut boards {
                let mut accumulators = Accumulators::new(&network, board);
                for mv in board.legal_moves() {
                    accumulators.make_move(board, mv);
                    black_box(accumulators.evaluate(&network, board));
                    board.unmake_move(mv);
                    accumulators.unmake_move();
                }
            }
        });
    });
    group.finish();
}

criterion_group!(benches, kernels, moves);
criterion_main!(benches);
