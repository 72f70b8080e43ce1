//! Files of self-play games: format, storage, statistics, merging, conversion.

pub mod convert;
pub mod format;
pub mod frames;
pub mod info;
pub mod merge;
pub mod store;
pub mod tree;
