//! Where each parameter of the network stands during training.
//!
//! All weights and biases are in one list of floats. The hidden weights are in tiles of [`TILE`] neurons, each tile
//! ordered by input, so that the current tile stays in the first-level cache.

use enroque::nnue::architecture::{HANDCRAFTED_INPUTS, HANDCRAFTED_NEURONS, INPUTS, L1, OUTPUT_BUCKETS};

pub const TILE: usize = 16;
pub const TILES: usize = L1 / TILE;
pub const TILE_WEIGHTS: usize = INPUTS * TILE;

// Where each kind of parameter begins in the list. The hidden weights begin at 0.
pub const FEATURE_BIAS: usize = INPUTS * L1;
/// The output weights are ordered by bucket; within a bucket, the half of the side to move comes first.
pub const OUTPUT: usize = FEATURE_BIAS + L1;
pub const OUTPUT_BIAS: usize = OUTPUT + OUTPUT_BUCKETS * 2 * L1;
/// The handcrafted weights are ordered by input, then by neuron.
pub const HANDCRAFTED_WEIGHTS: usize = OUTPUT_BIAS + OUTPUT_BUCKETS;
pub const HANDCRAFTED_BIAS: usize = HANDCRAFTED_WEIGHTS + HANDCRAFTED_INPUTS * HANDCRAFTED_NEURONS;
/// The output weights of the handcrafted layer are ordered by bucket, then by neuron.
pub const HANDCRAFTED_OUTPUT: usize = HANDCRAFTED_BIAS + HANDCRAFTED_NEURONS;
pub const PARAMETERS: usize = HANDCRAFTED_OUTPUT + OUTPUT_BUCKETS * HANDCRAFTED_NEURONS;

/// A thread processes this many positions at a time, so that their hidden layers fit the second-level cache.
pub const GROUP: usize = 256;

#[inline]
pub const fn output_offset(bucket: usize, half: usize, tile: usize) -> usize {
    OUTPUT + (bucket * 2 + half) * L1 + tile * TILE
}

#[inline]
pub const fn hidden_offset(input: usize, neuron: usize) -> usize {
    neuron / TILE * TILE_WEIGHTS + input * TILE + neuron % TILE
}

#[inline]
pub const fn handcrafted_offset(input: usize, neuron: usize) -> usize {
    HANDCRAFTED_WEIGHTS + input * HANDCRAFTED_NEURONS + neuron
}

#[inline(always)]
pub fn copied<const N: usize>(parameters: &[f32], at: usize) -> [f32; N] {
    let mut copy = [0.0; N];
    copy.copy_from_slice(&parameters[at..at + N]);
    copy
}

const _: () = assert!(L1.is_multiple_of(TILE));
