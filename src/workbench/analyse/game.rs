//! Analysis of the games of a PGN file.

use std::path::Path;

use serde::Serialize;

use super::analyst::{Analyst, search_in_order};
use super::annotation::annotated;
use super::arguments::Arguments;
use super::error::AnalyseError;
use super::findings::Findings;
use super::judge::{JudgedGame, Judgement, Summary, judge};
use super::output::GameFile;
use super::variation::json_line;
use super::verification::verify;
use super::{graph, page};
use crate::chess::Board;
use crate::terminal::progress::Progress;
use crate::terminal::{ExitStatus, eprint_line, interrupt};
use crate::util::files;
use crate::workbench::pgn::{self, PgnGame, Section};

/// Entry of a game file.
enum Entry<'a> {
    Game(Box<PgnGame>),
    /// Text of a game without a valid start position, written unchanged, and its error.
    Broken(&'a str, String),
}

impl Entry<'_> {
    /// Returns the number of positions to search: one more than moves.
    fn positions(&self) -> usize {
        match self {
            Self::Game(game) => match game.moves().count() {
                0 => 0,
                moves => moves + 1,
            },
            Self::Broken(..) => 0,
        }
    }

    /// Returns the positions to search, each with its game history.
    fn boards(&self) -> impl Iterator<Item = Board> + Send {
        let boards = match self {
            Self::Game(game) if self.positions() > 0 => game.boards(),
            _ => Vec::new(),
        };
        boards.into_iter()
    }
}

/// JSON report of a game.
#[derive(Serialize)]
struct GameReport<'a> {
    white: &'a str,
    black: &'a str,
    result: &'a str,
    /// Statistics of White and of Black.
    players: [Summary; 2],
    moves: &'a [Judgement],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    faults: &'a [String],
}

/// JSON report of a game that cannot be read.
#[derive(Serialize)]
struct BrokenReport<'a> {
    error: &'a str,
}

/// Analyses the games of a file in order, the positions of each in parallel.
pub(super) fn analyse_games(
    analysts: &mut [Analyst],
    arguments: &Arguments,
    file: &str,
    text: &str,
) -> Result<ExitStatus, AnalyseError> {
    let sections = pgn::sections(text);
    if sections.is_empty() {
        eprint_line(&format!("enroque: {file}: no games"));
        return Ok(ExitStatus::BadInput);
    }
    if let Some(path) = &arguments.graph {
        graph::ensure_overwritable(path)?;
    }
    if let Some(path) = &arguments.page {
        files::ensure_overwritable(path, page::is_beginning).map_err(|reason| write_error(path, reason))?;
    }
    let (entries, status) = read_entries(arguments, file, &sections);
    let mut output = Output::open(arguments, (file, text))?;
    let complete = output.complete_games.min(entries.len());
    if complete > 0 {
        eprint_line(&format!("resuming after {complete} of {} games", entries.len()));
    }
    let positions = |entries: &[Entry<'_>]| entries.iter().map(Entry::positions).sum::<usize>() as u64;
    let done = positions(&entries[..complete]);
    let mut report = Report {
        arguments,
        output: &mut output,
        progress: Progress::new(positions(&entries), "positions", done),
        done,
        graphs: 0,
        page_games: Vec::new(),
    };
    for (index, entry) in entries.iter().enumerate().skip(complete) {
        let title = match entry {
            Entry::Broken(text, error) => {
                report.write_broken(text, error)?;
                continue;
            }
            Entry::Game(game) => {
                format!("game {}/{}: {} - {}", index + 1, entries.len(), game.tag("White"), game.tag("Black"))
            }
        };
        let mut findings = Findings::default();
        let take = |line| {
            findings.push(line);
            report.done += 1;
            report.progress.set(report.done, || title.clone());
            Ok(())
        };
        search_in_order(
            analysts,
            entry.boards(),
            |analyst, board| analyst.best_line(&board, arguments.limits()),
            take,
        )?;
        if let Entry::Game(game) = entry {
            verify(analysts, arguments, game, &mut findings)?;
            if interrupt::happened() {
                report.write_partial(game, &findings)?;
                break;
            }
            report.add(index + 1, game, &findings)?;
        }
    }
    report.progress.finish();
    if let Some(path) = &arguments.page {
        files::replace(path, page::html(&report.page_games, &arguments.limits_text()).as_bytes())
            .map_err(|reason| write_error(path, reason))?;
    }
    Ok(if interrupt::happened() { ExitStatus::Interrupted } else { status })
}

/// Reads the games of a file and reports their errors and warnings on standard error.
fn read_entries<'a>(
    arguments: &Arguments,
    file: &str,
    sections: &[Section<'a>],
) -> (Vec<Entry<'a>>, ExitStatus) {
    let mut status = ExitStatus::Success;
    let mut entries = Vec::with_capacity(sections.len());
    for (index, section) in sections.iter().enumerate() {
        let place = format!("{file}, game {} at line {}", index + 1, section.line);
        entries.push(match pgn::read(section.text, arguments.castling) {
            Ok(game) => {
                game.errors.iter().for_each(|error| eprint_line(&format!("enroque: {place}: {error}")));
                game.warnings.iter().for_each(|warning| eprint_line(&format!("{place}: {warning}")));
                if !game.errors.is_empty() {
                    status = status.max(ExitStatus::CheckFailed);
                }
                Entry::Game(Box::new(game))
            }
            Err(error) => {
                eprint_line(&format!("enroque: {place}: {error}"));
                status = status.max(ExitStatus::BadInput);
                Entry::Broken(section.text, error)
            }
        });
    }
    (entries, status)
}

/// Minimum number of searched positions: before and after a move.
const MIN_JUDGED_POSITIONS: usize = 2;

/// Outputs of an analysis of games.
struct Report<'a> {
    arguments: &'a Arguments,
    output: &'a mut Output,
    progress: Progress,
    /// Number of positions searched, including earlier runs.
    done: u64,
    /// Number of graphs drawn.
    graphs: usize,
    /// Data of the games for the page.
    page_games: Vec<serde_json::Value>,
}

fn write_error(path: &Path, reason: std::io::Error) -> AnalyseError {
    AnalyseError::Write { path: path.to_owned(), reason }
}

impl Report<'_> {
    /// Writes the text of a game that cannot be read.
    fn write_broken(&mut self, text: &str, error: &str) -> Result<(), AnalyseError> {
        if self.arguments.json {
            return self.output.write(&json_line(&BrokenReport { error }), &self.progress);
        }
        self.output.write(&format!("{}\n", text.trim()), &self.progress)
    }

    /// Writes an analysed game to all outputs.
    fn add(&mut self, number: usize, game: &PgnGame, findings: &Findings) -> Result<(), AnalyseError> {
        let judged = judge(game, findings);
        self.write_game(game, &judged)?;
        if findings.lines.is_empty() {
            return Ok(());
        }
        self.progress.eprint_line(&summary(number, game, &judged));
        if self.arguments.page.is_some() {
            self.page_games.push(page::game_data(game, &judged, judged.first.as_ref()));
        }
        self.draw(game, &judged)
    }

    fn write_game(&mut self, game: &PgnGame, judged: &JudgedGame) -> Result<(), AnalyseError> {
        if self.arguments.json {
            let report = GameReport {
                white: game.tag("White"),
                black: game.tag("Black"),
                result: &game.result,
                players: judged.summaries,
                moves: &judged.moves,
                faults: &game.errors,
            };
            return self.output.write(&json_line(&report), &self.progress);
        }
        let text = pgn::write(&annotated(game, judged));
        self.output.write(text.strip_suffix('\n').unwrap_or(&text), &self.progress)
    }

    /// Writes an interrupted game to standard output, as far as it is analysed. An output file gets only complete games,
    /// since the analysis can be resumed.
    fn write_partial(&mut self, game: &PgnGame, findings: &Findings) -> Result<(), AnalyseError> {
        if findings.lines.len() < MIN_JUDGED_POSITIONS || self.output.file.is_some() {
            return Ok(());
        }
        self.write_game(game, &judge(game, findings))
    }

    /// Draws the graph of a game, if the user requested graphs.
    fn draw(&mut self, game: &PgnGame, judged: &JudgedGame) -> Result<(), AnalyseError> {
        let Some(path) = &self.arguments.graph else { return Ok(()) };
        self.graphs += 1;
        let path = files::numbered(path, self.graphs);
        graph::ensure_overwritable(&path)?;
        files::replace(&path, graph::svg(game, &judged.wins).as_bytes())
            .map_err(|reason| write_error(&path, reason))
    }
}

/// Returns a game on one line: players, result, accuracy, average loss and numbers of mistakes.
fn summary(number: usize, game: &PgnGame, judged: &JudgedGame) -> String {
    let players = judged.summaries.map(|player| {
        let accuracy = player.accuracy.map_or_else(|| "-".to_owned(), |accuracy| format!("{accuracy:.1} %"));
        let loss = player.average_loss.unwrap_or(0.0);
        format!(
            "{accuracy:>7} {loss:>5.0} cp  {:>2} {:>2} {:>2}",
            player.inaccuracies, player.mistakes, player.blunders
        )
    });
    let title = format!("{} - {}", game.tag("White"), game.tag("Black"));
    format!("{number:>4}  {title:<36.36} {:<7}  {}  | {}", game.result, players[0], players[1])
}

/// Destination of the games: standard output or a file.
struct Output {
    file: Option<GameFile>,
    /// Number of games in the file from an earlier run.
    complete_games: usize,
}

impl Output {
    fn open(arguments: &Arguments, source: (&str, &str)) -> Result<Self, AnalyseError> {
        let Some(path) = &arguments.output else { return Ok(Self { file: None, complete_games: 0 }) };
        let (file, complete_games) = GameFile::open(path, arguments, &arguments.limits(), source)?;
        Ok(Self { file: Some(file), complete_games })
    }

    fn write(&mut self, text: &str, progress: &Progress) -> Result<(), AnalyseError> {
        match &mut self.file {
            Some(file) => file.write(text),
            None => Ok(progress.print_line(text)?),
        }
    }
}
