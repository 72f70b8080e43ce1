//! The two loops over the hidden layer, written once over vectors; each instruction set is a file of
//! one-line operations. [`Scalar`] is the reference that all others agree with bit for bit.

#[cfg(target_feature = "avx2")]
mod avx2;
#[cfg(all(target_feature = "avx512f", target_feature = "avx512bw"))]
mod avx512;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;
mod scalar;

#[cfg(target_feature = "avx2")]
pub use avx2::Avx2;
#[cfg(all(target_feature = "avx512f", target_feature = "avx512bw"))]
pub use avx512::Avx512;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
pub use neon::Neon;
pub use scalar::Scalar;

use super::{L1, QA, Row};

/// The widest instruction set that the program was built for.
#[cfg(all(target_feature = "avx512f", target_feature = "avx512bw"))]
pub type Best = Avx512;
/// The widest instruction set that the program was built for.
#[cfg(all(target_feature = "avx2", not(all(target_feature = "avx512f", target_feature = "avx512bw"))))]
pub type Best = Avx2;
/// The widest instruction set that the program was built for.
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
pub type Best = Neon;
/// The widest instruction set that the program was built for.
#[cfg(not(any(target_feature = "avx2", all(target_arch = "aarch64", target_feature = "neon"))))]
pub type Best = Scalar;

/// Vectors of sixteen-bit numbers.
///
/// # Safety
/// [`Self::LANES`] divides 32, and loading and storing take just as many numbers, at addresses aligned to their size.
pub unsafe trait Isa {
    const NAME: &'static str;
    /// Numbers in a vector; divides 32.
    const LANES: usize;
    /// [`Self::LANES`] numbers.
    type Vector: Copy;
    /// Sums of products, 32 bits each.
    type Sum: Copy;

    /// Loads a vector.
    ///
    /// # Safety
    /// `from` points to [`Self::LANES`] numbers and is aligned to the vector's size.
    unsafe fn load(from: *const i16) -> Self::Vector;
    /// Stores a vector.
    ///
    /// # Safety
    /// As for [`Self::load`], and nothing else refers to the numbers.
    unsafe fn store(to: *mut i16, vector: Self::Vector);
    /// Wrapping sums.
    fn add(a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Wrapping differences.
    fn sub(a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Clipped to 0..=[`QA`].
    fn clip(a: Self::Vector) -> Self::Vector;
    /// No sum yet.
    fn zero() -> Self::Sum;
    /// Adds ⌊a²/2⌋w for each lane, a within 0..=[`QA`], to the sums; half of the square fits sixteen bits.
    fn add_half_squares(sum: Self::Sum, a: Self::Vector, w: Self::Vector) -> Self::Sum;
    /// All sums together, wrapping.
    fn total(sum: Self::Sum) -> i32;
}

const _: () = assert!(QA * QA / 2 <= i16::MAX as i32);

/// `target` = `source` + `added` − `removed`.
#[inline]
pub fn update<I: Isa, const A: usize, const R: usize>(
    target: &mut Row,
    source: &Row,
    added: [&Row; A],
    removed: [&Row; R],
) {
    for at in (0..L1).step_by(I::LANES) {
        // SAFETY: `at` is a multiple of the lanes, which divide the width of a row, and rows are aligned to 64
        // bytes, the widest vector.
        unsafe {
            let mut sum = I::load(source.0.as_ptr().add(at));
            for row in added {
                sum = I::add(sum, I::load(row.0.as_ptr().add(at)));
            }
            for row in removed {
                sum = I::sub(sum, I::load(row.0.as_ptr().add(at)));
            }
            I::store(target.0.as_mut_ptr().add(at), sum);
        }
    }
}

/// `row` + `added` − `removed`, in place.
#[inline]
pub fn change<I: Isa, const A: usize, const R: usize>(row: &mut Row, added: [&Row; A], removed: [&Row; R]) {
    let source = *row;
    update::<I, A, R>(row, &source, added, removed);
}

/// Σ ⌊clip(x)²/2⌋ w over both halves of the hidden layer, wrapping.
#[inline]
pub fn forward<I: Isa>(own: &Row, other: &Row, weights: &[Row; 2]) -> i32 {
    let mut sum = I::zero();
    for (half, weights) in [own, other].into_iter().zip(weights) {
        for at in (0..L1).step_by(I::LANES) {
            // SAFETY: as in `update`.
            unsafe {
                let value = I::clip(I::load(half.0.as_ptr().add(at)));
                sum = I::add_half_squares(sum, value, I::load(weights.0.as_ptr().add(at)));
            }
        }
    }
    I::total(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::random::Random;

    fn random_row(random: &mut Random, most: i16) -> Row {
        let width = 2 * most as u64 + 1;
        Row(std::array::from_fn(|_| (random.below(width) as i64 - i64::from(most)) as i16))
    }

    fn agrees_with_scalar<I: Isa>() {
        let mut random = Random::new(7);
        for _ in 0..2_000 {
            let [a, b, c, d] = std::array::from_fn(|_| random_row(&mut random, 400));
            let weights = std::array::from_fn(|_| random_row(&mut random, i16::MAX));
            assert_eq!(forward::<I>(&a, &b, &weights), forward::<Scalar>(&a, &b, &weights), "{}", I::NAME);
            let [mut ours, mut theirs] = [Row::ZERO; 2];
            update::<I, 2, 2>(&mut ours, &a, [&b, &c], [&d, &a]);
            update::<Scalar, 2, 2>(&mut theirs, &a, [&b, &c], [&d, &a]);
            assert_eq!(ours, theirs, "{}", I::NAME);
            let expected: Vec<i16> = (0..L1).map(|i| b.0[i] + c.0[i] - d.0[i]).collect();
            assert_eq!(ours.0.to_vec(), expected);
        }
        // The extremes.
        let most = Row([i16::MAX; L1]);
        for weight in [i16::MAX, i16::MIN] {
            let weights = [Row([weight; L1]); 2];
            let expected = (QA * QA / 2 * i32::from(weight)).wrapping_mul(2 * L1 as i32);
            assert_eq!(forward::<I>(&most, &most, &weights), expected, "{}", I::NAME);
        }
    }

    #[test]
    fn every_kernel_agrees_with_the_scalar_one() {
        agrees_with_scalar::<Scalar>();
        #[cfg(target_feature = "avx2")]
        agrees_with_scalar::<Avx2>();
        #[cfg(all(target_feature = "avx512f", target_feature = "avx512bw"))]
        agrees_with_scalar::<Avx512>();
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        agrees_with_scalar::<Neon>();
    }
}
