//! Fuzz target: opens any bytes as the result file of a sweep. A file that we refuse must stay unchanged, and rows that
//! we accept must survive a round trip.
#![no_main]

use std::fs;

use enroque_runs::rows::{Rows, read, write_sorted};
use enroque_tools::sweep::rows::PlainRow;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sweep.csv");
    fs::write(&path, bytes).expect("writing succeeds");
    if Rows::open(&path, |_: PlainRow| Ok(())).is_err() {
        assert_eq!(fs::read(&path).expect("the file exists"), bytes);
    }
    if let Ok(rows) = read::<PlainRow>(&path) {
        let sorted = write_sorted(&path, rows, |row| row.number).expect("writing succeeds");
        assert_eq!(read::<PlainRow>(&path).expect("a written file parses"), sorted);
    }
});
