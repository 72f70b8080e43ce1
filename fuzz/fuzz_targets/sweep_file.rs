//! Fuzz target: opens any bytes as the result file of a sweep. A file that we refuse must stay unchanged, and rows that
//! we accept must survive a round trip.
#![no_main]

use std::fs;

use enroque_tools::sweep::results::{Appender, Row, read, write_sorted};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sweep.csv");
    fs::write(&path, bytes).expect("writing succeeds");
    if Appender::open::<Row>(&path, |_| None).is_err() {
        assert_eq!(fs::read(&path).expect("the file exists"), bytes);
    }
    if let Ok(rows) = read::<Row>(&path) {
        let sorted = write_sorted(&path, rows).expect("writing succeeds");
        assert_eq!(read::<Row>(&path).expect("a written file parses"), sorted);
    }
});
