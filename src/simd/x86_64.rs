//! AVX2 and AVX-512.

use std::arch::x86_64::*;
use std::sync::atomic::{AtomicU8, Ordering};

use super::{Isa, Scalar, Work, operations, pair_bits};

/// AVX2, BMI1, BMI2 and POPCNT: vectors of 16 numbers.
#[derive(Clone, Copy)]
pub struct Avx2(());

// SAFETY: `LANES` divides 32, and `load` and `store` access exactly `LANES` numbers.
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
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { compiled(self, work) }
    }

    operations! {
        unsafe load(from: *const i16) -> __m256i = _mm256_load_si256(from.cast());
        unsafe store(to: *mut i16, vector: __m256i) -> () = _mm256_store_si256(to.cast(), vector);
        unsafe store_sums(to: *mut i32, sum: __m256i) -> () = _mm256_storeu_si256(to.cast(), sum);
        safe add(a: __m256i, b: __m256i) -> __m256i = _mm256_add_epi16(a, b);
        safe sub(a: __m256i, b: __m256i) -> __m256i = _mm256_sub_epi16(a, b);
        safe clip(a: __m256i, max: i16) -> __m256i =
            _mm256_max_epi16(_mm256_min_epi16(a, _mm256_set1_epi16(max)), _mm256_setzero_si256());
        safe zero() -> __m256i = _mm256_setzero_si256();
        safe add_half_squares(sum: __m256i, a: __m256i, w: __m256i) -> __m256i = {
            let half_square = _mm256_srli_epi16::<1>(_mm256_mullo_epi16(a, a));
            _mm256_add_epi32(sum, _mm256_madd_epi16(half_square, w))
        };
        safe total(sum: __m256i) -> i32 = {
            let halves = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
            let quarters = _mm_add_epi32(halves, _mm_shuffle_epi32::<0b01_00_11_10>(halves));
            _mm_cvtsi128_si32(_mm_add_epi32(quarters, _mm_shuffle_epi32::<0b10_11_00_01>(quarters)))
        };
        safe splat_pair(pair: [i16; 2]) -> __m256i = _mm256_set1_epi32(pair_bits(pair));
        safe add_products(sum: __m256i, a: __m256i, b: __m256i) -> __m256i =
            _mm256_add_epi32(sum, _mm256_madd_epi16(a, b));
        safe add_sums(a: __m256i, b: __m256i) -> __m256i = _mm256_add_epi32(a, b);
    }
}

/// AVX-512F, BW and VL, BMI1, BMI2 and POPCNT, with `VNNI` also AVX-512 VNNI and VPOPCNTDQ: vectors of 32 numbers.
#[derive(Clone, Copy)]
pub struct Avx512<const VNNI: bool>(());

// SAFETY: `LANES` divides 32, and `load` and `store` access exactly `LANES` numbers.
unsafe impl<const VNNI: bool> Isa for Avx512<VNNI> {
    const NAME: &'static str = if VNNI { "avx512 with vnni" } else { "avx512" };
    const LANES: usize = 32;
    type Vector = __m512i;
    type Sum = __m512i;

    #[inline(always)]
    fn detect() -> Option<Self> {
        let has_base = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        let has_vnni =
            || is_x86_feature_detected!("avx512vnni") && is_x86_feature_detected!("avx512vpopcntdq");
        (has_base && (!VNNI || has_vnni())).then_some(Self(()))
    }

    #[inline(always)]
    fn run<W: Work>(self, work: W) -> W::Output {
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi1,bmi2,popcnt")]
        fn compiled<I: Isa, W: Work>(isa: I, work: W) -> W::Output {
            work.run(isa)
        }
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni,avx512vpopcntdq,bmi1,bmi2,popcnt")]
        fn compiled_with_vnni<I: Isa, W: Work>(isa: I, work: W) -> W::Output {
            work.run(isa)
        }
        // SAFETY: `self` proves that the CPU has the instructions.
        unsafe { if VNNI { compiled_with_vnni(self, work) } else { compiled(self, work) } }
    }

    operations! {
        unsafe load(from: *const i16) -> __m512i = _mm512_load_si512(from.cast());
        unsafe store(to: *mut i16, vector: __m512i) -> () = _mm512_store_si512(to.cast(), vector);
        unsafe store_sums(to: *mut i32, sum: __m512i) -> () = _mm512_storeu_si512(to.cast(), sum);
        safe add(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi16(a, b);
        safe sub(a: __m512i, b: __m512i) -> __m512i = _mm512_sub_epi16(a, b);
        safe clip(a: __m512i, max: i16) -> __m512i =
            _mm512_max_epi16(_mm512_min_epi16(a, _mm512_set1_epi16(max)), _mm512_setzero_si512());
        safe zero() -> __m512i = _mm512_setzero_si512();
        safe add_half_squares(sum: __m512i, a: __m512i, w: __m512i) -> __m512i = {
            let half_square = _mm512_srli_epi16::<1>(_mm512_mullo_epi16(a, a));
            if VNNI {
                _mm512_dpwssd_epi32(sum, half_square, w)
            } else {
                _mm512_add_epi32(sum, _mm512_madd_epi16(half_square, w))
            }
        };
        safe total(sum: __m512i) -> i32 = _mm512_reduce_add_epi32(sum);
        safe splat_pair(pair: [i16; 2]) -> __m512i = _mm512_set1_epi32(pair_bits(pair));
        safe add_products(sum: __m512i, a: __m512i, b: __m512i) -> __m512i = if VNNI {
            _mm512_dpwssd_epi32(sum, a, b)
        } else {
            _mm512_add_epi32(sum, _mm512_madd_epi16(a, b))
        };
        safe add_sums(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi32(a, b);
    }
}

/// The widest instruction set, as [`dispatch`] numbers them.
type Level = u8;

const UNKNOWN: Level = 0;
const SCALAR: Level = 1;
const AVX2: Level = 2;
const AVX512: Level = 3;
const AVX512_VNNI: Level = 4;

/// What the build targets.
const TARGETED: Level = {
    let avx2 = cfg!(all(
        target_feature = "avx2",
        target_feature = "bmi1",
        target_feature = "bmi2",
        target_feature = "popcnt"
    ));
    let avx512 =
        cfg!(all(target_feature = "avx512f", target_feature = "avx512bw", target_feature = "avx512vl"));
    let vnni = cfg!(all(target_feature = "avx512vnni", target_feature = "avx512vpopcntdq"));
    match (avx2, avx512, vnni) {
        (false, ..) => UNKNOWN,
        (true, false, _) => AVX2,
        (true, true, false) => AVX512,
        (true, true, true) => AVX512_VNNI,
    }
};

/// What this CPU has, once [`detect`] has asked.
static DETECTED: AtomicU8 = AtomicU8::new(UNKNOWN);

#[cold]
fn detect() -> Level {
    let level = match (Avx512::<true>::detect(), Avx512::<false>::detect(), Avx2::detect()) {
        (Some(_), ..) => AVX512_VNNI,
        (_, Some(_), _) => AVX512,
        (.., Some(_)) => AVX2,
        _ => SCALAR,
    };
    DETECTED.store(level, Ordering::Relaxed);
    level
}

#[inline(always)]
pub(super) fn dispatch<W: Work>(work: W) -> W::Output {
    let level = match (TARGETED, DETECTED.load(Ordering::Relaxed)) {
        (UNKNOWN, UNKNOWN) => detect(),
        (UNKNOWN, detected) => detected,
        (targeted, _) => targeted,
    };
    match level {
        AVX512_VNNI => Avx512::<true>(()).run(work),
        AVX512 => Avx512::<false>(()).run(work),
        AVX2 => Avx2(()).run(work),
        _ => Scalar.run(work),
    }
}
