//! Files of self-play games: format, container, tree samples, training samples.

pub mod format;
pub mod frames;
pub mod sample;
pub mod store;
pub mod tree;
