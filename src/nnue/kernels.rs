//! The loops over the hidden layer and over the handcrafted layer.

use crate::nnue::architecture::{
    HANDCRAFTED_INPUTS, HANDCRAFTED_NEURONS, HANDCRAFTED_SIDE_INPUTS, L1, PairWeights, QA, Row,
};
use crate::simd::{Isa, MAX_LANES, Work};

const _: () = assert!(L1.is_multiple_of(MAX_LANES), "a row must be a whole number of vectors");
const _: () = assert!((2 * HANDCRAFTED_NEURONS).is_multiple_of(MAX_LANES));
const _: () = assert!(align_of::<Row>() >= MAX_LANES * size_of::<i16>());
const _: () = assert!(align_of::<PairWeights>() >= MAX_LANES * size_of::<i16>());

/// Returns the vector of `source` + `added` − `removed` that begins at index `at`.
///
/// # Safety
/// `at` is a multiple of `I::LANES` and below the width of a row.
#[inline(always)]
unsafe fn changed<I: Isa>(isa: I, source: &Row, added: &[&Row], removed: &[&Row], at: usize) -> I::Vector {
    // SAFETY: `LANES` divides the width of a row, so the load stays in bounds, and rows are aligned to 64 bytes, enough
    // for the widest vector.
    let load = |row: &Row| unsafe { isa.load(row.0.as_ptr().add(at)) };
    let sum = added.iter().fold(load(source), |sum, row| isa.add(sum, load(row)));
    removed.iter().fold(sum, |sum, row| isa.sub(sum, load(row)))
}

/// `target` = `source` + `added` − `removed`.
pub struct Update<'a, const A: usize, const R: usize> {
    /// One side's hidden layer after the move.
    pub target: &'a mut Row,
    /// The same side's hidden layer before the move.
    pub source: &'a Row,
    /// Weights of the inputs that became active.
    pub added: [&'a Row; A],
    /// Weights of the inputs that became inactive.
    pub removed: [&'a Row; R],
}

impl<const A: usize, const R: usize> Work for Update<'_, A, R> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        for at in (0..L1).step_by(I::LANES) {
            // SAFETY: `at` is a multiple of `LANES` below the width of a row, and rows are aligned to 64 bytes.
            unsafe {
                let sum = changed(isa, self.source, &self.added, &self.removed, at);
                isa.store(self.target.0.as_mut_ptr().add(at), sum);
            }
        }
    }
}

/// [`Update`] for both sides at once; all arrays of two are indexed by colour.
pub struct UpdateBoth<'a, const A: usize, const R: usize> {
    pub targets: &'a mut [Row; 2],
    pub sources: &'a [Row; 2],
    pub added: [[&'a Row; 2]; A],
    pub removed: [[&'a Row; 2]; R],
}

impl<const A: usize, const R: usize> Work for UpdateBoth<'_, A, R> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        for (side, (target, source)) in self.targets.iter_mut().zip(self.sources).enumerate() {
            let (added, removed) = (self.added.map(|rows| rows[side]), self.removed.map(|rows| rows[side]));
            Update { target, source, added, removed }.run(isa);
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
                let sum = changed(isa, self.row, self.added, self.removed, at);
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
        let mut sum = isa.zero();
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

/// Σ x w for each neuron of the handcrafted layer, wrapping.
pub struct HandcraftedSums<'a> {
    /// Inputs x of the side to move and of the opponent.
    pub inputs: &'a [[i16; HANDCRAFTED_SIDE_INPUTS]; 2],
    /// Weights w by pair of inputs.
    pub weights: &'a [PairWeights; HANDCRAFTED_INPUTS / 2],
}

impl Work for HandcraftedSums<'_> {
    type Output = [i32; HANDCRAFTED_NEURONS];

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        // The compiler keeps the sums in registers, because their number is small and known at compile time.
        match 2 * HANDCRAFTED_NEURONS / I::LANES {
            2 => self.run_in_vectors::<I, 2, 4>(isa),
            4 => self.run_in_vectors::<I, 4, 2>(isa),
            8 => self.run_in_vectors::<I, 8, 1>(isa),
            32 => self.run_in_vectors::<I, 32, 1>(isa),
            _ => unreachable!("vectors have 2, 8, 16 or 32 lanes"),
        }
    }
}

impl HandcraftedSums<'_> {
    /// Keeps one sum for each neuron, in `VECTORS` vectors. An addition must wait for the previous addition to the same
    /// sum, so we divide the inputs among `CHAINS` independent sets of sums, whose additions run in parallel.
    #[inline(always)]
    fn run_in_vectors<I: Isa, const VECTORS: usize, const CHAINS: usize>(
        self,
        isa: I,
    ) -> [i32; HANDCRAFTED_NEURONS] {
        const { assert!((HANDCRAFTED_INPUTS / 2).is_multiple_of(CHAINS)) };
        debug_assert_eq!(VECTORS * I::LANES, 2 * HANDCRAFTED_NEURONS);
        let mut sums = [[isa.zero(); VECTORS]; CHAINS];
        let (pairs, _) = self.inputs.as_flattened().as_chunks::<2>();
        let (pairs, _) = pairs.as_chunks::<CHAINS>();
        let (weights, _) = self.weights.as_chunks::<CHAINS>();
        for (pairs, weights) in pairs.iter().zip(weights) {
            for ((&pair, weights), sums) in pairs.iter().zip(weights).zip(&mut sums) {
                let pair = isa.splat_pair(pair);
                for (index, sum) in sums.iter_mut().enumerate() {
                    // SAFETY: the length of `PairWeights` is a multiple of `LANES`, so the load stays in bounds, and
                    // the array is aligned to 64 bytes, enough for the widest vector.
                    let weights = unsafe { isa.load(weights.0.as_ptr().cast::<i16>().add(index * I::LANES)) };
                    *sum = isa.add_products(*sum, pair, weights);
                }
            }
        }
        let mut output = [0; HANDCRAFTED_NEURONS];
        for index in 0..VECTORS {
            let sum = sums[1..].iter().fold(sums[0][index], |sum, chain| isa.add_sums(sum, chain[index]));
            // SAFETY: the vectors together hold exactly one sum for each neuron.
            unsafe { isa.store_sums(output.as_mut_ptr().add(index * I::LANES / 2), sum) };
        }
        output
    }
}
