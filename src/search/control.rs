//! How a running search is controlled: stop, ponder hit, and when it may report its result.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::limits::Limits;
use crate::util::host::{HostCommand, Instant, Signal, poll};

/// Flags that another thread sets to control a search.
#[derive(Default)]
pub struct Control {
    /// The threads must end their search.
    stop: AtomicBool,
    /// `stop` was received, or the search is over. If only a limit was reached, a result may still be held back.
    released: AtomicBool,
    /// `go ponder`: while the opponent's clock runs, no limit applies, and the result is held back.
    pondering: AtomicBool,
    signal: Signal,
    thinking: Mutex<Thinking>,
}

/// How long our clock has run for a search, as far as we can see.
#[derive(Default)]
struct Thinking {
    /// When `go` or `ponderhit` arrived.
    begin: Option<Instant>,
    /// The time from then until the result was ready; `None` while the search runs.
    time: Option<Duration>,
}

impl Control {
    pub(super) fn reset(&self, limits: &Limits, start: Instant) {
        self.stop.store(false, Ordering::Release);
        self.released.store(false, Ordering::Release);
        self.pondering.store(limits.ponder, Ordering::Release);
        self.think(|thinking| *thinking = Thinking { begin: Some(start), time: None });
    }

    fn think<T>(&self, action: impl FnOnce(&mut Thinking) -> T) -> T {
        action(&mut self.thinking.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns how long the last search took from `go`, or from `ponderhit`, to its result; `None` before that.
    pub fn thinking_time(&self) -> Option<Duration> {
        self.think(|thinking| thinking.time)
    }

    /// Ends the search, and lets it report its result.
    pub fn stop(&self) {
        self.end();
        self.signal.notify(|| self.released.store(true, Ordering::Release));
    }

    /// Ends the search because it has reached a limit.
    pub(super) fn end(&self) {
        self.stop.store(true, Ordering::Release);
    }

    /// The opponent played the expected move: limits apply from now on. An infinite search continues.
    pub fn ponder_hit(&self) {
        if self.is_pondering() {
            self.think(|thinking| thinking.begin = Some(Instant::now()));
        }
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

    /// Whether [`Self::stop`] was called.
    pub fn is_released(&self) -> bool {
        self.released.load(Ordering::Acquire)
    }

    #[inline]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }

    /// Waits until we may report the result: `go infinite` waits for `stop`, `go ponder` for `stop` or `ponderhit`.
    pub(super) fn wait_until_released(&self, infinite: bool) {
        let is_held_back = || !self.is_released() && (infinite || self.pondering.load(Ordering::Acquire));
        self.signal.wait_while(is_held_back, |command| self.execute(command));
        self.think(|thinking| thinking.time = thinking.begin.map(|begin| begin.elapsed()));
    }
}
