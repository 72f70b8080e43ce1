//! What a match says: Elo with an interval, and the sequential probability ratio test (SPRT), from pairs of games that
//! begin in the same opening with colours changed. Pairs are counted rather than games because the two games of one
//! are alike: an opening won for White gives one point, whoever plays (pentanomial statistics).

use std::fmt;
use std::str::FromStr;

/// Pairs of games by the half points that the new engine took from them, 0 to 4.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Pentanomial(pub [u64; 5]);

/// 95 % of a normal distribution lie within so many deviations.
const DEVIATIONS: f64 = 1.96;
/// Added to each count, so that few pairs do not look as if they were certain.
const PRIOR: f64 = 1e-3;

/// The Elo difference at which this share of the points is expected.
fn elo_of(share: f64) -> f64 {
    -400.0 * (1.0 / share.clamp(1e-6, 1.0 - 1e-6) - 1.0).log10()
}

/// The share of the points that is expected at this Elo difference.
fn share_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

impl Pentanomial {
    /// Counts a pair that gave the new engine so many half points, 0 to 4.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    /// Pairs played.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Mean share of the points, 0 to 1, and its variance.
    fn mean(&self) -> (f64, f64) {
        let counts = self.0.map(|count| count as f64 + PRIOR);
        let total: f64 = counts.iter().sum();
        let shares = || counts.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]);
        let mean = shares().map(|(count, share)| count * share).sum::<f64>() / total;
        let variance = shares().map(|(count, share)| count * (share - mean).powi(2)).sum::<f64>() / total;
        (mean, variance / total)
    }

    /// The Elo difference and half of its 95 % interval.
    pub fn elo(&self) -> (f64, f64) {
        let (mean, variance) = self.mean();
        let range = DEVIATIONS * variance.sqrt();
        (elo_of(mean), (elo_of(mean + range) - elo_of(mean - range)) / 2.0)
    }

    /// The logarithm of how much better `bounds.1` Elo explain the pairs than `bounds.0` do: the generalised test for
    /// means of a normal distribution (M. Van den Bergh).
    pub fn log_likelihood_ratio(&self, Bounds(elo0, elo1): Bounds) -> f64 {
        let (mean, variance) = self.mean();
        let (share0, share1) = (share_of(elo0), share_of(elo1));
        (share1 - share0) * (2.0 * mean - share0 - share1) / (2.0 * variance)
    }
}

impl fmt::Display for Pentanomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (elo, range) = self.elo();
        write!(f, "Elo {elo:+.1} ± {range:.1}")
    }
}

/// The two hypotheses of a test, in Elo.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bounds(pub f64, pub f64);

/// What a test has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// At least the higher bound: the change is good.
    Accepted,
    /// No more than the lower bound.
    Rejected,
}

impl Bounds {
    /// Share of wrong verdicts, either way.
    const ERROR: f64 = 0.05;

    /// The ratio's logarithm from which on the test decides, either way: 2.94.
    pub fn limit() -> f64 {
        ((1.0 - Self::ERROR) / Self::ERROR).ln()
    }

    /// The verdict, once there is one.
    pub fn verdict(self, pairs: &Pentanomial) -> Option<Verdict> {
        let ratio = pairs.log_likelihood_ratio(self);
        if ratio >= Self::limit() {
            Some(Verdict::Accepted)
        } else {
            (ratio <= -Self::limit()).then_some(Verdict::Rejected)
        }
    }
}

impl FromStr for Bounds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let pair = text.split_once(',').and_then(|(low, high)| {
            Some((low.trim().parse::<f64>().ok()?, high.trim().parse::<f64>().ok()?))
        });
        let bounds = pair.filter(|(low, high)| low < high && low.abs() < 1000.0 && high.abs() < 1000.0);
        bounds
            .map(|(low, high)| Self(low, high))
            .ok_or_else(|| "expected two Elo differences, the lower first, such as 0,4".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_match_is_zero_elo_and_the_interval_shrinks_with_the_root_of_the_pairs() {
        let few = Pentanomial([10, 20, 40, 20, 10]);
        let many = Pentanomial([40, 80, 160, 80, 40]);
        let ((elo, range), (_, narrow)) = (few.elo(), many.elo());
        assert!(elo.abs() < 1e-6, "{elo}");
        assert!((range / narrow - 2.0).abs() < 0.01, "{range} {narrow}");
        // By hand: variance of a pair .075, so ± 1.96 · sqrt(.075 / 100) of the points, 695 Elo a point near the middle.
        assert!((range - 1.96 * (0.075_f64 / 100.0).sqrt() * 694.9).abs() < 0.3, "{range}");
    }

    #[test]
    fn figures_are_those_of_a_match_runner() {
        // fastchess 1.4, 1,000 pairs: "Elo: 12.86 +/- 13.42", "Ptnml(0-2): [129, 184, 340, 178, 169]".
        let pairs = Pentanomial([129, 184, 340, 178, 169]);
        assert_eq!(pairs.to_string(), "Elo +12.9 ± 13.4");
        assert_eq!(pairs.pairs(), 1000);
    }

    #[test]
    fn a_test_decides_when_the_ratio_is_clear() {
        let bounds: Bounds = "0,5".parse().unwrap();
        assert_eq!(bounds.verdict(&Pentanomial([0, 0, 3, 1, 0])), None);
        assert_eq!(bounds.verdict(&Pentanomial([100, 500, 1000, 800, 200])), Some(Verdict::Accepted));
        assert_eq!(bounds.verdict(&Pentanomial([200, 800, 1000, 500, 100])), Some(Verdict::Rejected));
        let level = Pentanomial([300, 600, 1000, 600, 300]);
        assert!(
            level.log_likelihood_ratio(bounds) < 0.0 && level.log_likelihood_ratio(Bounds(-5.0, 0.0)) > 0.0
        );
        for wrong in ["5,0", "1", "a,b", "0,0", "0,inf"] {
            assert!(wrong.parse::<Bounds>().is_err(), "{wrong}");
        }
    }
}
