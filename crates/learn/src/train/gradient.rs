//! Computes the loss and the gradient of one thread's share of a batch.
//!
//! We process positions in groups whose hidden layers fit the second-level cache. To get the gradient of the hidden
//! weights we sort the positions by active input (a counting sort), so that we update each weight once per group
//! instead of once per position.
//!
//! Training is quantisation-aware: we evaluate positions with the weights as the engine will have them, rounded. In the
//! hidden layer this also takes half the memory and a fraction of the time of floats. Gradients ignore the rounding (the
//! straight-through estimator: Bengio, Léonard, Courville 2013).

use crate::sample::{MAX_PIECES, Sample};
use crate::train::handcrafted::HandcraftedGroup;
use crate::train::layout::*;
use crate::train::model::{Model, QuantisedLanes};
use crate::train::target::Target;
use enroque::nnue::architecture::{INPUTS, QA};
use enroque::simd::{Isa, Work, dispatch};
use enroque::util::sigmoid;

/// Each position has two rows of hidden values, one for each side.
const ROWS: usize = 2 * GROUP;

type Lanes = [f32; TILE];

/// The gradient that one thread sums up, and that thread's workspace.
pub struct Gradient {
    /// The gradient of the loss for each parameter, summed over the positions since the last step of the optimiser.
    pub sums: Vec<f32>,
    /// The sum of the squared errors so far; the caller reads it and sets it back to 0.
    pub loss: f64,
    /// Each position's active inputs, as the side to move sees them and as the other side does.
    features: Box<[[[u16; 2]; MAX_PIECES]; GROUP]>,
    /// How many active inputs each position has, the same for both sides.
    counts: Box<[usize; GROUP]>,
    /// Values of the hidden layer, by tile and row; the backward pass replaces them by their gradients.
    hidden: Vec<Lanes>,
    /// What the hidden layer adds to each position's output, not yet summed over the lanes.
    partial: Box<[Lanes; GROUP]>,
    handcrafted: HandcraftedGroup,
    /// Row numbers of `hidden`, sorted by active input. A row occurs once for each of its active inputs.
    by_input: Box<[u16; ROWS * MAX_PIECES]>,
    /// Where the rows of each input begin in `by_input`.
    begins: Box<[usize; INPUTS + 1]>,
}

impl Default for Gradient {
    fn default() -> Self {
        Self {
            sums: vec![0.0; PARAMETERS],
            loss: 0.0,
            features: Box::new([[[0; 2]; MAX_PIECES]; GROUP]),
            counts: Box::new([0; GROUP]),
            hidden: vec![[0.0; TILE]; TILES * ROWS],
            partial: Box::new([[0.0; TILE]; GROUP]),
            handcrafted: HandcraftedGroup::default(),
            by_input: Box::new([0; ROWS * MAX_PIECES]),
            begins: Box::new([0; INPUTS + 1]),
        }
    }
}

impl Gradient {
    pub fn add(&mut self, model: &Model<'_>, samples: &[Sample], target: Target) {
        for group in samples.chunks(GROUP) {
            self.load_features(group);
            self.forward(model, group);
            let gradients = self.compute_errors(&model.parameters, group, target);
            self.backward(&model.parameters, group, &gradients);
        }
    }

    pub fn add_loss(&mut self, model: &Model<'_>, samples: &[Sample], target: Target) {
        for group in samples.chunks(GROUP) {
            self.load_features(group);
            self.forward(model, group);
            self.compute_errors(&model.parameters, group, target);
        }
    }

    fn load_features(&mut self, group: &[Sample]) {
        for (position, sample) in group.iter().enumerate() {
            let features = &mut self.features[position];
            self.counts[position] =
                features.iter_mut().zip(sample.features()).map(|(to, pair)| *to = pair).count();
        }
    }

    fn features_of(&self, position: usize) -> &[[u16; 2]] {
        &self.features[position][..self.counts[position]]
    }

    fn forward(&mut self, model: &Model<'_>, group: &[Sample]) {
        dispatch(ForwardPass { gradient: self, model, group });
    }

    #[inline(always)]
    fn forward_inlined(&mut self, model: &Model<'_>, group: &[Sample]) {
        self.handcrafted.load_inputs(model.normalisation, group);
        self.handcrafted.forward(&model.parameters, group.len());
        self.partial[..group.len()].fill([0.0; TILE]);
        for (tile, (weights, bias)) in model.tiles().enumerate() {
            for (position, sample) in group.iter().enumerate() {
                // We add up both sides in one loop, because the CPU can overlap two independent chains of additions.
                let (mut own_sums, mut other_sums) = (bias, bias);
                for &[own, other] in self.features_of(position) {
                    add_quantised(&mut own_sums, &weights[usize::from(own)]);
                    add_quantised(&mut other_sums, &weights[usize::from(other)]);
                }
                for (half, sums) in [own_sums, other_sums].into_iter().enumerate() {
                    let values = sums.map(|sum| f32::from(sum) * (1.0 / QA as f32));
                    self.hidden[tile * ROWS + 2 * position + half] = values;
                    let output: Lanes =
                        copied(&model.parameters, output_offset(sample.output_bucket(), half, tile));
                    let partial = &mut self.partial[position];
                    for lane in 0..TILE {
                        let clipped = values[lane].clamp(0.0, 1.0);
                        partial[lane] += clipped * clipped * output[lane];
                    }
                }
            }
        }
    }

    fn output(&self, parameters: &[f32], position: usize, sample: &Sample) -> f32 {
        let bucket = sample.output_bucket();
        self.partial[position].iter().sum::<f32>()
            + parameters[OUTPUT_BIAS + bucket]
            + self.handcrafted.output(parameters, position, bucket)
    }

    /// Adds the squared errors to the loss. Returns their gradients with respect to the outputs.
    fn compute_errors(&mut self, parameters: &[f32], group: &[Sample], target: Target) -> [f32; GROUP] {
        let mut gradients = [0.0; GROUP];
        for (position, sample) in group.iter().enumerate() {
            let found = sigmoid(self.output(parameters, position, sample));
            let error = target.error(sample, found);
            self.loss += f64::from(error * error);
            gradients[position] = 2.0 * error * found * (1.0 - found);
        }
        gradients
    }

    fn backward(&mut self, parameters: &[f32], group: &[Sample], gradients: &[f32; GROUP]) {
        dispatch(BackwardPass { gradient: self, parameters, group, gradients });
    }

    #[inline(always)]
    fn backward_inlined(&mut self, parameters: &[f32], group: &[Sample], gradients: &[f32; GROUP]) {
        for (position, sample) in group.iter().enumerate() {
            self.sums[OUTPUT_BIAS + sample.output_bucket()] += gradients[position];
        }
        self.handcrafted.backward(parameters, group, gradients, &mut self.sums);
        self.sort_by_input(group.len());
        for tile in 0..TILES {
            self.backward_hidden(parameters, group, gradients, tile);
            let hidden = &self.hidden[tile * ROWS..][..ROWS];
            let sums = &mut self.sums[tile * TILE_WEIGHTS..][..TILE_WEIGHTS];
            for (input, sums) in sums.chunks_exact_mut(TILE).enumerate() {
                let rows = &self.by_input[self.begins[input]..self.begins[input + 1]];
                if rows.is_empty() {
                    continue;
                }
                add(sums, &sum_of_rows(hidden, rows));
            }
        }
    }

    /// Replaces a tile's hidden values by their gradients, and sums up the gradients of the output weights and biases.
    #[inline(always)]
    fn backward_hidden(
        &mut self,
        parameters: &[f32],
        group: &[Sample],
        gradients: &[f32; GROUP],
        tile: usize,
    ) {
        let mut bias_sum = [0.0; TILE];
        for (position, sample) in group.iter().enumerate() {
            let gradient = gradients[position];
            for half in 0..2 {
                let at = output_offset(sample.output_bucket(), half, tile);
                let output: Lanes = copied(parameters, at);
                let hidden = &mut self.hidden[tile * ROWS + 2 * position + half];
                let output_sums = &mut self.sums[at..at + TILE];
                for lane in 0..TILE {
                    let value = hidden[lane];
                    let clipped = value.clamp(0.0, 1.0);
                    output_sums[lane] += gradient * clipped * clipped;
                    // If clipping changed the value, its gradient is zero.
                    let inside = if value == clipped { 1.0 } else { 0.0 };
                    hidden[lane] = gradient * output[lane] * 2.0 * clipped * inside;
                    bias_sum[lane] += hidden[lane];
                }
            }
        }
        add(&mut self.sums[FEATURE_BIAS + tile * TILE..], &bias_sum);
    }

    fn sort_by_input(&mut self, positions: usize) {
        let mut ends = [0; INPUTS + 1];
        for position in 0..positions {
            for &input in self.features_of(position).as_flattened() {
                ends[usize::from(input) + 1] += 1;
            }
        }
        for input in 0..INPUTS {
            ends[input + 1] += ends[input];
        }
        *self.begins = ends;
        for position in 0..positions {
            for inputs in &self.features[position][..self.counts[position]] {
                for (half, &input) in inputs.iter().enumerate() {
                    let end = &mut ends[usize::from(input)];
                    self.by_input[*end] = (2 * position + half) as u16;
                    *end += 1;
                }
            }
        }
    }
}

struct ForwardPass<'a> {
    gradient: &'a mut Gradient,
    model: &'a Model<'a>,
    group: &'a [Sample],
}

impl Work for ForwardPass<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        self.gradient.forward_inlined(self.model, self.group);
    }
}

struct BackwardPass<'a> {
    gradient: &'a mut Gradient,
    parameters: &'a [f32],
    group: &'a [Sample],
    gradients: &'a [f32; GROUP],
}

impl Work for BackwardPass<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        self.gradient.backward_inlined(self.parameters, self.group, self.gradients);
    }
}

#[inline(always)]
fn add_quantised(sums: &mut QuantisedLanes, lanes: &QuantisedLanes) {
    for lane in 0..TILE {
        sums[lane] = sums[lane].wrapping_add(lanes[lane]);
    }
}

/// Sums the rows of `hidden` that `rows` lists, in four independent chains of additions, which the CPU can overlap.
#[inline(always)]
fn sum_of_rows(hidden: &[Lanes], rows: &[u16]) -> Lanes {
    let plus = |sum: Lanes, row: u16| -> Lanes {
        let lanes = &hidden[usize::from(row)];
        std::array::from_fn(|lane| sum[lane] + lanes[lane])
    };
    let [mut sum0, mut sum1, mut sum2, mut sum3] = [[0.0; TILE]; 4];
    let (chunks, rest) = rows.as_chunks::<4>();
    for &[row0, row1, row2, row3] in chunks {
        (sum0, sum1) = (plus(sum0, row0), plus(sum1, row1));
        (sum2, sum3) = (plus(sum2, row2), plus(sum3, row3));
    }
    for &row in rest {
        sum0 = plus(sum0, row);
    }
    std::array::from_fn(|lane| (sum0[lane] + sum1[lane]) + (sum2[lane] + sum3[lane]))
}

#[inline(always)]
fn add(sums: &mut [f32], lanes: &Lanes) {
    for (sum, lane) in sums.iter_mut().zip(lanes) {
        *sum += lane;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::format::GameResult;
    use crate::train::handcrafted::Normalisation;
    use crate::train::model::{parameters_of, random_parameters};
    use enroque::chess::startpos::opening;
    use enroque::chess::{Board, Color};
    use enroque::nnue::architecture::{QB, SCALE};
    use enroque::nnue::{self, Network};
    use enroque::util::random::Random;

    const TARGET: Target = Target { lambda: 0.4, scale: 400.0 };

    /// Returns positions from random games; `score` gives each its score for White.
    fn samples(count: usize, mut score: impl FnMut(&Board) -> i16) -> Vec<Sample> {
        let mut random = Random::new(11);
        let mut samples = Vec::new();
        while samples.len() < count {
            let start = opening::random_start(&mut random, 80);
            // Long random games leave few pieces, so that every output bucket gets samples.
            let plies = random.below(400);
            if let Some(board) = opening::play_random(start, plies, &mut random) {
                samples.push(Sample::new(&board, score(&board), GameResult::Win));
            }
        }
        samples
    }

    /// A model with unrounded outputs, so that the loss changes even if a parameter moves by a tiny step.
    fn unrounded<'a>(parameters: &[f32], normalisation: &'a Normalisation) -> Model<'a> {
        let mut model = Model::new(parameters, normalisation);
        model.parameters.copy_from_slice(parameters);
        model
    }

    fn loss(model: &Model<'_>, samples: &[Sample]) -> f64 {
        let mut gradient = Gradient::default();
        gradient.add_loss(model, samples, TARGET);
        gradient.loss
    }

    #[test]
    fn model_agrees_with_engine() {
        let network = Network::embedded();
        let samples = samples(300, |board| {
            let score = nnue::evaluate(&network, board) as i16;
            if board.side_to_move() == Color::White { score } else { -score }
        });
        let normalisation = Normalisation::of(&samples);
        let mut parameters = parameters_of(&network, &normalisation);
        // Rounding must take this away again.
        parameters[OUTPUT..OUTPUT_BIAS].iter_mut().for_each(|weight| *weight += 0.49 / QB as f32);
        let mut gradient = Gradient::default();
        let target = Target { lambda: 0.0, scale: SCALE as f32 };
        gradient.add_loss(&Model::new(&parameters, &normalisation), &samples, target);
        // Near 0 the chance to win grows by 1 / (4 * SCALE) for each centipawn. The engine rounds to whole ones.
        let error = (gradient.loss / samples.len() as f64).sqrt() * 4.0 * f64::from(SCALE);
        assert!(error < 1.0, "{error} centipawns");
    }

    #[test]
    fn gradients_match_finite_differences() {
        let mut random = Random::new(17);
        let samples = samples(4 * GROUP + 40, |_| random.below(1000) as i16 - 500);
        // These biases keep the neurons between their clipping bounds, where gradients aren't zero.
        let mut parameters = random_parameters(5);
        parameters[FEATURE_BIAS..OUTPUT].fill(0.4);
        parameters[HANDCRAFTED_BIAS..HANDCRAFTED_OUTPUT].fill(2.0);
        for weight in &mut parameters[HANDCRAFTED_OUTPUT..] {
            *weight = (random.below(100) as f32 - 50.0) / 200.0;
        }
        let normalisation = Normalisation::of(&samples);
        // Rounding doesn't change these hidden weights.
        const STEP: f32 = 1.0 / QA as f32;
        for parameter in &mut parameters[..OUTPUT] {
            *parameter = (*parameter / STEP).round() * STEP;
        }
        let mut gradient = Gradient::default();
        let model = unrounded(&parameters, &normalisation);
        gradient.add(&model, &samples, TARGET);
        assert!((gradient.loss - loss(&model, &samples)).abs() < 1e-9);

        let mut compared = 0;
        let bounds = [
            0,
            FEATURE_BIAS,
            OUTPUT,
            OUTPUT_BIAS,
            HANDCRAFTED_WEIGHTS,
            HANDCRAFTED_BIAS,
            HANDCRAFTED_OUTPUT,
            PARAMETERS,
        ];
        for (&begin, &end) in bounds.iter().zip(&bounds[1..]) {
            for _ in 0..60 {
                let index = begin + random.below((end - begin) as u64) as usize;
                let mut at = |shift: f32| {
                    let old = std::mem::replace(&mut parameters[index], 0.0);
                    parameters[index] = old + shift;
                    let loss = loss(&unrounded(&parameters, &normalisation), &samples);
                    parameters[index] = old;
                    loss
                };
                // Handcrafted inputs can be ten times as large as the others. With a smaller step, fewer neurons cross
                // a clipping bound on the way.
                let step = if index < HANDCRAFTED_WEIGHTS { STEP } else { STEP / 20.0 };
                let numeric = (at(step) - at(-step)) / f64::from(2.0 * step);
                let found = f64::from(gradient.sums[index]);
                let allowed = 0.03 * numeric.abs() + 8e-3;
                assert!((found - numeric).abs() < allowed, "parameter {index}: {found} but {numeric}");
                compared += usize::from(numeric.abs() > 0.15);
            }
        }
        assert!(compared > 200, "too few gradients differ from zero: {compared}");
    }
}
