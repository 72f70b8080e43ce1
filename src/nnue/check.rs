//! Compares each instruction set with the scalar reference: in our tests, and inside the WebAssembly module.

use crate::chess::{Color, PieceKind, Square};
use crate::nnue::architecture::{HANDCRAFTED_CLIP, HANDCRAFTED_INPUTS, HANDCRAFTED_NEURONS, L1, QA, QD, Row};
use crate::nnue::handcrafted::HandcraftedLayer;
use crate::nnue::handcrafted::inputs::{HandcraftedInputs, InputComputation, PackedInputs, Placement};
use crate::nnue::kernels::{Forward, HandcraftedForward, Refresh, Update};
use crate::simd::{Isa, Scalar, Work, dispatch};
use crate::util::random::Random;

fn random_row(random: &mut Random, max: i16) -> Row {
    let width = 2 * max as u64 + 1;
    Row(std::array::from_fn(|_| (random.below(width) as i64 - i64::from(max)) as i16))
}

/// Compares the kernels of `I` with the scalar ones. Returns `false` if the CPU lacks the instructions.
///
/// # Panics
/// Panics if any result differs.
pub fn agrees_with_scalar<I: Isa>() -> bool {
    let Some(isa) = I::detect() else { return false };
    let mut random = Random::new(7);
    for _ in 0..2_000 {
        let [a, b, c, d] = std::array::from_fn(|_| random_row(&mut random, 400));
        let weights = std::array::from_fn(|_| random_row(&mut random, i16::MAX));
        let sum = || Forward { own: &a, other: &b, weights: &weights };
        assert_eq!(isa.run(sum()), Scalar.run(sum()), "{}", I::NAME);
        let [mut found, mut scalar] = [[Row::ZERO; 2]; 2];
        let (source, added, removed) = ([a, b], [[&b, &c], [&c, &d]], [[&d, &a], [&a, &a]]);
        isa.run(Update { target: &mut found, source: &source, added, removed });
        Scalar.run(Update { target: &mut scalar, source: &source, added, removed });
        assert_eq!(found, scalar, "{}", I::NAME);
        let expected: Vec<i16> = (0..L1).map(|i| b.0[i] + c.0[i] - d.0[i]).collect();
        assert_eq!(found[0].0.to_vec(), expected);
        let (mut row, mut copy) = (a, Row::ZERO);
        isa.run(Refresh { row: &mut row, copy: &mut copy, added: &[&b, &c], removed: &[&d, &a] });
        assert_eq!([row, copy], [found[0]; 2], "{}", I::NAME);
    }
    for max in [64, i16::MAX] {
        let mut number = |max: i16| random_row(&mut random, max).0[0];
        let inputs =
            HandcraftedInputs(std::array::from_fn(|_| std::array::from_fn(|_| number(64) & number(64))));
        let mut layer = HandcraftedLayer::zero();
        layer.weights.iter_mut().for_each(|row| row.0 = std::array::from_fn(|_| [number(max), number(max)]));
        layer.bias = std::array::from_fn(|_| i32::from(number(i16::MAX)));
        layer.output[3] = std::array::from_fn(|_| number(max));
        let neuron = |neuron: usize| {
            let input =
                |at: usize| i32::from(inputs.0.as_flattened()[at]) * i32::from(layer.weight(at, neuron));
            let sum = (0..HANDCRAFTED_INPUTS).map(input).fold(layer.bias[neuron], i32::wrapping_add);
            i64::from(sum.clamp(0, HANDCRAFTED_CLIP * QD) * i32::from(layer.output[3][neuron]))
        };
        let expected: i64 = (0..HANDCRAFTED_NEURONS).map(neuron).sum();
        let packed = PackedInputs::new(&inputs);
        let found = isa.run(HandcraftedForward { inputs: &packed, layer: &layer, bucket: 3 });
        assert_eq!(found, expected, "{}", I::NAME);
    }
    for _ in 0..1_000 {
        // Any number of any pieces of either colour.
        let mut placement = Placement::EMPTY;
        for square in Square::all() {
            let (color, kind) = (Color::ALL[random.below(2) as usize], random.below(15) as usize);
            if let Some(&kind) = PieceKind::ALL.get(kind) {
                placement.add(color, kind, square);
            }
        }
        for us in Color::ALL {
            let inputs = || InputComputation { placement: &placement, us };
            assert_eq!(isa.run(inputs()).counts(), Scalar.run(inputs()).counts(), "{}", I::NAME);
        }
    }
    // The largest activations and weights make the sum wrap around.
    let max = Row([i16::MAX; L1]);
    for weight in [i16::MAX, i16::MIN] {
        let weights = [Row([weight; L1]); 2];
        let expected = (QA * QA / 2 * i32::from(weight)).wrapping_mul(2 * L1 as i32);
        let sum = Forward { own: &max, other: &max, weights: &weights };
        assert_eq!(isa.run(sum), expected, "{}", I::NAME);
    }
    true
}

/// Compares the instruction set that [`dispatch`] chooses with the scalar reference, and returns its name.
///
/// # Panics
/// Panics if any result differs.
pub fn dispatched() -> &'static str {
    struct Check;

    impl Work for Check {
        type Output = &'static str;

        fn run<I: Isa>(self, _: I) -> &'static str {
            agrees_with_scalar::<I>();
            I::NAME
        }
    }

    dispatch(Check)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "aarch64")]
    use crate::simd::Neon;
    #[cfg(target_arch = "x86_64")]
    use crate::simd::{Avx2, Avx512};

    #[test]
    fn kernels_equal_scalar() {
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
