//! The layer behind the dense inputs: a few neurons with clipped ReLU, whose sum is added to the output.

use super::dense::{DENSE_INPUTS, DenseInputs};
use super::{OUTPUT_BUCKETS, simd};

/// Neurons of the dense layer.
pub const DENSE_NEURONS: usize = 16;
/// The quantised 1 of its weights and activations.
pub const QD: i32 = 512;
/// The quantised 1 of its output weights.
pub const QO: i32 = 4096;
/// An activation is no higher.
pub const DENSE_CLIP: i32 = 16;
/// An output weight is within ± this.
pub const DENSE_OUTPUT_CLIP: i32 = 2;

const _: () = assert!(
    (DENSE_CLIP * QD) as i64 * (DENSE_OUTPUT_CLIP * QO) as i64 * DENSE_NEURONS as i64 <= i32::MAX as i64,
    "outputs fit 32 bits"
);

/// The weights of two inputs, by neuron: as they lie, two products and their sum are one instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct PairWeights(pub [[i16; 2]; DENSE_NEURONS]);

/// The weights of the dense layer, quantised.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DenseLayer {
    /// By pair of inputs, in units of 1 / [`QD`].
    pub weights: Box<[PairWeights; DENSE_INPUTS / 2]>,
    /// In units of 1 / [`QD`].
    pub bias: [i32; DENSE_NEURONS],
    /// By bucket, in units of 1 / [`QO`].
    pub output: [[i16; DENSE_NEURONS]; OUTPUT_BUCKETS],
}

impl DenseLayer {
    /// The layer that says nothing.
    pub fn zero() -> Self {
        Self {
            weights: Box::new([PairWeights([[0; 2]; DENSE_NEURONS]); DENSE_INPUTS / 2]),
            bias: [0; DENSE_NEURONS],
            output: [[0; DENSE_NEURONS]; OUTPUT_BUCKETS],
        }
    }

    /// The weight from an input to a neuron.
    pub fn weight(&self, input: usize, neuron: usize) -> i16 {
        self.weights[input / 2].0[neuron][input % 2]
    }

    /// The same, to be set.
    pub fn weight_mut(&mut self, input: usize, neuron: usize) -> &mut i16 {
        &mut self.weights[input / 2].0[neuron][input % 2]
    }

    /// What it adds to the output of a bucket, in units of 1 / ([`QD`] [`QO`]).
    #[inline]
    pub fn output(&self, inputs: &DenseInputs, bucket: usize) -> i32 {
        let sums = simd::dense(inputs, &self.weights);
        let terms = sums.into_iter().zip(self.bias).zip(self.output[bucket]);
        terms.map(|((sum, bias), weight)| (sum + bias).clamp(0, DENSE_CLIP * QD) * i32::from(weight)).sum()
    }
}
