//! Vectorised kernels of the network, compiled for several instruction sets in one binary.
//!
//! We write each kernel once, over [`Isa`], and [`dispatch`] runs it with the widest instruction set that the CPU has.
//! A loop elsewhere that gains from vectors, such as the selection of moves, is a kernel too. [`Scalar`] is the
//! reference: every other set gives the same bits.

#[doc(hidden)]
pub mod check;
mod isa;
mod kernels;

pub use isa::*;
pub use kernels::{Forward, HandcraftedSums, Refresh, Update, UpdateBoth};
