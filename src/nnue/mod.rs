//! Static evaluation by an efficiently updatable neural network (NNUE).
//!
//! - Each side has 768 inputs: own or enemy piece, kind, square, mirrored so that the own king stands on files e to h.
//! - Each side has its own half of one hidden layer with squared clipped ReLU; [`accumulator`] updates it as moves are
//!   made.
//! - The number of pieces selects one of eight outputs.
//! - A small second layer takes counts of attacks, hanging pieces and checks: see [`handcrafted`].
//!
//! All sizes are in [`architecture`].

pub mod accumulator;
pub mod architecture;
pub mod features;
pub mod handcrafted;
pub mod network;
pub mod simd;

pub use accumulator::Accumulators;
pub use architecture::{INPUTS, L1, OUTPUT_BUCKETS, QA, QB, Row, SCALE, output_bucket};
pub use handcrafted::inputs::HandcraftedInputs;
pub use handcrafted::layer::HandcraftedLayer;
pub use network::{Network, NetworkError};

use crate::chess::Board;

/// Returns the network's evaluation of `board` in centipawns for the side to move, computed from scratch.
pub fn evaluate(network: &Network, board: &Board) -> i32 {
    Accumulators::new(network, board).evaluate(network, board)
}
