//! AdamW (Loshchilov and Hutter 2019): steps scaled by the running size of each slope, with decoupled decay.

use rayon::prelude::*;

use crate::learn::train::gradient::Gradient;
use crate::learn::train::model::{CHUNK, CLIP, HANDCRAFTED_WEIGHTS, OUTPUT, OUTPUT_BIAS, PARAMETERS};
use crate::nnue::{L1, OUTPUT_BUCKETS};

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;
const DECAY: f32 = 0.01;

/// The optimiser's memory.
pub struct AdamW {
    /// Running means of the gradients.
    pub mean: Vec<f32>,
    /// Running means of their squares.
    pub square: Vec<f32>,
    /// Steps made.
    pub steps: u64,
}

impl Default for AdamW {
    fn default() -> Self {
        Self { mean: vec![0.0; PARAMETERS], square: vec![0.0; PARAMETERS], steps: 0 }
    }
}

impl AdamW {
    /// Steps down the mean slope of a batch of `count` positions, which the threads' gradients hold, and clears those. The
    /// handcrafted layer learns `handcrafted_lr_multiplier` times faster.
    pub fn step(
        &mut self,
        parameters: &mut [f32],
        gradients: &mut [Gradient],
        count: usize,
        rate: f32,
        handcrafted_lr_multiplier: f32,
    ) {
        share_outputs(gradients);
        self.steps += 1;
        let steps = self.steps as i32;
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
                    let rate = if begin + index < HANDCRAFTED_WEIGHTS {
                        rate
                    } else {
                        rate * handcrafted_lr_multiplier
                    };
                    let slope = shares.iter().map(|share| share[index]).sum::<f32>() / count as f32;
                    mean[index] += (1.0 - BETA1) * (slope - mean[index]);
                    square[index] += (1.0 - BETA2) * (slope * slope - square[index]);
                    let size = (square[index] * unbias2).sqrt() + EPSILON;
                    let step = mean[index] * unbias1 / size + DECAY * parameters[index];
                    parameters[index] = (parameters[index] - rate * step).clamp(-CLIP, CLIP);
                }
            });
        gradients.par_iter_mut().for_each(|gradient| gradient.sums.fill(0.0));
    }
}

/// Lets each bucket's output weights follow the gradients of all buckets, too: what holds for most numbers of pieces holds
/// for those of which the data has few. Where all gradients are zero these are, so that it changes the way, not the goal.
fn share_outputs(gradients: &mut [Gradient]) {
    const WEIGHTS: usize = 2 * L1;
    let biases = OUTPUT_BIAS..OUTPUT_BIAS + OUTPUT_BUCKETS;
    let (mut whole, mut whole_bias) = (vec![0.0_f32; WEIGHTS], 0.0_f32);
    for gradient in gradients.iter() {
        whole_bias += gradient.sums[biases.clone()].iter().sum::<f32>();
        for bucket in gradient.sums[OUTPUT..OUTPUT_BIAS].chunks_exact(WEIGHTS) {
            whole.iter_mut().zip(bucket).for_each(|(sum, slope)| *sum += slope);
        }
    }
    if let Some(first) = gradients.first_mut() {
        for bucket in first.sums[OUTPUT..OUTPUT_BIAS].chunks_exact_mut(WEIGHTS) {
            bucket.iter_mut().zip(&whole).for_each(|(slope, sum)| *slope += sum / OUTPUT_BUCKETS as f32);
        }
        first.sums[biases].iter_mut().for_each(|slope| *slope += whole_bias / OUTPUT_BUCKETS as f32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_buckets_slopes_move_all_of_them_and_its_own_most() {
        let mut gradients = [Gradient::default(), Gradient::default()];
        let weight = |bucket: usize| OUTPUT + bucket * 2 * L1 + 5;
        gradients[1].sums[weight(3)] = 8.0;
        gradients[1].sums[OUTPUT_BIAS + 2] = 8.0;
        share_outputs(&mut gradients);
        let sum = |index: usize| gradients.iter().map(|gradient| gradient.sums[index]).sum::<f32>();
        for bucket in 0..OUTPUT_BUCKETS {
            let share = 8.0 / OUTPUT_BUCKETS as f32;
            assert_eq!(sum(weight(bucket)), share + if bucket == 3 { 8.0 } else { 0.0 });
            assert_eq!(sum(OUTPUT_BIAS + bucket), share + if bucket == 2 { 8.0 } else { 0.0 });
        }
        assert_eq!(sum(weight(3) + 1), 0.0);
        assert_eq!(sum(0), 0.0, "the hidden layer is one for all");
    }
}
