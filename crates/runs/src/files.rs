//! Writes files so that a kill or a full disk loses nothing, and never overwrites a file that isn't ours.
//!
//! [`replace`] leaves a file with its old or its new contents, whatever happens. A [`LockedFile`] grows in place and
//! keeps a second process out. Before a long run, [`ensure_overwritable`] refuses outputs that we did not write, and
//! [`ensure_distinct`] refuses outputs that clash.

use std::ffi::OsString;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use tempfile::{Builder, NamedTempFile};

const NO_FOLDER: &str = "the folder does not exist; create it first";

/// Puts a path before an error: `fs::read(path).at(path)` fails with `games.pgn: No such file or directory`.
pub trait AtPath<T> {
    fn at(self, path: &Path) -> Result<T>;
}

impl<T, E> AtPath<T> for Result<T, E>
where
    Self: Context<T, E>,
{
    fn at(self, path: &Path) -> Result<T> {
        self.with_context(|| path.display().to_string())
    }
}

/// Adds an extension to a path: `games.gz` and `tail` give `games.gz.tail`.
pub fn sibling(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    name.into()
}

/// Returns the path of one file in a series, numbered from 1: `game.svg`, then `game-2.svg` and so on.
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

/// Returns the folder of a file; `.` if the path is only a file name.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether the path leads to a device or pipe, such as `/dev/stdout`.
pub fn is_stream(path: &Path) -> bool {
    path.metadata().is_ok_and(|file| !file.is_file() && !file.is_dir())
}

/// Refuses folders, devices and pipes. A missing file is fine.
pub fn ensure_regular(path: &Path) -> io::Result<()> {
    if path.metadata().is_ok_and(|file| !file.is_file()) {
        let reason = "expected a regular file, found a pipe, device or folder";
        return Err(io::Error::new(ErrorKind::InvalidInput, reason));
    }
    Ok(())
}

/// Opens a regular file for reading. We refuse a pipe, because opening it would wait until another process
/// opens it for writing.
pub fn open_regular(path: &Path) -> io::Result<File> {
    ensure_regular(path)?;
    File::open(path)
}

/// Checks that we can create `path`: its folder exists, and `path` does not, not even as a link to a missing file.
pub fn ensure_new(path: &Path) -> Result<()> {
    let name = path.display();
    ensure!(path.symlink_metadata().is_err(), "{name}: exists already; choose another name");
    ensure!(folder(path).is_dir(), "{name}: {NO_FOLDER}");
    Ok(())
}

/// Checks that we may write to `path`: its folder exists, and the file is missing or empty, or `is_ours` accepts its
/// first 4,096 bytes. Devices and pipes are fine, because they hold no data to lose.
pub fn ensure_overwritable(path: &Path, is_ours: impl FnOnce(&[u8]) -> bool) -> io::Result<()> {
    const START_SIZE: u64 = 4096;
    if is_stream(path) {
        return Ok(());
    }
    let refuse = |kind, reason| Err(io::Error::new(kind, reason));
    let file = match open_regular(path) {
        Ok(file) => file,
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        Err(_) if path.is_symlink() => {
            let reason = "is a link to a missing file; remove it or choose another name";
            return refuse(ErrorKind::NotFound, reason);
        }
        Err(_) if !folder(path).is_dir() => return refuse(ErrorKind::NotFound, NO_FOLDER),
        Err(_) => return Ok(()),
    };
    let mut start = Vec::new();
    file.take(START_SIZE).read_to_end(&mut start)?;
    if start.is_empty() || is_ours(&start) {
        return Ok(());
    }
    let reason = "holds something else, which would be lost; choose another name or remove it";
    refuse(ErrorKind::AlreadyExists, reason)
}

/// Checks that all `outputs` are different files, and that none is also an input. Devices and pipes may occur more than
/// once.
pub fn ensure_distinct(inputs: &[impl AsRef<Path>], outputs: &[impl AsRef<Path>]) -> Result<()> {
    for (index, output) in outputs.iter().map(AsRef::as_ref).enumerate() {
        let is_output = |other: &Path| !is_stream(output) && is_same_file(output, other);
        let name = output.display();
        ensure!(
            !outputs[..index].iter().any(|other| is_output(other.as_ref())),
            "{name}: would be written twice; give every output its own name"
        );
        ensure!(
            !inputs.iter().any(|input| is_output(input.as_ref())),
            "{name}: would be read and written at the same time; write to another file"
        );
    }
    Ok(())
}

/// Whether both paths lead to the same file, even if it does not exist yet.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let resolved = |path: &Path| {
        path.canonicalize().unwrap_or_else(|_| {
            let folder = folder(path).canonicalize().unwrap_or_default();
            folder.join(path.file_name().unwrap_or_default())
        })
    };
    resolved(one) == resolved(other)
}

/// Replaces a file with what `write` writes, or leaves it unchanged if `write` or the disk fails: we write a temporary
/// file next to it, sync it and rename it. The file keeps its permissions, and a link stays a link. To a device or pipe
/// we write directly.
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
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_with(path, |out| out.write_all(bytes))
}

/// Creates a temporary file in the folder of `target`, so that a rename can replace `target`. It gets the permissions
/// of `target`, or those of any new file if there is no `target` yet.
fn temporary_for(target: &Path) -> io::Result<NamedTempFile> {
    let mut prefix = OsString::from(".");
    prefix.push(target.file_name().unwrap_or_default());
    let mut builder = Builder::new();
    builder.prefix(&prefix).suffix(".tmp");
    let old = target.metadata().ok().map(|target| target.permissions());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The umask restricts this mode, as for any new file.
        builder.permissions(old.clone().unwrap_or_else(|| PermissionsExt::from_mode(0o666)));
    }
    // The error of `tempfile` names the temporary file, which would mean nothing to the user.
    let in_folder = |error: io::Error| {
        io::Error::new(error.kind(), format!("cannot write to its folder: {}", error.kind()))
    };
    let temporary = builder.tempfile_in(folder(target)).map_err(in_folder)?;
    if let Some(old) = old {
        let file = temporary.as_file();
        if file.metadata()?.permissions() != old {
            file.set_permissions(old)?;
        }
    }
    Ok(temporary)
}

/// A file that only this process writes to. A second process cannot open it as a `LockedFile`.
#[derive(Debug)]
pub struct LockedFile(File);

impl LockedFile {
    /// Opens and locks a regular file; creates it if it is missing.
    pub fn open(path: &Path) -> io::Result<Self> {
        ensure_regular(path)?;
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Self(file)),
            Err(TryLockError::WouldBlock) => Err(io::Error::new(
                ErrorKind::ResourceBusy,
                "another process is writing to it; wait for it, or write to another file",
            )),
            // Some file systems have no locks; we go on without one.
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => Ok(Self(file)),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    pub fn read_all(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.0.seek(SeekFrom::Start(0))?;
        self.0.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Returns the size in bytes, including what was written but not yet synced.
    pub fn size(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    /// Truncates the file to `length` bytes and moves the write position there.
    pub fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.0.set_len(length)?;
        self.0.seek(SeekFrom::Start(length))?;
        Ok(())
    }

    /// Appends bytes, and waits until they are on the disk.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)?;
        self.sync()
    }

    /// Waits until all written data is on the disk.
    pub fn sync(&self) -> io::Result<()> {
        self.0.sync_data()
    }

    /// Returns a second handle that reads from the start. Its reads also move the position at which `self` writes;
    /// before you write again, call [`Self::truncate`], which moves the position to the end of the file.
    pub fn reader(&self) -> io::Result<File> {
        let mut file = self.0.try_clone()?;
        file.seek(SeekFrom::Start(0))?;
        Ok(file)
    }
}

impl Write for LockedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Appends `bytes` to an existing file. If the disk fails, some of the bytes may have been written.
pub fn append(path: &Path, bytes: &[u8]) -> io::Result<()> {
    OpenOptions::new().append(true).open(path)?.write_all(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn numbered_keeps_every_byte() {
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"a/Gr\xfcn.svg"));
        assert_eq!(numbered(path, 1), path);
        assert_eq!(numbered(path, 2).as_os_str().as_bytes(), b"a/Gr\xfcn-2.svg");
    }

    #[test]
    fn foreign_file_not_overwritable() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let check = || ensure_overwritable(&path, |bytes| bytes.starts_with(b"ours"));
        check().unwrap();
        for ours in ["", "ours, older"] {
            std::fs::write(&path, ours).unwrap();
            check().unwrap();
        }
        std::fs::write(&path, "a letter").unwrap();
        assert_eq!(check().unwrap_err().kind(), ErrorKind::AlreadyExists);
    }

    #[test]
    fn impossible_outputs_refused_early() {
        let folder = tempfile::tempdir().unwrap();
        let check = |path: &Path| ensure_overwritable(path, |_| true);
        assert!(check(folder.path()).is_err());
        let error = check(&folder.path().join("none/file")).unwrap_err();
        assert!(error.to_string().contains("the folder does not exist"), "{error}");
        let error = replace(&folder.path().join("none/file"), b"new").unwrap_err();
        assert!(error.to_string().starts_with("cannot write to its folder"), "{error}");
        let new = |name: &str| ensure_new(&folder.path().join(name)).map_err(|error| error.to_string());
        assert!(new("file").is_ok() && new("none/file").unwrap_err().contains("the folder does not exist"));
        assert!(new("").unwrap_err().contains("exists already"));
        #[cfg(unix)]
        {
            let link = folder.path().join("link");
            std::os::unix::fs::symlink("none", &link).unwrap();
            assert!(check(&link).unwrap_err().to_string().contains("link to a missing file"));
            let device = Path::new("/dev/null");
            check(device).unwrap();
            assert!(open_regular(device).unwrap_err().to_string().contains("expected a regular file"));
        }
    }

    #[test]
    fn clashing_outputs_refused() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
        let a_again = folder.path().join("../").join(folder.path().file_name().unwrap()).join("./a");
        let none: [&Path; 0] = [];
        // In the first round the files are missing, in the second `a` exists.
        for _ in 0..2 {
            ensure_distinct(&none, &[&a, &b]).unwrap();
            ensure_distinct(&[&a, &a], &[&b]).unwrap();
            let twice = ensure_distinct(&none, &[&a, &b, &a_again]).unwrap_err().to_string();
            assert!(twice.contains("written twice"), "{twice}");
            let input = ensure_distinct(&[&a_again], &[&b, &a]).unwrap_err().to_string();
            assert!(input.contains("read and written"), "{input}");
            std::fs::write(&a, "").unwrap();
        }
        #[cfg(unix)]
        ensure_distinct(&none, &[Path::new("/dev/null"), Path::new("/dev/null")]).unwrap();
    }

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
        assert_eq!(replace(&dangling, b"new").unwrap_err().kind(), ErrorKind::NotFound);
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

    #[test]
    fn second_writer_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let first = LockedFile::open(&path).unwrap();
        assert_eq!(LockedFile::open(&path).unwrap_err().kind(), ErrorKind::ResourceBusy);
        drop(first);
        LockedFile::open(&path).unwrap();
        assert!(LockedFile::open(folder.path()).is_err());
    }

    #[test]
    fn file_grows_after_reading() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "whole, to").unwrap();
        let mut file = LockedFile::open(&path).unwrap();
        assert_eq!(file.read_all().unwrap(), b"whole, to");
        file.truncate(5).unwrap();
        file.write_all(b"!").unwrap();
        let mut text = String::new();
        file.reader().unwrap().read_to_string(&mut text).unwrap();
        assert_eq!((text.as_str(), file.size().unwrap()), ("whole!", 6));
        append(&path, b"?").unwrap();
        assert_eq!(file.read_all().unwrap(), b"whole!?");
    }
}
