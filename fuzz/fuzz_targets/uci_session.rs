//! Fuzz target: runs any lines as a UCI session with short searches. We skip commands that are slow or touch files.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    // The engine ignores the case of option names, so this filter must ignore it, too.
    let is_skipped = |line: &str| {
        let line = line.to_lowercase();
        ["bench", "speedtest", "perft", "genfens", "infinite", "ponder", "hash", "threads", "file", "path"]
            .iter()
            .any(|word| line.contains(word))
    };
    let lines: Vec<String> = text
        .lines()
        .filter(|line| !is_skipped(line))
        .take(20)
        .map(
            |line| {
                if line.contains("go") { format!("{line} nodes 300 movetime 50") } else { line.to_owned() }
            },
        )
        .collect();
    let _ = enroque::uci::run_lines(&lines);
});
