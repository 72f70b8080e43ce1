//! Long runs that can be interrupted, resumed and split over machines.

pub mod manifest;
pub mod parallel;
pub mod shard;
