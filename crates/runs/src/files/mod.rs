//! Crash-safe files: atomic replacement, locks against a second writer, no overwriting of foreign files.
//!
//! After a kill or with a full disk a file has either its old or its new contents. All writing of the program's own
//! files goes through this module, so that tests can make each step fail: see `fault`.

mod atomic;
mod checks;
#[cfg(test)]
pub mod fault;
mod locked;
mod open;
mod paths;

pub use atomic::{TemporaryFile, replace, replace_with};
pub use checks::{ClashError, ensure_distinct, ensure_overwritable};
pub use locked::{LockedFile, append, remove, rename};
pub use open::{ensure_regular, is_stream, open_append, open_regular};
pub use paths::{is_same_file, numbered, sibling};

/// Stand-in outside tests: no step fails.
#[cfg(not(test))]
mod fault {
    use std::io;
    use std::path::Path;

    #[inline(always)]
    pub(super) fn step(_: &Path) -> io::Result<()> {
        Ok(())
    }

    #[inline(always)]
    pub(super) fn bytes_written(_: &Path, length: usize) -> io::Result<usize> {
        Ok(length)
    }
}
