//! The network while it learns: all its parameters as one list of floats.
//!
//! The hidden weights lie in tiles of [`TILE`] neurons, each tile by input, so that the tile being worked on stays in
//! the first-level cache.

use crate::learn::train::handcrafted::Normalisation;
use crate::nnue::Network;
use crate::nnue::architecture::{
    HANDCRAFTED_INPUTS, HANDCRAFTED_NEURONS, INPUTS, L1, OUTPUT_BUCKETS, QA, QB, Row,
};
use crate::util::random::Random;

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
/// Where the weights from the handcrafted inputs begin: by input.
pub const HANDCRAFTED_WEIGHTS: usize = OUTPUT_BIAS + OUTPUT_BUCKETS;
/// Where the biases of the handcrafted layer begin.
pub const HANDCRAFTED_BIAS: usize = HANDCRAFTED_WEIGHTS + HANDCRAFTED_INPUTS * HANDCRAFTED_NEURONS;
/// Where its output weights begin: by bucket.
pub const HANDCRAFTED_OUTPUT: usize = HANDCRAFTED_BIAS + HANDCRAFTED_NEURONS;
/// Number of parameters.
pub const PARAMETERS: usize = HANDCRAFTED_OUTPUT + OUTPUT_BUCKETS * HANDCRAFTED_NEURONS;

/// Parameters that a thread takes at once, where each is treated alike.
pub const CHUNK: usize = 8192;

/// Weights stay within ±this, so that the quantised weights of 32 pieces and a bias add up within sixteen bits.
pub const CLIP: f32 = 1.98;

/// Spread of the hidden weights at first, around zero.
const HIDDEN_SPREAD: f32 = 0.1;
/// Spread of the weights from the handcrafted inputs at first.
const HANDCRAFTED_SPREAD: f32 = 0.12;

/// A tile's part of one hidden layer in the engine's units, of which [`QA`] are 1.
pub type QuantisedLanes = [i16; TILE];

/// The parameters as training uses them.
#[derive(Clone, Copy)]
pub struct Model<'a> {
    /// All of them; those of the hidden layer are what learns.
    pub parameters: &'a [f32],
    /// Those of the hidden layer, as the engine will have them.
    pub hidden: &'a QuantisedHidden,
    /// Of the handcrafted inputs.
    pub normalisation: &'a Normalisation,
}

/// The quantised hidden layer, by tile: the weights by input, then the biases.
pub struct QuantisedHidden(Vec<QuantisedLanes>);

/// The quantised weights of one tile.
pub struct QuantisedTile<'a> {
    /// By input.
    pub rows: &'a [QuantisedLanes; INPUTS],
    pub bias: QuantisedLanes,
}

impl QuantisedHidden {
    /// Of these parameters.
    pub fn new(parameters: &[f32]) -> Self {
        let lanes = |at: usize| std::array::from_fn(|lane| quantised(parameters[at + lane]));
        let tile = |tile: usize| {
            let rows = (0..INPUTS).map(move |input| lanes(tile * TILE_WEIGHTS + input * TILE));
            rows.chain([lanes(FEATURE_BIAS + tile * TILE)])
        };
        Self((0..TILES).flat_map(tile).collect())
    }

    /// The tiles in turn.
    pub fn tiles(&self) -> impl Iterator<Item = QuantisedTile<'_>> {
        self.0.chunks_exact(INPUTS + 1).map(|lanes| match lanes.split_first_chunk() {
            Some((rows, rest)) => QuantisedTile { rows, bias: rest[0] },
            None => unreachable!("a tile has a row for each input"),
        })
    }
}

/// A weight or bias of the hidden layer in the engine's units.
#[inline]
fn quantised(value: f32) -> i16 {
    (value * QA as f32).round_ties_even() as i16
}

/// Where the output weights of a bucket and half begin for a tile.
#[inline]
pub const fn output_at(bucket: usize, half: usize, tile: usize) -> usize {
    OUTPUT + (bucket * 2 + half) * L1 + tile * TILE
}

/// A random number within ± `spread`.
fn uniform(random: &mut Random, spread: f32) -> f32 {
    let unit = random.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0;
    unit * spread
}

/// Random parameters to begin with.
pub fn random_parameters(seed: u64) -> Vec<f32> {
    let mut random = Random::new(seed);
    let mut uniform = |spread: f32| uniform(&mut random, spread);
    let output_spread = (1.0 / (2 * L1) as f32).sqrt();
    (0..PARAMETERS)
        .map(|index| match index {
            0..FEATURE_BIAS => uniform(HIDDEN_SPREAD),
            OUTPUT..OUTPUT_BIAS => uniform(output_spread),
            HANDCRAFTED_WEIGHTS..HANDCRAFTED_BIAS => uniform(HANDCRAFTED_SPREAD),
            _ => 0.0,
        })
        .collect()
}

/// The parameters whose quantised form `network` is.
pub fn parameters_of(network: &Network, normalisation: &Normalisation) -> Vec<f32> {
    let hidden = |value: i16| f32::from(value) / QA as f32;
    let output = |value: i16| f32::from(value) / QB as f32;
    let tiles = (0..TILES).flat_map(|tile| {
        let lanes = tile * TILE..(tile + 1) * TILE;
        network.feature_weights.iter().flat_map(move |row| row.0[lanes.clone()].iter().copied().map(hidden))
    });
    let bias = network.feature_bias.0.into_iter().map(hidden);
    let outputs = network.output_weights.as_flattened().iter().flat_map(|row| row.0).map(output);
    let output_bias = network.output_bias.iter().map(|&bias| bias as f32 / (QA * QB) as f32);
    let handcrafted = normalisation.parameters_of(&network.handcrafted);
    tiles.chain(bias).chain(outputs).chain(output_bias).chain(handcrafted).collect()
}

/// Gives neurons that no input reaches, as those by which a network is wider than the one it begins with, random hidden
/// weights. Nothing listens to them yet, so the network says what it said; but they can learn, where all zeros cannot.
pub fn reinit_dead_neurons(parameters: &mut [f32], seed: u64) {
    let mut random = Random::new(seed);
    for tile in 0..TILES {
        for lane in 0..TILE {
            let weights = (0..INPUTS).map(|input| tile * TILE_WEIGHTS + input * TILE + lane);
            if weights.clone().all(|index| parameters[index] == 0.0) {
                weights.for_each(|index| parameters[index] = uniform(&mut random, HIDDEN_SPREAD));
            }
        }
    }
    for neuron in 0..HANDCRAFTED_NEURONS {
        let weights =
            (0..HANDCRAFTED_INPUTS).map(|input| HANDCRAFTED_WEIGHTS + input * HANDCRAFTED_NEURONS + neuron);
        if weights.clone().all(|index| parameters[index] == 0.0) {
            weights.for_each(|index| parameters[index] = uniform(&mut random, HANDCRAFTED_SPREAD));
        }
    }
}

/// The quantised form.
pub fn quantise(parameters: &[f32], normalisation: &Normalisation) -> Network {
    let output = |value: f32| (value * QB as f32).round() as i16;
    let row = |input: usize| {
        Row(std::array::from_fn(|neuron| {
            quantised(parameters[neuron / TILE * TILE_WEIGHTS + input * TILE + neuron % TILE])
        }))
    };
    let rows: Vec<Row> = (0..INPUTS).map(row).collect();
    let feature_weights = match rows.into_boxed_slice().try_into() {
        Ok(rows) => rows,
        Err(_) => unreachable!("as many rows as inputs"),
    };
    Network {
        feature_weights,
        feature_bias: Row(std::array::from_fn(|neuron| quantised(parameters[FEATURE_BIAS + neuron]))),
        output_weights: std::array::from_fn(|bucket| {
            std::array::from_fn(|half| {
                Row(std::array::from_fn(|neuron| output(parameters[output_at(bucket, half, 0) + neuron])))
            })
        }),
        output_bias: std::array::from_fn(|bucket| {
            (parameters[OUTPUT_BIAS + bucket] * (QA * QB) as f32).round() as i32
        }),
        handcrafted: normalisation.quantise(parameters),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Board;
    use crate::learn::games::format::GameResult;
    use crate::learn::train::samples::Sample;

    fn normalisation() -> Normalisation {
        let fens = ["startpos", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"];
        let board = |fen: &str| if fen == "startpos" { Board::startpos() } else { fen.parse().unwrap() };
        Normalisation::of(&fens.map(|fen| Sample::new(&board(fen), 0, GameResult::Draw)))
    }

    #[test]
    fn a_network_that_training_begins_with_is_not_changed_by_that() {
        let network = Network::embedded();
        let parameters = parameters_of(&network, &normalisation());
        assert_eq!(parameters.len(), PARAMETERS);
        assert_eq!(quantise(&parameters, &normalisation()), *network);
    }

    #[test]
    fn neurons_without_weights_are_woken_and_say_nothing_yet() {
        let network = Network::embedded();
        let mut parameters = parameters_of(&network, &normalisation());
        let asleep = [3, L1 - 1];
        let weight =
            |neuron: usize, input: usize| neuron / TILE * TILE_WEIGHTS + input * TILE + neuron % TILE;
        for neuron in asleep {
            (0..INPUTS).for_each(|input| parameters[weight(neuron, input)] = 0.0);
            parameters[FEATURE_BIAS + neuron] = 0.0;
            let outputs = (0..2 * OUTPUT_BUCKETS).map(|half| OUTPUT + half * L1 + neuron);
            outputs.for_each(|index| parameters[index] = 0.0);
        }
        let handcrafted_weight =
            |neuron: usize, input: usize| HANDCRAFTED_WEIGHTS + input * HANDCRAFTED_NEURONS + neuron;
        (0..HANDCRAFTED_INPUTS).for_each(|input| parameters[handcrafted_weight(5, input)] = 0.0);
        (0..OUTPUT_BUCKETS)
            .for_each(|bucket| parameters[HANDCRAFTED_OUTPUT + bucket * HANDCRAFTED_NEURONS + 5] = 0.0);
        let before = parameters.clone();
        reinit_dead_neurons(&mut parameters, 1);
        for neuron in 0..L1 {
            let changed = (0..INPUTS).filter(|&input| {
                let index = weight(neuron, input);
                parameters[index] != before[index]
            });
            // A random number may be zero.
            let expected = if asleep.contains(&neuron) { INPUTS - 8..=INPUTS } else { 0..=0 };
            assert!(expected.contains(&changed.count()), "{neuron}");
        }
        assert!((0..HANDCRAFTED_INPUTS).all(|input| parameters[handcrafted_weight(5, input)] != 0.0));
        assert_eq!(parameters[FEATURE_BIAS..HANDCRAFTED_WEIGHTS], before[FEATURE_BIAS..HANDCRAFTED_WEIGHTS]);
        assert_eq!(parameters[HANDCRAFTED_BIAS..], before[HANDCRAFTED_BIAS..]);
        let board = crate::chess::Board::startpos();
        let says =
            |parameters: &[f32]| crate::nnue::evaluate(&quantise(parameters, &normalisation()), &board);
        assert_eq!(says(&parameters), says(&before));
    }
}
