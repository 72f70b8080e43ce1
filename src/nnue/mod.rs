//! Static evaluation by an efficiently updatable neural network (NNUE).
//!
//! - Each side sees 768 inputs: own or enemy piece, kind, square. The side's board is mirrored if needed, so that its
//!   king stands on files e to h. Where the king stands there selects one of four sets of hidden weights.
//! - The one hidden layer has a half for each side; its activation is the square of a clipped ReLU. [`accumulator`]
//!   updates it as moves are made.
//! - The number of pieces selects one of eight outputs.
//! - A small second layer takes counts of attacks, hanging pieces and checks: see [`handcrafted`].
//!
//! All sizes are in [`architecture`].

pub mod accumulator;
pub mod architecture;
#[doc(hidden)]
pub mod check;
pub mod features;
pub mod handcrafted;
pub mod kernels;
pub mod network;

pub use accumulator::Accumulators;
pub use architecture::{INPUTS, L1, OUTPUT_BUCKETS, QA, QB, Row, SCALE, output_bucket};
pub use handcrafted::HandcraftedLayer;
pub use handcrafted::inputs::HandcraftedInputs;
pub use network::{Network, NetworkError};

use crate::chess::Board;

/// Evaluates `board` from scratch, in centipawns for the side to move. A search uses [`Accumulators`] instead.
pub fn evaluate(network: &Network, board: &Board) -> i32 {
    Accumulators::new(network, board).evaluate(network, board)
}
