//! Ctrl-C: what is done so far is kept, and the program ends with code 130.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::ExitStatus;
use crate::search::Control;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C stops the searches under `controls` and makes [`happened`] true; a second one ends the program.
pub fn stop_on_interrupt(controls: Vec<Arc<Control>>) {
    // The handler can be set once a process; without it Ctrl-C just ends the program, which is right too.
    let _ = ctrlc::set_handler(move || {
        if INTERRUPTED.swap(true, Ordering::SeqCst) {
            std::process::exit(ExitStatus::Interrupted.code().into());
        }
        for control in &controls {
            control.stop();
        }
    });
}

/// `true` once Ctrl-C was pressed.
pub fn happened() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}
