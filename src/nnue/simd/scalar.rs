//! Scalar reference for all other instruction sets: "vectors" of 2 numbers.

use crate::nnue::architecture::QA;
use crate::nnue::simd::isa::{Isa, Work};

/// Portable instruction set without vector instructions.
#[derive(Clone, Copy)]
pub struct Scalar;

// SAFETY: the lanes divide 32, and `load` and `store` access exactly as many numbers.
unsafe impl Isa for Scalar {
    const NAME: &'static str = "scalar";
    const LANES: usize = 2;
    type Vector = [i16; 2];
    type Sum = i32;

    #[inline(always)]
    fn detect() -> Option<Self> {
        Some(Self)
    }

    #[inline(always)]
    fn run<W: Work>(self, work: W) -> W::Output {
        work.run(self)
    }

    #[inline(always)]
    unsafe fn load(self, from: *const i16) -> [i16; 2] {
        // SAFETY: by the caller's contract.
        unsafe { *from.cast() }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut i16, vector: [i16; 2]) {
        // SAFETY: by the caller's contract.
        unsafe { *to.cast() = vector }
    }

    #[inline(always)]
    fn add(self, a: [i16; 2], b: [i16; 2]) -> [i16; 2] {
        [a[0].wrapping_add(b[0]), a[1].wrapping_add(b[1])]
    }

    #[inline(always)]
    fn sub(self, a: [i16; 2], b: [i16; 2]) -> [i16; 2] {
        [a[0].wrapping_sub(b[0]), a[1].wrapping_sub(b[1])]
    }

    #[inline(always)]
    fn clip(self, a: [i16; 2]) -> [i16; 2] {
        a.map(|a| a.clamp(0, QA as i16))
    }

    #[inline(always)]
    fn zero(self) -> i32 {
        0
    }

    #[inline(always)]
    fn add_half_squares(self, sum: i32, a: [i16; 2], w: [i16; 2]) -> i32 {
        let term = |lane: usize| i32::from(a[lane]) * i32::from(a[lane]) / 2 * i32::from(w[lane]);
        sum.wrapping_add(term(0)).wrapping_add(term(1))
    }

    #[inline(always)]
    fn total(self, sum: i32) -> i32 {
        sum
    }

    #[inline(always)]
    fn splat_pair(self, pair: [i16; 2]) -> [i16; 2] {
        pair
    }

    #[inline(always)]
    fn add_products(self, sum: i32, a: [i16; 2], b: [i16; 2]) -> i32 {
        let product = |lane: usize| i32::from(a[lane]) * i32::from(b[lane]);
        sum.wrapping_add(product(0)).wrapping_add(product(1))
    }

    #[inline(always)]
    fn add_sums(self, a: i32, b: i32) -> i32 {
        a.wrapping_add(b)
    }

    #[inline(always)]
    unsafe fn store_sums(self, to: *mut i32, sum: i32) {
        // SAFETY: by the caller's contract.
        unsafe { *to = sum }
    }
}
