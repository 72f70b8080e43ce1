//! Vectorised kernels of the network, compiled for several instruction sets in one binary.
//!
//! Each kernel is written once over [`Isa`]; each instruction set is a file of one-line operations. [`dispatch`] runs
//! a kernel with the widest set that the processor has. A loop elsewhere that gains from it, such as the selection of
//! moves, is a kernel as well. [`Scalar`] is the reference: every other set gives the same bits.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[doc(hidden)]
pub mod check;
mod dispatch;
mod isa;
mod kernels;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::Avx512;
pub use dispatch::{dispatch, name};
pub use isa::{Isa, Work};
pub use kernels::{Forward, HandcraftedSums, Refresh, Update, UpdateBoth, refresh, update, update_both};
#[cfg(target_arch = "aarch64")]
pub use neon::Neon;
pub use scalar::Scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use simd128::Simd128;
