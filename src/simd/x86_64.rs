//! AVX2 and AVX-512.

use std::arch::x86_64::*;
use std::ops::{BitAnd, BitOr, Not};
use std::sync::atomic::{AtomicU8, Ordering};

use super::{Boards, Isa, Scalar, Work, operations, pair_bits};

/// AVX2, BMI1, BMI2 and POPCNT: vectors of 16 numbers.
#[derive(Clone, Copy)]
pub struct Avx2(());

// SAFETY: `LANES` divides 32, and `load` and `store` access exactly `LANES` numbers.
unsafe impl Isa for Avx2 {
    const NAME: &'static str = "avx2";
    const LANES: usize = 16;
    type Vector = __m256i;
    type Sum = __m256i;
    type Boards = Quad<false>;

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
        unsafe load(self, from: *const i16) -> __m256i = _mm256_load_si256(from.cast());
        unsafe store(self, to: *mut i16, vector: __m256i) -> () = _mm256_store_si256(to.cast(), vector);
        unsafe load_sums(self, from: *const i32) -> __m256i = _mm256_loadu_si256(from.cast());
        safe add(self, a: __m256i, b: __m256i) -> __m256i = _mm256_add_epi16(a, b);
        safe sub(self, a: __m256i, b: __m256i) -> __m256i = _mm256_sub_epi16(a, b);
        safe clip(self, a: __m256i, max: i16) -> __m256i =
            _mm256_max_epi16(_mm256_min_epi16(a, _mm256_set1_epi16(max)), _mm256_setzero_si256());
        safe add_half_squares(self, sum: __m256i, a: __m256i, w: __m256i) -> __m256i = {
            let half_square = _mm256_srli_epi16::<1>(_mm256_mullo_epi16(a, a));
            _mm256_add_epi32(sum, _mm256_madd_epi16(half_square, w))
        };
        safe total(self, sum: __m256i) -> i32 = {
            let halves = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
            let quarters = _mm_add_epi32(halves, _mm_shuffle_epi32::<0b01_00_11_10>(halves));
            _mm_cvtsi128_si32(_mm_add_epi32(quarters, _mm_shuffle_epi32::<0b10_11_00_01>(quarters)))
        };
        safe splat_pair(self, pair: [i16; 2]) -> __m256i = _mm256_set1_epi32(pair_bits(pair));
        safe add_products(self, sum: __m256i, a: __m256i, b: __m256i) -> __m256i =
            _mm256_add_epi32(sum, _mm256_madd_epi16(a, b));
        safe splat_sum(self, number: i32) -> __m256i = _mm256_set1_epi32(number);
        safe max(self, a: __m256i, b: __m256i) -> __m256i = _mm256_max_epi32(a, b);
        safe highest(self, sum: __m256i) -> i32 = {
            let halves = _mm_max_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
            let quarters = _mm_max_epi32(halves, _mm_shuffle_epi32::<0b01_00_11_10>(halves));
            _mm_cvtsi128_si32(_mm_max_epi32(quarters, _mm_shuffle_epi32::<0b10_11_00_01>(quarters)))
        };
        safe wide_total(self, sum: __m256i) -> i64 = {
            let low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(sum));
            let halves = _mm256_add_epi64(low, _mm256_cvtepi32_epi64(_mm256_extracti128_si256::<1>(sum)));
            let quarters = _mm_add_epi64(_mm256_castsi256_si128(halves), _mm256_extracti128_si256::<1>(halves));
            _mm_cvtsi128_si64(quarters) + _mm_extract_epi64::<1>(quarters)
        };
        safe narrow(self, low: __m256i, high: __m256i, max: i16) -> __m256i = {
            let clipped = _mm256_min_epu16(_mm256_packus_epi32(low, high), _mm256_set1_epi16(max));
            _mm256_permute4x64_epi64::<0b11_01_10_00>(clipped)
        };
        safe nonzero_pairs(self, a: __m256i) -> u32 = {
            let zeros = _mm256_cmpeq_epi32(a, _mm256_setzero_si256());
            !_mm256_movemask_ps(_mm256_castsi256_ps(zeros)) as u32 & 0xFF
        };
        safe boards(self, sides: [[u64; 2]; 2]) -> Quad<false> = Quad::new(sides);
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
    type Boards = Quad<VNNI>;

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
        unsafe load(self, from: *const i16) -> __m512i = _mm512_load_si512(from.cast());
        unsafe store(self, to: *mut i16, vector: __m512i) -> () = _mm512_store_si512(to.cast(), vector);
        unsafe load_sums(self, from: *const i32) -> __m512i = _mm512_loadu_si512(from.cast());
        safe add(self, a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi16(a, b);
        safe sub(self, a: __m512i, b: __m512i) -> __m512i = _mm512_sub_epi16(a, b);
        safe clip(self, a: __m512i, max: i16) -> __m512i =
            _mm512_max_epi16(_mm512_min_epi16(a, _mm512_set1_epi16(max)), _mm512_setzero_si512());
        safe add_half_squares(self, sum: __m512i, a: __m512i, w: __m512i) -> __m512i = {
            let half_square = _mm512_srli_epi16::<1>(_mm512_mullo_epi16(a, a));
            if VNNI {
                _mm512_dpwssd_epi32(sum, half_square, w)
            } else {
                _mm512_add_epi32(sum, _mm512_madd_epi16(half_square, w))
            }
        };
        safe total(self, sum: __m512i) -> i32 = _mm512_reduce_add_epi32(sum);
        safe splat_pair(self, pair: [i16; 2]) -> __m512i = _mm512_set1_epi32(pair_bits(pair));
        safe add_products(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i = if VNNI {
            _mm512_dpwssd_epi32(sum, a, b)
        } else {
            _mm512_add_epi32(sum, _mm512_madd_epi16(a, b))
        };
        safe splat_sum(self, number: i32) -> __m512i = _mm512_set1_epi32(number);
        safe max(self, a: __m512i, b: __m512i) -> __m512i = _mm512_max_epi32(a, b);
        safe highest(self, sum: __m512i) -> i32 = _mm512_reduce_max_epi32(sum);
        safe wide_total(self, sum: __m512i) -> i64 = {
            let low = _mm512_cvtepi32_epi64(_mm512_castsi512_si256(sum));
            let high = _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64::<1>(sum));
            _mm512_reduce_add_epi64(_mm512_add_epi64(low, high))
        };
        safe narrow(self, low: __m512i, high: __m512i, max: i16) -> __m512i = {
            let clipped = _mm512_min_epu16(_mm512_packus_epi32(low, high), _mm512_set1_epi16(max));
            _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), clipped)
        };
        safe nonzero_pairs(self, a: __m512i) -> u32 = u32::from(_mm512_test_epi32_mask(a, a));
        safe boards(self, sides: [[u64; 2]; 2]) -> Quad<VNNI> = Quad::new(sides);
    }
}

/// Four bitboards in one vector of AVX2. With `POPCNT` the CPU also has AVX-512 VPOPCNTDQ and VL.
#[derive(Clone, Copy)]
pub struct Quad<const POPCNT: bool>(__m256i);

impl<const POPCNT: bool> Quad<POPCNT> {
    operations! {
        safe new(sides: [[u64; 2]; 2]) -> Self = Self(_mm256_loadu_si256(sides.as_ptr().cast()));
    }
}

impl<const POPCNT: bool> BitAnd for Quad<POPCNT> {
    type Output = Self;

    operations! { safe bitand(self, other: Self) -> Self = Self(_mm256_and_si256(self.0, other.0)); }
}

impl<const POPCNT: bool> BitOr for Quad<POPCNT> {
    type Output = Self;

    operations! { safe bitor(self, other: Self) -> Self = Self(_mm256_or_si256(self.0, other.0)); }
}

impl<const POPCNT: bool> Not for Quad<POPCNT> {
    type Output = Self;

    operations! { safe not(self) -> Self = Self(_mm256_xor_si256(self.0, _mm256_set1_epi8(-1))); }
}

impl<const POPCNT: bool> Boards for Quad<POPCNT> {
    operations! {
        safe shift(self, squares: i32) -> Self = Self(if squares < 0 {
            _mm256_srl_epi64(self.0, _mm_cvtsi32_si128(-squares))
        } else {
            _mm256_sll_epi64(self.0, _mm_cvtsi32_si128(squares))
        });
        safe forward(self, ranks: i32) -> Self =
            Self(_mm256_blend_epi32::<0b1111_0000>(self.shift(8 * ranks).0, self.shift(-8 * ranks).0));
        safe flip_ranks_if(self, condition: bool) -> Self = {
            // The index of each byte within its 128 bits, and the same mirrored top to bottom.
            const BYTES: [[u64; 2]; 2] =
                [[0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908], [0x0001_0203_0405_0607, 0x0809_0A0B_0C0D_0E0F]];
            let bytes = _mm_loadu_si128(BYTES[usize::from(condition)].as_ptr().cast());
            Self(_mm256_shuffle_epi8(self.0, _mm256_broadcastsi128_si256(bytes)))
        };
        safe swap_sides(self) -> Self = Self(_mm256_permute4x64_epi64::<0b01_00_11_10>(self.0));
        safe swap_pairs(self) -> Self = Self(_mm256_shuffle_epi32::<0b01_00_11_10>(self.0));
        safe firsts(self, other: Self) -> Self = Self(_mm256_unpacklo_epi64(self.0, other.0));
        safe seconds(self, other: Self) -> Self = Self(_mm256_unpackhi_epi64(self.0, other.0));
        safe mix(self, other: Self) -> Self = Self(_mm256_blend_epi32::<0b1100_1100>(self.0, other.0));
        safe counts(self) -> Self = Self(if POPCNT {
            _mm256_popcnt_epi64(self.0)
        } else {
            // The number of bits in each half of a byte comes from a table.
            let table = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
            let half = _mm256_set1_epi8(15);
            let low = _mm256_shuffle_epi8(table, _mm256_and_si256(self.0, half));
            let high = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16::<4>(self.0), half));
            _mm256_sad_epu8(_mm256_add_epi8(low, high), _mm256_setzero_si256())
        });
        safe plus(self, other: Self) -> Self = Self(_mm256_add_epi64(self.0, other.0));
        safe to_array(self) -> [u64; 4] = {
            let mut boards = [0; 4];
            _mm256_storeu_si256(boards.as_mut_ptr().cast(), self.0);
            boards
        };
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
