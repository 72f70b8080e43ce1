//! Any lines as a UCI session. Searches are kept short, and what takes long or writes elsewhere is left out.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let is_long = |line: &str| {
        ["bench", "perft", "genfens", "infinite", "ponder", "Hash", "hash", "Threads", "threads", "File", "Path"]
            .iter()
            .any(|word| line.contains(word))
    };
    let lines: Vec<String> = text
        .lines()
        .filter(|line| !is_long(line))
        .take(20)
        .map(|line| if line.contains("go") { format!("{line} nodes 300 movetime 50") } else { line.to_owned() })
        .collect();
    let _ = enroque::uci::run_lines(&lines);
});
