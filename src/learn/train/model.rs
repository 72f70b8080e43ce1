//! The network while it learns: all its parameters as one list of floats.
//!
//! The hidden weights lie in tiles of [`TILE`] neurons, each tile by input, so that the tile being worked on stays in
//! the first-level cache.

use crate::chess::random::Random;
use crate::nnue::{INPUTS, L1, Network, OUTPUT_BUCKETS, QA, QB, Row};

/// Neurons of a tile.
pub const TILE: usize = 16;
/// Tiles of the hidden layer.
pub const TILES: usize = L1 / TILE;
pub const TILE_WEIGHTS: usize = INPUTS * TILE;

/// Where the hidden biases begin.
pub const FEATURE_BIAS: usize = INPUTS * L1;
/// Where the output weights begin: by bucket, own half first.
pub const OUTPUT: usize = FEATURE_BIAS + L1;
/// Where the output biases begin.
pub const OUTPUT_BIAS: usize = OUTPUT + OUTPUT_BUCKETS * 2 * L1;
/// Number of parameters.
pub const PARAMETERS: usize = OUTPUT_BIAS + OUTPUT_BUCKETS;

/// Weights stay within ±this, so that the quantised weights of 32 pieces and a bias add up within sixteen bits.
pub const CLIP: f32 = 1.98;

/// Spread of the hidden weights at first, around zero.
const HIDDEN_SPREAD: f32 = 0.1;

/// Where the output weights of a bucket and half begin for a tile.
#[inline]
pub const fn output_at(bucket: usize, half: usize, tile: usize) -> usize {
    OUTPUT + (bucket * 2 + half) * L1 + tile * TILE
}

/// Random parameters to begin with.
pub fn random_parameters(seed: u64) -> Vec<f32> {
    let mut random = Random::new(seed);
    let mut uniform = |spread: f32| {
        let unit = random.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0;
        unit * spread
    };
    let output_spread = (1.0 / (2 * L1) as f32).sqrt();
    (0..PARAMETERS)
        .map(|index| match index {
            0..FEATURE_BIAS => uniform(HIDDEN_SPREAD),
            OUTPUT..OUTPUT_BIAS => uniform(output_spread),
            _ => 0.0,
        })
        .collect()
}

/// The quantised form.
pub fn quantise(parameters: &[f32]) -> Network {
    let hidden = |value: f32| (value * QA as f32).round() as i16;
    let output = |value: f32| (value * QB as f32).round() as i16;
    let row = |input: usize| {
        Row(std::array::from_fn(|neuron| {
            hidden(parameters[neuron / TILE * TILE_WEIGHTS + input * TILE + neuron % TILE])
        }))
    };
    let rows: Vec<Row> = (0..INPUTS).map(row).collect();
    let feature_weights = match rows.into_boxed_slice().try_into() {
        Ok(rows) => rows,
        Err(_) => unreachable!("as many rows as inputs"),
    };
    Network {
        feature_weights,
        feature_bias: Row(std::array::from_fn(|neuron| hidden(parameters[FEATURE_BIAS + neuron]))),
        output_weights: std::array::from_fn(|bucket| {
            std::array::from_fn(|half| {
                Row(std::array::from_fn(|neuron| output(parameters[output_at(bucket, half, 0) + neuron])))
            })
        }),
        output_bias: std::array::from_fn(|bucket| {
            (parameters[OUTPUT_BIAS + bucket] * (QA * QB) as f32).round() as i32
        }),
    }
}
