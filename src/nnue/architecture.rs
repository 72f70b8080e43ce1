//! The network's sizes, quantisation constants and weight layouts.

/// Inputs of one side's half of the hidden layer: 2 colours × 6 kinds × 64 squares.
pub const INPUTS: usize = 768;
/// Neurons of one side's half of the hidden layer.
pub const L1: usize = 256;
/// Output neurons. The number of pieces on the board selects one of them.
pub const OUTPUT_BUCKETS: usize = 8;
/// Quantised 1 of the hidden weights, biases and activations; activations are clipped to 0..=`QA`.
pub const QA: i32 = 255;
/// Quantised 1 of the output weights.
pub const QB: i32 = 256;
/// An output of 1 in centipawns: the score whose expected result is σ(1), 73 %.
pub const SCALE: i32 = 220;

/// Handcrafted inputs of one side.
pub const HANDCRAFTED_SIDE_INPUTS: usize = 64;
/// Handcrafted inputs: those of the side to move, then those of the opponent.
pub const HANDCRAFTED_INPUTS: usize = 2 * HANDCRAFTED_SIDE_INPUTS;
/// Neurons of the handcrafted layer.
pub const HANDCRAFTED_NEURONS: usize = 16;
/// The handcrafted layer clips its activations to 0..= this, before quantisation.
pub const HANDCRAFTED_CLIP: i32 = 16;
/// Quantised 1 of the handcrafted layer's weights, biases and activations.
pub const QD: i32 = 512;
/// Quantised 1 of the handcrafted layer's output weights.
pub const QO: i32 = 4096;

const _: () = assert!(1 <= OUTPUT_BUCKETS && OUTPUT_BUCKETS <= 31);
const _: () = assert!(QA * QA / 2 <= i16::MAX as i32, "half the square of an activation must fit 16 bits");

/// One side's half of the hidden layer, or the weights from one input to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Row(pub [i16; L1]);

impl Row {
    pub const ZERO: Self = Self([0; L1]);
}

/// The weights of two consecutive handcrafted inputs, interleaved by neuron: one instruction computes both products and
/// their sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct PairWeights(pub [[i16; 2]; HANDCRAFTED_NEURONS]);

/// Returns the output bucket, below [`OUTPUT_BUCKETS`], for a board with `pieces` pieces.
#[inline]
pub const fn output_bucket(pieces: u32) -> usize {
    // 2 to 32 pieces, divided equally. A FEN may have more.
    let bucket = (pieces as usize - 2) * OUTPUT_BUCKETS / 31;
    if bucket < OUTPUT_BUCKETS { bucket } else { OUTPUT_BUCKETS - 1 }
}
