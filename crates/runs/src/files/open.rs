//! Opening of files without waiting: a named pipe would block until its other end is opened.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

use super::paths::folder;

/// Opens a regular file for reading.
///
/// # Errors
/// Returns an error if the file cannot be opened, or is a pipe, device or folder.
pub fn open_regular(path: &Path) -> io::Result<File> {
    open_regular_with(OpenOptions::new().read(true), path)
}

/// Returns `true` if the path names a device, a pipe, or an open file of a process, such as `/dev/stdout`.
pub fn is_stream(path: &Path) -> bool {
    path.metadata().is_ok_and(|file| !file.is_dir() && (!file.is_file() || is_open_file(path)))
}

/// Returns `true` if the path leads through `/proc`, by links or not.
fn is_open_file(path: &Path) -> bool {
    /// Maximum number of links in a chain.
    const MAX_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(folder) = folder(&path).canonicalize() else { return false };
        if folder.starts_with("/proc") {
            return true;
        }
        let Ok(target) = path.read_link() else { return false };
        path = folder.join(target);
    }
    false
}

/// Checks that the path names a regular file or nothing.
///
/// # Errors
/// Returns an error if it names a pipe, device or folder.
pub fn ensure_regular(path: &Path) -> io::Result<()> {
    if is_stream(path) || path.is_dir() { Err(not_regular()) } else { Ok(()) }
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn open_files_are_streams() {
        use std::os::fd::AsRawFd;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let file = File::create(&path).unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(format!("/proc/self/fd/{}", file.as_raw_fd()), &link).unwrap();
        let descriptor = Path::new("/dev/fd").join(file.as_raw_fd().to_string());
        assert!(is_stream(&link) && is_stream(&descriptor) && is_stream(Path::new("/dev/null")));
        let link = folder.path().join("second");
        std::os::unix::fs::symlink("file", &link).unwrap();
        assert!(!is_stream(&path) && !is_stream(&link) && !is_stream(folder.path()));
        assert!(!is_stream(&folder.path().join("missing")));
    }
}
