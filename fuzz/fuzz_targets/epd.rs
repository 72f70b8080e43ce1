//! Fuzz target: parses any text as an EPD test suite, which must not panic.
#![no_main]

use enroque::chess::CastlingRules;
use enroque_study::encoding::Lines;
use enroque_tools::analyse::epd::{Entry, looks_like};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = looks_like(&mut Lines::new(text.as_bytes()));
    for line in text.lines() {
        for rules in CastlingRules::ALL {
            let _ = Entry::parse(line, rules);
        }
    }
});
