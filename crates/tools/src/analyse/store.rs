//! Lines of text in a temporary file: the games of a large page, which would not fit into memory.

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use enroque_runs::files::TemporaryFile;

/// Lines in a temporary file.
pub struct LineStore {
    file: TemporaryFile,
    /// Length of all lines in bytes.
    length: u64,
    count: usize,
}

impl LineStore {
    /// Creates an empty store beside the file `path`.
    ///
    /// # Errors
    /// Returns an error if the temporary file cannot be created.
    pub fn beside(path: &Path) -> io::Result<Self> {
        Ok(Self { file: TemporaryFile::beside(path)?, length: 0, count: 0 })
    }

    /// Returns the number of lines.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Adds a line, which has no line feed.
    ///
    /// # Errors
    /// Returns an error if the disk fails.
    pub fn push(&mut self, line: &str) -> io::Result<()> {
        // Reading has moved the position.
        self.file.truncate(self.length)?;
        let line = format!("{line}\n");
        self.file.write_all(line.as_bytes())?;
        self.length += line.len() as u64;
        self.count += 1;
        Ok(())
    }

    /// Reads the lines in their order.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read; so does each line.
    pub fn lines(&self) -> io::Result<impl Iterator<Item = io::Result<String>>> {
        Ok(BufReader::new(self.file.reader()?).lines())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_grow_between_readings() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = LineStore::beside(&folder.path().join("page.html")).unwrap();
        let lines = |store: &LineStore| store.lines().unwrap().collect::<Result<Vec<_>, _>>().unwrap();
        assert_eq!((store.count(), lines(&store)), (0, vec![]));
        let long = "x".repeat(100_000);
        for line in ["a", &long, ""] {
            store.push(line).unwrap();
            // A reader that stops early does not harm the next line.
            assert_eq!(store.lines().unwrap().next().unwrap().unwrap(), "a");
        }
        assert_eq!((store.count(), lines(&store)), (3, vec!["a".to_owned(), long, String::new()]));
        drop(store);
        assert_eq!(folder.path().read_dir().unwrap().count(), 0);
    }
}
