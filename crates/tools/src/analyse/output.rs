//! Output file of analysed games: each game is appended when it is complete, and the same command resumes after the last.

use std::io::Write as _;
use std::path::Path;

use serde_json::Value;

use super::arguments::Arguments;
use super::error::AnalyseError;
use super::page::PageFile;
use super::record::Record;
use enroque_runs::files::LockedFile;
use enroque_runs::manifest;
use enroque_runs::progress::Progress;
use enroque_study::pgn;

/// Output file of analysed games.
pub struct GameFile {
    file: LockedFile,
    path: std::path::PathBuf,
}

impl GameFile {
    /// Opens or creates the file for an analysis. Returns also the number of complete games in it; an incomplete last game is
    /// removed.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened, or holds anything but an analysis of the same games with the same
    /// settings.
    pub fn open(path: &Path, record: &Record) -> Result<(Self, usize), AnalyseError> {
        manifest::agree(path, record)?;
        let fail = |reason| AnalyseError::Write { path: path.to_owned(), reason };
        let mut file = LockedFile::open(path).map_err(fail)?;
        let bytes = file.read_all().map_err(fail)?;
        let text = String::from_utf8_lossy(&bytes);
        let (games, length) = if record.json { complete_lines(&text) } else { complete_games(&text) };
        file.truncate(length as u64).map_err(fail)?;
        Ok((Self { file, path: path.to_owned() }, games))
    }

    /// Appends a game and a line feed.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn write(&mut self, text: &str) -> Result<(), AnalyseError> {
        let written = self.file.write_all(format!("{text}\n").as_bytes()).and_then(|()| self.file.sync());
        written.map_err(|reason| AnalyseError::Write { path: self.path.clone(), reason })
    }
}

/// Returns the number of complete lines and their total length in bytes.
fn complete_lines(text: &str) -> (usize, usize) {
    let length = text.rfind('\n').map_or(0, |at| at + 1);
    (text[..length].lines().count(), length)
}

/// Returns the number of complete games, each ended by an empty line, and their total length in bytes.
fn complete_games(text: &str) -> (usize, usize) {
    let text = &text[..text.rfind("\n\n").map_or(0, |at| at + 2)];
    let mut sections = pgn::sections(text);
    let is_last_complete = sections.last().is_some_and(|last| {
        text.ends_with("\n\n") && last.text.lines().any(|line| !line.is_empty() && !line.starts_with('['))
    });
    if !is_last_complete {
        sections.pop();
    }
    (sections.len(), sections.iter().map(|section| section.text.len()).sum())
}

/// Destinations of the games: standard output or a file, and a page.
pub struct Outputs {
    file: Option<GameFile>,
    /// Number of games in the file from an earlier run.
    file_games: usize,
    page: Option<PageFile>,
    /// Number of games of the input.
    total: usize,
    /// Number of complete games in all outputs.
    written: usize,
}

impl Outputs {
    /// Opens the outputs for an analysis of `total` games, each with what an earlier run left in it.
    ///
    /// # Errors
    /// Returns an error if an output cannot be opened or holds anything else.
    pub fn open(arguments: &Arguments, record: &Record, total: usize) -> Result<Self, AnalyseError> {
        // The page is checked first: opening the file writes its manifest.
        let page = arguments.page.as_ref().map(|path| PageFile::open(path, arguments, record, total));
        let page = page.transpose()?;
        let file = arguments.output.as_ref().map(|path| GameFile::open(path, record)).transpose()?;
        let (file, file_games) = file.map_or((None, 0), |(file, games)| (Some(file), games));
        let mut outputs = Self { file, file_games: file_games.min(total), page, total, written: 0 };
        outputs.written = outputs.complete();
        Ok(outputs)
    }

    /// Returns the number of games that need no analysis.
    pub fn complete(&self) -> usize {
        self.page.as_ref().map_or(self.file_games, PageFile::games)
    }

    /// Returns `true` if complete games are kept in a file.
    pub fn has_file(&self) -> bool {
        self.file.is_some() || self.page.is_some()
    }

    /// Writes the complete games of the page that the file or standard output lacks.
    ///
    /// # Errors
    /// Returns an error if the output fails.
    pub fn replay(&mut self, progress: &Progress) -> Result<(), AnalyseError> {
        let Self { file, page: Some(page), file_games, .. } = self else { return Ok(()) };
        for text in page.texts(*file_games)? {
            write(file, &text?, progress)?;
        }
        Ok(())
    }

    /// Adds game `index`, its text and its data for the page.
    ///
    /// # Errors
    /// Returns an error if an output fails.
    pub fn add(
        &mut self,
        index: usize,
        text: &str,
        data: impl FnOnce() -> Value,
        progress: &Progress,
    ) -> Result<(), AnalyseError> {
        if index >= self.file_games {
            write(&mut self.file, text, progress)?;
        }
        if let Some(page) = &mut self.page {
            page.add(index, text, data())?;
        }
        self.written = index + 1;
        Ok(())
    }

    /// Writes the page with all games so far.
    ///
    /// # Errors
    /// Returns an error if the page cannot be written.
    pub fn finish(&mut self) -> Result<(), AnalyseError> {
        self.page.as_ref().map_or(Ok(()), PageFile::write)
    }

    /// Returns a sentence about the games that are kept after Ctrl-C.
    pub fn interruption(&self) -> String {
        let Self { written, total, .. } = self;
        if self.has_file() {
            return format!("interrupted: {written} of {total} games are kept; the same command resumes");
        }
        format!(
            "interrupted: {written} of {total} games are complete; --output or --page makes it possible to resume"
        )
    }
}

/// Writes a game to the file or to standard output.
fn write(file: &mut Option<GameFile>, text: &str, progress: &Progress) -> Result<(), AnalyseError> {
    match file {
        Some(file) => file.write(text),
        None => Ok(progress.print_line(text)?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truncated_game_is_incomplete() {
        let text = "[White \"A\"]\n\n1. e4 {x}\ne5 *\n\n[White \"B\"]\n\n1. d4 *\n\n";
        assert_eq!(complete_games(text), (2, text.len()));
        let second = text.find("[White \"B").unwrap();
        for end in second..text.len() {
            assert_eq!(complete_games(&text[..end]), (1, second), "{end}");
        }
        for end in 0..second {
            assert_eq!(complete_games(&text[..end]), (0, 0), "{end}");
        }
        assert_eq!(complete_lines("{}\n{\"a\""), (1, 3));
    }
}
