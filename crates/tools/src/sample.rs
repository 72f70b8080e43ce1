//! Random samples of start position numbers that a seed determines.

use std::collections::HashSet;

use enroque::util::random::Random;

/// Returns `count` different numbers below `limit` in the order of their draw, none of them in `excluded`.
///
/// The result for a seed is the same in every version of the program: SplitMix64 with that seed returns 64 bits, and
/// the upper 64 bits of their product with `limit` are the next number. Excluded and repeated numbers are skipped.
///
/// The caller makes sure that `limit` leaves `count` numbers to draw.
pub fn distinct(limit: u64, count: u64, seed: u64, excluded: &HashSet<u64>) -> Vec<u64> {
    let mut random = Random::new(seed);
    let mut used = excluded.clone();
    let mut drawn = Vec::new();
    while (drawn.len() as u64) < count {
        let number = random.below(limit);
        if used.insert(number) {
            drawn.push(number);
        }
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seed_determines_sample() {
        let excluded = HashSet::from([518]);
        let drawn = distinct(960, 959, 7, &excluded);
        let different: HashSet<u64> = drawn.iter().copied().collect();
        assert!(different.len() == 959 && !different.contains(&518));
        assert_eq!(distinct(960, 5, 7, &excluded), drawn[..5]);
        // SplitMix64 with seed 1 begins with these 64 bits, as Vigna's reference does.
        assert_eq!(Random::new(1).bits(), 0x910A_2DEC_8902_5CC1);
        let expected = ((u128::from(0x910A_2DEC_8902_5CC1_u64) * 960) >> 64) as u64;
        assert_eq!(distinct(960, 1, 1, &HashSet::new()), [expected]);
    }
}
