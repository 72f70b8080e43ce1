//! NEON.

use std::arch::aarch64::*;

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
        unsafe load(from: *const i16) -> int16x8_t = vld1q_s16(from);
        unsafe store(to: *mut i16, vector: int16x8_t) -> () = vst1q_s16(to, vector);
        unsafe store_sums(to: *mut i32, sum: int32x4_t) -> () = vst1q_s32(to, sum);
        safe add(a: int16x8_t, b: int16x8_t) -> int16x8_t = vaddq_s16(a, b);
        safe sub(a: int16x8_t, b: int16x8_t) -> int16x8_t = vsubq_s16(a, b);
        safe clip(a: int16x8_t, max: i16) -> int16x8_t =
            vmaxq_s16(vminq_s16(a, vdupq_n_s16(max)), vdupq_n_s16(0));
        safe zero() -> int32x4_t = vdupq_n_s32(0);
        safe add_half_squares(sum: int32x4_t, a: int16x8_t, w: int16x8_t) -> int32x4_t = {
            let square = vreinterpretq_u16_s16(vmulq_s16(a, a));
            let half_square = vreinterpretq_s16_u16(vshrq_n_u16::<1>(square));
            let low = vmlal_s16(sum, vget_low_s16(half_square), vget_low_s16(w));
            vmlal_high_s16(low, half_square, w)
        };
        safe total(sum: int32x4_t) -> i32 = vaddvq_s32(sum);
        safe splat_pair(pair: [i16; 2]) -> int16x8_t = vreinterpretq_s16_s32(vdupq_n_s32(pair_bits(pair)));
        safe add_products(sum: int32x4_t, a: int16x8_t, b: int16x8_t) -> int32x4_t = {
            let low = vmull_s16(vget_low_s16(a), vget_low_s16(b));
            vaddq_s32(sum, vpaddq_s32(low, vmull_high_s16(a, b)))
        };
        safe add_sums(a: int32x4_t, b: int32x4_t) -> int32x4_t = vaddq_s32(a, b);
    }
}
