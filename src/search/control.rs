//! How a running search is controlled: stop, ponder hit, and when it may report its result.

use std::sync::atomic::{AtomicBool, Ordering};

use super::limits::Limits;
use crate::util::host::{HostCommand, Signal, poll};

/// Flags that another thread sets to control a search.
#[derive(Default)]
pub struct Control {
    stop: AtomicBool,
    /// `go ponder`: while the opponent's clock runs, no limit applies, and the result is held back.
    pondering: AtomicBool,
    signal: Signal,
}

impl Control {
    pub(super) fn reset(&self, limits: &Limits) {
        self.stop.store(false, Ordering::Release);
        self.pondering.store(limits.ponder, Ordering::Release);
    }

    pub fn stop(&self) {
        self.signal.notify(|| self.stop.store(true, Ordering::Release));
    }

    /// The opponent played the expected move: limits apply from now on. An infinite search continues.
    pub fn ponder_hit(&self) {
        self.signal.notify(|| self.pondering.store(false, Ordering::Release));
    }

    /// In a browser, which has no threads, fetches and executes a `stop` or `ponderhit` that has arrived.
    pub(super) fn poll_host(&self) {
        if let Some(command) = poll() {
            self.execute(command);
        }
    }

    fn execute(&self, command: HostCommand) {
        match command {
            HostCommand::Stop => self.stop(),
            HostCommand::PonderHit => self.ponder_hit(),
        }
    }

    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    #[inline]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }

    /// Waits until we may report the result: `go infinite` waits for `stop`, `go ponder` for `stop` or `ponderhit`.
    pub(super) fn wait_until_released(&self, infinite: bool) {
        let is_held_back =
            || !self.stop.load(Ordering::Acquire) && (infinite || self.pondering.load(Ordering::Acquire));
        self.signal.wait_while(is_held_back, |command| self.execute(command));
    }
}
