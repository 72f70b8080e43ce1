//! The random number generator SplitMix64 (Steele, Lea, Flood 2014), which gives the same numbers on every machine.

use super::{host, scale};

/// Equal seeds give equal numbers, so that runs can be repeated.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Takes a random seed from the host, so that runs differ.
    pub fn from_entropy() -> Self {
        Self(host::entropy())
    }

    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// Returns a number in 0..`limit`; `limit` must not be 0.
    pub const fn below(&mut self, limit: u64) -> u64 {
        scale(self.bits(), limit)
    }
}
