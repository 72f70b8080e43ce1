//! The parameters of the network during training, and how we quantise them.

use crate::train::handcrafted::Normalisation;
use crate::train::layout::*;
use enroque::nnue::Network;
use enroque::nnue::architecture::{HANDCRAFTED_INPUTS, HANDCRAFTED_NEURONS, INPUTS, L1, QA, QB, Row};
use enroque::util::random::Random;

/// Hidden weights start out uniformly distributed within ± this.
const HIDDEN_INIT: f32 = 0.1;
/// Handcrafted weights start out uniformly distributed within ± this.
const HANDCRAFTED_INIT: f32 = 0.12;

/// Quantised accumulator values of a tile, in units of 1/[`QA`].
pub type QuantisedLanes = [i16; TILE];

/// The parameters as the forward pass uses them: rounded as in the engine, so that we train the network that we write.
pub struct Model<'a> {
    /// All parameters behind the hidden layer, rounded. The hidden layer's own are zero here; see `hidden`.
    pub parameters: Vec<f32>,
    pub normalisation: &'a Normalisation,
    /// For each tile, the weights ordered by input, then the biases.
    hidden: Vec<QuantisedLanes>,
}

impl<'a> Model<'a> {
    pub fn new(parameters: &[f32], normalisation: &'a Normalisation) -> Self {
        let lanes = |at: usize| std::array::from_fn(|lane| quantised(parameters[at + lane]));
        let tile = |tile: usize| {
            let rows = (0..INPUTS).map(move |input| lanes(tile * TILE_WEIGHTS + input * TILE));
            rows.chain([lanes(FEATURE_BIAS + tile * TILE)])
        };
        let hidden = (0..TILES).flat_map(tile).collect();
        Self { parameters: rounded_outputs(parameters, normalisation), normalisation, hidden }
    }

    /// Iterates over the tiles and returns the weights of each, by input, and its biases.
    pub fn tiles(&self) -> impl Iterator<Item = (&[QuantisedLanes; INPUTS], QuantisedLanes)> {
        self.hidden.chunks_exact(INPUTS + 1).map(|lanes| match lanes.split_first_chunk() {
            Some((weights, rest)) => (weights, rest[0]),
            None => unreachable!("a tile has a row for each input"),
        })
    }
}

#[inline]
fn quantised(value: f32) -> i16 {
    (value * QA as f32).round_ties_even() as i16
}

/// Returns how many steps of 1/`scale` make `value`, rounded.
fn steps(value: f32, scale: i32) -> f32 {
    (value * scale as f32).round()
}

/// Rounds all parameters behind the hidden layer, as [`quantise`] and [`parameters_of`] do with all layers.
fn rounded_outputs(parameters: &[f32], normalisation: &Normalisation) -> Vec<f32> {
    let mut rounded = vec![0.0; PARAMETERS];
    for (range, scale) in [(OUTPUT..OUTPUT_BIAS, QB), (OUTPUT_BIAS..HANDCRAFTED_WEIGHTS, QA * QB)] {
        for index in range {
            rounded[index] = steps(parameters[index], scale) / scale as f32;
        }
    }
    let handcrafted = normalisation.parameters_of(&normalisation.quantise(parameters));
    rounded[HANDCRAFTED_WEIGHTS..].copy_from_slice(&handcrafted);
    rounded
}

/// Returns a random number within ± `range`, uniformly distributed.
fn uniform(random: &mut Random, range: f32) -> f32 {
    let unit = random.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0;
    unit * range
}

pub fn random_parameters(seed: u64) -> Vec<f32> {
    let mut random = Random::new(seed);
    let mut uniform = |range: f32| uniform(&mut random, range);
    let output_init = (1.0 / (2 * L1) as f32).sqrt();
    (0..PARAMETERS)
        .map(|index| match index {
            0..FEATURE_BIAS => uniform(HIDDEN_INIT),
            OUTPUT..OUTPUT_BIAS => uniform(output_init),
            HANDCRAFTED_WEIGHTS..HANDCRAFTED_BIAS => uniform(HANDCRAFTED_INIT),
            _ => 0.0,
        })
        .collect()
}

/// Dequantises a network. [`quantise`] turns the result into the same network again.
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

/// Draws new input weights for neurons whose input weights are all zero, such as those added to a narrower network.
/// Their output weights are zero, too, so the network's output doesn't change, but without new input weights all their
/// gradients would stay zero.
pub fn reinit_dead_neurons(parameters: &mut [f32], seed: u64) {
    let mut random = Random::new(seed);
    for neuron in 0..L1 {
        let weights = (0..INPUTS).map(|input| hidden_offset(input, neuron));
        if weights.clone().all(|index| parameters[index] == 0.0) {
            weights.for_each(|index| parameters[index] = uniform(&mut random, HIDDEN_INIT));
        }
    }
    for neuron in 0..HANDCRAFTED_NEURONS {
        let weights = (0..HANDCRAFTED_INPUTS).map(|input| handcrafted_offset(input, neuron));
        if weights.clone().all(|index| parameters[index] == 0.0) {
            weights.for_each(|index| parameters[index] = uniform(&mut random, HANDCRAFTED_INIT));
        }
    }
}

pub fn quantise(parameters: &[f32], normalisation: &Normalisation) -> Network {
    let row =
        |input: usize| Row(std::array::from_fn(|neuron| quantised(parameters[hidden_offset(input, neuron)])));
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
                let at = output_offset(bucket, half, 0);
                Row(std::array::from_fn(|neuron| steps(parameters[at + neuron], QB) as i16))
            })
        }),
        output_bias: std::array::from_fn(|bucket| steps(parameters[OUTPUT_BIAS + bucket], QA * QB) as i32),
        handcrafted: normalisation.quantise(parameters),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::format::GameResult;
    use crate::sample::Sample;
    use enroque::chess::Board;
    use enroque::nnue::architecture::OUTPUT_BUCKETS;

    fn normalisation() -> Normalisation {
        let fens = ["startpos", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"];
        let board = |fen: &str| if fen == "startpos" { Board::startpos() } else { fen.parse().unwrap() };
        Normalisation::of(&fens.map(|fen| Sample::new(&board(fen), 0, GameResult::Draw)))
    }

    #[test]
    fn quantisation_inverts_dequantisation() {
        let network = Network::embedded();
        let parameters = parameters_of(&network, &normalisation());
        assert_eq!(parameters.len(), PARAMETERS);
        assert_eq!(quantise(&parameters, &normalisation()), *network);
    }

    #[test]
    fn reinitialised_neurons_keep_output() {
        let network = Network::embedded();
        let mut parameters = parameters_of(&network, &normalisation());
        let dead = [3, L1 - 1];
        for neuron in dead {
            (0..INPUTS).for_each(|input| parameters[hidden_offset(input, neuron)] = 0.0);
            parameters[FEATURE_BIAS + neuron] = 0.0;
            let outputs = (0..2 * OUTPUT_BUCKETS).map(|half| OUTPUT + half * L1 + neuron);
            outputs.for_each(|index| parameters[index] = 0.0);
        }
        (0..HANDCRAFTED_INPUTS).for_each(|input| parameters[handcrafted_offset(input, 5)] = 0.0);
        (0..OUTPUT_BUCKETS)
            .for_each(|bucket| parameters[HANDCRAFTED_OUTPUT + bucket * HANDCRAFTED_NEURONS + 5] = 0.0);
        let before = parameters.clone();
        reinit_dead_neurons(&mut parameters, 1);
        for neuron in 0..L1 {
            let changed = (0..INPUTS).filter(|&input| {
                let index = hidden_offset(input, neuron);
                parameters[index] != before[index]
            });
            // A few of the new random weights may be zero like the old ones.
            let expected = if dead.contains(&neuron) { INPUTS - 8..=INPUTS } else { 0..=0 };
            assert!(expected.contains(&changed.count()), "{neuron}");
        }
        assert!((0..HANDCRAFTED_INPUTS).all(|input| parameters[handcrafted_offset(input, 5)] != 0.0));
        assert_eq!(parameters[FEATURE_BIAS..HANDCRAFTED_WEIGHTS], before[FEATURE_BIAS..HANDCRAFTED_WEIGHTS]);
        assert_eq!(parameters[HANDCRAFTED_BIAS..], before[HANDCRAFTED_BIAS..]);
        let board = enroque::chess::Board::startpos();
        let evaluation =
            |parameters: &[f32]| enroque::nnue::evaluate(&quantise(parameters, &normalisation()), &board);
        assert_eq!(evaluation(&parameters), evaluation(&before));
    }
}
