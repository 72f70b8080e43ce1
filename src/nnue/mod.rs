//! The evaluation: a small network that sees the board from both kings' sides.
//!
//! 768 inputs a side (own or enemy piece, kind, square, mirrored so that the own king stands on files e to h), one
//! hidden layer for each side, squared clipped ReLU, and of eight outputs the one for so many pieces. What the hidden
//! layer sums up of the inputs is kept up to date as moves are made: see [`accumulator`]. Beside it a few neurons see what
//! is attacked, what hangs, what could check: see [`handcrafted`].

pub mod accumulator;
pub mod features;
pub mod handcrafted;
pub mod network;
pub mod simd;

pub use accumulator::Accumulators;
pub use handcrafted::inputs::HandcraftedInputs;
pub use handcrafted::layer::HandcraftedLayer;
pub use network::{Network, NetworkError};

use crate::chess::Board;

/// Inputs of one side.
pub const INPUTS: usize = 768;
/// Width of the hidden layer of one side.
pub const L1: usize = 256;
/// Output neurons, of which the number of pieces on the board chooses one.
pub const OUTPUT_BUCKETS: usize = 8;
/// The quantised 1 of inputs and hidden layer.
pub const QA: i32 = 255;
/// The quantised 1 of the output weights.
pub const QB: i32 = 256;
/// Centipawns of an output of 1: the score whose expectation is σ(1), 73 %.
pub const SCALE: i32 = 220;

/// The output neuron for a board with `pieces` pieces.
#[inline]
pub const fn output_bucket(pieces: u32) -> usize {
    // 2 to 32 pieces, in equal parts; a FEN may hold more.
    let bucket = (pieces as usize - 2) * OUTPUT_BUCKETS / 31;
    if bucket < OUTPUT_BUCKETS { bucket } else { OUTPUT_BUCKETS - 1 }
}

/// What the network says of a position, centipawns for the side to move; for one position alone.
pub fn evaluate(network: &Network, board: &Board) -> i32 {
    Accumulators::new(network, board).evaluate(network, board)
}

/// One side's hidden layer, or the weights that lead to it from one input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Row(pub [i16; L1]);

impl Row {
    /// All zero.
    pub const ZERO: Self = Self([0; L1]);
}

const _: () = assert!(L1.is_multiple_of(32), "the hidden layer is a whole number of the widest vectors");
const _: () = assert!(1 <= OUTPUT_BUCKETS && OUTPUT_BUCKETS <= 31);
