//! The layer that takes the handcrafted inputs: a few neurons with clipped ReLU that add to the network's output.

pub mod inputs;
mod kernel;
#[cfg(test)]
mod reference;

use crate::nnue::architecture::{HANDCRAFTED_INPUTS, HANDCRAFTED_NEURONS, OUTPUT_BUCKETS, PairWeights};

/// For each of the handcrafted inputs, its index in the packed inputs.
const PACKED_INDEX: [usize; HANDCRAFTED_INPUTS] = {
    let mut indexes = [0; HANDCRAFTED_INPUTS];
    let mut packed = 0;
    while packed < HANDCRAFTED_INPUTS {
        indexes[inputs::PACKED_ORDER[packed]] = packed;
        packed += 1;
    }
    indexes
};

/// The layer's quantised weights, stored in the order in which the kernels need them.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct HandcraftedLayer {
    /// Output weights by bucket and neuron, in units of 1 / `QO`. They come first, so that each row is aligned.
    pub output: [[i16; HANDCRAFTED_NEURONS]; OUTPUT_BUCKETS],
    /// Weights by pair of [packed inputs](inputs::PackedInputs), in units of 1 / `QD`.
    pub weights: Box<[PairWeights; HANDCRAFTED_INPUTS / 2]>,
    /// Biases by neuron, in units of 1 / `QD`.
    pub bias: [i32; HANDCRAFTED_NEURONS],
}

impl HandcraftedLayer {
    /// Returns a layer that adds nothing to the output: all its weights are 0.
    pub fn zero() -> Self {
        Self {
            weights: Box::new([PairWeights([[0; 2]; HANDCRAFTED_NEURONS]); HANDCRAFTED_INPUTS / 2]),
            bias: [0; HANDCRAFTED_NEURONS],
            output: [[0; HANDCRAFTED_NEURONS]; OUTPUT_BUCKETS],
        }
    }

    /// Returns the weight of one of the [`HandcraftedInputs`](inputs::HandcraftedInputs), so that callers needn't know
    /// how [`Self::weights`] arranges them.
    pub fn weight(&self, input: usize, neuron: usize) -> i16 {
        let packed = PACKED_INDEX[input];
        self.weights[packed / 2].0[neuron][packed % 2]
    }

    /// Like [`Self::weight`], but returns a mutable reference.
    pub fn weight_mut(&mut self, input: usize, neuron: usize) -> &mut i16 {
        let packed = PACKED_INDEX[input];
        &mut self.weights[packed / 2].0[neuron][packed % 2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::architecture::{HANDCRAFTED_CLIP, HANDCRAFTED_SIDE_INPUTS, QD};
    use crate::nnue::handcrafted::inputs::{HandcraftedInputs, PackedInputs};
    use crate::nnue::kernels::HandcraftedForward;
    use crate::simd::dispatch;

    fn output(layer: &HandcraftedLayer, inputs: &HandcraftedInputs, bucket: usize) -> i64 {
        let inputs = PackedInputs::new(inputs);
        dispatch(HandcraftedForward { inputs: &inputs, layer, bucket })
    }

    #[test]
    fn neurons_clipped_and_weighted_by_bucket() {
        let mut layer = HandcraftedLayer::zero();
        *layer.weight_mut(0, 0) = 100;
        *layer.weight_mut(HANDCRAFTED_SIDE_INPUTS, 0) = -30;
        *layer.weight_mut(1, 1) = -1;
        *layer.weight_mut(2, 2) = 10_000;
        layer.bias[0] = 7;
        layer.output[3][..3].copy_from_slice(&[5, 1_000, -2]);
        let mut inputs = HandcraftedInputs([[0; HANDCRAFTED_SIDE_INPUTS]; 2]);
        [inputs.0[0][0], inputs.0[0][1], inputs.0[0][2], inputs.0[1][0]] = [4, 9, 3, 2];
        // Neuron 0: 4 × 100 − 2 × 30 + 7. Neuron 1 is below the lower bound, neuron 2 above the upper one.
        assert_eq!(output(&layer, &inputs, 3), 347 * 5 - 2 * i64::from(HANDCRAFTED_CLIP * QD));
        assert_eq!(output(&layer, &inputs, 2), 0);
    }

    #[test]
    fn extreme_weights_stay_within_clip() {
        let inputs = HandcraftedInputs([[64; HANDCRAFTED_SIDE_INPUTS]; 2]);
        for (weight, bias) in [(i16::MAX, i32::MAX), (i16::MIN, i32::MIN)] {
            let weights = Box::new([PairWeights([[weight; 2]; HANDCRAFTED_NEURONS]); HANDCRAFTED_INPUTS / 2]);
            let layer = HandcraftedLayer {
                weights,
                bias: [bias; HANDCRAFTED_NEURONS],
                output: [[i16::MAX; HANDCRAFTED_NEURONS]; OUTPUT_BUCKETS],
            };
            // With such a bias the sum wraps around, so the output may be anything within the clip.
            let full = i64::from(HANDCRAFTED_CLIP * QD) * i64::from(i16::MAX) * HANDCRAFTED_NEURONS as i64;
            assert!((0..=full).contains(&output(&layer, &inputs, 0)));
            let layer = HandcraftedLayer { bias: [0; HANDCRAFTED_NEURONS], ..layer };
            assert_eq!(output(&layer, &inputs, 0), if weight > 0 { full } else { 0 });
        }
    }
}
