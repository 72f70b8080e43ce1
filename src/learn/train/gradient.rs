//! Loss and gradient of a batch, one thread's share of it.
//!
//! Positions go through in small groups, whose hidden layers fit the second-level cache. For the gradient of the
//! hidden weights the positions of each input are listed first (a counting sort), so that each weight is touched
//! once a group, and not once a position.
//!
//! The hidden layer is summed up of the quantised weights, as the engine does it: half the memory and a fraction of
//! the time of floats, and the network learns with the rounding that it will have. The gradients pass it as if it were
//! not there (the straight-through estimator: Bengio, Léonard, Courville 2013).

use crate::learn::train::handcrafted::HandcraftedGroup;
use crate::learn::train::model::*;
use crate::learn::train::samples::{MAX_PIECES, Sample};
use crate::learn::train::target::{Target, sigmoid};
use crate::nnue::simd::{Isa, Work, dispatch};
use crate::nnue::{INPUTS, L1, QA};

/// Positions of a group.
pub(super) const GROUP: usize = 256;
/// Hidden layers of a group: two a position.
const ROWS: usize = 2 * GROUP;

/// A tile's part of one hidden layer.
type Lanes = [f32; TILE];

/// One thread's workspace.
pub struct Gradient {
    /// Sums over the positions seen since they were last cleared.
    pub sums: Vec<f32>,
    /// Of those positions, the squared errors' sum.
    pub loss: f64,
    /// By position: the active inputs of the own and of the other side.
    features: Box<[[[u16; 2]; MAX_PIECES]; GROUP]>,
    /// By position: how many there are.
    counts: Box<[usize; GROUP]>,
    /// By tile and row: the hidden layer, then its gradient.
    hidden: Vec<Lanes>,
    /// By position: the output's parts.
    partial: Box<[Lanes; GROUP]>,
    /// The handcrafted layer beside it.
    handcrafted: HandcraftedGroup,
    /// Rows listed by input.
    by_input: Box<[u16; ROWS * MAX_PIECES]>,
    /// Where each input's rows begin.
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
    /// Adds loss and gradient of `samples`.
    pub fn add(&mut self, model: Model<'_>, samples: &[Sample], target: Target) {
        for group in samples.chunks(GROUP) {
            self.take_in(group);
            self.forward(model, group);
            let gradients = self.compare(model.parameters, group, target);
            self.backward(model.parameters, group, &gradients);
        }
    }

    /// Adds the loss of `samples`, and no gradient.
    pub fn add_loss(&mut self, model: Model<'_>, samples: &[Sample], target: Target) {
        for group in samples.chunks(GROUP) {
            self.take_in(group);
            self.forward(model, group);
            self.compare(model.parameters, group, target);
        }
    }

    /// The network's output for each of `samples`, by `visit`.
    pub fn outputs(&mut self, model: Model<'_>, samples: &[Sample], mut visit: impl FnMut(&Sample, f32)) {
        for group in samples.chunks(GROUP) {
            self.take_in(group);
            self.forward(model, group);
            for (position, sample) in group.iter().enumerate() {
                visit(sample, self.output(model.parameters, position, sample));
            }
        }
    }

    /// Lists the active inputs.
    fn take_in(&mut self, group: &[Sample]) {
        for (position, sample) in group.iter().enumerate() {
            let features = &mut self.features[position];
            self.counts[position] =
                features.iter_mut().zip(sample.features()).map(|(to, pair)| *to = pair).count();
        }
    }

    /// The active inputs of a position.
    fn features_of(&self, position: usize) -> &[[u16; 2]] {
        &self.features[position][..self.counts[position]]
    }

    fn forward(&mut self, model: Model<'_>, group: &[Sample]) {
        dispatch(ForwardPass { gradient: self, model, group });
    }

    #[inline(always)]
    fn forward_inlined(&mut self, model: Model<'_>, group: &[Sample]) {
        self.handcrafted.take_in(model.normalisation, group);
        self.handcrafted.forward(model.parameters, group.len());
        self.partial[..group.len()].fill([0.0; TILE]);
        for (tile, weights) in model.hidden.tiles().enumerate() {
            for (position, sample) in group.iter().enumerate() {
                // Both sides at once: additions that do not wait for each other.
                let (mut own_sums, mut other_sums) = (weights.bias, weights.bias);
                for &[own, other] in self.features_of(position) {
                    add_quantised(&mut own_sums, &weights.rows[usize::from(own)]);
                    add_quantised(&mut other_sums, &weights.rows[usize::from(other)]);
                }
                for (half, sums) in [own_sums, other_sums].into_iter().enumerate() {
                    let values = sums.map(|sum| f32::from(sum) * (1.0 / QA as f32));
                    self.hidden[tile * ROWS + 2 * position + half] = values;
                    let output = lanes(model.parameters, output_at(sample.output_bucket(), half, tile));
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

    /// Adds the squared errors; gives their gradients by the outputs.
    fn compare(&mut self, parameters: &[f32], group: &[Sample], target: Target) -> [f32; GROUP] {
        let mut gradients = [0.0; GROUP];
        for (position, sample) in group.iter().enumerate() {
            let found = sigmoid(self.output(parameters, position, sample));
            let error = sample.error(found, target);
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
        self.list_by_input(group.len());
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

    /// Puts the gradients of a tile's hidden layers in the place of their values, and adds those of output weights and
    /// biases.
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
            let slope = gradients[position];
            for half in 0..2 {
                let at = output_at(sample.output_bucket(), half, tile);
                let output = lanes(parameters, at);
                let hidden = &mut self.hidden[tile * ROWS + 2 * position + half];
                let output_sums = &mut self.sums[at..at + TILE];
                for lane in 0..TILE {
                    let value = hidden[lane];
                    let clipped = value.clamp(0.0, 1.0);
                    output_sums[lane] += slope * clipped * clipped;
                    // Where the value is clipped the slope is zero.
                    let inside = if value == clipped { 1.0 } else { 0.0 };
                    hidden[lane] = slope * output[lane] * 2.0 * clipped * inside;
                    bias_sum[lane] += hidden[lane];
                }
            }
        }
        add(&mut self.sums[FEATURE_BIAS + tile * TILE..], &bias_sum);
    }

    /// Lists for each input the rows in which it is active.
    fn list_by_input(&mut self, positions: usize) {
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

/// The hidden layers and outputs of a group.
struct ForwardPass<'a> {
    gradient: &'a mut Gradient,
    model: Model<'a>,
    group: &'a [Sample],
}

impl Work for ForwardPass<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        self.gradient.forward_inlined(self.model, self.group);
    }
}

/// The gradients of a group.
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

/// The sum of the rows of `hidden` listed in `rows`, in four chains of additions that do not wait for each other.
#[inline(always)]
fn sum_of_rows(hidden: &[Lanes], rows: &[u16]) -> Lanes {
    let plus = |sum: Lanes, row: u16| -> Lanes {
        let lanes = &hidden[usize::from(row)];
        std::array::from_fn(|lane| sum[lane] + lanes[lane])
    };
    let [mut sum0, mut sum1, mut sum2, mut sum3] = [[0.0; TILE]; 4];
    let (whole, rest) = rows.as_chunks::<4>();
    for &[row0, row1, row2, row3] in whole {
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

#[inline(always)]
fn lanes(parameters: &[f32], at: usize) -> Lanes {
    let mut lanes = [0.0; TILE];
    lanes.copy_from_slice(&parameters[at..at + TILE]);
    lanes
}

const _: () = assert!(L1.is_multiple_of(TILE));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::startpos::opening;
    use crate::learn::games::format::GameResult;
    use crate::learn::train::handcrafted::Normalisation;
    use crate::util::random::Random;

    const TARGET: Target = Target { lambda: 0.4, endgame_lambda: 0.6, scale: 400.0 };

    fn samples(count: usize) -> Vec<Sample> {
        let mut random = Random::new(11);
        let mut samples = Vec::new();
        while samples.len() < count {
            let start = opening::random_start(&mut random, 80);
            // Long games at random leave few pieces: every output has its samples.
            let plies = random.below(400);
            if let Some(board) = opening::play_random(start, plies, &mut random) {
                let score = random.below(1000) as i16 - 500;
                samples.push(Sample::new(&board, score, GameResult::Win));
            }
        }
        samples
    }

    fn loss(parameters: &[f32], normalisation: &Normalisation, samples: &[Sample]) -> f64 {
        let mut gradient = Gradient::default();
        let hidden = QuantisedHidden::new(parameters);
        gradient.add_loss(Model { parameters, hidden: &hidden, normalisation }, samples, TARGET);
        gradient.loss
    }

    #[test]
    fn gradients_agree_with_differences() {
        let samples = samples(4 * GROUP + 40);
        // Biases that put the hidden layer between its clips, where gradients are.
        let mut parameters = random_parameters(5);
        parameters[FEATURE_BIAS..OUTPUT].fill(0.4);
        let mut random = Random::new(17);
        for parameter in &mut parameters[HANDCRAFTED_BIAS..] {
            *parameter = random.below(100) as f32 / 100.0;
        }
        let normalisation = Normalisation::of(&samples);
        // On the grid of the quantised weights, of which one is a step.
        const STEP: f32 = 1.0 / QA as f32;
        for parameter in &mut parameters[..OUTPUT] {
            *parameter = (*parameter / STEP).round() * STEP;
        }
        let mut gradient = Gradient::default();
        let hidden = QuantisedHidden::new(&parameters);
        let model = Model { parameters: &parameters, hidden: &hidden, normalisation: &normalisation };
        gradient.add(model, &samples, TARGET);
        assert!((gradient.loss - loss(&parameters, &normalisation, &samples)).abs() < 1e-9);

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
                    let loss = loss(&parameters, &normalisation, &samples);
                    parameters[index] = old;
                    loss
                };
                // Handcrafted inputs may be ten times as large.
                let step = if index < HANDCRAFTED_WEIGHTS { STEP } else { STEP / 10.0 };
                let slope = (at(step) - at(-step)) / f64::from(2.0 * step);
                let found = f64::from(gradient.sums[index]);
                let allowed = 0.03 * slope.abs() + 8e-3;
                assert!((found - slope).abs() < allowed, "parameter {index}: {found} but {slope}");
                compared += usize::from(slope.abs() > 0.15);
            }
        }
        assert!(compared > 100, "the gradients must be worth comparing: {compared}");
    }
}
