//! Atomic replacement: a temporary file beside the target is written and renamed.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::locked::{LockedFile, lock, remove, rename};
use super::open::{is_stream, open_regular, open_stream};
use super::paths::folder;
use enroque::util::random::Random;

/// End of the name of a temporary file beside its target. It has the name of the program, so that no file of a person
/// is taken for one.
const SUFFIX: &str = ".enroque";
/// Hexadecimal digits of a random name.
const RANDOM_DIGITS: usize = 16;

/// New file with a random name, locked; removed when dropped unless it was renamed.
pub struct TemporaryFile {
    file: LockedFile,
    is_renamed: bool,
}

impl TemporaryFile {
    /// Creates an empty file in `folder`, with a random part of its name between `prefix` and `suffix`. Neither an
    /// existing file nor a link is opened.
    ///
    /// # Errors
    /// Returns an error if the file cannot be created.
    pub fn create(folder: &Path, prefix: &OsStr, suffix: &str) -> io::Result<Self> {
        let mut random = Random::from_entropy();
        loop {
            let mut name = prefix.to_owned();
            name.push(format!("{:0RANDOM_DIGITS$x}{suffix}", random.bits()));
            match LockedFile::create_new(&folder.join(name)) {
                Ok(file) => return Ok(Self { file, is_renamed: false }),
                Err(error) if is_taken(&error) => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Creates an empty file beside the file `path`, with its permissions. If `path` names a device or pipe, the file is in the
    /// system's folder for temporary files.
    ///
    /// # Errors
    /// Returns an error if the file cannot be created.
    pub fn beside(path: &Path) -> io::Result<Self> {
        if is_stream(path) {
            return Self::create(&std::env::temp_dir(), OsStr::new("enroque-"), SUFFIX);
        }
        temporary_for(path)
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Returns a second handle for reading; see [`LockedFile::reader`].
    ///
    /// # Errors
    /// Returns an error if the system cannot duplicate the handle.
    pub fn reader(&self) -> io::Result<File> {
        self.file.reader()
    }

    /// Truncates the file to `length` bytes and moves the write position there.
    ///
    /// # Errors
    /// Returns an error if the system fails to do it.
    pub fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.file.truncate(length)
    }

    /// Unlocks the file: on Windows no other program can read a locked one.
    ///
    /// # Errors
    /// Returns an error if the system cannot unlock it.
    pub fn unlock(&self) -> io::Result<()> {
        self.file.unlock()
    }

    /// Waits until all written data is on the disk, then replaces `target` by the file.
    fn rename(mut self, target: &Path) -> io::Result<()> {
        self.file.sync()?;
        rename(self.file.path(), target)?;
        self.is_renamed = true;
        Ok(())
    }
}

/// Returns `true` if another name may succeed: a file of this name exists, or another process has locked the new file.
fn is_taken(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::ResourceBusy)
}

impl Write for TemporaryFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        if !self.is_renamed {
            let _ = remove(self.file.path());
        }
    }
}

/// Destination of a replacement.
enum Destination {
    /// Device or pipe, which is written and never replaced.
    Stream(File),
    /// Path of a regular file or of a new one; for a link that of its target.
    File(PathBuf),
}

impl Destination {
    fn of(path: &Path) -> io::Result<Self> {
        if is_stream(path) {
            return Ok(Self::Stream(open_stream(path)?));
        }
        let is_link = path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
        Ok(Self::File(if is_link { path.canonicalize()? } else { path.to_owned() }))
    }
}

/// Replaces the file atomically with the output of `write`. Permissions stay. A link stays, and its target is replaced.
/// A device or pipe is written through.
///
/// # Errors
/// Returns an error if `write` or the disk fails; a regular file is then unchanged.
pub fn replace_with<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let target = match Destination::of(path)? {
        Destination::File(target) => target,
        Destination::Stream(stream) => {
            let mut out = BufWriter::new(stream);
            write(&mut out)?;
            return Ok(out.flush()?);
        }
    };
    let mut out = BufWriter::new(temporary_for(&target)?);
    write(&mut out)?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    Ok(file.rename(&target)?)
}

/// Replaces the file atomically with `bytes`; see [`replace_with`].
///
/// # Errors
/// Returns an error if the disk fails; a regular file is then unchanged.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_with(path, |out| out.write_all(bytes))
}

/// Creates a temporary file beside `target` with the same permissions.
fn temporary_for(target: &Path) -> io::Result<TemporaryFile> {
    let mut prefix = OsString::from(".");
    prefix.push(target.file_name().unwrap_or_default());
    prefix.push(".");
    remove_remains(folder(target), &prefix);
    let temporary = TemporaryFile::create(folder(target), &prefix, SUFFIX)?;
    if let Ok(old) = target.metadata() {
        let file = temporary.file.file();
        if file.metadata()?.permissions() != old.permissions() {
            file.set_permissions(old.permissions())?;
        }
    }
    Ok(temporary)
}

/// Removes temporary files that killed processes left. No process has locked them.
fn remove_remains(folder: &Path, prefix: &OsStr) {
    let Ok(entries) = folder.read_dir() else { return };
    for entry in entries.flatten() {
        let is_regular = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_regular && is_temporary_name(&entry.file_name(), prefix) {
            let _ = remove_if_abandoned(&entry.path());
        }
    }
}

fn remove_if_abandoned(path: &Path) -> io::Result<()> {
    let file = open_regular(path)?;
    if lock(&file)? { remove(path) } else { Ok(()) }
}

fn is_temporary_name(name: &OsStr, prefix: &OsStr) -> bool {
    let random = name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes());
    let random = random.and_then(|rest| rest.strip_suffix(SUFFIX.as_bytes()));
    random.is_some_and(|random| random.len() == RANDOM_DIGITS && random.iter().all(u8::is_ascii_hexdigit))
}

#[cfg(test)]
mod tests {
    use super::super::fault::Fault;
    use super::*;

    fn names(folder: &Path) -> Vec<OsString> {
        let mut names: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    }

    #[test]
    fn replacement_is_atomic() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut steps = 0;
        loop {
            std::fs::write(&path, "old").unwrap();
            let fault = Fault::after(steps, folder.path());
            let replaced = replace(&path, b"new and longer");
            assert_eq!(replaced.is_ok(), std::fs::read(&path).unwrap() == b"new and longer");
            assert!(replaced.is_ok() || std::fs::read(&path).unwrap() == b"old");
            if fault.is_unused() {
                break;
            }
            steps += 1;
        }
        assert!(steps >= 4, "create, write, sync, rename: {steps}");
        // The last run removed the remains of those before it.
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[test]
    fn own_remains_alone_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        let abandoned = ".file.0123456789abcdef.enroque";
        let foreign = ["file.new", ".file.notes.enroque", ".other.0123456789abcdef.enroque"];
        for name in foreign.iter().chain([&abandoned]) {
            std::fs::write(file(name), "notes").unwrap();
        }
        let prefix = OsStr::new(".file.");
        let in_use = TemporaryFile::create(folder.path(), prefix, SUFFIX).unwrap();
        replace(&file("file"), b"new").unwrap();
        assert!(in_use.path().exists() && !file(abandoned).exists());
        for name in foreign {
            assert_eq!(std::fs::read_to_string(file(name)).unwrap(), "notes", "{name}");
        }
        let path = in_use.path().to_owned();
        drop(in_use);
        assert!(!path.exists());
    }

    #[test]
    fn unlocked_file_can_be_opened() {
        let folder = tempfile::tempdir().unwrap();
        let temporary = TemporaryFile::create(folder.path(), OsStr::new("book"), ".epd").unwrap();
        assert_eq!(LockedFile::open(temporary.path()).unwrap_err().kind(), io::ErrorKind::ResourceBusy);
        temporary.unlock().unwrap();
        LockedFile::open(temporary.path()).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn permissions_stay() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for mode in [0o600, 0o640, 0o755] {
            std::fs::write(&path, "old").unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            replace(&path, b"new").unwrap();
            assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, mode);
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_and_pipes_written_through() {
        use std::os::unix::fs::{FileTypeExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let [real, link, dangling, pipe] =
            ["real", "link", "dangling", "pipe"].map(|name| folder.path().join(name));
        std::fs::write(&real, "old").unwrap();
        symlink("real", &link).unwrap();
        replace(&link, b"new").unwrap();
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(std::fs::read(&real).unwrap(), b"new");
        symlink("missing", &dangling).unwrap();
        assert_eq!(replace(&dangling, b"new").unwrap_err().kind(), io::ErrorKind::NotFound);

        let name = std::ffi::CString::new(pipe.as_os_str().as_encoded_bytes()).unwrap();
        // SAFETY: the name is a valid string that ends with a zero.
        assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
        let error = replace(&pipe, b"new").unwrap_err();
        assert!(error.to_string().contains("no process reads from this pipe"), "{error}");
        assert!(open_regular(&pipe).unwrap_err().to_string().contains("expected a regular file"));
        assert!(LockedFile::open(&pipe).is_err());
        // More than a pipe holds.
        let long = vec![b'x'; 1 << 20];
        let reading = pipe.clone();
        let reader = std::thread::spawn(move || std::fs::read(reading).unwrap());
        while replace(&pipe, &long).is_err() {
            std::thread::yield_now();
        }
        assert_eq!(reader.join().unwrap(), long);
        assert!(pipe.symlink_metadata().unwrap().file_type().is_fifo());
        assert_eq!(names(folder.path()), ["dangling", "link", "pipe", "real"]);
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
