//! Files that survive a kill and a full disk, and never overwrite foreign ones.
//!
//! [`replace`] writes a file as a whole: it has its old or its new contents, whatever happens. A [`LockedFile`] grows in
//! place and keeps a second process out. [`ensure_overwritable`] refuses a file that we did not write.

mod checks;
mod locked;
mod replace;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

pub use std::fs::{remove_file as remove, rename};

pub use checks::{ClashError, ensure_distinct, ensure_overwritable, ensure_regular, is_stream, open_regular};
pub use locked::{LockedFile, append};
pub use replace::{replace, replace_with};

/// Adds an extension to a path: `games.zst` and `tail` give `games.zst.tail`.
pub fn sibling(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    name.into()
}

/// Returns the path of file `number` in a series: `game.svg`, then `game-2.svg` and so on.
pub fn numbered(path: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return path.to_owned();
    }
    let mut name: OsString = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

/// Returns the folder of a file; `.` if the path is a name alone.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn numbered_keeps_every_byte() {
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"a/Gr\xfcn.svg"));
        assert_eq!(numbered(path, 1), path);
        assert_eq!(numbered(path, 2).as_os_str().as_bytes(), b"a/Gr\xfcn-2.svg");
    }
}
