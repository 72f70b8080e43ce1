//! The reference for all other instruction sets.

use super::{Isa, Work, operations};

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
        safe clip(a: [i16; 2], max: i16) -> [i16; 2] = a.map(|a| a.clamp(0, max));
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
