//! Keeps the finished games of an analysis. Each becomes a line of JSON in a file next to the output, the run's file, and
//! we make all outputs from these lines. The same command, run again, continues after the last line.

use std::io::{BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::arguments::{Arguments, run_file};
use super::input::GameFile;
use super::page;
use crate::searcher::limits::limits_text;
use enroque::chess::{Board, FenStyle};
use enroque::nnue::Network;
use enroque::nnue::network::Checksum;
use enroque::search::limits::Limits;
use enroque::util::version;
use enroque_runs::files::{self, AtPath, LockedFile};
use enroque_runs::manifest::{self, Made};
use enroque_runs::progress::Progress;
use enroque_runs::rows::{self, Encoding, Row, Rows};
use enroque_runs::shard::Shard;
use enroque_study::judgement::Summary;
use enroque_study::pgn::Section;
use enroque_study::search_record::SearchRecord;

/// While we analyse, we rewrite the HTML page no more than once in this time.
const WRITE_INTERVAL: Duration = Duration::from_secs(30);

/// Each line of the run's file begins like this.
const BEGINNING: &str = "{\"number\":";

/// The settings that determine the results of a run. We keep them in the manifest next to the output.
#[derive(PartialEq, Serialize, Deserialize)]
pub struct Settings {
    #[serde(flatten)]
    made: Made,
    /// Name of the input file and the size of its text in bytes.
    source: (String, usize),
    source_checksum: String,
    /// Which part this run is, and how many games the whole input has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<(Shard, usize)>,
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
    pub fn new(arguments: &Arguments, file: &GameFile, start: Option<&Board>) -> Self {
        let limits = arguments.limits();
        Self {
            made: Made::with(&Network::embedded()),
            source: (file.name.clone(), file.size.bytes),
            source_checksum: hexadecimal(file.size.checksum),
            part: (arguments.shard != Shard::WHOLE).then_some((arguments.shard, file.positions.len())),
            depth: limits.depth,
            nodes: limits.nodes,
            movetime: limits.move_time,
            hash: arguments.file_hash(),
            multipv: arguments.multipv,
            syzygy: arguments.syzygy.clone(),
            castling: arguments.castling.name().to_owned(),
            start: start.map(|board| board.fen(FenStyle::XFen)),
            json: arguments.json,
        }
    }

    /// Returns what a page with this many games holds, except the games.
    pub fn head(&self, total: u64) -> Value {
        let Self { nodes, depth, movetime, .. } = *self;
        let limits = Limits { nodes, depth, move_time: movetime, ..Limits::default() };
        json!({
            "made": format!("{} per position, {}", limits_text(&limits), version::GENERATOR),
            "settings": self,
            "total": total,
        })
    }
}

/// Writes the page with this [head](Settings::head); `add` adds the games.
pub fn write_page(
    path: &Path,
    head: &Value,
    add: impl FnOnce(&mut page::Writer<'_>) -> Result<()>,
) -> Result<()> {
    files::replace_with(path, |out| {
        let mut writer = page::Writer::begin(out, head)?;
        add(&mut writer)?;
        anyhow::Ok(writer.finish()?)
    })
    .at(path)
}

/// A finished game, with everything that the outputs need.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct FinishedGame {
    /// Number of the game in its file, counted from 1.
    pub number: usize,
    /// Of the game's text in the input; version 0.2.0 wrote none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checksum: Option<String>,
    /// What the page shows, and the game as PGN or JSON (`text`).
    #[serde(flatten)]
    data: Map<String, Value>,
}

impl Row for FinishedGame {
    const ENCODING: Encoding = Encoding::JsonLines { beginning: BEGINNING };
}

impl FinishedGame {
    fn new(section: &Section, text: &str, data: Value) -> Self {
        let mut data = match data {
            Value::Object(data) => data,
            other => Map::from_iter([("data".to_owned(), other)]),
        };
        data.insert("text".to_owned(), text.into());
        Self { number: section.number, checksum: Some(checksum(section)), data }
    }

    /// Fails unless this is the analysis of the game in `section`.
    pub fn ensure_of(&self, section: &Section) -> Result<()> {
        let number = self.number;
        ensure!(
            number == section.number
                && self.checksum.as_ref().is_none_or(|known| *known == checksum(section)),
            "game {number} here is not game {} of the input; write to another file",
            section.number
        );
        Ok(())
    }

    /// Returns the game as PGN or JSON, for `--output` or standard output.
    pub fn text(&self) -> &str {
        self.data.get("text").and_then(Value::as_str).unwrap_or_default()
    }

    fn field<T: serde::de::DeserializeOwned>(&self, name: &str) -> Option<T> {
        serde_json::from_value(self.data.get(name)?.clone()).ok()
    }

    /// Returns White's win percentage in each position; empty if the game cannot be read.
    pub fn wins(&self) -> Vec<f64> {
        self.field("wins").unwrap_or_default()
    }

    /// Returns White's statistics, then Black's; `None` if the game cannot be read.
    pub fn players(&self) -> Option<[Summary; 2]> {
        self.field("players")
    }
}

/// The HTML page of the games so far, which we rewrite as a whole from time to time.
struct Page {
    path: PathBuf,
    last_write: Instant,
    /// The games, if no file keeps them.
    games: Vec<FinishedGame>,
}

/// A run's file of finished games, and the outputs made from it.
pub struct Store<'a> {
    arguments: &'a Arguments,
    settings: &'a Settings,
    /// The file that keeps the finished games; `None` if games are only printed or go to a pipe.
    rows: Option<Rows<FinishedGame>>,
    output: Option<(PathBuf, LockedFile)>,
    page: Option<Page>,
    /// How many games this run has to analyse.
    total: usize,
    pub finished: usize,
    /// Keeps what was searched when Ctrl-C interrupted a game, next to `rows`.
    unfinished: Option<PathBuf>,
}

/// The searches of an interrupted game.
#[derive(Serialize, Deserialize)]
struct UnfinishedGame {
    number: usize,
    checksum: String,
    searches: Vec<SearchRecord>,
}

impl<'a> Store<'a> {
    /// Opens the outputs of an analysis of `total` games, and counts the games that earlier runs finished. If the last
    /// line of the run's file is incomplete, we drop that line.
    pub fn open(arguments: &'a Arguments, settings: &'a Settings, total: usize) -> Result<Self> {
        if let Some(path) = &arguments.page {
            files::ensure_overwritable(path, page::is_beginning).at(path)?;
            ensure_own_page(path, settings)?;
        }
        // A run that began with only `--output` or only `--page` can resume with both, so its file may be next to
        // either output.
        let page = arguments.page.as_ref().filter(|path| !files::is_stream(path));
        let outputs: Vec<&PathBuf> = arguments.output.iter().chain(page).collect();
        let main = outputs.iter().find(|path| run_file(path).exists()).or(outputs.first());
        let (mut rows, mut finished) = (None, 0);
        if let Some(path) = main {
            rows = Some(open_rows(path, settings, &mut finished)?);
        }
        let mut output = None;
        if let Some((path, rows)) = arguments.output.as_ref().zip(rows.as_mut()) {
            output = Some((path.clone(), open_output(path, rows)?));
        }
        let page_file = page;
        let page =
            arguments.page.clone().map(|path| Page { path, last_write: Instant::now(), games: Vec::new() });
        let unfinished = main.map(|path| files::sibling(path, "unfinished"));
        let mut store = Self { arguments, settings, rows, output, page, total, finished, unfinished };
        // From now on, another analysis finds our settings in the page. A device or pipe gets the page once, at the end.
        if page_file.is_some() {
            store.write_page()?;
        }
        Ok(store)
    }

    /// Returns the searches that an interrupted run did for a game.
    pub fn unfinished(&self, section: &Section) -> Result<Vec<SearchRecord>> {
        let Some(path) = self.unfinished.as_ref().filter(|path| path.exists()) else { return Ok(Vec::new()) };
        let kept = std::fs::read(path).at(path)?;
        let kept: Option<UnfinishedGame> = serde_json::from_slice(&kept).ok();
        let is_own =
            |kept: &UnfinishedGame| kept.number == section.number && kept.checksum == checksum(section);
        Ok(kept.filter(is_own).map_or_else(Vec::new, |kept| kept.searches))
    }

    /// Keeps the searches of an interrupted game for a later run. Returns whether there can be one.
    pub fn keep_unfinished(&self, section: &Section, searches: Vec<SearchRecord>) -> Result<bool> {
        let Some(path) = &self.unfinished else { return Ok(false) };
        files::ensure_overwritable(path, |bytes| bytes.starts_with(BEGINNING.as_bytes())).at(path)?;
        let game = UnfinishedGame { number: section.number, checksum: checksum(section), searches };
        files::replace(path, &serde_json::to_vec(&game)?).at(path)?;
        Ok(true)
    }

    /// Prints the games that earlier runs finished, as far as they go to standard output, and calls `take` for each.
    pub fn each_finished(
        &mut self,
        progress: &Progress,
        mut take: impl FnMut(&FinishedGame) -> Result<()>,
    ) -> Result<()> {
        let is_printed = self.is_printed();
        let Some(rows) = &mut self.rows else { return Ok(()) };
        rows.each(|game| {
            if is_printed {
                progress.print_line(game.text())?;
            }
            take(&game)
        })
    }

    /// With --output we print no games, with --page only if the user asked for JSON.
    fn is_printed(&self) -> bool {
        self.output.is_none() && (self.page.is_none() || self.arguments.json)
    }

    /// Saves the next game and adds it to all outputs. `data` is what the page shows. Returns the game as a later run
    /// would read it from the run's file.
    pub fn add(
        &mut self,
        section: &Section,
        text: &str,
        data: Value,
        progress: &Progress,
    ) -> Result<FinishedGame> {
        self.finished += 1;
        let game = FinishedGame::new(section, text, data);
        if let Some(rows) = &mut self.rows {
            rows.add(&game)?;
        }
        if let Some(path) = self.unfinished.take_if(|path| path.exists()) {
            std::fs::remove_file(&path).at(&path)?;
            self.unfinished = Some(path);
        }
        if let Some((path, output)) = &mut self.output {
            output.append(format!("{text}\n").as_bytes()).at(path)?;
        }
        if self.is_printed() {
            progress.print_line(text)?;
        }
        // We can't rewrite a device or pipe, so it gets the page once, at the end.
        let is_due =
            |page: &Page| page.last_write.elapsed() >= WRITE_INTERVAL && !files::is_stream(&page.path);
        if self.page.as_ref().is_some_and(is_due) {
            self.write_page()?;
        }
        if let (Some(page), None) = (&mut self.page, &self.rows) {
            page.games.push(game.clone());
        }
        Ok(game)
    }

    /// Writes the page with all games so far.
    pub fn write_page(&mut self) -> Result<()> {
        let Some(page) = &mut self.page else { return Ok(()) };
        page.last_write = Instant::now();
        let mut head = self.settings.head(self.total as u64);
        head["board"] = json!(self.arguments.board);
        head["me"] = json!(self.arguments.me);
        let Page { path, games, .. } = page;
        write_page(path, &head, |writer| match &mut self.rows {
            Some(rows) => rows.each(|game| Ok(writer.add(&game)?)),
            None => games.iter().try_for_each(|game| Ok(writer.add(game)?)),
        })
    }

    /// Returns the message after Ctrl-C: how many games are finished, and how to resume.
    pub fn interruption(&self) -> String {
        let Self { finished, total, .. } = self;
        if self.rows.is_some() {
            return format!(
                "interrupted: {finished} of {total} games are kept, and the searches of the next; the same command \
                 resumes"
            );
        }
        format!("interrupted: {finished} of {total} games are complete; to resume, use --output or --page")
    }
}

fn hexadecimal(Checksum(checksum): Checksum) -> String {
    format!("{checksum:016x}")
}

/// Returns the checksum for a game's text.
fn checksum(section: &Section) -> String {
    let mut checksum = Checksum::default();
    checksum.add(section.text.as_bytes());
    hexadecimal(checksum)
}

/// Fails if `path` is a page that another analysis writes or wrote.
fn ensure_own_page(path: &Path, settings: &Settings) -> Result<()> {
    if files::is_stream(path) || !path.exists() {
        return Ok(());
    }
    let page = std::fs::File::open(path).at(path)?;
    let other = page::settings(BufReader::new(page)).at(path)?;
    let is_own = other.is_none_or(|other| serde_json::to_value(settings).is_ok_and(|own| own == other));
    ensure!(
        is_own,
        "{}: made with other settings, or by an analysis of other games; write to another file",
        path.display()
    );
    Ok(())
}

/// Opens the file of finished games next to the output `path`, and counts these games.
fn open_rows(path: &Path, settings: &Settings, finished: &mut usize) -> Result<Rows<FinishedGame>> {
    let file = run_file(path);
    rows::ensure_overwritable(&file, &[FinishedGame::ENCODING])?;
    let manifest = manifest::path(path);
    ensure!(
        manifest.exists() || file.metadata().map_or(true, |file| file.len() == 0),
        "{}: its record {} is missing; write to another file",
        file.display(),
        manifest.display()
    );
    manifest::agree(path, settings)?;
    let shard = settings.part.map_or(Shard::WHOLE, |(shard, _)| shard);
    Rows::open(&file, |game: FinishedGame| {
        *finished += 1;
        let number = shard.index_in_whole(*finished as u64 - 1) as usize + 1;
        ensure!(
            game.number == number && game.data.get("text").is_some_and(Value::is_string),
            "expected game {number} of this analysis; write to another file"
        );
        Ok(())
    })
}

/// Opens the output and appends the finished games that it lacks. Fails if the output holds anything but the first part
/// of the text of the finished games, because then it isn't the output of this run.
fn open_output(path: &Path, finished: &mut Rows<FinishedGame>) -> Result<LockedFile> {
    let mut output = LockedFile::open(path).at(path)?;
    let size = output.size().at(path)?;
    let mut old = BufReader::new(output.reader().at(path)?);
    // How many bytes of the output we haven't compared yet.
    let mut left = size;
    let mut agrees = true;
    finished.each(|game| {
        let text = format!("{}\n", game.text());
        let length = text.len().min(left as usize);
        let mut found = vec![0; length];
        old.read_exact(&mut found)?;
        agrees &= found == text.as_bytes()[..length];
        left -= length as u64;
        Ok(())
    })?;
    ensure!(
        agrees && left == 0,
        "{}: holds something else, not the games of this analysis; write to another file",
        path.display()
    );
    output.truncate(size).at(path)?;
    let mut skipped = size as usize;
    finished.each(|game| {
        let text = format!("{}\n", game.text());
        let length = text.len().min(skipped);
        skipped -= length;
        output.write_all(&text.as_bytes()[length..]).at(path)
    })?;
    output.sync().at(path)?;
    Ok(output)
}
