//! The loops over the hidden layer, written once over vectors; each instruction set is a file of one-line
//! operations. [`Scalar`] is the reference that all others agree with bit for bit.
//!
//! One program serves every processor: what is worth it is compiled once for each set, and [`dispatch`] runs it with
//! the widest that the processor has. Where the program is built for a processor that has a set, the question is
//! answered by the compiler.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::Avx512;
#[cfg(target_arch = "aarch64")]
pub use neon::Neon;
pub use scalar::Scalar;

use super::handcrafted::inputs::{HANDCRAFTED_INPUTS, HandcraftedInputs};
use super::handcrafted::layer::{HANDCRAFTED_NEURONS, PairWeights};
use super::{L1, QA, Row};

/// Something to be compiled for every instruction set. What it calls must be inlined to be compiled with it.
pub trait Work {
    /// What comes of it.
    type Output;

    /// Does it; `#[inline(always)]`.
    fn run<I: Isa>(self, isa: I) -> Self::Output;
}

/// Does `work` with the widest instruction set that the processor has.
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
    Scalar.run(work)
}

/// The instruction set that [`dispatch`] chooses here.
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

/// Vectors of sixteen-bit numbers. A value is the witness that the processor has the instructions.
///
/// # Safety
/// [`Self::LANES`] divides 32, and loading and storing take just as many numbers, at addresses aligned to their size.
pub unsafe trait Isa: Copy {
    /// As `compiler` shows it.
    const NAME: &'static str;
    /// Numbers in a vector: even, divides 32.
    const LANES: usize;
    /// [`Self::LANES`] numbers.
    type Vector: Copy;
    /// Sums of products, 32 bits each, one for two lanes.
    type Sum: Copy;

    /// The witness, where the processor has the instructions.
    fn detect() -> Option<Self>;
    /// Does work that is compiled for these instructions.
    fn run<W: Work>(self, work: W) -> W::Output;

    /// Loads a vector.
    ///
    /// # Safety
    /// `from` points to [`Self::LANES`] numbers and is aligned to the vector's size.
    unsafe fn load(self, from: *const i16) -> Self::Vector;
    /// Stores a vector.
    ///
    /// # Safety
    /// As for [`Self::load`], and nothing else refers to the numbers.
    unsafe fn store(self, to: *mut i16, vector: Self::Vector);
    /// Wrapping sums.
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Wrapping differences.
    fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Clipped to 0..=[`QA`].
    fn clip(self, a: Self::Vector) -> Self::Vector;
    /// No sum yet.
    fn zero(self) -> Self::Sum;
    /// Adds ⌊a²/2⌋w for each lane, a within 0..=[`QA`], to the sums; half of the square fits sixteen bits.
    fn add_half_squares(self, sum: Self::Sum, a: Self::Vector, w: Self::Vector) -> Self::Sum;
    /// All sums together, wrapping.
    fn total(self, sum: Self::Sum) -> i32;
    /// The pair in all pairs of lanes.
    fn splat_pair(self, pair: [i16; 2]) -> Self::Vector;
    /// Adds to each sum the products of its two lanes, wrapping.
    fn add_products(self, sum: Self::Sum, a: Self::Vector, b: Self::Vector) -> Self::Sum;
    /// Stores the sums, one for two lanes, in the order of these.
    ///
    /// # Safety
    /// There is room for half as many numbers as lanes behind `to`, and nothing else refers to it.
    unsafe fn store_sums(self, to: *mut i32, sum: Self::Sum);
}

const _: () = assert!(QA * QA / 2 <= i16::MAX as i32);

/// The numbers of `source` + `added` − `removed` from `at` on.
///
/// # Safety
/// `at` is a multiple of the lanes and below the width of a row.
#[inline(always)]
unsafe fn changed<I: Isa>(isa: I, source: &Row, added: &[&Row], removed: &[&Row], at: usize) -> I::Vector {
    // SAFETY: the lanes divide the width of a row, and rows are aligned to 64 bytes, the widest vector.
    let load = |row: &Row| unsafe { isa.load(row.0.as_ptr().add(at)) };
    let sum = added.iter().fold(load(source), |sum, row| isa.add(sum, load(row)));
    removed.iter().fold(sum, |sum, row| isa.sub(sum, load(row)))
}

/// `target` = `source` + `added` − `removed`.
pub struct Update<'a, const A: usize, const R: usize> {
    /// What is worked out.
    pub target: &'a mut Row,
    /// Where it begins.
    pub source: &'a Row,
    /// The weights of inputs that came.
    pub added: [&'a Row; A],
    /// The weights of inputs that went.
    pub removed: [&'a Row; R],
}

impl<const A: usize, const R: usize> Work for Update<'_, A, R> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        for at in (0..L1).step_by(I::LANES) {
            // SAFETY: `at` is a multiple of the lanes, which divide the width of a row, and rows are aligned to 64
            // bytes, the widest vector.
            unsafe {
                let sum = changed(isa, self.source, &self.added, &self.removed, at);
                isa.store(self.target.0.as_mut_ptr().add(at), sum);
            }
        }
    }
}

/// `row` + `added` − `removed`, in place and in a copy.
pub struct Refresh<'a> {
    /// What is brought up to date.
    pub row: &'a mut Row,
    /// Its copy.
    pub copy: &'a mut Row,
    /// The weights of inputs that came.
    pub added: &'a [&'a Row],
    /// The weights of inputs that went.
    pub removed: &'a [&'a Row],
}

impl Work for Refresh<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        for at in (0..L1).step_by(I::LANES) {
            // SAFETY: as in `Update`.
            unsafe {
                let sum = changed(isa, self.row, self.added, self.removed, at);
                isa.store(self.row.0.as_mut_ptr().add(at), sum);
                isa.store(self.copy.0.as_mut_ptr().add(at), sum);
            }
        }
    }
}

/// Σ ⌊clip(x)²/2⌋ w over both halves of the hidden layer, wrapping.
pub struct Forward<'a> {
    /// The half of the side to move.
    pub own: &'a Row,
    /// The half of the other.
    pub other: &'a Row,
    /// w, by half.
    pub weights: &'a [Row; 2],
}

impl Work for Forward<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let mut sum = isa.zero();
        for (half, weights) in [self.own, self.other].into_iter().zip(self.weights) {
            for at in (0..L1).step_by(I::LANES) {
                // SAFETY: as in `Update`.
                unsafe {
                    let value = isa.clip(isa.load(half.0.as_ptr().add(at)));
                    sum = isa.add_half_squares(sum, value, isa.load(weights.0.as_ptr().add(at)));
                }
            }
        }
        isa.total(sum)
    }
}

/// Σ x w for each neuron of the handcrafted layer.
pub struct HandcraftedSums<'a> {
    /// x.
    pub inputs: &'a HandcraftedInputs,
    /// w, by pair of inputs.
    pub weights: &'a [PairWeights; HANDCRAFTED_INPUTS / 2],
}

impl Work for HandcraftedSums<'_> {
    type Output = [i32; HANDCRAFTED_NEURONS];

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let vectors = 2 * HANDCRAFTED_NEURONS / I::LANES;
        let mut sums = [isa.zero(); HANDCRAFTED_NEURONS];
        let (pairs, _) = self.inputs.0.as_flattened().as_chunks::<2>();
        for (&pair, weights) in pairs.iter().zip(self.weights) {
            let pair = isa.splat_pair(pair);
            for (index, sum) in sums[..vectors].iter_mut().enumerate() {
                // SAFETY: the lanes divide the numbers of a row, which is aligned to 64 bytes, the widest vector.
                let weights = unsafe { isa.load(weights.0.as_ptr().cast::<i16>().add(index * I::LANES)) };
                *sum = isa.add_products(*sum, pair, weights);
            }
        }
        let mut found = [0; HANDCRAFTED_NEURONS];
        for (index, &sum) in sums[..vectors].iter().enumerate() {
            // SAFETY: so many vectors have as many sums as there are neurons.
            unsafe { isa.store_sums(found.as_mut_ptr().add(index * I::LANES / 2), sum) };
        }
        found
    }
}

const _: () = assert!((2 * HANDCRAFTED_NEURONS).is_multiple_of(32));

/// `target` = `source` + `added` − `removed`.
#[inline]
pub fn update<const A: usize, const R: usize>(
    target: &mut Row,
    source: &Row,
    added: [&Row; A],
    removed: [&Row; R],
) {
    dispatch(Update { target, source, added, removed });
}

/// `row` + `added` − `removed`, in place and in a copy.
#[inline]
pub fn refresh(row: &mut Row, copy: &mut Row, added: &[&Row], removed: &[&Row]) {
    dispatch(Refresh { row, copy, added, removed });
}

/// Σ ⌊clip(x)²/2⌋ w over both halves of the hidden layer, wrapping.
#[inline]
pub fn forward(own: &Row, other: &Row, weights: &[Row; 2]) -> i32 {
    dispatch(Forward { own, other, weights })
}

/// Σ x w for each neuron of the handcrafted layer.
#[inline]
pub fn handcrafted_sums(
    inputs: &HandcraftedInputs,
    weights: &[PairWeights; HANDCRAFTED_INPUTS / 2],
) -> [i32; HANDCRAFTED_NEURONS] {
    dispatch(HandcraftedSums { inputs, weights })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::random::Random;

    fn random_row(random: &mut Random, most: i16) -> Row {
        let width = 2 * most as u64 + 1;
        Row(std::array::from_fn(|_| (random.below(width) as i64 - i64::from(most)) as i16))
    }

    /// Whether the processor has the instructions, and if so, they do what the reference does.
    fn agrees_with_scalar<I: Isa>() -> bool {
        let Some(isa) = I::detect() else { return false };
        let mut random = Random::new(7);
        for _ in 0..2_000 {
            let [a, b, c, d] = std::array::from_fn(|_| random_row(&mut random, 400));
            let weights = std::array::from_fn(|_| random_row(&mut random, i16::MAX));
            let sum = || Forward { own: &a, other: &b, weights: &weights };
            assert_eq!(isa.run(sum()), Scalar.run(sum()), "{}", I::NAME);
            let [mut ours, mut theirs] = [Row::ZERO; 2];
            isa.run(Update { target: &mut ours, source: &a, added: [&b, &c], removed: [&d, &a] });
            Scalar.run(Update { target: &mut theirs, source: &a, added: [&b, &c], removed: [&d, &a] });
            assert_eq!(ours, theirs, "{}", I::NAME);
            let expected: Vec<i16> = (0..L1).map(|i| b.0[i] + c.0[i] - d.0[i]).collect();
            assert_eq!(ours.0.to_vec(), expected);
            let (mut row, mut copy) = (a, Row::ZERO);
            isa.run(Refresh { row: &mut row, copy: &mut copy, added: &[&b, &c], removed: &[&d, &a] });
            assert_eq!([row, copy], [ours; 2], "{}", I::NAME);
        }
        for most in [64, i16::MAX] {
            let mut number = |most: i16| random_row(&mut random, most).0[0];
            let inputs = HandcraftedInputs(std::array::from_fn(|_| std::array::from_fn(|_| number(64))));
            let weights =
                std::array::from_fn(|_| PairWeights(std::array::from_fn(|_| [number(most), number(most)])));
            let found = isa.run(HandcraftedSums { inputs: &inputs, weights: &weights });
            let sum = |neuron: usize| -> i32 {
                let input = |index: usize| i32::from(inputs.0.as_flattened()[index]);
                (0..HANDCRAFTED_INPUTS)
                    .map(|at| input(at) * i32::from(weights[at / 2].0[neuron][at % 2]))
                    .sum()
            };
            assert_eq!(found, std::array::from_fn(sum), "{}", I::NAME);
        }
        // The extremes.
        let most = Row([i16::MAX; L1]);
        for weight in [i16::MAX, i16::MIN] {
            let weights = [Row([weight; L1]); 2];
            let expected = (QA * QA / 2 * i32::from(weight)).wrapping_mul(2 * L1 as i32);
            let sum = Forward { own: &most, other: &most, weights: &weights };
            assert_eq!(isa.run(sum), expected, "{}", I::NAME);
        }
        true
    }

    #[test]
    fn every_kernel_agrees_with_the_scalar_one() {
        assert!(agrees_with_scalar::<Scalar>());
        #[cfg(target_arch = "x86_64")]
        {
            assert_eq!(agrees_with_scalar::<Avx2>(), is_x86_feature_detected!("avx2"));
            agrees_with_scalar::<Avx512<false>>();
            agrees_with_scalar::<Avx512<true>>();
        }
        #[cfg(target_arch = "aarch64")]
        assert!(agrees_with_scalar::<Neon>());
    }
}
