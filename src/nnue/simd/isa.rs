//! Vector operations that each instruction set implements.

/// Lanes of the widest vector, in 16-bit numbers.
pub const MAX_LANES: usize = 32;

/// Computation that is compiled once for each instruction set.
pub trait Work {
    /// Result of the computation.
    type Output;

    /// Runs the computation. Implementations and all that they call must be `#[inline(always)]`: only inlined code is
    /// compiled for the instruction set.
    fn run<I: Isa>(self, isa: I) -> Self::Output;
}

/// Instruction set with vectors of 16-bit numbers. A value proves that the processor has the instructions.
///
/// # Safety
/// [`Self::LANES`] divides `MAX_LANES`, and [`Self::load`] and [`Self::store`] access exactly that many numbers, at
/// addresses aligned to the vector's size.
pub unsafe trait Isa: Copy {
    /// Name that the UCI command `compiler` prints.
    const NAME: &'static str;
    /// Numbers in a vector: even, a divisor of `MAX_LANES`.
    const LANES: usize;
    /// Vector of [`Self::LANES`] 16-bit numbers.
    type Vector: Copy;
    /// Vector of 32-bit sums, one for each pair of lanes.
    type Sum: Copy;

    /// Returns the instruction set if the processor has it.
    fn detect() -> Option<Self>;
    /// Runs `work`, compiled for these instructions.
    fn run<W: Work>(self, work: W) -> W::Output;

    /// Loads a vector.
    ///
    /// # Safety
    /// `from` points to [`Self::LANES`] numbers and is aligned to the vector's size.
    unsafe fn load(self, from: *const i16) -> Self::Vector;
    /// Stores a vector.
    ///
    /// # Safety
    /// As for [`Self::load`], and nothing else refers to the numbers.
    unsafe fn store(self, to: *mut i16, vector: Self::Vector);
    /// Adds lane by lane, wrapping.
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Subtracts lane by lane, wrapping.
    fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Clips each lane to 0..=[`QA`](crate::nnue::architecture::QA).
    fn clip(self, a: Self::Vector) -> Self::Vector;
    /// Returns sums of zero.
    fn zero(self) -> Self::Sum;
    /// Adds ⌊a²/2⌋w of each lane to the sums, wrapping. The lanes of `a` are within
    /// 0..=[`QA`](crate::nnue::architecture::QA), so that half the square fits 16 bits.
    fn add_half_squares(self, sum: Self::Sum, a: Self::Vector, w: Self::Vector) -> Self::Sum;
    /// Returns the total of all sums, wrapping.
    fn total(self, sum: Self::Sum) -> i32;
    /// Repeats the pair in all pairs of lanes.
    fn splat_pair(self, pair: [i16; 2]) -> Self::Vector;
    /// Adds the products of each pair of lanes to its sum, wrapping.
    fn add_products(self, sum: Self::Sum, a: Self::Vector, b: Self::Vector) -> Self::Sum;
    /// Adds sums, wrapping.
    fn add_sums(self, a: Self::Sum, b: Self::Sum) -> Self::Sum;
    /// Stores the sums in the order of their pairs of lanes.
    ///
    /// # Safety
    /// `to` points to [`Self::LANES`] / 2 numbers, and nothing else refers to them.
    unsafe fn store_sums(self, to: *mut i32, sum: Self::Sum);
}
