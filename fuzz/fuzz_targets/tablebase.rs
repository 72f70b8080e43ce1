//! Fuzz target: any bytes as tablebase files. They are skipped or probed without a panic.
#![no_main]

use std::fs;

use enroque::chess::Board;
use enroque::tablebase::Tablebases;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|files: (&[u8], &[u8])| {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("KQvK.rtbw"), files.0).expect("writing succeeds");
    fs::write(folder.path().join("KQvK.rtbz"), files.1).expect("writing succeeds");
    let Ok((tables, _)) = Tablebases::load(&folder.path().display().to_string()) else { return };
    for fen in ["8/8/8/8/8/2k5/8/K6Q w - - 0 1", "8/8/8/8/8/2k5/8/K6Q b - - 0 1"] {
        let board: Board = fen.parse().expect("a position");
        let _ = tables.probe(&board);
        let _ = tables.best_moves(&board, true, false);
    }
});
