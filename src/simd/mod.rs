//! Vector operations for several instruction sets in one binary.
//!
//! We write each loop that gains from vectors, a kernel, once, for any [`Isa`]; [`dispatch`] runs it with the widest
//! instruction set of the CPU. [`Scalar`] is the reference: every other set must give exactly the same results.

#[cfg(target_arch = "aarch64")]
mod aarch64;
mod boards;
mod scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm32;
#[cfg(target_arch = "x86_64")]
mod x86_64;

#[cfg(target_arch = "aarch64")]
pub use aarch64::Neon;
pub use boards::Boards;
pub use scalar::Scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use wasm32::Simd128;
#[cfg(target_arch = "x86_64")]
pub use x86_64::{Avx2, Avx512};

/// How many 16-bit numbers the widest vector holds.
pub const MAX_LANES: usize = 32;

/// A computation that is compiled once for each instruction set.
pub trait Work {
    type Output;

    /// Runs the computation. Mark this method and everything it calls `#[inline(always)]`: only inlined code is
    /// compiled for the instruction set.
    fn run<I: Isa>(self, isa: I) -> Self::Output;
}

/// An instruction set with vectors of 16-bit numbers. A value proves that the CPU has the instructions.
///
/// # Safety
/// [`Self::LANES`] divides `MAX_LANES`, and [`Self::load`] and [`Self::store`] access exactly that many numbers, at
/// addresses aligned to the vector's size.
pub unsafe trait Isa: Copy {
    /// The name that the UCI command `compiler` prints.
    const NAME: &'static str;
    /// How many 16-bit numbers a vector holds; divides `MAX_LANES` and is even.
    const LANES: usize;
    /// [`Self::LANES`] 16-bit numbers.
    type Vector: Copy;
    /// 32-bit numbers, such as sums, one for each pair of lanes.
    type Sum: Copy;
    type Boards: Boards;

    /// Returns the instruction set if the CPU has it.
    fn detect() -> Option<Self>;
    /// Runs `work`, compiled for these instructions.
    fn run<W: Work>(self, work: W) -> W::Output;

    /// # Safety
    /// `from` points to [`Self::LANES`] numbers and is aligned to the vector's size.
    unsafe fn load(self, from: *const i16) -> Self::Vector;
    /// # Safety
    /// As for [`Self::load`], and nothing else refers to the numbers.
    unsafe fn store(self, to: *mut i16, vector: Self::Vector);
    /// # Safety
    /// `from` points to [`Self::LANES`] / 2 numbers.
    unsafe fn load_sums(self, from: *const i32) -> Self::Sum;
    /// Adds lane by lane, wrapping.
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Subtracts lane by lane, wrapping.
    fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Clips each lane to 0..=`max`.
    fn clip(self, a: Self::Vector, max: i16) -> Self::Vector;
    /// Adds ⌊a²/2⌋w of each lane to the sums, wrapping. Each lane of `a` must be within 0..=255, so that half its
    /// square fits 16 bits.
    fn add_half_squares(self, sum: Self::Sum, a: Self::Vector, w: Self::Vector) -> Self::Sum;
    /// Returns the total of all sums, wrapping.
    fn total(self, sum: Self::Sum) -> i32;
    /// Returns a vector filled with copies of the pair.
    fn splat_pair(self, pair: [i16; 2]) -> Self::Vector;
    /// Multiplies lane by lane, and adds both products of a pair of lanes to the pair's sum, wrapping.
    fn add_products(self, sum: Self::Sum, a: Self::Vector, b: Self::Vector) -> Self::Sum;
    /// Returns a vector filled with copies of the number.
    fn splat_sum(self, number: i32) -> Self::Sum;
    /// Returns the greater number of each lane.
    fn max(self, a: Self::Sum, b: Self::Sum) -> Self::Sum;
    /// Returns the greatest of all numbers.
    fn highest(self, sum: Self::Sum) -> i32;
    /// Returns the total of all sums, without wrapping.
    fn wide_total(self, sum: Self::Sum) -> i64;
    /// Clips the sums to 0..=`max` and joins them to one vector in lane order.
    fn narrow(self, low: Self::Sum, high: Self::Sum, max: i16) -> Self::Vector;
    /// Returns one bit for each pair of lanes, the first pair lowest: whether the pair is not zero.
    fn nonzero_pairs(self, a: Self::Vector) -> u32;
    /// Returns a vector of bitboards, two for each side.
    fn boards(self, sides: [[u64; 2]; 2]) -> Self::Boards;
}

/// Implements operations of an [`Isa`] or of its [`Boards`], each of which is given as a single expression.
macro_rules! operations {
    (
        $(unsafe $unsafe_name:ident($($unsafe_arguments:tt)*) -> $unsafe_output:ty = $access:expr;)*
        $(safe $name:ident($($arguments:tt)*) -> $output:ty = $result:expr;)*
    ) => {
        $(
            #[inline(always)]
            unsafe fn $unsafe_name($($unsafe_arguments)*) -> $unsafe_output {
                // SAFETY: the caller keeps the contract of this function; `self` proves that the CPU has the
                // instruction.
                unsafe { $access }
            }
        )*
        $(
            #[inline(always)]
            #[allow(unused_unsafe)]
            fn $name($($arguments)*) -> $output {
                // SAFETY: an `Isa` proves that the CPU has the instructions, and only an `Isa` makes `Boards`.
                unsafe { $result }
            }
        )*
    };
}

use operations;

/// Packs two adjacent lanes into one 32-bit number.
#[allow(dead_code)]
#[inline(always)]
const fn pair_bits([low, high]: [i16; 2]) -> i32 {
    (high as i32) << 16 | low as u16 as i32
}

/// Runs `work` with the widest instruction set that the CPU has. A build for x86-64 with AVX2 takes the widest set that
/// it targets, so that a node of the search never asks what the CPU can do.
#[inline(always)]
pub fn dispatch<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    return x86_64::dispatch(work);
    #[cfg(target_arch = "aarch64")]
    if let Some(isa) = Neon::detect() {
        return isa.run(work);
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    if let Some(isa) = Simd128::detect() {
        return isa.run(work);
    }
    #[cfg(not(target_arch = "x86_64"))]
    Scalar.run(work)
}

/// Returns the name of the instruction set that [`dispatch`] uses.
pub fn name() -> &'static str {
    struct Name;

    impl Work for Name {
        type Output = &'static str;

        fn run<I: Isa>(self, _: I) -> &'static str {
            I::NAME
        }
    }

    dispatch(Name)
}
