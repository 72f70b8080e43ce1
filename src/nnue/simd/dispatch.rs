//! Choice of the widest instruction set that the processor has.

use crate::nnue::simd::isa::{Isa, Work};
use crate::nnue::simd::scalar::Scalar;

/// Runs `work` with the widest instruction set that the processor has. A set that the build already targets needs no
/// check at run time.
#[inline(always)]
pub fn dispatch<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        use crate::nnue::simd::avx2::Avx2;
        use crate::nnue::simd::avx512::Avx512;

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
    if let Some(isa) = crate::nnue::simd::neon::Neon::detect() {
        return isa.run(work);
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    if let Some(isa) = crate::nnue::simd::simd128::Simd128::detect() {
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
