//! Opening of files without waiting: a named pipe would block until its other end is opened.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a regular file for reading.
///
/// # Errors
/// Returns an error if the file cannot be opened, or is a pipe, device or folder.
pub fn open_regular(path: &Path) -> io::Result<File> {
    open_regular_with(OpenOptions::new().read(true), path)
}

/// Checks that the path names a regular file or nothing.
///
/// # Errors
/// Returns an error if it names a pipe, device or folder.
pub fn ensure_regular(path: &Path) -> io::Result<()> {
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) { Err(not_regular()) } else { Ok(()) }
}

/// Opens or creates a file to append to. Writing to a full pipe fails.
///
/// # Errors
/// Returns an error if the file cannot be opened, or is a pipe that no process reads from.
pub fn open_append(path: &Path) -> io::Result<File> {
    without_waiting(OpenOptions::new().append(true).create(true), path)
}

/// Opens a regular file with these options.
pub(super) fn open_regular_with(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let file = without_waiting(options, path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(not_regular()) }
}

/// Opens a device or pipe for writing.
pub(super) fn open_stream(path: &Path) -> io::Result<File> {
    let file = without_waiting(OpenOptions::new().append(true), path)?;
    wait_for_reader(&file)?;
    Ok(file)
}

fn not_regular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "expected a regular file, found a pipe, device or folder")
}

#[cfg(unix)]
fn without_waiting(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    options.custom_flags(libc::O_NONBLOCK).open(path).map_err(|error| match error.raw_os_error() {
        Some(libc::ENXIO) => {
            io::Error::new(io::ErrorKind::NotFound, "no process reads from this pipe; start the reader first")
        }
        _ => error,
    })
}

#[cfg(not(unix))]
fn without_waiting(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    options.open(path)
}

/// Makes writing wait for the reader of a pipe again.
#[cfg(unix)]
fn wait_for_reader(file: &File) -> io::Result<()> {
    use std::os::fd::AsRawFd;
    // SAFETY: the descriptor is open as long as `file`, and the call has no pointer arguments.
    let result = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETFL, libc::O_APPEND) };
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

#[cfg(not(unix))]
fn wait_for_reader(_: &File) -> io::Result<()> {
    Ok(())
}
