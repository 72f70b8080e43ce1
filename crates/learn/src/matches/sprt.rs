//! Match statistics: Elo with a confidence interval, and the sequential probability ratio test (SPRT).
//!
//! Both games of a pair begin in the same opening, with colours reversed, so their results are correlated: if the
//! opening wins for White, each engine gets one point. We therefore count pairs (pentanomial statistics).

use std::fmt;
use std::str::FromStr;

/// How many pairs brought the new engine 0, 1, 2, 3 and 4 half points.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Pentanomial(pub [u64; 5]);

/// A 95 % confidence interval reaches this many standard deviations to either side.
const DEVIATIONS: f64 = 1.96;
/// We add this to each of the five counts, so that no score looks impossible and the variance is never zero.
const PRIOR: f64 = 1e-3;
/// 0 to 4 half points, each as a share of the two points in a pair.
const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// After this many steps, bisection has reached the precision of an `f64`.
const BISECTIONS: usize = 60;

fn elo_of(share: f64) -> f64 {
    -400.0 * (1.0 / share.clamp(1e-6, 1.0 - 1e-6) - 1.0).log10()
}

fn share_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

impl Pentanomial {
    /// Counts a pair in which the new engine scored `half_points`, 0 to 4.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    fn counts(&self) -> [f64; 5] {
        self.0.map(|count| count as f64 + PRIOR)
    }

    /// Returns the new engine's mean share of the points, 0 to 1, and the variance of that mean.
    fn mean(&self) -> (f64, f64) {
        let counts = self.counts();
        let total: f64 = counts.iter().sum();
        let shares = || counts.iter().zip(SHARES);
        let mean = shares().map(|(count, share)| count * share).sum::<f64>() / total;
        let variance = shares().map(|(count, share)| count * (share - mean).powi(2)).sum::<f64>() / total;
        (mean, variance / total)
    }

    /// Returns the Elo difference and the half-width of its 95 % confidence interval.
    pub fn elo(&self) -> (f64, f64) {
        let (mean, variance) = self.mean();
        let range = DEVIATIONS * variance.sqrt();
        (elo_of(mean), (elo_of(mean + range) - elo_of(mean - range)) / 2.0)
    }

    /// Returns the log-likelihood ratio of the two hypotheses, positive if the pairs favour the higher bound. This is
    /// the generalised SPRT for the mean of a multinomial distribution (M. Van den Bergh): for each bound we take the
    /// likeliest distribution whose mean corresponds to it.
    pub fn log_likelihood_ratio(&self, Bounds(elo0, elo1): Bounds) -> f64 {
        let [divisors0, divisors1] = [elo0, elo1].map(|elo| self.divisors(share_of(elo)));
        let ratios = divisors0.iter().zip(divisors1).map(|(lower, higher)| (lower / higher).ln());
        self.counts().into_iter().zip(ratios).map(|(count, ratio)| count * ratio).sum()
    }

    /// Returns the numbers by which to divide the observed frequencies to get the likeliest distribution with this
    /// mean. They are `1 + x (share - mean)`, where we choose `x` so that the mean comes out right.
    fn divisors(&self, mean: f64) -> [f64; 5] {
        let counts = self.counts();
        let at = |x: f64| SHARES.map(|share| 1.0 + x * (share - mean));
        // Between these two values of `x` all divisors are positive, and the mean falls as `x` grows.
        let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
        for _ in 0..BISECTIONS {
            let x = low.midpoint(high);
            let terms = counts.iter().zip(SHARES).zip(at(x));
            let excess: f64 = terms.map(|((count, share), divisor)| count * (share - mean) / divisor).sum();
            if excess > 0.0 { low = x } else { high = x }
        }
        at(low.midpoint(high))
    }
}

impl fmt::Display for Pentanomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (elo, range) = self.elo();
        write!(f, "Elo {elo:+.1} ± {range:.1}")
    }
}

/// The two Elo differences that an SPRT tells apart, the lower first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bounds(pub f64, pub f64);

impl Bounds {
    /// Both error rates of the test, α and β.
    const ERROR: f64 = 0.05;

    /// The test is decided when the log-likelihood ratio reaches plus or minus this: 2.94.
    pub fn limit() -> f64 {
        ((1.0 - Self::ERROR) / Self::ERROR).ln()
    }

    /// Whether the new engine passes; `None` while the test is undecided.
    pub fn verdict(self, pairs: &Pentanomial) -> Option<bool> {
        let ratio = pairs.log_likelihood_ratio(self);
        (ratio.abs() >= Self::limit()).then_some(ratio > 0.0)
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
    fn interval_shrinks_with_more_pairs() {
        let few = Pentanomial([10, 20, 40, 20, 10]);
        let many = Pentanomial([40, 80, 160, 80, 40]);
        let ((elo, range), (_, narrow)) = (few.elo(), many.elo());
        assert!(elo.abs() < 1e-6, "{elo}");
        assert!((range / narrow - 2.0).abs() < 0.01, "{range} {narrow}");
        // By hand: a pair's share of the points has the variance 0.075, so the interval is ± 1.96 · sqrt(0.075 / 100).
        // Near an even score, Elo rises by 694.9 times the change in the share.
        assert!((range - 1.96 * (0.075_f64 / 100.0).sqrt() * 694.9).abs() < 0.3, "{range}");
    }

    #[test]
    fn elo_matches_fastchess() {
        // fastchess 1.4 prints for these 1,000 pairs: "Elo: 12.86 +/- 13.42", "Ptnml(0-2): [129, 184, 340, 178, 169]".
        let pairs = Pentanomial([129, 184, 340, 178, 169]);
        assert_eq!(pairs.to_string(), "Elo +12.9 ± 13.4");
        assert_eq!(pairs.pairs(), 1000);
    }

    #[test]
    fn ratio_matches_numerical_optimum() {
        // We took the expected ratios from the likeliest distributions that scipy.optimize.minimize (SLSQP) found.
        for (pairs, bounds, expected) in [
            ([129, 184, 340, 178, 169], Bounds(0.0, 5.0), 1.1067),
            ([3, 20, 40, 30, 7], Bounds(0.0, 10.0), 0.9751),
        ] {
            let ratio = Pentanomial(pairs).log_likelihood_ratio(bounds);
            assert!((ratio - expected).abs() < 2e-4, "{pairs:?}: {ratio}");
        }
    }

    #[test]
    fn clear_ratio_decides_sprt() {
        let bounds: Bounds = "0,5".parse().unwrap();
        // So few pairs decide nothing, even if they all have the same score.
        for few in [[0, 0, 3, 1, 0], [0, 0, 0, 2, 0], [0, 0, 0, 0, 2], [0, 2, 0, 0, 0], [0, 0, 9, 0, 0]] {
            assert_eq!(bounds.verdict(&Pentanomial(few)), None, "{few:?}");
        }
        assert_eq!(bounds.verdict(&Pentanomial([100, 500, 1000, 800, 200])), Some(true));
        assert_eq!(bounds.verdict(&Pentanomial([200, 800, 1000, 500, 100])), Some(false));
        let level = Pentanomial([300, 600, 1000, 600, 300]);
        assert!(
            level.log_likelihood_ratio(bounds) < 0.0 && level.log_likelihood_ratio(Bounds(-5.0, 0.0)) > 0.0
        );
        for wrong in ["5,0", "1", "a,b", "0,0", "0,inf"] {
            assert!(wrong.parse::<Bounds>().is_err(), "{wrong}");
        }
    }
}
