//! Shards: equal parts of a long run, one for each machine.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::wrap;
use enroque::terminal::{ExitStatus, eprint_line};

/// One part of a run, and the number of parts: 2/4 is the second of four. Items go to the parts in turn, so that all
/// parts take about equally long.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Shard(u64, u64);

impl Shard {
    /// A run on a single machine, which is part 1 of 1.
    pub const WHOLE: Self = Self(1, 1);

    /// Iterates over all parts of the same run.
    pub fn all(self) -> impl Iterator<Item = Self> {
        (1..=self.1).map(move |part| Self(part, self.1))
    }

    /// Whether the item with this index, counted from 0, belongs to this part.
    pub fn owns(self, index: u64) -> bool {
        let Self(part, parts) = self;
        index % parts == part - 1
    }

    /// Converts an index within this part to one in the whole run, both counted from 0.
    pub fn index_in_whole(self, index: u64) -> u64 {
        let Self(part, parts) = self;
        index.saturating_mul(parts).saturating_add(part - 1)
    }

    /// Returns how many of the first `count` items belong to this part.
    pub fn share_of(self, count: u64) -> u64 {
        let Self(part, parts) = self;
        count.saturating_sub(part - 1).div_ceil(parts)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.0, self.1)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let shard = text.split_once('/').and_then(|(part, parts)| {
            Some(Self(part.parse().ok()?, parts.parse().ok()?))
                .filter(|shard| 1 <= shard.0 && shard.0 <= shard.1)
        });
        shard.ok_or_else(|| "expected I/N, such as 1/4 to 4/4".to_owned())
    }
}

/// Messages about missing or duplicate items list at most this many numbers.
const MAX_LISTED: usize = 10;

/// Reports which `items`, such as `games`, are missing in the `file` that joins several shards, and which were in more than
/// one. Returns whether the file is as it should be.
pub fn report(file: &Path, items: &str, missing: &[u64], duplicate: &[u64]) -> ExitStatus {
    for (numbers, state) in [(missing, "missing"), (duplicate, "in more than one file")] {
        if !numbers.is_empty() {
            let words: Vec<String> = numbers.iter().take(MAX_LISTED).map(u64::to_string).collect();
            let more = if numbers.len() > MAX_LISTED { ", ..." } else { "" };
            let (file, count, words) = (file.display(), numbers.len(), words.join(", "));
            eprint_line(&wrap::fit(&format!("{file}: {count} {items} are {state}: {words}{more}")));
        }
    }
    ExitStatus::of_check(missing.is_empty() && duplicate.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_make_the_whole() {
        for parts in 1..6 {
            let shards: Vec<Shard> = Shard(1, parts).all().collect();
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
