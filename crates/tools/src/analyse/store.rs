//! Keeps the finished games of an analysis. Each becomes a line of JSON in a file next to the output, the run's file, and
//! we make all outputs from these lines. The same command, run again, continues after the last line.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::arguments::{Arguments, run_file};
use super::page::{self, GAME_BEGINNING};
use crate::searcher::limits::limits_text;
use enroque::chess::FenStyle;
use enroque::nnue::Network;
use enroque::nnue::network::checksum;
use enroque::util::version;
use enroque_runs::files::{self, AtPath, LockedFile};
use enroque_runs::manifest;
use enroque_runs::progress::Progress;
use enroque_study::judgement::Summary;

/// While we analyse, we rewrite the HTML page no more than once in this time.
const WRITE_INTERVAL: Duration = Duration::from_secs(30);

/// The settings that determine the results of a run. We keep them in the manifest next to the output.
#[derive(PartialEq, Serialize, Deserialize)]
pub struct Settings {
    generator: String,
    network: String,
    /// Name of the input file and its size in bytes.
    source: (String, usize),
    source_checksum: String,
    depth: Option<i32>,
    nodes: Option<u64>,
    movetime: Option<i64>,
    hash: usize,
    multipv: u16,
    syzygy: Option<String>,
    castling: String,
    /// Start position, in X-FEN, of games whose tags do not give one.
    start: Option<String>,
    json: bool,
}

impl Settings {
    /// `text` is the content of `file`.
    pub fn new(arguments: &Arguments, file: &str, text: &str) -> Self {
        let limits = arguments.limits();
        Self {
            generator: version::GENERATOR.to_owned(),
            network: format!("{:016x}", Network::embedded().checksum()),
            source: (file.to_owned(), text.len()),
            source_checksum: format!("{:016x}", checksum(text.as_bytes())),
            depth: limits.depth,
            nodes: limits.nodes,
            movetime: limits.move_time,
            hash: arguments.file_hash(),
            multipv: arguments.multipv,
            syzygy: arguments.syzygy.clone(),
            castling: arguments.castling.name().to_owned(),
            start: arguments.start.as_ref().map(|board| board.fen(FenStyle::XFen)),
            json: arguments.json,
        }
    }
}

/// A finished game, with everything that the outputs need.
pub struct Finished {
    /// The game as a line of JSON, which goes into the run's file and the page.
    line: String,
    /// The game as PGN or JSON, for `--output` or standard output.
    text: String,
    /// White's win percentage in each position; empty if the game cannot be read.
    pub wins: Vec<f64>,
    /// White's statistics, then Black's; `None` if the game cannot be read.
    pub players: Option<[Summary; 2]>,
}

impl Finished {
    /// Reads the line of game `index`; `None` if it is damaged.
    fn parse(line: &str, index: usize) -> Option<Self> {
        #[derive(Deserialize)]
        struct Game {
            number: usize,
            text: String,
            #[serde(default)]
            wins: Vec<f64>,
            players: Option<[Summary; 2]>,
        }
        let Game { number, text, wins, players } = serde_json::from_str(line).ok()?;
        // Somebody may have changed the file, so we escape again whatever could end the script of a page.
        (number == index + 1).then(|| Self { line: crate::page::script_safe(line), text, wins, players })
    }
}

/// A locked file to which we append one game after another.
struct Growing {
    file: LockedFile,
    path: PathBuf,
}

impl Growing {
    fn open(path: &Path) -> Result<(Self, Vec<u8>)> {
        let mut file = LockedFile::open(path).at(path)?;
        let bytes = file.read_all().at(path)?;
        Ok((Self { file, path: path.to_owned() }, bytes))
    }

    /// Cuts the file after `length` bytes. The next game is appended there.
    fn cut(&mut self, length: usize) -> Result<()> {
        self.file.truncate(length as u64).at(&self.path)
    }

    /// Appends bytes, and waits until they are on the disk.
    fn append(&mut self, bytes: &[u8]) -> Result<()> {
        let written = self.file.write_all(bytes).and_then(|()| self.file.sync());
        written.at(&self.path)
    }
}

/// The HTML page of the games so far, which we rewrite as a whole from time to time.
struct Page {
    path: PathBuf,
    lines: Vec<String>,
    last_write: Instant,
}

/// A run's file of finished games, and the outputs made from it.
pub struct Store<'a> {
    arguments: &'a Arguments,
    settings: &'a Settings,
    /// The file that keeps the finished games; `None` if games are only printed or go to a pipe.
    file: Option<Growing>,
    output: Option<Growing>,
    page: Option<Page>,
    /// How many games the input has.
    total: usize,
    finished: usize,
}

impl<'a> Store<'a> {
    /// Opens the outputs of an analysis of `total` games, and returns the games that earlier runs finished. If the last
    /// line of the run's file is incomplete, we drop that line.
    pub fn open(
        arguments: &'a Arguments,
        settings: &'a Settings,
        total: usize,
    ) -> Result<(Self, Vec<Finished>)> {
        if let Some(path) = &arguments.page {
            files::ensure_overwritable(path, page::is_beginning).at(path)?;
        }
        // A run that began with only `--output` or only `--page` can resume with both, so its file may be next to
        // either output.
        let page = arguments.page.as_ref().filter(|path| !files::is_stream(path));
        let outputs: Vec<&PathBuf> = arguments.output.iter().chain(page).collect();
        let main = outputs.iter().find(|path| run_file(path).exists()).or(outputs.first());
        let opened = main.map(|path| open_file(path, settings)).transpose()?;
        let (file, finished) = opened.map_or((None, Vec::new()), |(file, finished)| (Some(file), finished));
        let output = arguments.output.as_ref().map(|path| open_output(path, &finished)).transpose()?;
        let page =
            arguments.page.clone().map(|path| Page { path, lines: Vec::new(), last_write: Instant::now() });
        Ok((Self { arguments, settings, file, output, page, total, finished: 0 }, finished))
    }

    /// Whether a file keeps the finished games, so that a later run can resume.
    pub fn is_kept(&self) -> bool {
        self.file.is_some()
    }

    /// Adds the next finished game to the page, and prints its text unless that goes to another output.
    pub fn add_finished(&mut self, game: &Finished, progress: &Progress) -> Result<()> {
        self.finished += 1;
        // With --output we print no games, with --page only if the user asked for JSON.
        if self.output.is_none() && (self.page.is_none() || self.arguments.json) {
            progress.print_line(&game.text)?;
        }
        if let Some(page) = &mut self.page {
            page.lines.push(game.line.clone());
        }
        Ok(())
    }

    /// Saves the next game and adds it to all outputs. Returns the game as a later run would read it from the run's
    /// file.
    pub fn add(&mut self, text: &str, data: Value, progress: &Progress) -> Result<Finished> {
        let line = page::game_line(self.finished, text, data);
        let game = Finished::parse(&line, self.finished).filter(|game| game.text == text);
        let game = game.context("a game that could not be read again; nothing was written")?;
        if let Some(file) = &mut self.file {
            file.append(format!("{}\n", game.line).as_bytes())?;
        }
        if let Some(output) = &mut self.output {
            output.append(format!("{text}\n").as_bytes())?;
        }
        self.add_finished(&game, progress)?;
        // We can't rewrite a device or pipe, so it gets the page once, at the end.
        let is_due =
            |page: &Page| page.last_write.elapsed() >= WRITE_INTERVAL && !files::is_stream(&page.path);
        if self.page.as_ref().is_some_and(is_due) {
            self.write_page()?;
        }
        Ok(game)
    }

    /// Writes the page with all games so far.
    pub fn write_page(&mut self) -> Result<()> {
        let Some(page) = &mut self.page else { return Ok(()) };
        page.last_write = Instant::now();
        let head = serde_json::json!({
            "made": format!("{} per position, {}", limits_text(&self.arguments.limits()), version::GENERATOR),
            "board": self.arguments.board,
            "me": self.arguments.me,
            "settings": self.settings,
            "total": self.total,
        });
        files::replace_with(&page.path, |out| page::write_page(out, &head, &page.lines)).at(&page.path)
    }

    /// Returns the message after Ctrl-C: how many games are finished, and how to resume.
    pub fn interruption(&self) -> String {
        let Self { finished, total, .. } = self;
        if self.is_kept() {
            return format!("interrupted: {finished} of {total} games are kept; the same command resumes");
        }
        format!("interrupted: {finished} of {total} games are complete; to resume, use --output or --page")
    }
}

/// Opens the file of finished games next to the output `path`, and returns it with these games.
fn open_file(path: &Path, settings: &Settings) -> Result<(Growing, Vec<Finished>)> {
    let file = run_file(path);
    let is_ours = |bytes: &[u8]| bytes.starts_with(GAME_BEGINNING) || GAME_BEGINNING.starts_with(bytes);
    files::ensure_overwritable(&file, is_ours).at(&file)?;
    let record_path = manifest::path(path);
    ensure!(
        record_path.exists() || file.metadata().map_or(true, |file| file.len() == 0),
        "{}: its record {} is missing; write to another file",
        file.display(),
        record_path.display()
    );
    manifest::agree(path, settings)?;
    let (mut growing, mut bytes) = Growing::open(&file)?;
    bytes.truncate(bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1));
    let length = bytes.len();
    let text = String::from_utf8(bytes).at(&file)?;
    let game = |(index, line): (usize, &str)| {
        Finished::parse(line, index).with_context(|| {
            let (name, number) = (file.display(), index + 1);
            format!("{name}, line {number}: expected game {number} of this analysis; write to another file")
        })
    };
    let games = text.lines().enumerate().map(game).collect::<Result<_>>()?;
    growing.cut(length)?;
    Ok((growing, games))
}

/// Opens the output and appends the finished games that it lacks. Fails if the output holds anything but the first part
/// of the text of the finished games, because then it isn't the output of this run.
fn open_output(path: &Path, finished: &[Finished]) -> Result<Growing> {
    let (mut output, old) = Growing::open(path)?;
    let text: String = finished.iter().map(|game| game.text.clone() + "\n").collect();
    ensure!(
        text.as_bytes().starts_with(&old),
        "{}: holds something else, not the games of this analysis; write to another file",
        path.display()
    );
    output.cut(old.len())?;
    output.append(&text.as_bytes()[old.len()..])?;
    Ok(output)
}
