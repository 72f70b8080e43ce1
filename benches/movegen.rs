//! Compares move generation and perft with cozy-chess: `cargo bench --bench movegen`.
#![allow(clippy::expect_used)]

mod common;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use enroque::chess::Board;
use enroque::chess::perft::perft;

fn boards() -> Vec<(Board, cozy_chess::Board)> {
    let read = |fen: &str| {
        (fen.parse().expect("a valid FEN"), cozy_chess::Board::from_fen(fen, true).expect("a valid FEN"))
    };
    common::POSITIONS.iter().map(|(fen, _)| read(fen)).collect()
}

fn legal_moves(c: &mut Criterion) {
    let boards = boards();
    let moves: u64 = boards.iter().map(|(board, _)| board.count_legal_moves()).sum();
    let mut group = c.benchmark_group("legal moves of 12 positions");
    group.throughput(Throughput::Elements(moves));
    group.bench_function("enroque", |b| {
        b.iter(|| boards.iter().map(|(board, _)| board.legal_moves().len()).sum::<usize>());
    });
    group.bench_function("cozy-chess", |b| {
        b.iter(|| {
            let mut list = arrayvec::ArrayVec::<cozy_chess::Move, 256>::new();
            for (_, board) in &boards {
                list.clear();
                board.generate_moves(|moves| {
                    list.extend(moves);
                    false
                });
            }
            list.len()
        });
    });
    group.finish();
}

fn perft_depth_3(c: &mut Criterion) {
    let boards = boards();
    let nodes: u64 = boards.iter().map(|(board, _)| perft(board, 3)).sum();
    let mut group = c.benchmark_group("perft 3 of 12 positions");
    group.throughput(Throughput::Elements(nodes)).sample_size(20);
    group.bench_function("enroque", |b| {
        b.iter(|| boards.iter().map(|(board, _)| perft(board, 3)).sum::<u64>());
    });
    group.bench_function("cozy-chess", |b| {
        b.iter(|| boards.iter().map(|(_, board)| common::cozy_perft(board, 3)).sum::<u64>());
    });
    group.finish();
}

criterion_group!(benches, legal_moves, perft_depth_3);
criterion_main!(benches);
