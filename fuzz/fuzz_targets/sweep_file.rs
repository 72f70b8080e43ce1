//! Any bytes as a file of a sweep's results: refused and left as they are, or rows that are written and read back the same.
#![no_main]

use std::fs;

use enroque::workbench::sweep::results::{Appender, read, write_sorted};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sweep.csv");
    fs::write(&path, bytes).expect("the disk takes it");
    if Appender::open(&path, |_| None).is_err() {
        assert_eq!(fs::read(&path).expect("it is there"), bytes);
    }
    if let Ok(rows) = read(&path) {
        let sorted = write_sorted(&path, rows).expect("the disk takes it");
        assert_eq!(read(&path).expect("what is written is read"), sorted);
    }
});
