//! What the program needs from its host: clock, output, entropy, waiting, memory.
//!
//! An operating system has them all. A browser provides them as imports of the WebAssembly module, and runs one thread.

#[cfg(target_family = "wasm")]
pub use browser::*;
#[cfg(not(target_family = "wasm"))]
pub use system::*;

/// A command for a running search, from a host without threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HostCommand {
    Stop,
    /// The opponent played the expected move: continue on our own time.
    PonderHit,
}

#[cfg(not(target_family = "wasm"))]
mod system {
    use std::hash::{BuildHasher, Hasher, RandomState};
    use std::io::{self, Write};
    use std::sync::{Condvar, Mutex, PoisonError};
    pub use std::time::Instant;

    use memmap2::{MmapOptions, MmapRaw};

    use super::HostCommand;

    /// Prints one or more lines on standard output, never interleaved with those of other threads.
    pub fn print_line(text: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        writeln!(out, "{text}").and_then(|()| out.flush())
    }

    /// Returns 64 random bits: the hash of nothing, under the random keys that the standard library gives each hash
    /// map.
    pub fn entropy() -> u64 {
        RandomState::new().build_hasher().finish()
    }

    /// Returns `None`: commands come from other threads, which control the search themselves.
    #[inline(always)]
    pub const fn poll() -> Option<HostCommand> {
        None
    }

    /// Wakes threads that sleep until a flag changes.
    #[derive(Default)]
    pub struct Signal {
        mutex: Mutex<()>,
        changed: Condvar,
    }

    impl Signal {
        /// Runs `change` under the mutex, so that no thread misses it just before it sleeps. Then wakes all threads.
        pub fn notify(&self, change: impl FnOnce()) {
            let guard = self.mutex.lock().unwrap_or_else(PoisonError::into_inner);
            change();
            drop(guard);
            self.changed.notify_all();
        }

        /// Waits until `condition` is false. `_obey` gets the host's commands in a browser, and is never called here.
        pub fn wait_while(&self, condition: impl Fn() -> bool, _obey: impl Fn(HostCommand)) {
            let mut guard = self.mutex.lock().unwrap_or_else(PoisonError::into_inner);
            while condition() {
                guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// Zeroed memory, aligned to a page. The system provides each page when it is first written.
    pub struct Pages(MmapRaw);

    impl Pages {
        /// Allocates `size` bytes, on huge pages if the system has them; `None` if there is no memory.
        pub fn zeroed(size: usize) -> Option<Self> {
            let memory: MmapRaw = MmapOptions::new().len(size).map_anon().ok()?.into();
            // TT probes are spread over the whole table, so huge pages save most TLB misses. A system without them may
            // refuse the advice, which does no harm.
            #[cfg(target_os = "linux")]
            let _ = memory.advise(memmap2::Advice::HugePage);
            Some(Self(memory))
        }

        /// Returns a pointer to the first byte, which is at the start of a page.
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
}

/// The same interface as `system`, for a browser: JavaScript provides the functions in `imports`.
#[cfg(target_family = "wasm")]
mod browser {
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
            /// Returns the milliseconds since an arbitrary moment.
            pub safe fn now() -> f64;
            /// Returns a random number in 0..1.
            pub safe fn random() -> f64;
            /// Returns the next command for the running search: 0 for none, 1 for `stop`, 2 for `ponderhit`. With
            /// `wait` it may block until there is one; a host that cannot receive commands during a search must return
            /// `stop` instead.
            pub safe fn poll(wait: i32) -> i32;
        }
    }

    #[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
    pub struct Instant(f64);

    impl Instant {
        pub fn now() -> Self {
            Self(imports::now())
        }

        pub fn elapsed(&self) -> Duration {
            Duration::try_from_secs_f64((imports::now() - self.0) / 1000.0).unwrap_or_default()
        }
    }

    pub fn print_line(text: &str) -> io::Result<()> {
        // SAFETY: the host reads the text before the call returns.
        unsafe { imports::print(text.as_ptr(), text.len()) };
        Ok(())
    }

    pub fn entropy() -> u64 {
        let half = || (imports::random() * 2f64.powi(32)) as u64;
        half() << 32 | half()
    }

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

    /// Has no threads to wake, and asks the host for commands while it waits.
    #[derive(Default)]
    pub struct Signal;

    impl Signal {
        pub fn notify(&self, change: impl FnOnce()) {
            change();
        }

        pub fn wait_while(&self, condition: impl Fn() -> bool, obey: impl Fn(HostCommand)) {
            while condition() {
                command(imports::poll(1)).map(&obey);
            }
        }
    }

    pub struct Pages {
        memory: NonNull<u8>,
        layout: Layout,
    }

    // SAFETY: the value owns its memory, so it may move to another thread.
    unsafe impl Send for Pages {}
    // SAFETY: a shared reference gives out no more than the address of the memory.
    unsafe impl Sync for Pages {}

    impl Pages {
        pub fn zeroed(size: usize) -> Option<Self> {
            let layout = Layout::from_size_align(size, 4096).ok().filter(|layout| layout.size() > 0)?;
            // SAFETY: the size is not zero.
            let memory = NonNull::new(unsafe { alloc_zeroed(layout) })?;
            Some(Self { memory, layout })
        }

        #[inline]
        pub fn as_mut_ptr(&self) -> *mut u8 {
            self.memory.as_ptr()
        }

        #[inline]
        pub fn size(&self) -> usize {
            self.layout.size()
        }
    }

    impl Drop for Pages {
        fn drop(&mut self) {
            // SAFETY: we allocated the memory with this layout, and nothing refers to it any more.
            unsafe { dealloc(self.memory.as_ptr(), self.layout) };
        }
    }
}
