//! NEON.

use std::arch::aarch64::*;

use super::boards::{Half, Halves};
use super::{Isa, Work, operations, pair_bits};

/// NEON: vectors of 8 numbers.
#[derive(Clone, Copy)]
pub struct Neon(());

// SAFETY: `LANES` divides 32, and `load` and `store` access exactly `LANES` numbers.
unsafe impl Isa for Neon {
    const NAME: &'static str = "neon";
    const LANES: usize = 8;
    type Vector = int16x8_t;
    type Sum = int32x4_t;
    type Boards = Halves<uint64x2_t>;

    #[inline(always)]
    fn detect() -> Option<Self> {
        std::arch::is_aarch64_feature_detected!("neon").then_some(Self(()))
    }

    #[inline(always)]
    fn run<W: Work>(self, work: W) -> W::Output {
        #[target_feature(enable = "neon")]
        fn compiled<W: Work>(isa: Neon, work: W) -> W::Output {
            work.run(isa)
        }
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { compiled(self, work) }
    }

    operations! {
        unsafe load(self, from: *const i16) -> int16x8_t = vld1q_s16(from);
        unsafe store(self, to: *mut i16, vector: int16x8_t) -> () = vst1q_s16(to, vector);
        unsafe load_sums(self, from: *const i32) -> int32x4_t = vld1q_s32(from);
        safe add(self, a: int16x8_t, b: int16x8_t) -> int16x8_t = vaddq_s16(a, b);
        safe sub(self, a: int16x8_t, b: int16x8_t) -> int16x8_t = vsubq_s16(a, b);
        safe clip(self, a: int16x8_t, max: i16) -> int16x8_t =
            vmaxq_s16(vminq_s16(a, vdupq_n_s16(max)), vdupq_n_s16(0));
        safe add_half_squares(self, sum: int32x4_t, a: int16x8_t, w: int16x8_t) -> int32x4_t = {
            let square = vreinterpretq_u16_s16(vmulq_s16(a, a));
            let half_square = vreinterpretq_s16_u16(vshrq_n_u16::<1>(square));
            let low = vmlal_s16(sum, vget_low_s16(half_square), vget_low_s16(w));
            vmlal_high_s16(low, half_square, w)
        };
        safe total(self, sum: int32x4_t) -> i32 = vaddvq_s32(sum);
        safe splat_pair(self, pair: [i16; 2]) -> int16x8_t = vreinterpretq_s16_s32(vdupq_n_s32(pair_bits(pair)));
        safe add_products(self, sum: int32x4_t, a: int16x8_t, b: int16x8_t) -> int32x4_t = {
            let low = vmull_s16(vget_low_s16(a), vget_low_s16(b));
            vaddq_s32(sum, vpaddq_s32(low, vmull_high_s16(a, b)))
        };
        safe splat_sum(self, number: i32) -> int32x4_t = vdupq_n_s32(number);
        safe max(self, a: int32x4_t, b: int32x4_t) -> int32x4_t = vmaxq_s32(a, b);
        safe highest(self, sum: int32x4_t) -> i32 = vmaxvq_s32(sum);
        safe wide_total(self, sum: int32x4_t) -> i64 = vaddlvq_s32(sum);
        safe narrow(self, low: int32x4_t, high: int32x4_t, max: i16) -> int16x8_t = {
            let clipped = vcombine_u16(vqmovun_s32(low), vqmovun_s32(high));
            vreinterpretq_s16_u16(vminq_u16(clipped, vdupq_n_u16(max as u16)))
        };
        safe nonzero_pairs(self, a: int16x8_t) -> u32 = {
            let pairs = vreinterpretq_u32_s16(a);
            const BITS: [u32; 4] = [1, 2, 4, 8];
            vaddvq_u32(vandq_u32(vtstq_u32(pairs, pairs), vld1q_u32(BITS.as_ptr())))
        };
        safe boards(self, sides: [[u64; 2]; 2]) -> Halves<uint64x2_t> = Halves(sides.map(Half::new));
    }
}

impl Half for uint64x2_t {
    operations! {
        safe new(boards: [u64; 2]) -> Self = vld1q_u64(boards.as_ptr());
        safe to_array(self) -> [u64; 2] = [vgetq_lane_u64::<0>(self), vgetq_lane_u64::<1>(self)];
        safe and(self, other: Self) -> Self = vandq_u64(self, other);
        safe or(self, other: Self) -> Self = vorrq_u64(self, other);
        safe not(self) -> Self = veorq_u64(self, vdupq_n_u64(!0));
        safe shift(self, squares: i32) -> Self = vshlq_u64(self, vdupq_n_s64(i64::from(squares)));
        safe flip_ranks(self) -> Self = vreinterpretq_u64_u8(vrev64q_u8(vreinterpretq_u8_u64(self)));
        safe swap_pairs(self) -> Self = vextq_u64::<1>(self, self);
        safe firsts(self, other: Self) -> Self = vzip1q_u64(self, other);
        safe seconds(self, other: Self) -> Self = vzip2q_u64(self, other);
        safe mix(self, other: Self) -> Self = vcopyq_laneq_u64::<1, 1>(self, other);
        safe counts(self) -> Self = vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(vcntq_u8(vreinterpretq_u8_u64(self)))));
        safe plus(self, other: Self) -> Self = vaddq_u64(self, other);
    }
}
