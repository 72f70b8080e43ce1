//! Handcrafted inputs of the network and the small layer behind them.

pub mod inputs;
pub mod layer;
