//! Names beside a file, and comparison of paths.

use std::ffi::OsString;
use std::fs::Metadata;
use std::path::{Path, PathBuf};

/// Returns the path with a further extension: `games.zst` and `tail` give `games.zst.tail`.
pub fn sibling(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    name.into()
}

/// Returns the path of file `number` of a series: `game.svg`, then `game-2.svg` and so on.
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
pub(super) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns `true` if both paths name the same file, which need not exist. On Unix two hard links are the same file.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    if let (Ok(one), Ok(other)) = (one.metadata(), other.metadata())
        && let Some(is_same) = is_same_inode(&one, &other)
    {
        return is_same;
    }
    let resolved = |path: &Path| {
        path.canonicalize().unwrap_or_else(|_| {
            let folder = folder(path).canonicalize().unwrap_or_default();
            folder.join(path.file_name().unwrap_or_default())
        })
    };
    resolved(one) == resolved(other)
}

/// Compares the identities of two existing files; `None` on systems without inodes.
#[cfg(unix)]
pub(super) fn is_same_inode(one: &Metadata, other: &Metadata) -> Option<bool> {
    use std::os::unix::fs::MetadataExt;
    Some((one.dev(), one.ino()) == (other.dev(), other.ino()))
}

/// Compares the identities of two existing files; `None` on systems without inodes.
#[cfg(not(unix))]
pub(super) fn is_same_inode(_: &Metadata, _: &Metadata) -> Option<bool> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_file_under_several_paths() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("there"), "").unwrap();
        for name in ["there", "not-there"] {
            assert!(is_same_file(&folder.path().join(name), &folder.path().join(".").join(name)), "{name}");
            assert!(is_same_file(
                &folder.path().join(name),
                &folder.path().join("../").join(folder.path().file_name().unwrap()).join(name)
            ));
        }
        assert!(!is_same_file(&folder.path().join("there"), &folder.path().join("not-there")));
        std::fs::hard_link(folder.path().join("there"), folder.path().join("link")).unwrap();
        #[cfg(unix)]
        assert!(is_same_file(&folder.path().join("there"), &folder.path().join("link")));
    }

    #[cfg(unix)]
    #[test]
    fn numbered_keeps_every_byte() {
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"a/Gr\xfcn.svg"));
        assert_eq!(numbered(path, 1), path);
        assert_eq!(numbered(path, 2).as_os_str().as_bytes(), b"a/Gr\xfcn-2.svg");
    }
}
