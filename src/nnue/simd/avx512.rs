//! AVX-512 instructions, with and without VNNI: vectors of 32 numbers.

use std::arch::x86_64::*;

use crate::nnue::architecture::QA;
use crate::nnue::simd::isa::{Isa, Work};

/// Proof that the processor has AVX-512F and AVX-512BW, and with `VNNI` also AVX-512 VNNI.
#[derive(Clone, Copy)]
pub struct Avx512<const VNNI: bool>(());

// SAFETY: the lanes divide 32, and `load` and `store` access exactly as many numbers.
unsafe impl<const VNNI: bool> Isa for Avx512<VNNI> {
    const NAME: &'static str = if VNNI { "avx512 with vnni" } else { "avx512" };
    const LANES: usize = 32;
    type Vector = __m512i;
    type Sum = __m512i;

    #[inline(always)]
    fn detect() -> Option<Self> {
        let has_base = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        let has_all = has_base
            && (!VNNI
                || is_x86_feature_detected!("avx512vnni") && is_x86_feature_detected!("avx512vpopcntdq"));
        has_all.then_some(Self(()))
    }

    #[inline(always)]
    fn run<W: Work>(self, work: W) -> W::Output {
        #[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2,popcnt")]
        fn compiled<I: Isa, W: Work>(isa: I, work: W) -> W::Output {
            work.run(isa)
        }
        #[target_feature(enable = "avx512f,avx512bw,avx512vnni,avx512vpopcntdq,bmi1,bmi2,popcnt")]
        fn compiled_with_vnni<I: Isa, W: Work>(isa: I, work: W) -> W::Output {
            work.run(isa)
        }
        // SAFETY: a value of this type proves that the processor has the instructions.
        unsafe { if VNNI { compiled_with_vnni(self, work) } else { compiled(self, work) } }
    }

    #[inline(always)]
    unsafe fn load(self, from: *const i16) -> __m512i {
        // SAFETY: by the caller's contract.
        unsafe { _mm512_load_si512(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut i16, vector: __m512i) {
        // SAFETY: by the caller's contract.
        unsafe { _mm512_store_si512(to.cast(), vector) }
    }

    #[inline(always)]
    fn add(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: a value of this type proves that the processor has the instruction; the same holds below.
        unsafe { _mm512_add_epi16(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_sub_epi16(a, b) }
    }

    #[inline(always)]
    fn clip(self, a: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_max_epi16(_mm512_min_epi16(a, _mm512_set1_epi16(QA as i16)), _mm512_setzero_si512()) }
    }

    #[inline(always)]
    fn zero(self) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_setzero_si512() }
    }

    #[inline(always)]
    fn add_half_squares(self, sum: __m512i, a: __m512i, w: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe {
            let half_square = _mm512_srli_epi16::<1>(_mm512_mullo_epi16(a, a));
            if VNNI {
                _mm512_dpwssd_epi32(sum, half_square, w)
            } else {
                _mm512_add_epi32(sum, _mm512_madd_epi16(half_square, w))
            }
        }
    }

    #[inline(always)]
    fn total(self, sum: __m512i) -> i32 {
        // SAFETY: as above.
        unsafe { _mm512_reduce_add_epi32(sum) }
    }

    #[inline(always)]
    fn splat_pair(self, [low, high]: [i16; 2]) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_set1_epi32(i32::from(high) << 16 | i32::from(low as u16)) }
    }

    #[inline(always)]
    fn add_products(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe {
            if VNNI { _mm512_dpwssd_epi32(sum, a, b) } else { _mm512_add_epi32(sum, _mm512_madd_epi16(a, b)) }
        }
    }

    #[inline(always)]
    fn add_sums(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_add_epi32(a, b) }
    }

    #[inline(always)]
    unsafe fn store_sums(self, to: *mut i32, sum: __m512i) {
        // SAFETY: by the caller's contract.
        unsafe { _mm512_storeu_si512(to.cast(), sum) }
    }
}
