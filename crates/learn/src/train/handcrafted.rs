//! The handcrafted layer during training. Its inputs differ in size by a factor of thirty, so we normalise them, and
//! fold the normalisation into the weights that the engine gets.

use serde::{Deserialize, Serialize};

use crate::sample::Sample;
use crate::train::layout::{
    GROUP, HANDCRAFTED_BIAS, HANDCRAFTED_OUTPUT, HANDCRAFTED_WEIGHTS, copied, handcrafted_offset,
};
use enroque::nnue::architecture::{HANDCRAFTED_CLIP, HANDCRAFTED_INPUTS, HANDCRAFTED_NEURONS, QD, QO};
use enroque::nnue::{HandcraftedInputs, HandcraftedLayer};

/// We add this to each standard deviation, so that the normalised values of rare inputs stay small.
const MIN_DEVIATION: f32 = 0.05;
/// We measure the normalisation on at most this many positions.
const MAX_MEASURED: usize = 100_000;

/// Mean and standard deviation of each handcrafted input.
///
/// A run keeps its first normalisation even if its games change, because the parameters depend on it.
#[derive(Clone, Serialize, Deserialize)]
pub struct Normalisation {
    mean: Vec<f32>,
    #[serde(rename = "spread")]
    deviation: Vec<f32>,
}

impl Normalisation {
    /// Measures the normalisation on samples that are evenly spaced in the list.
    pub fn of(samples: &[Sample]) -> Self {
        let measured: Vec<HandcraftedInputs> = samples
            .iter()
            .step_by(samples.len() / MAX_MEASURED + 1)
            .map(Sample::handcrafted_inputs)
            .collect();
        let mean_of = |of: &dyn Fn(f32) -> f32, input: usize| {
            measured.iter().map(|inputs| of(f32::from(inputs.0.as_flattened()[input]))).sum::<f32>()
                / measured.len().max(1) as f32
        };
        let mean: Vec<f32> = (0..HANDCRAFTED_INPUTS).map(|input| mean_of(&|value| value, input)).collect();
        let variance = |input: usize| mean_of(&|value| (value - mean[input]) * (value - mean[input]), input);
        let deviation = (0..HANDCRAFTED_INPUTS).map(|input| variance(input).sqrt() + MIN_DEVIATION).collect();
        Self { mean, deviation }
    }

    /// Whether there is a mean and a standard deviation for each input.
    pub fn is_complete(&self) -> bool {
        [&self.mean, &self.deviation].iter().all(|numbers| numbers.len() == HANDCRAFTED_INPUTS)
    }

    #[inline(always)]
    fn normalised(&self, inputs: &HandcraftedInputs) -> [f32; HANDCRAFTED_INPUTS] {
        let counts = inputs.0.as_flattened();
        std::array::from_fn(|input| (f32::from(counts[input]) - self.mean[input]) / self.deviation[input])
    }

    /// Returns how much lower the biases must be in the engine, which doesn't subtract the means from the inputs as we
    /// do. `weight` returns the engine's weight for an input and a neuron.
    fn shift(&self, weight: impl Fn(usize, usize) -> f32) -> [f32; HANDCRAFTED_NEURONS] {
        std::array::from_fn(|neuron| {
            (0..HANDCRAFTED_INPUTS).map(|input| self.mean[input] * weight(input, neuron)).sum()
        })
    }

    /// Dequantises a layer. [`Self::quantise`] turns the result into the same layer again.
    pub fn parameters_of(&self, layer: &HandcraftedLayer) -> Vec<f32> {
        let weight = |input, neuron| f32::from(layer.weight(input, neuron)) / QD as f32;
        let weights = (0..HANDCRAFTED_INPUTS).flat_map(|input| {
            (0..HANDCRAFTED_NEURONS).map(move |neuron| weight(input, neuron) * self.deviation[input])
        });
        let biases = layer
            .bias
            .into_iter()
            .zip(self.shift(weight))
            .map(|(bias, shift)| bias as f32 / QD as f32 + shift);
        let outputs = layer.output.iter().flatten().map(|&weight| f32::from(weight) / QO as f32);
        weights.chain(biases).chain(outputs).collect()
    }

    pub fn quantise(&self, parameters: &[f32]) -> HandcraftedLayer {
        let exact = |input: usize, neuron: usize| {
            parameters[handcrafted_offset(input, neuron)] / self.deviation[input]
        };
        let mut layer = HandcraftedLayer::zero();
        for input in 0..HANDCRAFTED_INPUTS {
            for neuron in 0..HANDCRAFTED_NEURONS {
                *layer.weight_mut(input, neuron) = (exact(input, neuron) * QD as f32).round() as i16;
            }
        }
        // The shift must use the rounded weights, as the engine does. With the exact weights, every neuron would be off
        // by the rounding errors times the means.
        let shift = self.shift(|input, neuron| f32::from(layer.weight(input, neuron)) / QD as f32);
        layer.bias = std::array::from_fn(|neuron| {
            ((parameters[HANDCRAFTED_BIAS + neuron] - shift[neuron]) * QD as f32).round() as i32
        });
        layer.output = std::array::from_fn(|bucket| {
            std::array::from_fn(|neuron| {
                (parameters[HANDCRAFTED_OUTPUT + bucket * HANDCRAFTED_NEURONS + neuron] * QO as f32).round()
                    as i16
            })
        });
        layer
    }
}

type Neurons = [f32; HANDCRAFTED_NEURONS];

/// Inputs and neurons of the handcrafted layer, for a group of positions.
pub struct HandcraftedGroup {
    inputs: Box<[[f32; HANDCRAFTED_INPUTS]; GROUP]>,
    /// Each position's neurons, before clipping.
    values: Box<[Neurons; GROUP]>,
}

impl Default for HandcraftedGroup {
    fn default() -> Self {
        Self {
            inputs: Box::new([[0.0; HANDCRAFTED_INPUTS]; GROUP]),
            values: Box::new([[0.0; HANDCRAFTED_NEURONS]; GROUP]),
        }
    }
}

#[inline(always)]
fn output_offset(bucket: usize) -> usize {
    HANDCRAFTED_OUTPUT + bucket * HANDCRAFTED_NEURONS
}

impl HandcraftedGroup {
    #[inline(always)]
    pub fn load_inputs(&mut self, normalisation: &Normalisation, group: &[Sample]) {
        for (inputs, sample) in self.inputs.iter_mut().zip(group) {
            *inputs = normalisation.normalised(&sample.handcrafted_inputs());
        }
    }

    #[inline(always)]
    pub fn forward(&mut self, parameters: &[f32], positions: usize) {
        let weights = &parameters[HANDCRAFTED_WEIGHTS..HANDCRAFTED_BIAS];
        for (values, inputs) in self.values[..positions].iter_mut().zip(self.inputs.iter()) {
            let mut sums: Neurons = copied(parameters, HANDCRAFTED_BIAS);
            for (weights, input) in weights.as_chunks::<HANDCRAFTED_NEURONS>().0.iter().zip(inputs) {
                for neuron in 0..HANDCRAFTED_NEURONS {
                    sums[neuron] += input * weights[neuron];
                }
            }
            *values = sums;
        }
    }

    /// Returns the layer's contribution to the output of a position.
    #[inline(always)]
    pub fn output(&self, parameters: &[f32], position: usize, bucket: usize) -> f32 {
        let weights: Neurons = copied(parameters, output_offset(bucket));
        self.values[position].iter().zip(weights).map(|(&value, weight)| clipped(value) * weight).sum()
    }

    /// Adds the gradients of all weights and biases to `sums`, given the `gradients` of the outputs.
    #[inline(always)]
    pub fn backward(&self, parameters: &[f32], group: &[Sample], gradients: &[f32], sums: &mut [f32]) {
        for (position, sample) in group.iter().enumerate() {
            let at = output_offset(sample.output_bucket());
            let weights: Neurons = copied(parameters, at);
            let values = &self.values[position];
            let mut inner = [0.0; HANDCRAFTED_NEURONS];
            for neuron in 0..HANDCRAFTED_NEURONS {
                let value = clipped(values[neuron]);
                sums[at + neuron] += gradients[position] * value;
                // If clipping changed the value, its gradient is zero.
                let inside = if value == values[neuron] { 1.0 } else { 0.0 };
                inner[neuron] = gradients[position] * weights[neuron] * inside;
                sums[HANDCRAFTED_BIAS + neuron] += inner[neuron];
            }
            let (sums, _) =
                sums[HANDCRAFTED_WEIGHTS..HANDCRAFTED_BIAS].as_chunks_mut::<HANDCRAFTED_NEURONS>();
            for (sums, input) in sums.iter_mut().zip(&self.inputs[position]) {
                for neuron in 0..HANDCRAFTED_NEURONS {
                    sums[neuron] += input * inner[neuron];
                }
            }
        }
    }
}

#[inline(always)]
fn clipped(value: f32) -> f32 {
    value.clamp(0.0, HANDCRAFTED_CLIP as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::layout::PARAMETERS;

    /// All weights round to 0, so the biases must stay as they are.
    #[test]
    fn rounded_weights_leave_no_offset() {
        let normalisation =
            Normalisation { mean: vec![30.0; HANDCRAFTED_INPUTS], deviation: vec![1.0; HANDCRAFTED_INPUTS] };
        let mut parameters = vec![0.0; PARAMETERS];
        parameters[HANDCRAFTED_WEIGHTS..HANDCRAFTED_BIAS].fill(0.3 / QD as f32);
        parameters[HANDCRAFTED_BIAS..HANDCRAFTED_OUTPUT].fill(0.5);
        let layer = normalisation.quantise(&parameters);
        assert_eq!(layer.weight(0, 0), 0);
        assert_eq!(layer.bias, [QD / 2; HANDCRAFTED_NEURONS]);
    }
}
