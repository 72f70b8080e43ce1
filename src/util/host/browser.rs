//! Services of a WebAssembly host, such as a browser: imports of the module `host`.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::io;
use std::ptr::NonNull;
use std::time::Duration;

use super::HostCommand;

mod imports {
    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        /// Receives one or more lines of text, without the last line break.
        pub fn print(text: *const u8, length: usize);
        /// Returns the milliseconds since some moment.
        pub safe fn now() -> f64;
        /// Returns a random number in 0..1.
        pub safe fn random() -> f64;
        /// Returns the next command for the running search: 0 for none, 1 for `stop`, 2 for `ponderhit`. With `wait` it
        /// may wait for one. A host that cannot receive commands during a search stops a search that waits.
        pub safe fn poll(wait: i32) -> i32;
    }
}

/// Moment of the host's clock.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Instant(f64);

impl Instant {
    /// Returns the present moment.
    pub fn now() -> Self {
        Self(imports::now())
    }

    /// Returns the time since this moment.
    pub fn elapsed(&self) -> Duration {
        Duration::try_from_secs_f64((imports::now() - self.0) / 1000.0).unwrap_or_default()
    }
}

/// Passes one or more lines to the host.
///
/// # Errors
/// Returns no error.
pub fn print_line(text: &str) -> io::Result<()> {
    // SAFETY: the host reads the text before the call returns.
    unsafe { imports::print(text.as_ptr(), text.len()) };
    Ok(())
}

/// Returns 64 bits from the host's random numbers.
pub fn entropy() -> u64 {
    let half = || (imports::random() * 2f64.powi(32)) as u64;
    half() << 32 | half()
}

/// Returns the next command for the running search.
pub fn poll() -> Option<HostCommand> {
    command(imports::poll(0))
}

fn command(code: i32) -> Option<HostCommand> {
    match code {
        1 => Some(HostCommand::Stop),
        2 => Some(HostCommand::PonderHit),
        _ => None,
    }
}

/// Stand-in for a signal between threads: commands come from the host.
#[derive(Default)]
pub struct Signal;

impl Signal {
    /// Runs `change`.
    pub fn notify(&self, change: impl FnOnce()) {
        change();
    }

    /// Passes the host's commands to `obey` until `condition` is false.
    pub fn wait_while(&self, condition: impl Fn() -> bool, obey: impl Fn(HostCommand)) {
        while condition() {
            command(imports::poll(1)).map(&obey);
        }
    }
}

/// Alignment of [`Pages`], bytes.
const PAGE: usize = 4096;

/// Zeroed memory, aligned to a page.
pub struct Pages {
    memory: NonNull<u8>,
    layout: Layout,
}

// SAFETY: the value owns its memory, and shared references give out no more than its address.
unsafe impl Send for Pages {}
// SAFETY: as above.
unsafe impl Sync for Pages {}

impl Pages {
    /// Allocates `size` bytes, at least one; `None` if there is no memory.
    pub fn zeroed(size: usize) -> Option<Self> {
        let layout = Layout::from_size_align(size, PAGE).ok().filter(|layout| layout.size() > 0)?;
        // SAFETY: the size is not zero.
        let memory = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        Some(Self { memory, layout })
    }

    /// Returns the address of the memory.
    #[inline]
    pub fn as_mut_ptr(&self) -> *mut u8 {
        self.memory.as_ptr()
    }

    /// Returns the size in bytes.
    #[inline]
    pub fn size(&self) -> usize {
        self.layout.size()
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout, and nothing refers to the memory any more.
        unsafe { dealloc(self.memory.as_ptr(), self.layout) };
    }
}
