//! Starting and stopping a search from outside.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

use super::limits::Limits;

/// What the threads that search share with the one that listens.
#[derive(Default)]
pub struct Control {
    stop: AtomicBool,
    /// Nothing may be answered before `stop`: `go infinite`.
    infinite: AtomicBool,
    /// The opponent's time is running: no limit counts, nothing may be answered yet.
    pondering: AtomicBool,
    mutex: Mutex<()>,
    released: Condvar,
}

impl Control {
    /// Gets ready for a search under `limits`.
    pub fn reset(&self, limits: &Limits) {
        self.stop.store(false, Ordering::Release);
        self.pondering.store(limits.ponder, Ordering::Release);
        self.infinite.store(limits.infinite, Ordering::Release);
    }

    /// Ends the search.
    pub fn stop(&self) {
        self.release(|control| control.stop.store(true, Ordering::Release));
    }

    /// The opponent played the expected move: limits count from now on. An infinite search goes on.
    pub fn ponder_hit(&self) {
        self.release(|control| control.pondering.store(false, Ordering::Release));
    }

    fn release(&self, change: impl FnOnce(&Self)) {
        let guard = self.mutex.lock().unwrap_or_else(PoisonError::into_inner);
        change(self);
        drop(guard);
        self.released.notify_all();
    }

    /// `true` once the search must end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// `true` while the opponent's time is running.
    #[inline]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }

    fn holds_the_answer_back(&self) -> bool {
        !self.stop.load(Ordering::Acquire)
            && (self.infinite.load(Ordering::Acquire) || self.pondering.load(Ordering::Acquire))
    }

    /// Waits until an answer may be given.
    pub(super) fn wait_until_released(&self) {
        let mut guard = self.mutex.lock().unwrap_or_else(PoisonError::into_inner);
        while self.holds_the_answer_back() {
            guard = self.released.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
