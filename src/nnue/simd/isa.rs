//! The vector operations that kernels consist of, their implementation for each instruction set, and the choice of an
//! instruction set at run time.

use crate::nnue::architecture::QA;

/// How many 16-bit numbers the widest vector holds.
pub const MAX_LANES: usize = 32;

/// A computation that is compiled once for each instruction set.
pub trait Work {
    type Output;

    /// Runs the computation. Mark this method and everything it calls `#[inline(always)]`: only inlined code is
    /// compiled for the instruction set.
    fn run<I: Isa>(self, isa: I) -> Self::Output;
}

/// An instruction set with vectors of 16-bit numbers. A value proves that the CPU has the instructions.
///
/// # Safety
/// [`Self::LANES`] divides `MAX_LANES`, and [`Self::load`] and [`Self::store`] access exactly that many numbers, at
/// addresses aligned to the vector's size.
pub unsafe trait Isa: Copy {
    /// The name that the UCI command `compiler` prints.
    const NAME: &'static str;
    /// How many 16-bit numbers a vector holds; divides `MAX_LANES` and is even.
    const LANES: usize;
    /// [`Self::LANES`] 16-bit numbers.
    type Vector: Copy;
    /// 32-bit sums, one for each pair of lanes.
    type Sum: Copy;

    /// Returns the instruction set if the CPU has it.
    fn detect() -> Option<Self>;
    /// Runs `work`, compiled for these instructions.
    fn run<W: Work>(self, work: W) -> W::Output;

    /// # Safety
    /// `from` points to [`Self::LANES`] numbers and is aligned to the vector's size.
    unsafe fn load(self, from: *const i16) -> Self::Vector;
    /// # Safety
    /// As for [`Self::load`], and nothing else refers to the numbers.
    unsafe fn store(self, to: *mut i16, vector: Self::Vector);
    /// Stores the sums in lane order.
    ///
    /// # Safety
    /// `to` points to [`Self::LANES`] / 2 numbers, and nothing else refers to them.
    unsafe fn store_sums(self, to: *mut i32, sum: Self::Sum);
    /// Adds lane by lane, wrapping.
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Subtracts lane by lane, wrapping.
    fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Clips each lane to 0..=[`QA`].
    fn clip(self, a: Self::Vector) -> Self::Vector;
    fn zero(self) -> Self::Sum;
    /// Adds ⌊a²/2⌋w of each lane to the sums, wrapping. Each lane of `a` must be within 0..=[`QA`], so that half its
    /// square fits 16 bits.
    fn add_half_squares(self, sum: Self::Sum, a: Self::Vector, w: Self::Vector) -> Self::Sum;
    /// Returns the total of all sums, wrapping.
    fn total(self, sum: Self::Sum) -> i32;
    /// Returns a vector filled with copies of the pair.
    fn splat_pair(self, pair: [i16; 2]) -> Self::Vector;
    /// Multiplies lane by lane, and adds both products of a pair of lanes to the pair's sum, wrapping.
    fn add_products(self, sum: Self::Sum, a: Self::Vector, b: Self::Vector) -> Self::Sum;
    /// Adds sum by sum, wrapping.
    fn add_sums(self, a: Self::Sum, b: Self::Sum) -> Self::Sum;
}

/// Implements the operations of an [`Isa`], each of which is given as a single expression.
macro_rules! operations {
    (
        $(unsafe $unsafe_name:ident($($unsafe_arg:ident: $unsafe_type:ty),*) -> $unsafe_output:ty = $access:expr;)*
        $(safe $name:ident($($arg:ident: $type:ty),*) -> $output:ty = $result:expr;)*
    ) => {
        $(
            #[inline(always)]
            unsafe fn $unsafe_name(self, $($unsafe_arg: $unsafe_type),*) -> $unsafe_output {
                // SAFETY: the caller keeps the contract of this function; `self` proves that the CPU has the
                // instruction.
                unsafe { $access }
            }
        )*
        $(
            #[inline(always)]
            #[allow(unused_unsafe)]
            fn $name(self, $($arg: $type),*) -> $output {
                // SAFETY: `self` proves that the CPU has the instructions.
                unsafe { $result }
            }
        )*
    };
}

/// Packs two adjacent lanes into one 32-bit number.
#[allow(dead_code)]
#[inline(always)]
const fn pair_bits([low, high]: [i16; 2]) -> i32 {
    (high as i32) << 16 | low as u16 as i32
}

/// Plain code with "vectors" of 2 numbers. All other instruction sets must give exactly the same results.
#[derive(Clone, Copy)]
pub struct Scalar;

// SAFETY: `LANES` divides 32, and `load` and `store` access exactly `LANES` numbers.
unsafe impl Isa for Scalar {
    const NAME: &'static str = "scalar";
    const LANES: usize = 2;
    type Vector = [i16; 2];
    type Sum = i32;

    #[inline(always)]
    fn detect() -> Option<Self> {
        Some(Self)
    }

    #[inline(always)]
    fn run<W: Work>(self, work: W) -> W::Output {
        work.run(self)
    }

    operations! {
        unsafe load(from: *const i16) -> [i16; 2] = *from.cast();
        unsafe store(to: *mut i16, vector: [i16; 2]) -> () = *to.cast() = vector;
        unsafe store_sums(to: *mut i32, sum: i32) -> () = *to = sum;
        safe add(a: [i16; 2], b: [i16; 2]) -> [i16; 2] = [a[0].wrapping_add(b[0]), a[1].wrapping_add(b[1])];
        safe sub(a: [i16; 2], b: [i16; 2]) -> [i16; 2] = [a[0].wrapping_sub(b[0]), a[1].wrapping_sub(b[1])];
        safe clip(a: [i16; 2]) -> [i16; 2] = a.map(|a| a.clamp(0, QA as i16));
        safe zero() -> i32 = 0;
        safe add_half_squares(sum: i32, a: [i16; 2], w: [i16; 2]) -> i32 = {
            let term = |lane: usize| i32::from(a[lane]) * i32::from(a[lane]) / 2 * i32::from(w[lane]);
            sum.wrapping_add(term(0)).wrapping_add(term(1))
        };
        safe total(sum: i32) -> i32 = sum;
        safe splat_pair(pair: [i16; 2]) -> [i16; 2] = pair;
        safe add_products(sum: i32, a: [i16; 2], b: [i16; 2]) -> i32 = {
            let product = |lane: usize| i32::from(a[lane]) * i32::from(b[lane]);
            sum.wrapping_add(product(0)).wrapping_add(product(1))
        };
        safe add_sums(a: i32, b: i32) -> i32 = a.wrapping_add(b);
    }
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::x86_64::*;

    use super::{Isa, QA, Work, pair_bits};

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
            safe clip(a: __m256i) -> __m256i =
                _mm256_max_epi16(_mm256_min_epi16(a, _mm256_set1_epi16(QA as i16)), _mm256_setzero_si256());
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

    /// AVX-512F and BW, BMI1, BMI2 and POPCNT, with `VNNI` also AVX-512 VNNI and VPOPCNTDQ: vectors of 32 numbers.
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
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt");
            let has_vnni =
                || is_x86_feature_detected!("avx512vnni") && is_x86_feature_detected!("avx512vpopcntdq");
            (has_base && (!VNNI || has_vnni())).then_some(Self(()))
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
            // SAFETY: `self` proves that the CPU has the instructions.
            unsafe { if VNNI { compiled_with_vnni(self, work) } else { compiled(self, work) } }
        }

        operations! {
            unsafe load(from: *const i16) -> __m512i = _mm512_load_si512(from.cast());
            unsafe store(to: *mut i16, vector: __m512i) -> () = _mm512_store_si512(to.cast(), vector);
            unsafe store_sums(to: *mut i32, sum: __m512i) -> () = _mm512_storeu_si512(to.cast(), sum);
            safe add(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi16(a, b);
            safe sub(a: __m512i, b: __m512i) -> __m512i = _mm512_sub_epi16(a, b);
            safe clip(a: __m512i) -> __m512i =
                _mm512_max_epi16(_mm512_min_epi16(a, _mm512_set1_epi16(QA as i16)), _mm512_setzero_si512());
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
}

#[cfg(target_arch = "aarch64")]
mod aarch64 {
    use std::arch::aarch64::*;

    use super::{Isa, QA, Work, pair_bits};

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
            safe clip(a: int16x8_t) -> int16x8_t =
                vmaxq_s16(vminq_s16(a, vdupq_n_s16(QA as i16)), vdupq_n_s16(0));
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
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm32 {
    use std::arch::wasm32::*;

    use super::{Isa, QA, Work, pair_bits};

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
            safe clip(a: v128) -> v128 = i16x8_max(i16x8_min(a, i16x8_splat(QA as i16)), i16x8_splat(0));
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
}

#[cfg(target_arch = "aarch64")]
pub use aarch64::Neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use wasm32::Simd128;
#[cfg(target_arch = "x86_64")]
pub use x86_64::{Avx2, Avx512};

/// Runs `work` with the widest instruction set that the CPU has. If the build already targets that set, the
/// check costs nothing at run time.
#[inline(always)]
pub fn dispatch<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(isa) = Avx512::<true>::detect() {
            return isa.run(work);
        }
        if let Some(isa) = Avx512::<false>::detect() {
            return isa.run(work);
        }
        if let Some(isa) = Avx2::detect() {
            return isa.run(work);
        }
    }
    #[cfg(target_arch = "aarch64")]
    if let Some(isa) = Neon::detect() {
        return isa.run(work);
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    if let Some(isa) = Simd128::detect() {
        return isa.run(work);
    }
    Scalar.run(work)
}

/// Returns the name of the instruction set that [`dispatch`] uses.
pub fn name() -> &'static str {
    struct Name;

    impl Work for Name {
        type Output = &'static str;

        fn run<I: Isa>(self, _: I) -> &'static str {
            I::NAME
        }
    }

    dispatch(Name)
}
