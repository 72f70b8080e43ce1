//! Ctrl-C: running searches stop, finished work is kept, and the exit code is 130.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use enroque::search::Control;
use enroque::terminal::ExitStatus;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Installs a handler: the first Ctrl-C stops the searches of `controls` and sets [`happened`], the second ends the
/// program.
pub fn stop_on_interrupt(controls: Vec<Arc<Control>>) {
    // A process can install one handler. Without it Ctrl-C ends the program at once, which is acceptable.
    let _ = ctrlc::set_handler(move || {
        if INTERRUPTED.swap(true, Ordering::SeqCst) {
            std::process::exit(ExitStatus::Interrupted as i32);
        }
        for control in &controls {
            control.stop();
        }
    });
}

/// Returns `true` after Ctrl-C.
pub fn happened() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}
