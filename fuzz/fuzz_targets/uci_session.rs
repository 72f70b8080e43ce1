//! Any lines as a UCI session. Searches are kept short, and what takes long or writes elsewhere is left out.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    // Options have their names in upper or lower case.
    let is_left_out = |line: &str| {
        let line = line.to_lowercase();
        ["bench", "perft", "genfens", "infinite", "ponder", "hash", "threads", "file", "path"]
            .iter()
            .any(|word| line.contains(word))
    };
    let lines: Vec<String> = text
        .lines()
        .filter(|line| !is_left_out(line))
        .take(20)
        .map(|line| if line.contains("go") { format!("{line} nodes 300 movetime 50") } else { line.to_owned() })
        .collect();
    let _ = enroque::uci::run_lines(&lines);
});
