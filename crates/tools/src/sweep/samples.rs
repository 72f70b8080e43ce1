//! Samples of a figure: one value for each search, their mean, error and rank agreement.

use std::fmt::Write as _;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use enroque::util::mean;

/// Values of a figure in the order of the searches, written with spaces between them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Samples(pub Vec<f64>);

impl Samples {
    /// Returns the mean; `None` without values.
    pub fn mean(&self) -> Option<f64> {
        (!self.0.is_empty()).then(|| mean(&self.0))
    }

    /// Returns the standard error of the mean; `None` for fewer than two values.
    pub fn error(&self) -> Option<f64> {
        let (average, count) = (self.mean()?, self.0.len() as f64);
        let squares: f64 = self.0.iter().map(|value| (value - average).powi(2)).sum();
        (count > 1.0).then(|| (squares / (count - 1.0) / count).sqrt())
    }
}

impl Serialize for Samples {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = String::new();
        for value in &self.0 {
            let gap = if text.is_empty() { "" } else { " " };
            let _ = write!(text, "{gap}{value}");
        }
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for Samples {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let number = |word: &str| {
            let value = word.parse().ok().filter(|value: &f64| value.is_finite());
            value.ok_or_else(|| D::Error::custom(format!("expected numbers, found '{word}'")))
        };
        text.split_whitespace().map(number).collect::<Result<_, _>>().map(Self)
    }
}

/// Returns Spearman's rank correlation of pairs, equal values with their mean rank; `None` if one side is constant or there
/// are fewer than two pairs.
pub fn rank_agreement(pairs: &[(f64, f64)]) -> Option<f64> {
    let (a, b): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let (a, b) = (ranks(&a), ranks(&b));
    let (mean_a, mean_b) = (mean(&a), mean(&b));
    let sum = |f: &dyn Fn(f64, f64) -> f64| -> f64 {
        a.iter().zip(&b).map(|(a, b)| f(a - mean_a, b - mean_b)).sum()
    };
    let spread = (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt();
    (spread > 0.0).then(|| sum(&|a, b| a * b) / spread)
}

fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    for tied in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let first = order.partition_point(|&index| values[index] < values[tied[0]]);
        let rank = first as f64 + (tied.len() as f64 - 1.0) / 2.0;
        tied.iter().for_each(|&index| ranks[index] = rank);
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_error_of_samples() {
        let samples = Samples(vec![2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert_eq!(samples.mean(), Some(5.0));
        // The squares add up to 32: variance 32/7, error √(32/7/8).
        assert!((samples.error().unwrap() - (32.0_f64 / 56.0).sqrt()).abs() < 1e-12);
        assert_eq!((Samples(vec![3.0]).error(), Samples::default().mean()), (None, None));
    }

    #[test]
    fn text_survives_round_trip() {
        for (values, text) in [(vec![], "\"\""), (vec![23.0, -4.5, 0.0], "\"23 -4.5 0\"")] {
            let samples = Samples(values);
            assert_eq!(serde_json::to_string(&samples).unwrap(), text);
            assert_eq!(serde_json::from_str::<Samples>(text).unwrap(), samples);
        }
        assert!(serde_json::from_str::<Samples>("\"1 x\"").is_err());
        assert!(serde_json::from_str::<Samples>("\"inf\"").is_err());
    }

    #[test]
    fn rank_agreement_of_known_pairs() {
        let agreement = |a: &[f64], b: &[f64]| {
            rank_agreement(&a.iter().copied().zip(b.iter().copied()).collect::<Vec<_>>())
        };
        assert_eq!(agreement(&[1.0, 2.0, 3.0], &[10.0, 20.0, 90.0]), Some(1.0));
        assert_eq!(agreement(&[1.0, 2.0, 3.0], &[9.0, 4.0, -1.0]), Some(-1.0));
        // 1 − 6·Σd²/(n·(n²−1)) with the rank differences 1, 1, 0, 1, 1 is 1 − 24/120.
        let found = agreement(&[1.0, 2.0, 3.0, 4.0, 5.0], &[2.0, 1.0, 3.0, 6.0, 4.0]);
        assert!(found.is_some_and(|found| (found - 0.8).abs() < 1e-12), "{found:?}");
        assert_eq!(ranks(&[5.0, 1.0, 5.0, 9.0]), [1.5, 0.0, 1.5, 3.0]);
        assert_eq!(agreement(&[1.0, 1.0], &[1.0, 2.0]), None);
        assert_eq!(rank_agreement(&[]), None);
    }
}
