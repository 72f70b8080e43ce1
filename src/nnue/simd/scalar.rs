//! One number at a time: the reference.

use super::super::QA;
use super::Isa;

/// No vectors.
pub struct Scalar;

// SAFETY: the lanes divide 32, and load and store take just as many numbers.
unsafe impl Isa for Scalar {
    const NAME: &'static str = "scalar";
    const LANES: usize = 1;
    type Vector = i16;
    type Sum = i32;

    #[inline(always)]
    unsafe fn load(from: *const i16) -> i16 {
        // SAFETY: the caller's promise.
        unsafe { *from }
    }

    #[inline(always)]
    unsafe fn store(to: *mut i16, vector: i16) {
        // SAFETY: the caller's promise.
        unsafe { *to = vector }
    }

    #[inline(always)]
    fn add(a: i16, b: i16) -> i16 {
        a.wrapping_add(b)
    }

    #[inline(always)]
    fn sub(a: i16, b: i16) -> i16 {
        a.wrapping_sub(b)
    }

    #[inline(always)]
    fn clip(a: i16) -> i16 {
        a.clamp(0, QA as i16)
    }

    #[inline(always)]
    fn zero() -> i32 {
        0
    }

    #[inline(always)]
    fn add_half_squares(sum: i32, a: i16, w: i16) -> i32 {
        sum.wrapping_add(i32::from(a) * i32::from(a) / 2 * i32::from(w))
    }

    #[inline(always)]
    fn total(sum: i32) -> i32 {
        sum
    }
}
