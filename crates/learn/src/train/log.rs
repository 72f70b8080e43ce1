//! Log of a training run: a CSV row for each epoch.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use enroque_runs::files::LockedFile;

const HEADER: &str = "epoch,loss,held_out_loss,rate,positions_per_second\n";

/// Log file, locked so that no second run writes to the same files.
pub struct Log(LockedFile);

impl Log {
    pub fn path(output: &Path) -> PathBuf {
        output.with_extension("csv")
    }

    /// Opens the log and keeps its first `epochs` rows: a killed run may have written one more.
    pub fn open(path: &Path, epochs: u32) -> io::Result<Self> {
        let mut file = LockedFile::open(path)?;
        let old = file.read_all()?;
        let rows = old.strip_prefix(HEADER.as_bytes()).unwrap_or_default();
        let of_epochs = rows.split_inclusive(|&byte| byte == b'\n').take(epochs as usize);
        let length: usize = of_epochs.filter(|row| row.ends_with(b"\n")).map(<[u8]>::len).sum();
        if old.starts_with(HEADER.as_bytes()) {
            file.truncate((HEADER.len() + length) as u64)?;
        } else {
            file.truncate(0)?;
            file.write_all(HEADER.as_bytes())?;
        }
        Ok(Self(file))
    }

    /// Returns `true` if a file that begins with `bytes` may be a log.
    pub fn is_beginning(bytes: &[u8]) -> bool {
        let header = HEADER.as_bytes();
        bytes.starts_with(header) || header.starts_with(bytes)
    }

    /// Appends a row: the training and held-out losses, the last learning rate, and positions per second.
    pub fn add(&mut self, epoch: u32, losses: [f64; 2], rate: f32, speed: f64) -> io::Result<()> {
        let [loss, held_out] = losses;
        self.0.write_all(format!("{epoch},{loss:.7},{held_out:.7},{rate:.3e},{speed:.0}\n").as_bytes())
    }
}
