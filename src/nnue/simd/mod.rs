//! Vectorised kernels of the network, compiled for several instruction sets in one binary.
//!
//! We write each kernel once, for any [`Isa`], and [`dispatch`] runs it with the widest instruction set of the CPU.
//! Loops elsewhere that gain from vectors, such as the selection of moves, are kernels, too. [`Scalar`] is the
//! reference: every other set must give exactly the same results.

#[doc(hidden)]
pub mod check;
mod isa;
mod kernels;

pub use isa::*;
pub use kernels::{Forward, HandcraftedSums, Refresh, Update, UpdateBoth};
