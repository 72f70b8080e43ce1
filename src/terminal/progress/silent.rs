//! Progress of long work that is not shown.

/// Progress of some work, not shown.
pub struct Progress;

impl Progress {
    /// Starts some work.
    pub fn new(_length: u64, _unit: &'static str, _done_before: u64) -> Self {
        Self
    }

    /// Ignores the number of finished units.
    pub fn set(&mut self, _done: u64, _message: impl FnOnce() -> String) {}

    /// Ends the work.
    pub fn finish(&self) {}
}
