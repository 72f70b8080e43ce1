//! Fuzz target: reads any bytes as a tree sample. They must be refused, or give valid network inputs and survive a
//! round trip.
#![no_main]

use enroque::nnue::INPUTS;
use enroque_learn::sample::Sample;
use enroque_learn::train::target::Target;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: [u8; Sample::SIZE]| {
    let Some(sample) = Sample::from_bytes(&bytes) else { return };
    assert!(sample.features().flatten().all(|input| usize::from(input) < INPUTS));
    let target = Target { lambda: 0.3, scale: 220.0 };
    assert!((0.0..=1.0).contains(&target.expectation(&sample)));
    let written = sample.to_bytes();
    assert_eq!(Sample::from_bytes(&written).expect("a written sample parses").to_bytes(), written);
});
