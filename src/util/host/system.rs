//! Services of an operating system.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, PoisonError};
pub use std::time::Instant;

use memmap2::{MmapOptions, MmapRaw};

use super::HostCommand;

/// Prints one or more lines on standard output, never interleaved with those of other threads.
///
/// # Errors
/// Returns an error if the pipe is closed or the disk is full.
pub fn print_line(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}").and_then(|()| out.flush())
}

/// Returns 64 random bits, from the keys of the standard library's hash maps.
pub fn entropy() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// Returns `None`: commands come from other threads, which control the search themselves.
#[inline(always)]
pub const fn poll() -> Option<HostCommand> {
    None
}

/// Signal that wakes the threads which wait for a change of some flags.
#[derive(Default)]
pub struct Signal {
    mutex: Mutex<()>,
    changed: Condvar,
}

impl Signal {
    /// Runs `change` and wakes the waiting threads.
    pub fn notify(&self, change: impl FnOnce()) {
        let guard = self.mutex.lock().unwrap_or_else(PoisonError::into_inner);
        change();
        drop(guard);
        self.changed.notify_all();
    }

    /// Waits until `condition` is false. `obey` is for commands of [`poll`], of which there are none.
    pub fn wait_while(&self, condition: impl Fn() -> bool, _obey: impl Fn(HostCommand)) {
        let mut guard = self.mutex.lock().unwrap_or_else(PoisonError::into_inner);
        while condition() {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Zeroed memory, taken from the system page by page on the first write and aligned to a page.
pub struct Pages(MmapRaw);

impl Pages {
    /// Allocates `size` bytes, on huge pages if the system has them; `None` if there is no memory.
    pub fn zeroed(size: usize) -> Option<Self> {
        let memory: MmapRaw = MmapOptions::new().len(size).map_anon().ok()?.into();
        // Probes are spread over the table: huge pages save most of the TLB misses. This is advice only, and a system
        // without such pages may refuse it.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Some(Self(memory))
    }

    /// Returns the address of the memory.
    #[inline]
    pub fn as_mut_ptr(&self) -> *mut u8 {
        self.0.as_mut_ptr()
    }

    /// Returns the size in bytes.
    #[inline]
    pub fn size(&self) -> usize {
        self.0.len()
    }
}
