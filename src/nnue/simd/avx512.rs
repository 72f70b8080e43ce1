//! AVX-512: 32 numbers a vector, with VNNI where the processor has it.

use std::arch::x86_64::*;

use super::super::QA;
use super::Isa;

pub struct Avx512;

// SAFETY: the lanes divide 32, and load and store take just as many numbers.
unsafe impl Isa for Avx512 {
    const NAME: &'static str = "avx512";
    const LANES: usize = 32;
    type Vector = __m512i;
    type Sum = __m512i;

    #[inline(always)]
    unsafe fn load(from: *const i16) -> __m512i {
        // SAFETY: the caller's promise.
        unsafe { _mm512_load_si512(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store(to: *mut i16, vector: __m512i) {
        // SAFETY: the caller's promise.
        unsafe { _mm512_store_si512(to.cast(), vector) }
    }

    #[inline(always)]
    fn add(a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: this file is compiled for processors that have the instruction, and so below.
        unsafe { _mm512_add_epi16(a, b) }
    }

    #[inline(always)]
    fn sub(a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_sub_epi16(a, b) }
    }

    #[inline(always)]
    fn clip(a: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_max_epi16(_mm512_min_epi16(a, _mm512_set1_epi16(QA as i16)), _mm512_setzero_si512()) }
    }

    #[inline(always)]
    fn zero() -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_setzero_si512() }
    }

    #[inline(always)]
    fn add_half_squares(sum: __m512i, a: __m512i, w: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe {
            let half_square = _mm512_srli_epi16::<1>(_mm512_mullo_epi16(a, a));
            #[cfg(target_feature = "avx512vnni")]
            return _mm512_dpwssd_epi32(sum, half_square, w);
            #[cfg(not(target_feature = "avx512vnni"))]
            _mm512_add_epi32(sum, _mm512_madd_epi16(half_square, w))
        }
    }

    #[inline(always)]
    fn total(sum: __m512i) -> i32 {
        // SAFETY: as above.
        unsafe { _mm512_reduce_add_epi32(sum) }
    }
}
