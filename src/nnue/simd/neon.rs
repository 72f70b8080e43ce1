//! NEON instructions: vectors of 8 numbers.

use std::arch::aarch64::*;

use crate::nnue::architecture::QA;
use crate::nnue::simd::isa::{Isa, Work};

/// Proof that the processor has NEON.
#[derive(Clone, Copy)]
pub struct Neon(());

// SAFETY: the lanes divide 32, and `load` and `store` access exactly as many numbers.
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
        // SAFETY: a value of this type proves that the processor has the instructions.
        unsafe { compiled(self, work) }
    }

    #[inline(always)]
    unsafe fn load(self, from: *const i16) -> int16x8_t {
        // SAFETY: by the caller's contract.
        unsafe { vld1q_s16(from) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut i16, vector: int16x8_t) {
        // SAFETY: by the caller's contract.
        unsafe { vst1q_s16(to, vector) }
    }

    #[inline(always)]
    fn add(self, a: int16x8_t, b: int16x8_t) -> int16x8_t {
        // SAFETY: a value of this type proves that the processor has the instruction; the same holds below.
        unsafe { vaddq_s16(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: int16x8_t, b: int16x8_t) -> int16x8_t {
        // SAFETY: as above.
        unsafe { vsubq_s16(a, b) }
    }

    #[inline(always)]
    fn clip(self, a: int16x8_t) -> int16x8_t {
        // SAFETY: as above.
        unsafe { vmaxq_s16(vminq_s16(a, vdupq_n_s16(QA as i16)), vdupq_n_s16(0)) }
    }

    #[inline(always)]
    fn zero(self) -> int32x4_t {
        // SAFETY: as above.
        unsafe { vdupq_n_s32(0) }
    }

    #[inline(always)]
    fn add_half_squares(self, sum: int32x4_t, a: int16x8_t, w: int16x8_t) -> int32x4_t {
        // SAFETY: as above.
        unsafe {
            let square = vreinterpretq_u16_s16(vmulq_s16(a, a));
            let half_square = vreinterpretq_s16_u16(vshrq_n_u16::<1>(square));
            let low = vmlal_s16(sum, vget_low_s16(half_square), vget_low_s16(w));
            vmlal_high_s16(low, half_square, w)
        }
    }

    #[inline(always)]
    fn total(self, sum: int32x4_t) -> i32 {
        // SAFETY: as above.
        unsafe { vaddvq_s32(sum) }
    }

    #[inline(always)]
    fn splat_pair(self, [low, high]: [i16; 2]) -> int16x8_t {
        // SAFETY: as above.
        unsafe { vreinterpretq_s16_s32(vdupq_n_s32(i32::from(high) << 16 | i32::from(low as u16))) }
    }

    #[inline(always)]
    fn add_products(self, sum: int32x4_t, a: int16x8_t, b: int16x8_t) -> int32x4_t {
        // SAFETY: as above.
        unsafe {
            let low = vmull_s16(vget_low_s16(a), vget_low_s16(b));
            vaddq_s32(sum, vpaddq_s32(low, vmull_high_s16(a, b)))
        }
    }

    #[inline(always)]
    fn add_sums(self, a: int32x4_t, b: int32x4_t) -> int32x4_t {
        // SAFETY: as above.
        unsafe { vaddq_s32(a, b) }
    }

    #[inline(always)]
    unsafe fn store_sums(self, to: *mut i32, sum: int32x4_t) {
        // SAFETY: by the caller's contract.
        unsafe { vst1q_s32(to, sum) }
    }
}
