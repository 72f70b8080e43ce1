//! The network's sizes, quantisation constants and weight layouts.

/// Inputs that describe the board for one side: 2 colours × 6 kinds × 64 squares.
pub const BOARD_INPUTS: usize = 768;
/// The place of a side's king selects one of this many sets of inputs, each with its own hidden weights.
pub const KING_BUCKETS: usize = 4;
/// Inputs to one side's half of the hidden layer.
pub const INPUTS: usize = KING_BUCKETS * BOARD_INPUTS;
/// Neurons in one side's half of the hidden layer.
pub const L1: usize = 256;
/// Output neurons. The number of pieces on the board selects one of them.
pub const OUTPUT_BUCKETS: usize = 8;
/// Quantised value of 1.0 in the hidden weights, biases and activations. Activations are clipped to 0..=`QA`.
pub const QA: i32 = 255;
/// Quantised value of 1.0 in the output weights.
pub const QB: i32 = 256;
/// How many centipawns an output of 1.0 means. The expected result at this score is σ(1), 73 %.
pub const SCALE: i32 = 220;

/// How many counts, such as rooks attacked by knights, we feed the network for each side.
pub const HANDCRAFTED_SIDE_INPUTS: usize = 64;
/// The counts for the side to move come first, then those for the opponent.
pub const HANDCRAFTED_INPUTS: usize = 2 * HANDCRAFTED_SIDE_INPUTS;
/// The handcrafted layer has few neurons, because we compute it from scratch for each evaluation.
pub const HANDCRAFTED_NEURONS: usize = 32;
/// Upper bound of the handcrafted layer's activations, before quantisation; the lower bound is 0.
pub const HANDCRAFTED_CLIP: i32 = 16;
/// Quantised value of 1.0 in the handcrafted layer's input weights, biases and activations.
pub const QD: i32 = 512;
/// Quantised value of 1.0 in the handcrafted layer's output weights.
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

/// The weights of two consecutive handcrafted inputs, interleaved by neuron, so that one instruction computes both
/// products and adds them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct PairWeights(pub [[i16; 2]; HANDCRAFTED_NEURONS]);

/// Returns the output bucket for a board with this many pieces, of both colours together.
#[inline]
pub const fn output_bucket(pieces: u32) -> usize {
    // We spread 2 to 32 pieces evenly over the buckets. A FEN may have more pieces; it gets the last bucket.
    let bucket = (pieces as usize - 2) * OUTPUT_BUCKETS / 31;
    if bucket < OUTPUT_BUCKETS { bucket } else { OUTPUT_BUCKETS - 1 }
}
