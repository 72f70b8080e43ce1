//! The loops over the hidden layer and over the handcrafted layer.

use std::hint::black_box;

use crate::nnue::architecture::{
    HANDCRAFTED_CLIP, HANDCRAFTED_INPUTS, HANDCRAFTED_NEURONS, L1, PairWeights, QA, QD, Row,
};
use crate::nnue::handcrafted::HandcraftedLayer;
use crate::nnue::handcrafted::inputs::PackedInputs;
use crate::simd::{Isa, MAX_LANES, Work};

const _: () = assert!(HANDCRAFTED_INPUTS / 2 == u64::BITS as usize);
const _: () = assert!(L1.is_multiple_of(MAX_LANES), "a row must be a whole number of vectors");
const _: () = assert!(HANDCRAFTED_NEURONS.is_multiple_of(MAX_LANES));
const _: () = assert!(HANDCRAFTED_CLIP * QD <= i16::MAX as i32);
/// How many vectors of each side's row [`Update`] computes in one round of its loop. WebAssembly's vectors are a quarter as
/// long as those of AVX-512, so it needs four times as many.
const UNROLLED: usize = if cfg!(target_arch = "wasm32") { 8 } else { 2 };
const _: () = assert!(L1.is_multiple_of(UNROLLED * MAX_LANES));
const _: () = assert!(align_of::<Row>() >= MAX_LANES * size_of::<i16>());
const _: () = assert!(align_of::<PairWeights>() >= MAX_LANES * size_of::<i16>());

/// Returns the vector of `source` + `added` − `removed` that begins at index `begin` + `offset`. With a constant `offset`,
/// the compiler can make it part of the instruction that loads.
///
/// # Safety
/// `begin` + `offset` is a multiple of `I::LANES` and below the width of a row.
#[inline(always)]
unsafe fn changed<'a, I: Isa>(
    isa: I,
    source: &Row,
    added: impl IntoIterator<Item = &'a Row>,
    removed: impl IntoIterator<Item = &'a Row>,
    [begin, offset]: [usize; 2],
) -> I::Vector {
    // SAFETY: `LANES` divides the width of a row, so the load stays in bounds, and rows are aligned to 64 bytes, enough
    // for the widest vector.
    let load = |row: &Row| unsafe { isa.load(row.0.as_ptr().add(begin).add(offset)) };
    let sum = added.into_iter().fold(load(source), |sum, row| isa.add(sum, load(row)));
    removed.into_iter().fold(sum, |sum, row| isa.sub(sum, load(row)))
}

/// `target` = `source` + `added` − `removed`, for one side or both.
pub struct Update<'a, const SIDES: usize, const A: usize, const R: usize> {
    /// The hidden layer after the move, by side.
    pub target: &'a mut [Row; SIDES],
    /// The hidden layer before the move, by side.
    pub source: &'a [Row; SIDES],
    /// Weights of the inputs that became active, by input and side.
    pub added: [[&'a Row; SIDES]; A],
    /// Weights of the inputs that became inactive, by input and side.
    pub removed: [[&'a Row; SIDES]; R],
}

impl<'a, const SIDES: usize, const A: usize, const R: usize> Work for Update<'a, SIDES, A, R> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        // The compiler would unroll the whole loop if it knew the width, but the instruction cache is small.
        let width = black_box(L1);
        let mut begin = 0;
        while begin < width {
            for index in 0..UNROLLED {
                for side in 0..SIDES {
                    let rows = |by_side: &[&'a Row; SIDES]| by_side[side];
                    let (added, removed) = (self.added.iter().map(rows), self.removed.iter().map(rows));
                    let offset = index * I::LANES;
                    // SAFETY: `begin` + `offset` is a multiple of `LANES` below the width of a row, which is a multiple of
                    // the step, and rows are aligned to 64 bytes.
                    unsafe {
                        let sum = changed(isa, &self.source[side], added, removed, [begin, offset]);
                        isa.store(self.target[side].0.as_mut_ptr().add(begin).add(offset), sum);
                    }
                }
            }
            begin += UNROLLED * I::LANES;
        }
    }
}

/// `row` = `copy` = `row` + `added` − `removed`. `row` belongs to the refresh table, `copy` to the accumulator.
pub struct Refresh<'a> {
    pub row: &'a mut Row,
    pub copy: &'a mut Row,
    pub added: &'a [&'a Row],
    pub removed: &'a [&'a Row],
}

impl Work for Refresh<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        for at in (0..L1).step_by(I::LANES) {
            // SAFETY: `at` is a multiple of `LANES` below the width of a row, and rows are aligned to 64 bytes.
            unsafe {
                let (added, removed) = (self.added.iter().copied(), self.removed.iter().copied());
                let sum = changed(isa, self.row, added, removed, [at, 0]);
                isa.store(self.row.0.as_mut_ptr().add(at), sum);
                isa.store(self.copy.0.as_mut_ptr().add(at), sum);
            }
        }
    }
}

/// Σ ⌊clip(x)²/2⌋ w over the neurons x of both halves of the hidden layer, wrapping.
pub struct Forward<'a> {
    /// The half of the side to move.
    pub own: &'a Row,
    /// The opponent's half.
    pub other: &'a Row,
    /// Output weights w for both halves.
    pub weights: &'a [Row; 2],
}

impl Work for Forward<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let mut sum = isa.splat_sum(0);
        for (half, weights) in [self.own, self.other].into_iter().zip(self.weights) {
            for at in (0..L1).step_by(I::LANES) {
                // SAFETY: `at` is a multiple of `LANES` below the width of a row, and rows are aligned to 64 bytes.
                unsafe {
                    let value = isa.clip(isa.load(half.0.as_ptr().add(at)), QA as i16);
                    sum = isa.add_half_squares(sum, value, isa.load(weights.0.as_ptr().add(at)));
                }
            }
        }
        isa.total(sum)
    }
}

/// What the handcrafted layer adds to the network's output, in units of 1 / (`QD` × `QO`). We skip pairs of inputs that
/// are both zero, which most are.
pub struct HandcraftedForward<'a> {
    pub inputs: &'a PackedInputs,
    pub layer: &'a HandcraftedLayer,
    pub bucket: usize,
}

impl Work for HandcraftedForward<'_> {
    type Output = i64;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i64 {
        // The compiler keeps the sums in registers, because their number is small and known at compile time.
        match HANDCRAFTED_NEURONS / I::LANES {
            1 => self.run_in_vectors::<I, 1>(isa),
            2 => self.run_in_vectors::<I, 2>(isa),
            4 => self.run_in_vectors::<I, 4>(isa),
            16 => self.run_in_vectors::<I, 16>(isa),
            _ => unreachable!("vectors have 2, 8, 16 or 32 lanes"),
        }
    }
}

impl HandcraftedForward<'_> {
    /// Keeps one sum for each neuron, in `VECTORS` pairs of vectors.
    #[inline(always)]
    fn run_in_vectors<I: Isa, const VECTORS: usize>(self, isa: I) -> i64 {
        debug_assert_eq!(VECTORS * I::LANES, HANDCRAFTED_NEURONS);
        let Self { inputs, layer, bucket } = self;
        let mut active = 0u64;
        for at in (0..HANDCRAFTED_INPUTS).step_by(I::LANES) {
            // SAFETY: `at` is a multiple of `LANES` below the number of inputs, which are aligned to 64 bytes.
            let counts = unsafe { isa.load(inputs.counts().as_ptr().add(at)) };
            active |= u64::from(isa.nonzero_pairs(counts)) << (at / 2);
        }
        let mut sums = [[isa.splat_sum(0); 2]; VECTORS];
        for (index, sum) in sums.as_flattened_mut().iter_mut().enumerate() {
            // SAFETY: the vectors together hold exactly one sum for each neuron.
            *sum = unsafe { isa.load_sums(layer.bias.as_ptr().add(index * I::LANES / 2)) };
        }
        while active != 0 {
            let pair = active.trailing_zeros() as usize % (HANDCRAFTED_INPUTS / 2);
            active &= active - 1;
            let input = isa.splat_pair(inputs.pairs()[pair]);
            let weights = layer.weights[pair].0.as_ptr().cast::<i16>();
            for (index, sum) in sums.as_flattened_mut().iter_mut().enumerate() {
                // SAFETY: the length of `PairWeights` is a multiple of `LANES`, so the load stays in bounds, and the
                // array is aligned to 64 bytes, enough for the widest vector.
                let weights = unsafe { isa.load(weights.add(index * I::LANES)) };
                *sum = isa.add_products(*sum, input, weights);
            }
        }
        // We add up in 64 bits, because a file may hold any weights.
        let mut output = 0;
        for (index, [low, high]) in sums.into_iter().enumerate() {
            // SAFETY: the vectors together hold exactly one weight for each neuron, and rows are aligned to 64 bytes.
            let weights = unsafe { isa.load(layer.output[bucket].as_ptr().add(index * I::LANES)) };
            let activations = isa.narrow(low, high, (HANDCRAFTED_CLIP * QD) as i16);
            output += isa.wide_total(isa.add_products(isa.splat_sum(0), activations, weights));
        }
        output
    }
}
