//! Layout of the parameter vector: offsets of all weights and biases in one list of floats.
//!
//! The hidden weights are stored in tiles of [`TILE`] neurons, each tile by input, so that the current tile stays in
//! the first-level cache.

use enroque::nnue::architecture::{HANDCRAFTED_INPUTS, HANDCRAFTED_NEURONS, INPUTS, L1, OUTPUT_BUCKETS};

pub const TILE: usize = 16;
pub const TILES: usize = L1 / TILE;
pub const TILE_WEIGHTS: usize = INPUTS * TILE;

pub const FEATURE_BIAS: usize = INPUTS * L1;
/// By bucket, the half of the side to move first.
pub const OUTPUT: usize = FEATURE_BIAS + L1;
pub const OUTPUT_BIAS: usize = OUTPUT + OUTPUT_BUCKETS * 2 * L1;
/// By input.
pub const HANDCRAFTED_WEIGHTS: usize = OUTPUT_BIAS + OUTPUT_BUCKETS;
pub const HANDCRAFTED_BIAS: usize = HANDCRAFTED_WEIGHTS + HANDCRAFTED_INPUTS * HANDCRAFTED_NEURONS;
/// By bucket.
pub const HANDCRAFTED_OUTPUT: usize = HANDCRAFTED_BIAS + HANDCRAFTED_NEURONS;
pub const PARAMETERS: usize = HANDCRAFTED_OUTPUT + OUTPUT_BUCKETS * HANDCRAFTED_NEURONS;

/// Parameters of a parallel task in operations on single parameters.
pub const CHUNK: usize = 8192;

/// Positions of a group, whose activations are computed together.
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

const _: () = assert!(L1.is_multiple_of(TILE));
