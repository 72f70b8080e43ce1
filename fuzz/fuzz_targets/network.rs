//! Fuzz target: loads any bytes as a network, as they are and with the right checksum. They must give an error, or a
//! network that evaluates positions and survives a round trip.
#![no_main]

use enroque::chess::Board;
use enroque::nnue::network::checksum;
use enroque::nnue::{Network, evaluate};
use libfuzzer_sys::fuzz_target;

/// Bytes of a network file that hold its checksum, which covers all bytes after them.
const CHECKSUM: std::ops::Range<usize> = 16..24;

fuzz_target!(|bytes: &[u8]| {
    let _ = Network::from_bytes(bytes);
    let mut file = bytes.to_vec();
    let Some(payload) = bytes.get(CHECKSUM.end..) else { return };
    file[CHECKSUM].copy_from_slice(&checksum(payload).to_le_bytes());
    let Ok(network) = Network::from_bytes(&file) else { return };
    for fen in
        ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", "4k3/8/8/3q4/8/8/8/R3K3 b A - 0 1"]
    {
        let board: Board = fen.parse().expect("a position");
        evaluate(&network, &board);
    }
    // We compare networks rather than files, because a narrow network is written in full width.
    let again = Network::from_bytes(&network.to_bytes()).expect("a written network loads");
    assert!(again == network);
});
