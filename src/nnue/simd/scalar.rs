//! One number at a time: the reference.

use super::super::QA;
use super::{Isa, Work};

/// No vectors.
#[derive(Clone, Copy)]
pub struct Scalar;

// SAFETY: the lanes divide 32, and load and store take just as many numbers.
unsafe impl Isa for Scalar {
    const NAME: &'static str = "scalar";
    const LANES: usize = 1;
    type Vector = i16;
    type Sum = i32;

    #[inline(always)]
    fn detect() -> Option<Self> {
        Some(Self)
    }

    #[inline(always)]
    fn run<W: Work>(self, work: W) -> W::Output {
        work.run(self)
    }

    #[inline(always)]
    unsafe fn load(self, from: *const i16) -> i16 {
        // SAFETY: the caller's promise.
        unsafe { *from }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut i16, vector: i16) {
        // SAFETY: the caller's promise.
        unsafe { *to = vector }
    }

    #[inline(always)]
    fn add(self, a: i16, b: i16) -> i16 {
        a.wrapping_add(b)
    }

    #[inline(always)]
    fn sub(self, a: i16, b: i16) -> i16 {
        a.wrapping_sub(b)
    }

    #[inline(always)]
    fn clip(self, a: i16) -> i16 {
        a.clamp(0, QA as i16)
    }

    #[inline(always)]
    fn zero(self) -> i32 {
        0
    }

    #[inline(always)]
    fn add_half_squares(self, sum: i32, a: i16, w: i16) -> i32 {
        sum.wrapping_add(i32::from(a) * i32::from(a) / 2 * i32::from(w))
    }

    #[inline(always)]
    fn total(self, sum: i32) -> i32 {
        sum
    }
}
