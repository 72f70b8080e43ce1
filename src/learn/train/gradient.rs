//! Loss and gradient of a batch, one thread's share of it.
//!
//! Positions go through in small groups, whose hidden layers fit the second-level cache. For the gradient of the
//! hidden weights the positions of each input are listed first (a counting sort), so that each weight is touched
//! once a group, and not once a position.

use super::model::*;
use crate::learn::samples::{MAX_PIECES, Sample, sigmoid};
use crate::nnue::{INPUTS, L1};

/// Positions of a group.
const GROUP: usize = 256;
/// Hidden layers of a group: two a position.
const ROWS: usize = 2 * GROUP;

/// A tile's part of one hidden layer.
type Lanes = [f32; TILE];

/// What a position is worth, by its result and its score.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Weight of the result.
    pub lambda: f32,
    /// Centipawns of a score whose expectation is σ(1).
    pub scale: f32,
}

/// One thread's workspace.
pub struct Gradient {
    /// Sums over the positions seen since they were last cleared.
    pub sums: Vec<f32>,
    /// Of those positions, the squared errors' sum.
    pub loss: f64,
    /// By row: the active inputs.
    features: Box<[[u16; MAX_PIECES]; ROWS]>,
    counts: Box<[usize; ROWS]>,
    /// By tile and row: the hidden layer, then its gradient.
    hidden: Vec<Lanes>,
    /// By position: the output's parts.
    partial: Box<[Lanes; GROUP]>,
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
            features: Box::new([[0; MAX_PIECES]; ROWS]),
            counts: Box::new([0; ROWS]),
            hidden: vec![[0.0; TILE]; TILES * ROWS],
            partial: Box::new([[0.0; TILE]; GROUP]),
            by_input: Box::new([0; ROWS * MAX_PIECES]),
            begins: Box::new([0; INPUTS + 1]),
        }
    }
}

impl Gradient {
    /// Adds loss and gradient of `samples`.
    pub fn add(&mut self, parameters: &[f32], samples: &[Sample], target: Target) {
        for group in samples.chunks(GROUP) {
            self.take_in(group);
            self.forward(parameters, group);
            let slopes = self.compare(parameters, group, target);
            self.backward(parameters, group, &slopes);
        }
    }

    /// Adds the loss of `samples`, and no gradient.
    pub fn add_loss(&mut self, parameters: &[f32], samples: &[Sample], target: Target) {
        for group in samples.chunks(GROUP) {
            self.take_in(group);
            self.forward(parameters, group);
            self.compare(parameters, group, target);
        }
    }

    /// The network's output for each of at most [`GROUP`] positions, by `visit`.
    pub fn outputs(&mut self, parameters: &[f32], samples: &[Sample], mut visit: impl FnMut(&Sample, f32)) {
        for group in samples.chunks(GROUP) {
            self.take_in(group);
            self.forward(parameters, group);
            for (position, sample) in group.iter().enumerate() {
                visit(sample, self.output(parameters, position, sample));
            }
        }
    }

    /// Lists the active inputs.
    fn take_in(&mut self, group: &[Sample]) {
        for (position, sample) in group.iter().enumerate() {
            let mut count = 0;
            for [own, other] in sample.features() {
                self.features[2 * position][count] = own;
                self.features[2 * position + 1][count] = other;
                count += 1;
            }
            self.counts[2 * position] = count;
            self.counts[2 * position + 1] = count;
        }
    }

    fn forward(&mut self, parameters: &[f32], group: &[Sample]) {
        self.partial[..group.len()].fill([0.0; TILE]);
        for tile in 0..TILES {
            let weights = lanes_of(&parameters[tile * TILE_WEIGHTS..][..TILE_WEIGHTS]);
            let bias = lanes(parameters, FEATURE_BIAS + tile * TILE);
            for (position, sample) in group.iter().enumerate() {
                let partial = &mut self.partial[position];
                for half in 0..2 {
                    let row = 2 * position + half;
                    let mut sum = bias;
                    for &input in &self.features[row][..self.counts[row]] {
                        add(&mut sum, &weights[usize::from(input)]);
                    }
                    self.hidden[tile * ROWS + row] = sum;
                    let output = lanes(parameters, output_at(sample.output_bucket(), half, tile));
                    for lane in 0..TILE {
                        let clipped = sum[lane].clamp(0.0, 1.0);
                        partial[lane] += clipped * clipped * output[lane];
                    }
                }
            }
        }
    }

    fn output(&self, parameters: &[f32], position: usize, sample: &Sample) -> f32 {
        self.partial[position].iter().sum::<f32>() + parameters[OUTPUT_BIAS + sample.output_bucket()]
    }

    /// Adds the squared errors; gives their slopes by the outputs.
    fn compare(&mut self, parameters: &[f32], group: &[Sample], target: Target) -> [f32; GROUP] {
        let mut slopes = [0.0; GROUP];
        for (position, sample) in group.iter().enumerate() {
            let found = sigmoid(self.output(parameters, position, sample));
            let error = found - sample.expectation(target.lambda, target.scale);
            self.loss += f64::from(error * error);
            slopes[position] = 2.0 * error * found * (1.0 - found);
        }
        slopes
    }

    fn backward(&mut self, parameters: &[f32], group: &[Sample], slopes: &[f32; GROUP]) {
        for (position, sample) in group.iter().enumerate() {
            self.sums[OUTPUT_BIAS + sample.output_bucket()] += slopes[position];
        }
        self.list_by_input(2 * group.len());
        for tile in 0..TILES {
            self.backward_hidden(parameters, group, slopes, tile);
            let hidden = &self.hidden[tile * ROWS..][..ROWS];
            let sums = &mut self.sums[tile * TILE_WEIGHTS..][..TILE_WEIGHTS];
            for (input, sums) in sums.chunks_exact_mut(TILE).enumerate() {
                let rows = &self.by_input[self.begins[input]..self.begins[input + 1]];
                if rows.is_empty() {
                    continue;
                }
                let mut sum = [0.0; TILE];
                for &row in rows {
                    add(&mut sum, &hidden[usize::from(row)]);
                }
                add(sums, &sum);
            }
        }
    }

    /// Puts the slopes of a tile's hidden layers in the place of their values, and adds those of output weights and
    /// biases.
    fn backward_hidden(&mut self, parameters: &[f32], group: &[Sample], slopes: &[f32; GROUP], tile: usize) {
        let mut bias_sum = [0.0; TILE];
        for (position, sample) in group.iter().enumerate() {
            let slope = slopes[position];
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
    fn list_by_input(&mut self, rows: usize) {
        let mut ends = [0; INPUTS + 1];
        for row in 0..rows {
            for &input in &self.features[row][..self.counts[row]] {
                ends[usize::from(input) + 1] += 1;
            }
        }
        for input in 0..INPUTS {
            ends[input + 1] += ends[input];
        }
        *self.begins = ends;
        for row in 0..rows {
            for &input in &self.features[row][..self.counts[row]] {
                let end = &mut ends[usize::from(input)];
                self.by_input[*end] = row as u16;
                *end += 1;
            }
        }
    }
}

#[inline]
fn add(sums: &mut [f32], lanes: &Lanes) {
    for (sum, lane) in sums.iter_mut().zip(lanes) {
        *sum += lane;
    }
}

#[inline]
fn lanes(parameters: &[f32], at: usize) -> Lanes {
    let mut lanes = [0.0; TILE];
    lanes.copy_from_slice(&parameters[at..at + TILE]);
    lanes
}

#[inline]
fn lanes_of(weights: &[f32]) -> &[Lanes] {
    weights.as_chunks::<TILE>().0
}

const _: () = assert!(L1.is_multiple_of(TILE));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::random::Random;
    use crate::chess::startpos::opening;
    use crate::learn::game::GameResult;

    const TARGET: Target = Target { lambda: 0.4, scale: 400.0 };

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

    fn loss(parameters: &[f32], samples: &[Sample]) -> f64 {
        let mut gradient = Gradient::default();
        gradient.add_loss(parameters, samples, TARGET);
        gradient.loss
    }

    #[test]
    fn gradients_agree_with_differences() {
        let samples = samples(4 * GROUP + 40);
        // Biases that put the hidden layer between its clips, where slopes are.
        let mut parameters = random_parameters(5);
        parameters[FEATURE_BIAS..OUTPUT].fill(0.4);
        let mut gradient = Gradient::default();
        gradient.add(&parameters, &samples, TARGET);
        assert!((gradient.loss - loss(&parameters, &samples)).abs() < 1e-9);

        let mut random = Random::new(17);
        let mut compared = 0;
        for (begin, end) in
            [(0, FEATURE_BIAS), (FEATURE_BIAS, OUTPUT), (OUTPUT, OUTPUT_BIAS), (OUTPUT_BIAS, PARAMETERS)]
        {
            for _ in 0..60 {
                let index = begin + random.below((end - begin) as u64) as usize;
                const STEP: f32 = 1e-3;
                let mut at = |shift: f32| {
                    let old = std::mem::replace(&mut parameters[index], 0.0);
                    parameters[index] = old + shift;
                    let loss = loss(&parameters, &samples);
                    parameters[index] = old;
                    loss
                };
                let slope = (at(STEP) - at(-STEP)) / f64::from(2.0 * STEP);
                let found = f64::from(gradient.sums[index]);
                let allowed = 0.03 * slope.abs() + 8e-3;
                assert!((found - slope).abs() < allowed, "parameter {index}: {found} but {slope}");
                compared += usize::from(slope.abs() > 0.15);
            }
        }
        assert!(compared > 100, "the slopes must be worth comparing: {compared}");
    }
}
