//! Replacing a file as a whole: we write a temporary file next to it, sync and rename.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use super::checks::is_stream;
use super::folder;

/// Replaces a file with the output of `write`. Its permissions stay. If it is a link, the link stays and we replace the
/// target. We write straight to a device or pipe.
///
/// # Errors
/// Returns an error if `write` or the disk fails; a regular file is then unchanged.
pub fn replace_with<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    if is_stream(path) {
        let mut out = BufWriter::new(OpenOptions::new().append(true).open(path)?);
        write(&mut out)?;
        return Ok(out.flush()?);
    }
    let target = if path.is_symlink() { path.canonicalize()? } else { path.to_owned() };
    let temporary = temporary_for(&target)?;
    let mut out = BufWriter::new(temporary.as_file());
    write(&mut out)?;
    out.flush()?;
    drop(out);
    temporary.as_file().sync_data()?;
    temporary.persist(&target).map_err(|failed| failed.error)?;
    Ok(())
}

/// Replaces a file with `bytes`; see [`replace_with`].
///
/// # Errors
/// Returns an error if the disk fails; a regular file is then unchanged.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_with(path, |out| out.write_all(bytes))
}

/// Creates a temporary file next to `target` with the permissions that the target has or would get.
fn temporary_for(target: &Path) -> io::Result<NamedTempFile> {
    let mut prefix = OsString::from(".");
    prefix.push(target.file_name().unwrap_or_default());
    let mut builder = Builder::new();
    builder.prefix(&prefix).suffix(".tmp");
    let old = target.metadata().ok().map(|target| target.permissions());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The process's umask restricts this, as for any new file.
        builder.permissions(old.clone().unwrap_or_else(|| PermissionsExt::from_mode(0o666)));
    }
    let temporary = builder.tempfile_in(folder(target))?;
    if let Some(old) = old {
        let file = temporary.as_file();
        if file.metadata()?.permissions() != old {
            file.set_permissions(old)?;
        }
    }
    Ok(temporary)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<OsString> {
        let mut names: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    }

    #[test]
    fn failed_replacement_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "old").unwrap();
        let half = |out: &mut dyn Write| {
            out.write_all(&[b'x'; 100_000])?;
            assert_eq!(names(folder.path()).len(), 2);
            Err(io::Error::other("the disk is full"))
        };
        assert!(replace_with(&path, half).is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        replace(&path, b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[cfg(unix)]
    #[test]
    fn permissions_stay() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        let path = folder.path().join("file");
        for kept in [0o600, 0o666, 0o755] {
            std::fs::write(&path, "old").unwrap();
            std::fs::set_permissions(&path, PermissionsExt::from_mode(kept)).unwrap();
            replace(&path, b"new").unwrap();
            assert_eq!(mode(&path), kept);
        }
        let [ours, usual] = ["ours", "usual"].map(|name| folder.path().join(name));
        replace(&ours, b"new").unwrap();
        std::fs::write(&usual, "new").unwrap();
        assert_eq!(mode(&ours), mode(&usual));
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_and_devices_are_written() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let [real, link, dangling, null] =
            ["real", "link", "dangling", "null"].map(|name| folder.path().join(name));
        std::fs::write(&real, "old").unwrap();
        symlink("real", &link).unwrap();
        symlink("missing", &dangling).unwrap();
        symlink("/dev/null", &null).unwrap();
        replace(&link, b"new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(std::fs::read(&real).unwrap(), b"new");
        assert_eq!(replace(&dangling, b"new").unwrap_err().kind(), io::ErrorKind::NotFound);
        replace(&null, b"new").unwrap();
        assert!(null.is_symlink() && !Path::new("/dev/null").is_file());
        assert_eq!(names(folder.path()), ["dangling", "link", "null", "real"]);
    }

    #[test]
    fn parallel_replacements_all_succeed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::thread::scope(|scope| {
            for text in ["one", "two", "three"] {
                let path = &path;
                scope.spawn(move || (0..100).for_each(|_| replace(path, text.as_bytes()).unwrap()));
            }
        });
        assert!(["one", "two", "three"].contains(&std::fs::read_to_string(&path).unwrap().as_str()));
        assert_eq!(names(folder.path()), ["file"]);
    }
}
