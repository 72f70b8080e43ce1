//! Fuzz target: any bytes as a network file. They give an error or a network that evaluates and survives a round trip.
#![no_main]

use enroque::chess::Board;
use enroque::nnue::{Network, evaluate};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(network) = Network::from_bytes(bytes) {
        evaluate(&network, &Board::startpos());
        assert_eq!(network.to_bytes(), bytes);
    }
});
