//! Shards: equal parts of a long run, one for each machine.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Part `part` of `parts`, counted from 1. Neighbouring items belong to different parts, so that all parts take about
/// equally long.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(from = "(u64, u64)", into = "(u64, u64)")]
pub struct Shard {
    part: u64,
    parts: u64,
}

impl Shard {
    /// The whole run as a single part.
    pub const WHOLE: Self = Self { part: 1, parts: 1 };

    /// Iterates over all parts of the same run.
    pub fn all(self) -> impl Iterator<Item = Self> {
        (1..=self.parts).map(move |part| Self { part, ..self })
    }

    /// Returns `true` if the item with this index, counted from 0, belongs to this part.
    pub fn owns(self, index: u64) -> bool {
        index % self.parts == self.part - 1
    }

    /// Converts an index within this part to one in the whole run, both counted from 0.
    pub fn index_in_whole(self, index: u64) -> u64 {
        index.saturating_mul(self.parts).saturating_add(self.part - 1)
    }

    /// Returns the number of this part's items among the first `count`.
    pub fn share_of(self, count: u64) -> u64 {
        count.saturating_sub(self.part - 1).div_ceil(self.parts)
    }
}

impl From<(u64, u64)> for Shard {
    fn from((part, parts): (u64, u64)) -> Self {
        Self { part, parts }
    }
}

impl From<Shard> for (u64, u64) {
    fn from(shard: Shard) -> Self {
        (shard.part, shard.parts)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.parts)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let pair =
            text.split_once('/').and_then(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)));
        let is_part = |&(part, parts): &(u64, u64)| 1 <= part && part <= parts;
        pair.filter(is_part).map(Self::from).ok_or_else(|| "expected I/N, such as 1/4 to 4/4".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_make_the_whole() {
        for parts in 1..6 {
            let shards: Vec<Shard> = Shard { part: 1, parts }.all().collect();
            for count in 0..20 {
                let owned =
                    |shard: Shard| -> Vec<u64> { (0..count).filter(|&index| shard.owns(index)).collect() };
                let mut together: Vec<u64> = shards.iter().flat_map(|&shard| owned(shard)).collect();
                together.sort_unstable();
                assert_eq!(together, (0..count).collect::<Vec<_>>());
                for &shard in &shards {
                    let indices: Vec<u64> =
                        (0..shard.share_of(count)).map(|k| shard.index_in_whole(k)).collect();
                    assert_eq!(indices, owned(shard), "{shard} of {count}");
                }
            }
        }
        for text in ["0/4", "5/4", "1", "a/b", "1/0", "1/4/2", ""] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
        assert_eq!("3/4".parse::<Shard>().unwrap().to_string(), "3/4");
    }
}
