//! Fuzz target: loads any bytes as tablebase files. Skipping or probing them must not panic.
#![no_main]

use std::fs;

use enroque::chess::Board;
use enroque::tablebase::Tablebases;
use libfuzzer_sys::fuzz_target;

// The first input byte says how many blocks the WDL file has; the bytes after those blocks become the DTZ file. We pad
// each file to a length that a table can have: a multiple of `BLOCK`, plus `REST` bytes.
const BLOCK: usize = 64;
const REST: usize = 16;

fuzz_target!(|bytes: &[u8]| {
    let Some((&blocks, bytes)) = bytes.split_first() else { return };
    let (wdl, dtz) = bytes.split_at((usize::from(blocks) * BLOCK + REST).min(bytes.len()));
    let folder = tempfile::tempdir().expect("a folder");
    for (name, bytes) in [("KQvK.rtbw", wdl), ("KQvK.rtbz", dtz)] {
        let mut file = bytes.to_vec();
        file.resize(bytes.len().saturating_sub(REST).div_ceil(BLOCK) * BLOCK + REST, 0);
        fs::write(folder.path().join(name), file).expect("writing succeeds");
    }
    let Ok((tables, _)) = Tablebases::load(&folder.path().display().to_string()) else { return };
    for fen in ["8/8/8/8/8/2k5/8/K6Q w - - 0 1", "8/8/8/8/8/2k5/8/K6Q b - - 0 1"] {
        let board: Board = fen.parse().expect("a position");
        let _ = tables.probe(&board);
        let _ = tables.rank_moves(&board, true, false);
    }
});
