//! The optimiser AdamW, and the average of the weights over the last part of a run.

use std::ops::Range;

use rayon::prelude::*;

use crate::train::gradient::Gradient;
use crate::train::layout::{HANDCRAFTED_WEIGHTS, OUTPUT, OUTPUT_BIAS, PARAMETERS, TILE_WEIGHTS, TILES};
use enroque::nnue::architecture::{KING_BUCKETS, OUTPUT_BUCKETS};

/// Each parallel task updates this many parameters.
const CHUNK: usize = 8192;

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;
const WEIGHT_DECAY: f32 = 0.01;
/// We clip weights to ± this, so that a bias and the weights of 32 pieces, quantised and added up, fit an `i16`.
const MAX_WEIGHT: f32 = 1.98;

/// AdamW (Loshchilov and Hutter 2019): gradient descent with adaptive moments and decoupled weight decay.
pub struct AdamW {
    /// First moments: running means of the gradients.
    pub mean: Vec<f32>,
    /// Second moments: running means of the squared gradients.
    pub square: Vec<f32>,
    pub steps: u64,
}

impl Default for AdamW {
    fn default() -> Self {
        Self { mean: vec![0.0; PARAMETERS], square: vec![0.0; PARAMETERS], steps: 0 }
    }
}

impl AdamW {
    /// Takes a step along the mean gradient of a batch of `count` positions. `gradients` has the sum from each thread;
    /// we clear these sums. The handcrafted layer learns at `rate` times `handcrafted_factor`.
    pub fn step(
        &mut self,
        parameters: &mut [f32],
        gradients: &mut [Gradient],
        count: usize,
        rate: f32,
        handcrafted_factor: f32,
    ) {
        share_buckets(gradients);
        self.steps = self.steps.saturating_add(1);
        let steps = i32::try_from(self.steps).unwrap_or(i32::MAX);
        let (unbias1, unbias2) = (1.0 / (1.0 - BETA1.powi(steps)), 1.0 / (1.0 - BETA2.powi(steps)));
        let shares: Vec<&[f32]> = gradients.iter().map(|gradient| gradient.sums.as_slice()).collect();
        parameters
            .par_chunks_mut(CHUNK)
            .zip(self.mean.par_chunks_mut(CHUNK))
            .zip(self.square.par_chunks_mut(CHUNK))
            .enumerate()
            .for_each(|(chunk, ((parameters, mean), square))| {
                let begin = chunk * CHUNK;
                let shares: Vec<&[f32]> =
                    shares.iter().map(|share| &share[begin..begin + parameters.len()]).collect();
                for index in 0..parameters.len() {
                    let is_handcrafted = begin + index >= HANDCRAFTED_WEIGHTS;
                    let rate = if is_handcrafted { rate * handcrafted_factor } else { rate };
                    let gradient = shares.iter().map(|share| share[index]).sum::<f32>() / count as f32;
                    mean[index] += (1.0 - BETA1) * (gradient - mean[index]);
                    square[index] += (1.0 - BETA2) * (gradient * gradient - square[index]);
                    let size = (square[index] * unbias2).sqrt() + EPSILON;
                    let step = mean[index] * unbias1 / size + WEIGHT_DECAY * parameters[index];
                    parameters[index] = (parameters[index] - rate * step).clamp(-MAX_WEIGHT, MAX_WEIGHT);
                }
            });
        gradients.par_iter_mut().for_each(|gradient| gradient.sums.fill(0.0));
    }
}

/// Adds the mean gradient of all king buckets, or output buckets, to the gradient of each bucket, so that buckets with
/// little data learn from the others. This doesn't move the optimum: where all gradients are zero, so is their mean.
fn share_buckets(gradients: &mut [Gradient]) {
    for tile in 0..TILES {
        share(gradients, tile * TILE_WEIGHTS..(tile + 1) * TILE_WEIGHTS, KING_BUCKETS);
    }
    share(gradients, OUTPUT..OUTPUT_BIAS, OUTPUT_BUCKETS);
    share(gradients, OUTPUT_BIAS..OUTPUT_BIAS + OUTPUT_BUCKETS, OUTPUT_BUCKETS);
}

/// Splits `range` into equal parts, one for each bucket, and adds their mean to every part.
fn share(gradients: &mut [Gradient], range: Range<usize>, buckets: usize) {
    let size = range.len() / buckets;
    let mut mean = vec![0.0_f32; size];
    for gradient in gradients.iter() {
        for part in gradient.sums[range.clone()].chunks_exact(size) {
            mean.iter_mut().zip(part).for_each(|(mean, gradient)| *mean += gradient / buckets as f32);
        }
    }
    if let Some(first) = gradients.first_mut() {
        for part in first.sums[range].chunks_exact_mut(size) {
            part.iter_mut().zip(&mean).for_each(|(sum, mean)| *sum += mean);
        }
    }
}

/// Stochastic weight averaging (Izmailov, Podoprikhin, Garipov, Vetrov and Wilson 2018): the mean of the weights over
/// the last steps of a run overfits less than the weights of a single step.
#[derive(Default)]
pub struct WeightAverage {
    /// Empty until the first call of [`Self::add`].
    pub mean: Vec<f32>,
    pub steps: u64,
}

impl WeightAverage {
    pub fn add(&mut self, parameters: &[f32]) {
        self.mean.resize(PARAMETERS, 0.0);
        self.steps += 1;
        let share = 1.0 / self.steps as f32;
        self.mean.par_chunks_mut(CHUNK).zip(parameters.par_chunks(CHUNK)).for_each(|(mean, parameters)| {
            for (mean, parameter) in mean.iter_mut().zip(parameters) {
                *mean += (parameter - *mean) * share;
            }
        });
    }

    pub fn get(&self) -> Option<&[f32]> {
        (self.steps > 0).then_some(&self.mean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::layout::hidden_offset;
    use enroque::nnue::architecture::{BOARD_INPUTS, L1};

    #[test]
    fn buckets_share_gradients() {
        let mut gradients = [Gradient::default(), Gradient::default()];
        let hidden = |bucket: usize| hidden_offset(bucket * BOARD_INPUTS + 70, L1 - 1);
        let weight = |bucket: usize| OUTPUT + bucket * 2 * L1 + 5;
        gradients[1].sums[hidden(1)] = 8.0;
        gradients[1].sums[weight(3)] = 8.0;
        gradients[1].sums[OUTPUT_BIAS + 2] = 8.0;
        share_buckets(&mut gradients);
        let sum = |index: usize| gradients.iter().map(|gradient| gradient.sums[index]).sum::<f32>();
        for bucket in 0..OUTPUT_BUCKETS {
            let share = 8.0 / OUTPUT_BUCKETS as f32;
            assert_eq!(sum(weight(bucket)), share + if bucket == 3 { 8.0 } else { 0.0 });
            assert_eq!(sum(OUTPUT_BIAS + bucket), share + if bucket == 2 { 8.0 } else { 0.0 });
        }
        for bucket in 0..KING_BUCKETS {
            assert_eq!(sum(hidden(bucket)), 8.0 / KING_BUCKETS as f32 + if bucket == 1 { 8.0 } else { 0.0 });
        }
        assert_eq!(sum(weight(3) + 1), 0.0);
        assert_eq!(sum(hidden(1) + 1), 0.0);
    }

    #[test]
    fn steps_weigh_equally() {
        let mut average = WeightAverage::default();
        assert!(average.get().is_none());
        for value in [1.0, 2.0, 6.0] {
            average.add(&vec![value; PARAMETERS]);
        }
        assert!(average.get().unwrap().iter().all(|mean| (mean - 3.0).abs() < 1e-6));
    }
}
