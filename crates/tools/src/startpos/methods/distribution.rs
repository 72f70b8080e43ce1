//! Exact distribution of a drawing method over the start positions, by following every sequence of rolls.

use std::collections::BTreeMap;

use super::rolls::{Path, PathEnd};
use super::{Method, Rolls};
use enroque::chess::startpos::{CHESS960_COUNT, scharnagl_number};

/// Fraction of non-negative integers in lowest terms.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Fraction {
    /// Sorted by the denominator first: among unit fractions the greatest is first.
    denominator: u64,
    numerator: u64,
}

impl Fraction {
    const ZERO: Self = Self { numerator: 0, denominator: 1 };
    const ONE: Self = Self { numerator: 1, denominator: 1 };

    fn new(numerator: u64, denominator: u64) -> Self {
        let (mut a, mut b) = (numerator, denominator);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        Self { numerator: numerator / a, denominator: denominator / a }
    }

    fn times(self, numerator: usize, denominator: usize) -> Self {
        Self::new(self.numerator * numerator as u64, self.denominator * denominator as u64)
    }

    fn plus(self, other: Self) -> Self {
        let numerator = self.numerator * other.denominator + other.numerator * self.denominator;
        Self::new(numerator, self.denominator * other.denominator)
    }
}

/// Distribution of a method.
pub struct Distribution {
    /// Probability of each start number.
    shares: BTreeMap<u32, Fraction>,
    /// Average number of rolls.
    average: Fraction,
}

/// Returns the distribution of a method.
pub fn of(method: &Method) -> Distribution {
    let mut distribution = Distribution { shares: BTreeMap::new(), average: Fraction::ZERO };
    distribution.follow(method, &mut Vec::new(), Fraction::ONE);
    distribution
}

impl Distribution {
    /// Adds all draws that begin with these outcomes, which have this probability.
    fn follow(&mut self, method: &Method, outcomes: &mut Vec<usize>, probability: Fraction) {
        let (end, number) = run(method, outcomes);
        if let Some(number) = number {
            let share = self.shares.entry(number).or_insert(Fraction::ZERO);
            *share = share.plus(probability);
        }
        let PathEnd::Open { outcomes: count, rolls } = end else { return };
        let is_accepted = |outcome: &usize| {
            outcomes.push(*outcome);
            let (end, _) = run(method, outcomes);
            outcomes.pop();
            !matches!(end, PathEnd::Rejected)
        };
        let accepted: Vec<usize> = (0..count).filter(is_accepted).collect();
        // Rejected outcomes are rolled again until one is accepted: count / accepted throws on average.
        self.average = self.average.plus(probability.times(rolls * count, accepted.len()));
        let probability = probability.times(1, accepted.len());
        for outcome in accepted {
            outcomes.push(outcome);
            self.follow(method, outcomes, probability);
            outcomes.pop();
        }
    }

    /// Returns the numbers of starts with equal probabilities, the most likely first.
    fn classes(&self) -> BTreeMap<Fraction, usize> {
        let mut classes = BTreeMap::new();
        for &share in self.shares.values() {
            *classes.entry(share).or_insert(0) += 1;
        }
        classes
    }

    /// Returns the probabilities in words.
    pub fn text(&self) -> String {
        let classes = self.classes();
        let is_uniform = classes.len() == 1 && self.shares.len() == CHESS960_COUNT as usize;
        if is_uniform {
            return "Uniform: each of the 960 starts has probability 1/960.".to_owned();
        }
        let parts: Vec<String> = classes
            .iter()
            .rev()
            .map(|(share, count)| {
                format!("{count} starts have probability {}/{}", share.numerator, share.denominator)
            })
            .collect();
        format!("Not uniform: {}.", parts.join(", "))
    }

    /// Returns the average number of rolls with at most two decimals.
    pub fn average_text(&self) -> String {
        let average = self.average.numerator as f64 / self.average.denominator as f64;
        format!("{average:.2}").trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

/// Draws with a sequence of outcomes and returns its end, and the number of the start if the draw is complete.
fn run(method: &Method, outcomes: &[usize]) -> (PathEnd, Option<u32>) {
    let mut rolls =
        Rolls::Path(Path { outcomes: outcomes.iter().copied().collect(), end: PathEnd::Complete });
    let drawn = (method.procedure)(&mut rolls);
    let end = if let Rolls::Path(path) = rolls { path.end } else { PathEnd::Complete };
    (end, drawn.ok().and_then(|drawn| scharnagl_number(&drawn.rank)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distributions_are_exact() {
        const UNIFORM: &[(usize, u64)] = &[(960, 960)];
        for (name, classes, average) in [
            ("one-die", UNIFORM, (67, 10)),
            ("dice", UNIFORM, (4, 1)),
            ("dice-4-12-20", UNIFORM, (3, 1)),
            ("dice-6-8-20", UNIFORM, (3, 1)),
            ("dice-8-10-12", UNIFORM, (3, 1)),
            ("cards", UNIFORM, (7, 1)),
            ("coins", &[(384, 768), (576, 1152)], (23, 2)),
            ("ten-coins", UNIFORM, (154, 15)),
        ] {
            let distribution = of(Method::by_name(name).unwrap());
            let expected: BTreeMap<Fraction, usize> =
                classes.iter().map(|&(count, denominator)| (Fraction::new(1, denominator), count)).collect();
            assert_eq!(distribution.classes(), expected, "{name}");
            assert_eq!(distribution.average, Fraction::new(average.0, average.1), "{name}");
            let sum = distribution.shares.values().fold(Fraction::ZERO, |sum, &share| sum.plus(share));
            assert_eq!(sum, Fraction::ONE, "{name}");
            assert_eq!(distribution.text().starts_with("Uniform"), classes.len() == 1, "{name}");
        }
    }

    #[test]
    fn coins_favour_lonely_rooks() {
        use enroque::chess::PieceKind::{Bishop, King};
        let distribution = of(Method::by_name("coins").unwrap());
        for (&number, share) in &distribution.shares {
            let rank = enroque::chess::startpos::back_rank(number).unwrap();
            let free: Vec<_> = rank.iter().filter(|&&kind| kind != Bishop).collect();
            let king = free.iter().position(|&&kind| kind == King).unwrap();
            let is_one_to_four = king == 1 || king == 4;
            assert_eq!(share.denominator, if is_one_to_four { 768 } else { 1152 }, "{number}");
        }
    }
}
