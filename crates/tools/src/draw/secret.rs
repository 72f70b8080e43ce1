//! The secret file of an event, from which the shares of the rounds follow.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::error::DrawError;
use super::event::{Event, commitments, line};
use super::hash;
use enroque_runs::files::LockedFile;

/// First line of every secret file, with the version of the format.
const FIRST_LINE: &str = "enroque draw secret 1";
const NOTE: &str = "Keep this file private and safe until the last round is drawn: it reveals every start.";
/// Random bytes of a secret.
const SECRET_BYTES: usize = 32;
/// Permissions of a secret file: only the owner reads and writes it.
#[cfg(unix)]
const PRIVATE: u32 = 0o600;

/// Returns a new secret from the system's random numbers, mixed with `words`.
///
/// # Errors
/// Returns an error if the system has no random numbers.
pub fn generate(words: &[String]) -> Result<String, DrawError> {
    let mut bytes = [0; SECRET_BYTES];
    getrandom::fill(&mut bytes).map_err(DrawError::Random)?;
    Ok(hash::sha256(&format!("{}\n{}\n", hash::hexadecimal(&bytes), words.join(" "))))
}

/// Writes the secret of an event to a new file that only its owner can read.
///
/// # Errors
/// Returns an error if the file exists or cannot be written.
pub fn write(path: &Path, event: &Event, secret: &str) -> Result<(), DrawError> {
    let fingerprint = line("fingerprint", event.fingerprint());
    let text = format!("{FIRST_LINE}\n{fingerprint}\n{}\n\n{NOTE}\n", line("secret", secret));
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, PRIVATE);
    create(&mut options, path, &text)
}

/// Writes a new file.
///
/// # Errors
/// Returns an error if the file exists or cannot be written.
pub fn create(options: &mut OpenOptions, path: &Path, text: &str) -> Result<(), DrawError> {
    let file = options.write(true).create_new(true).open(path);
    let write = |mut file: std::fs::File| file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    match file {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(DrawError::Exists(path.to_owned())),
        Err(reason) => Err(DrawError::File { path: path.to_owned(), reason }),
        Ok(file) => write(file).map_err(|reason| {
            // The file is this call's own, incomplete and of no value.
            let _ = std::fs::remove_file(path);
            DrawError::File { path: path.to_owned(), reason }
        }),
    }
}

/// Secret of an event, locked against a second process that draws at the same time.
pub struct Secret {
    secret: String,
    _lock: LockedFile,
}

impl Secret {
    /// Opens the secret file of `event`.
    ///
    /// # Errors
    /// Returns an error if the file is missing, in use, damaged or of another event.
    pub fn open(path: PathBuf, event: &Event) -> Result<Self, DrawError> {
        let file = |reason| DrawError::File { path: path.clone(), reason };
        let damaged = |what| DrawError::Secret { path: path.clone(), what };
        // An opened lock would create the file.
        if !path.exists() {
            return Err(damaged("missing; it is made by 'draw init', and --secret names another place"));
        }
        let mut lock = LockedFile::open(&path).map_err(file)?;
        let text = String::from_utf8(lock.read_all().map_err(file)?).unwrap_or_default();
        let value = |keyword| text.lines().find_map(|found| found.strip_prefix(&line(keyword, "")));
        let (Some(fingerprint), Some(secret)) = (value("fingerprint"), value("secret")) else {
            return Err(damaged("not the secret file of a draw"));
        };
        if fingerprint != event.fingerprint() {
            return Err(damaged("the secret of another event"));
        }
        if commitments(secret, event.rounds()) != event.commitments {
            return Err(damaged("damaged: the event's commitments do not follow from the secret"));
        }
        Ok(Self { secret: secret.to_owned(), _lock: lock })
    }

    /// Returns the share of a round.
    pub fn share(&self, round: usize) -> String {
        hash::share(&self.secret, round)
    }
}
