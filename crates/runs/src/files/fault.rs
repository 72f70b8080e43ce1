//! Fault injection: makes writing fail, for tests of a kill or a full disk.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Remaining successful steps by folder; `None` after the first failure.
static LIMITS: Mutex<Vec<(PathBuf, Option<u64>)>> = Mutex::new(Vec::new());

/// Guard that makes writing fail in a folder from some step on.
pub struct Fault {
    folder: PathBuf,
}

impl Fault {
    /// Lets `steps` steps succeed in `folder`; all later ones fail, as if the process had been killed. A step is an
    /// opening, write, truncation, sync, renaming or removal.
    pub fn after(steps: u64, folder: &Path) -> Self {
        LIMITS.lock().unwrap_or_else(PoisonError::into_inner).push((folder.to_owned(), Some(steps)));
        Self { folder: folder.to_owned() }
    }

    /// Returns `true` if no step has failed yet.
    pub fn is_unused(&self) -> bool {
        let limits = LIMITS.lock().unwrap_or_else(PoisonError::into_inner);
        limits.iter().any(|(folder, left)| *folder == self.folder && left.is_some())
    }
}

impl Drop for Fault {
    fn drop(&mut self) {
        let mut limits = LIMITS.lock().unwrap_or_else(PoisonError::into_inner);
        limits.retain(|(folder, _)| *folder != self.folder);
    }
}

/// Returns all bytes of a file, for [`survives_kills`] of files that must be equal as a whole.
pub fn whole_file(_: &Path, bytes: Vec<u8>) -> Vec<u8> {
    bytes
}

/// Asserts that `run`, which writes into the given folder, can be killed at each of its steps and resumed.
///
/// Every second time it is killed twice. The files must equal those of an undisturbed run, as far as `comparable`
/// returns their bytes. There must be at least `min_steps` steps.
pub fn survives_kills<T, E: std::fmt::Display>(
    min_steps: u64,
    comparable: impl Fn(&Path, Vec<u8>) -> Vec<u8>,
    run: impl Fn(&Path) -> Result<T, E>,
) {
    let contents = |folder: &Path| -> BTreeMap<PathBuf, Vec<u8>> {
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let read = |path: PathBuf| {
            let name = path.strip_prefix(folder).unwrap().to_owned();
            (name, comparable(&path, std::fs::read(&path).unwrap()))
        };
        files.map(read).collect()
    };
    let undisturbed = tempfile::tempdir().unwrap();
    if let Err(error) = run(undisturbed.path()) {
        panic!("undisturbed: {error}");
    }
    let expected = contents(undisturbed.path());
    for steps in 0.. {
        let folder = tempfile::tempdir().unwrap();
        let finishes_with = |steps| {
            let fault = Fault::after(steps, folder.path());
            let result = run(folder.path());
            assert_eq!(result.is_ok(), fault.is_unused(), "killed after {steps} steps");
            fault.is_unused()
        };
        let finished = finishes_with(steps);
        if !finished {
            if steps % 2 == 1 {
                finishes_with(steps / 2);
            }
            if let Err(error) = run(folder.path()) {
                panic!("resumed after {steps} steps: {error}");
            }
        }
        let found = contents(folder.path());
        assert!(found.keys().eq(expected.keys()), "killed after {steps} steps: {:?}", found.keys());
        assert!(found == expected, "killed after {steps} steps: other contents");
        if finished {
            assert!(steps >= min_steps, "only {steps} steps");
            return;
        }
    }
}

fn injected() -> io::Error {
    io::Error::new(io::ErrorKind::StorageFull, "injected")
}

/// Performs a step that succeeds or fails as a whole.
pub(in crate::files) fn step(path: &Path) -> io::Result<()> {
    bytes_written(path, 1).and_then(|written| if written == 1 { Ok(()) } else { Err(injected()) })
}

/// Returns the number of bytes out of `length` that a write stores: half of them in the first write that fails.
pub(in crate::files) fn bytes_written(path: &Path, length: usize) -> io::Result<usize> {
    let mut limits = LIMITS.lock().unwrap_or_else(PoisonError::into_inner);
    match limits.iter_mut().find(|(folder, _)| path.starts_with(folder)).map(|(_, left)| left) {
        None => Ok(length),
        Some(None) => Err(injected()),
        Some(left @ Some(0)) => {
            *left = None;
            Ok(length / 2)
        }
        Some(Some(left)) => {
            *left -= 1;
            Ok(length)
        }
    }
}
