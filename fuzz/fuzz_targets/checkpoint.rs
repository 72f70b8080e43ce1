//! Fuzz target: reads any bytes as a checkpoint, and as the header of a checkpoint that is valid otherwise. Each must
//! be refused or survive a round trip.
#![no_main]

use std::fs;

use enroque::nnue::network::checksum;
use enroque_learn::train::checkpoint::Checkpoint;
use libfuzzer_sys::fuzz_target;

/// Returns how many parameters the header claims; `None` if it does not say, or too many to allocate.
fn claimed_parameters(header: &[u8]) -> Option<usize> {
    const MAX: usize = 1 << 20;
    let text = std::str::from_utf8(header).ok()?;
    let (_, rest) = text.split_once("\"parameters\":")?;
    rest.split([',', '}']).next()?.trim().parse().ok().filter(|&count| count <= MAX)
}

fuzz_target!(|bytes: &[u8]| {
    let _ = Checkpoint::read(bytes);
    let Some(parameters) = claimed_parameters(bytes) else { return };
    for lists in [3, 4] {
        let mut file = bytes.to_vec();
        file.push(b'\n');
        file.resize(file.len() + lists * size_of::<f32>() * parameters, 0);
        file.extend(checksum(&file).to_le_bytes());
        let Ok(state) = Checkpoint::read(&file[..]) else { continue };
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("n.checkpoint");
        state.save(&path).expect("writing succeeds");
        let again = Checkpoint::load(&path).expect("a written checkpoint loads").expect("a checkpoint");
        assert_eq!((again.epochs, again.optimiser.steps), (state.epochs, state.optimiser.steps));
        assert_eq!(again.hyperparameters, state.hyperparameters);
        fs::remove_file(path).expect("removing succeeds");
    }
});
