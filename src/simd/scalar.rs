//! The reference for all other instruction sets.

use super::boards::{Half, Halves};
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
    type Boards = Halves<[u64; 2]>;

    #[inline(always)]
    fn detect() -> Option<Self> {
        Some(Self)
    }

    #[inline(always)]
    fn run<W: Work>(self, work: W) -> W::Output {
        work.run(self)
    }

    operations! {
        unsafe load(self, from: *const i16) -> [i16; 2] = *from.cast();
        unsafe store(self, to: *mut i16, vector: [i16; 2]) -> () = *to.cast() = vector;
        unsafe load_sums(self, from: *const i32) -> i32 = *from;
        safe add(self, a: [i16; 2], b: [i16; 2]) -> [i16; 2] = [a[0].wrapping_add(b[0]), a[1].wrapping_add(b[1])];
        safe sub(self, a: [i16; 2], b: [i16; 2]) -> [i16; 2] = [a[0].wrapping_sub(b[0]), a[1].wrapping_sub(b[1])];
        safe clip(self, a: [i16; 2], max: i16) -> [i16; 2] = a.map(|a| a.clamp(0, max));
        safe add_half_squares(self, sum: i32, a: [i16; 2], w: [i16; 2]) -> i32 = {
            let term = |lane: usize| i32::from(a[lane]) * i32::from(a[lane]) / 2 * i32::from(w[lane]);
            sum.wrapping_add(term(0)).wrapping_add(term(1))
        };
        safe total(self, sum: i32) -> i32 = sum;
        safe splat_pair(self, pair: [i16; 2]) -> [i16; 2] = pair;
        safe add_products(self, sum: i32, a: [i16; 2], b: [i16; 2]) -> i32 = {
            let product = |lane: usize| i32::from(a[lane]) * i32::from(b[lane]);
            sum.wrapping_add(product(0)).wrapping_add(product(1))
        };
        safe splat_sum(self, number: i32) -> i32 = number;
        safe max(self, a: i32, b: i32) -> i32 = a.max(b);
        safe highest(self, sum: i32) -> i32 = sum;
        safe wide_total(self, sum: i32) -> i64 = i64::from(sum);
        safe narrow(self, low: i32, high: i32, max: i16) -> [i16; 2] =
            [low, high].map(|sum| sum.clamp(0, i32::from(max)) as i16);
        safe nonzero_pairs(self, a: [i16; 2]) -> u32 = u32::from(a != [0; 2]);
        safe boards(self, sides: [[u64; 2]; 2]) -> Halves<[u64; 2]> = Halves(sides);
    }
}

impl Half for [u64; 2] {
    operations! {
        safe new(boards: [u64; 2]) -> Self = boards;
        safe to_array(self) -> [u64; 2] = self;
        safe and(self, other: Self) -> Self = [self[0] & other[0], self[1] & other[1]];
        safe or(self, other: Self) -> Self = [self[0] | other[0], self[1] | other[1]];
        safe not(self) -> Self = self.map(|board| !board);
        safe shift(self, squares: i32) -> Self =
            self.map(|board| if squares < 0 { board >> -squares } else { board << squares });
        safe flip_ranks(self) -> Self = self.map(u64::swap_bytes);
        safe swap_pairs(self) -> Self = [self[1], self[0]];
        safe firsts(self, other: Self) -> Self = [self[0], other[0]];
        safe seconds(self, other: Self) -> Self = [self[1], other[1]];
        safe mix(self, other: Self) -> Self = [self[0], other[1]];
        safe counts(self) -> Self = self.map(|board| u64::from(board.count_ones()));
        safe plus(self, other: Self) -> Self = [self[0].wrapping_add(other[0]), self[1].wrapping_add(other[1])];
    }
}
