//! SIMD128.

use std::arch::wasm32::*;

use super::boards::{Half, Halves};
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
    type Boards = Halves<v128>;

    #[inline(always)]
    fn detect() -> Option<Self> {
        Some(Self)
    }

    #[inline(always)]
    fn run<W: Work>(self, work: W) -> W::Output {
        work.run(self)
    }

    operations! {
        unsafe load(self, from: *const i16) -> v128 = v128_load(from.cast());
        unsafe store(self, to: *mut i16, vector: v128) -> () = v128_store(to.cast(), vector);
        unsafe load_sums(self, from: *const i32) -> v128 = v128_load(from.cast());
        safe add(self, a: v128, b: v128) -> v128 = i16x8_add(a, b);
        safe sub(self, a: v128, b: v128) -> v128 = i16x8_sub(a, b);
        safe clip(self, a: v128, max: i16) -> v128 = i16x8_max(i16x8_min(a, i16x8_splat(max)), i16x8_splat(0));
        safe add_half_squares(self, sum: v128, a: v128, w: v128) -> v128 =
            i32x4_add(sum, i32x4_dot_i16x8(u16x8_shr(i16x8_mul(a, a), 1), w));
        safe total(self, sum: v128) -> i32 = {
            let halves = i32x4_add(sum, i32x4_shuffle::<2, 3, 0, 1>(sum, sum));
            i32x4_extract_lane::<0>(halves).wrapping_add(i32x4_extract_lane::<1>(halves))
        };
        safe splat_pair(self, pair: [i16; 2]) -> v128 = i32x4_splat(pair_bits(pair));
        safe add_products(self, sum: v128, a: v128, b: v128) -> v128 = i32x4_add(sum, i32x4_dot_i16x8(a, b));
        safe splat_sum(self, number: i32) -> v128 = i32x4_splat(number);
        safe max(self, a: v128, b: v128) -> v128 = i32x4_max(a, b);
        safe highest(self, sum: v128) -> i32 = {
            let halves = i32x4_max(sum, i32x4_shuffle::<2, 3, 0, 1>(sum, sum));
            i32x4_extract_lane::<0>(halves).max(i32x4_extract_lane::<1>(halves))
        };
        safe wide_total(self, sum: v128) -> i64 = {
            let halves = i64x2_add(i64x2_extend_low_i32x4(sum), i64x2_extend_high_i32x4(sum));
            i64x2_extract_lane::<0>(halves) + i64x2_extract_lane::<1>(halves)
        };
        safe narrow(self, low: v128, high: v128, max: i16) -> v128 =
            u16x8_min(u16x8_narrow_i32x4(low, high), i16x8_splat(max));
        safe nonzero_pairs(self, a: v128) -> u32 = u32::from(i32x4_bitmask(i32x4_ne(a, i32x4_splat(0))));
        safe boards(self, sides: [[u64; 2]; 2]) -> Halves<v128> = Halves(sides.map(Half::new));
    }
}

impl Half for v128 {
    operations! {
        safe new(boards: [u64; 2]) -> Self = u64x2(boards[0], boards[1]);
        safe to_array(self) -> [u64; 2] = [u64x2_extract_lane::<0>(self), u64x2_extract_lane::<1>(self)];
        safe and(self, other: Self) -> Self = v128_and(self, other);
        safe or(self, other: Self) -> Self = v128_or(self, other);
        safe not(self) -> Self = v128_not(self);
        safe shift(self, squares: i32) -> Self =
            if squares < 0 { u64x2_shr(self, -squares as u32) } else { u64x2_shl(self, squares as u32) };
        safe flip_ranks(self) -> Self =
            i8x16_shuffle::<7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8>(self, self);
        safe swap_pairs(self) -> Self = u64x2_shuffle::<1, 0>(self, self);
        safe firsts(self, other: Self) -> Self = u64x2_shuffle::<0, 2>(self, other);
        safe seconds(self, other: Self) -> Self = u64x2_shuffle::<1, 3>(self, other);
        safe mix(self, other: Self) -> Self = u64x2_shuffle::<0, 3>(self, other);
        // x86 CPUs without AVX-512 count bits in one instruction for a number, but in some twenty for a vector.
        safe counts(self) -> Self = {
            let [first, second] = Half::to_array(self).map(|board| u64::from(board.count_ones()));
            u64x2(first, second)
        };
        safe plus(self, other: Self) -> Self = u64x2_add(self, other);
    }
}
