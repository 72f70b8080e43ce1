//! AVX2 instructions: vectors of 16 numbers.

use std::arch::x86_64::*;

use crate::nnue::architecture::QA;
use crate::nnue::simd::isa::{Isa, Work};

/// Proof that the processor has AVX2.
#[derive(Clone, Copy)]
pub struct Avx2(());

// SAFETY: the lanes divide 32, and `load` and `store` access exactly as many numbers.
unsafe impl Isa for Avx2 {
    const NAME: &'static str = "avx2";
    const LANES: usize = 16;
    type Vector = __m256i;
    type Sum = __m256i;

    #[inline(always)]
    fn detect() -> Option<Self> {
        let has_all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        has_all.then_some(Self(()))
    }

    #[inline(always)]
    fn run<W: Work>(self, work: W) -> W::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
        fn compiled<W: Work>(isa: Avx2, work: W) -> W::Output {
            work.run(isa)
        }
        // SAFETY: a value of this type proves that the processor has the instructions.
        unsafe { compiled(self, work) }
    }

    #[inline(always)]
    unsafe fn load(self, from: *const i16) -> __m256i {
        // SAFETY: by the caller's contract.
        unsafe { _mm256_load_si256(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut i16, vector: __m256i) {
        // SAFETY: by the caller's contract.
        unsafe { _mm256_store_si256(to.cast(), vector) }
    }

    #[inline(always)]
    fn add(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: a value of this type proves that the processor has the instruction; the same holds below.
        unsafe { _mm256_add_epi16(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_sub_epi16(a, b) }
    }

    #[inline(always)]
    fn clip(self, a: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_max_epi16(_mm256_min_epi16(a, _mm256_set1_epi16(QA as i16)), _mm256_setzero_si256()) }
    }

    #[inline(always)]
    fn zero(self) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_setzero_si256() }
    }

    #[inline(always)]
    fn add_half_squares(self, sum: __m256i, a: __m256i, w: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe {
            let half_square = _mm256_srli_epi16::<1>(_mm256_mullo_epi16(a, a));
            _mm256_add_epi32(sum, _mm256_madd_epi16(half_square, w))
        }
    }

    #[inline(always)]
    fn total(self, sum: __m256i) -> i32 {
        // SAFETY: as above.
        unsafe {
            let halves = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
            let quarters = _mm_add_epi32(halves, _mm_shuffle_epi32::<0b01_00_11_10>(halves));
            _mm_cvtsi128_si32(_mm_add_epi32(quarters, _mm_shuffle_epi32::<0b10_11_00_01>(quarters)))
        }
    }

    #[inline(always)]
    fn splat_pair(self, [low, high]: [i16; 2]) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_set1_epi32(i32::from(high) << 16 | i32::from(low as u16)) }
    }

    #[inline(always)]
    fn add_products(self, sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_add_epi32(sum, _mm256_madd_epi16(a, b)) }
    }

    #[inline(always)]
    fn add_sums(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_add_epi32(a, b) }
    }

    #[inline(always)]
    unsafe fn store_sums(self, to: *mut i32, sum: __m256i) {
        // SAFETY: by the caller's contract.
        unsafe { _mm256_storeu_si256(to.cast(), sum) }
    }
}
