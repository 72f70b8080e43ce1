//! Tests that two fuzz seeds are valid files. From invalid seeds the fuzzers would hardly get past the header checks.

use std::path::Path;

use enroque::chess::Board;
use enroque::nnue::{Network, evaluate};
use enroque::tablebase::{Tablebases, Wdl};

fn seed(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(name)).unwrap()
}

#[test]
fn network_seed_loads() {
    let network = Network::from_bytes(&seed("network/narrow")).unwrap();
    evaluate(&network, &Board::startpos());
    assert!(Network::from_bytes(&network.to_bytes()).unwrap() == network);
}

#[test]
fn tablebase_seed_is_probed() {
    let (bytes, folder) = (seed("tablebase/one-value"), tempfile::tempdir().unwrap());
    let (wdl, dtz) = bytes[1..].split_at(usize::from(bytes[0]) * 64 + 16);
    std::fs::write(folder.path().join("KQvK.rtbw"), wdl).unwrap();
    std::fs::write(folder.path().join("KQvK.rtbz"), dtz).unwrap();
    let (tables, _) = Tablebases::load(&folder.path().display().to_string()).unwrap();
    let probe = |fen: &str| tables.probe(&fen.parse().unwrap());
    assert_eq!(probe("8/8/8/8/8/2k5/8/K6Q w - - 0 1"), Some(Wdl::Win));
    assert_eq!(probe("8/8/8/8/8/2k5/8/K6Q b - - 0 1"), Some(Wdl::Loss));
}
