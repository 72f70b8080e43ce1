//! SIMD128 instructions of WebAssembly: vectors of 8 numbers.

use std::arch::wasm32::*;

use crate::nnue::architecture::QA;
use crate::nnue::simd::isa::{Isa, Work};

/// SIMD128 instructions. A module that has them does not load elsewhere, so that no check is needed at run time.
#[derive(Clone, Copy)]
pub struct Simd128;

// SAFETY: the lanes divide 32, and `load` and `store` access exactly as many numbers.
unsafe impl Isa for Simd128 {
    const NAME: &'static str = "simd128";
    const LANES: usize = 8;
    type Vector = v128;
    type Sum = v128;

    #[inline(always)]
    fn detect() -> Option<Self> {
        Some(Self)
    }

    #[inline(always)]
    fn run<W: Work>(self, work: W) -> W::Output {
        work.run(self)
    }

    #[inline(always)]
    unsafe fn load(self, from: *const i16) -> v128 {
        // SAFETY: by the caller's contract.
        unsafe { v128_load(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut i16, vector: v128) {
        // SAFETY: by the caller's contract.
        unsafe { v128_store(to.cast(), vector) }
    }

    #[inline(always)]
    fn add(self, a: v128, b: v128) -> v128 {
        i16x8_add(a, b)
    }

    #[inline(always)]
    fn sub(self, a: v128, b: v128) -> v128 {
        i16x8_sub(a, b)
    }

    #[inline(always)]
    fn clip(self, a: v128) -> v128 {
        i16x8_max(i16x8_min(a, i16x8_splat(QA as i16)), i16x8_splat(0))
    }

    #[inline(always)]
    fn zero(self) -> v128 {
        i32x4_splat(0)
    }

    #[inline(always)]
    fn add_half_squares(self, sum: v128, a: v128, w: v128) -> v128 {
        i32x4_add(sum, i32x4_dot_i16x8(u16x8_shr(i16x8_mul(a, a), 1), w))
    }

    #[inline(always)]
    fn total(self, sum: v128) -> i32 {
        let halves = i32x4_add(sum, i32x4_shuffle::<2, 3, 0, 1>(sum, sum));
        i32x4_extract_lane::<0>(halves).wrapping_add(i32x4_extract_lane::<1>(halves))
    }

    #[inline(always)]
    fn splat_pair(self, [low, high]: [i16; 2]) -> v128 {
        i32x4_splat(i32::from(high) << 16 | i32::from(low as u16))
    }

    #[inline(always)]
    fn add_products(self, sum: v128, a: v128, b: v128) -> v128 {
        i32x4_add(sum, i32x4_dot_i16x8(a, b))
    }

    #[inline(always)]
    fn add_sums(self, a: v128, b: v128) -> v128 {
        i32x4_add(a, b)
    }

    #[inline(always)]
    unsafe fn store_sums(self, to: *mut i32, sum: v128) {
        // SAFETY: by the caller's contract.
        unsafe { v128_store(to.cast(), sum) }
    }
}
