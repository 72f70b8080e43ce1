//! SIMD128.

use std::arch::wasm32::*;

use super::{Isa, Work, operations, pair_bits};

/// WebAssembly SIMD128: vectors of 8 numbers. A host without SIMD128 can't load the module, so there's nothing to
/// detect at run time.
#[derive(Clone, Copy)]
pub struct Simd128;

// SAFETY: `LANES` divides 32, and `load` and `store` access exactly `LANES` numbers.
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

    operations! {
        unsafe load(from: *const i16) -> v128 = v128_load(from.cast());
        unsafe store(to: *mut i16, vector: v128) -> () = v128_store(to.cast(), vector);
        unsafe store_sums(to: *mut i32, sum: v128) -> () = v128_store(to.cast(), sum);
        safe add(a: v128, b: v128) -> v128 = i16x8_add(a, b);
        safe sub(a: v128, b: v128) -> v128 = i16x8_sub(a, b);
        safe clip(a: v128, max: i16) -> v128 = i16x8_max(i16x8_min(a, i16x8_splat(max)), i16x8_splat(0));
        safe zero() -> v128 = i32x4_splat(0);
        safe add_half_squares(sum: v128, a: v128, w: v128) -> v128 =
            i32x4_add(sum, i32x4_dot_i16x8(u16x8_shr(i16x8_mul(a, a), 1), w));
        safe total(sum: v128) -> i32 = {
            let halves = i32x4_add(sum, i32x4_shuffle::<2, 3, 0, 1>(sum, sum));
            i32x4_extract_lane::<0>(halves).wrapping_add(i32x4_extract_lane::<1>(halves))
        };
        safe splat_pair(pair: [i16; 2]) -> v128 = i32x4_splat(pair_bits(pair));
        safe add_products(sum: v128, a: v128, b: v128) -> v128 = i32x4_add(sum, i32x4_dot_i16x8(a, b));
        safe add_sums(a: v128, b: v128) -> v128 = i32x4_add(a, b);
    }
}
