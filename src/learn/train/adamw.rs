//! AdamW (Loshchilov and Hutter 2019): steps scaled by the running size of each slope, with decoupled decay.

use rayon::prelude::*;

use super::gradient::Gradient;
use super::model::{CLIP, PARAMETERS};

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;
const DECAY: f32 = 0.01;
/// Parameters that a thread takes at once.
const CHUNK: usize = 8192;

/// The optimiser's memory.
pub struct AdamW {
    /// Running means of the slopes.
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
    /// Steps down the mean slope of a batch of `count` positions, which the threads' gradients hold, and clears those.
    pub fn step(&mut self, parameters: &mut [f32], gradients: &mut [Gradient], count: usize, rate: f32) {
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
