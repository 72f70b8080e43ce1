//! Analysis of the games of a PGN file.

use serde::Serialize;

use super::analyst::{Analyst, search_in_order};
use super::annotation::annotated;
use super::arguments::Arguments;
use super::entries::{Entry, read_entries};
use super::error::AnalyseError;
use super::findings::Findings;
use super::judge::{JudgedGame, Judgement, Summary, judge};
use super::output::Outputs;
use super::record::Record;
use super::variation::json_line;
use super::verification::verify;
use super::{graph, page, summary};
use enroque::chess::Board;
use enroque::terminal::{ExitStatus, eprint_line};
use enroque_runs::files;
use enroque_runs::interrupt;
use enroque_runs::progress::Progress;
use enroque_study::pgn::{self, PgnGame};

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

/// File of games to analyse.
pub(super) struct GameSource<'a> {
    /// Name of the file.
    pub file: &'a str,
    /// Content of the file.
    pub text: &'a str,
    /// Number of games in earlier files, for the names of the graphs.
    pub games_before: usize,
}

/// Analyses the games of a file in order, the positions of each in parallel.
pub(super) fn analyse_games(
    analysts: &mut [Analyst],
    arguments: &Arguments,
    source: &GameSource<'_>,
) -> Result<ExitStatus, AnalyseError> {
    let &GameSource { file, text, games_before } = source;
    let sections = pgn::sections(text);
    if sections.is_empty() {
        eprint_line(&format!("enroque: {file}: no games"));
        return Ok(ExitStatus::BadInput);
    }
    if let Some(path) = &arguments.graph {
        graph::ensure_overwritable(path)?;
    }
    let (entries, mut status) = read_entries(arguments, file, &sections);
    let outputs = Outputs::open(arguments, &Record::new(arguments, file, text), entries.len())?;
    let complete = outputs.complete();
    let positions = |entries: &[Entry<'_>]| entries.iter().map(|entry| entry.positions).sum::<usize>() as u64;
    let done = positions(&entries[..complete]);
    let mut report = Report {
        arguments,
        outputs,
        progress: Progress::new(positions(&entries), "positions", done),
        has_header: false,
        games_before,
    };
    if complete > 0 {
        eprint_line(&format!("resuming after {complete} of {} games", entries.len()));
        report.outputs.replay(&report.progress)?;
        let undrawn = report.count_undrawn(&entries[..complete]);
        if undrawn > 0 {
            eprint_line(&format!(
                "enroque: {undrawn} of {complete} complete games have no graph; write to another file to draw all"
            ));
            status = status.max(ExitStatus::CheckFailed);
        }
    }
    let mut done = done;
    for (index, entry) in entries.iter().enumerate().skip(complete) {
        let game = match entry.read() {
            Ok(game) => game,
            Err(error) => {
                report.add_broken(index, &entry.text(), &error)?;
                continue;
            }
        };
        let title = || format!("game {}/{}: {}", index + 1, entries.len(), game.players());
        let mut findings = Findings::default();
        let take = |line| {
            findings.push(line);
            let searched = FIRST_SEARCH_SHARE * findings.lines.len() as f64;
            report.progress.set(done + searched as u64, title);
            Ok(())
        };
        let boards = game.positions().take(entry.positions);
        let search = |analyst: &mut Analyst, board: Board| analyst.best_line(&board, arguments.limits());
        search_in_order(analysts, boards, search, take)?;
        verify(analysts, arguments, &game, &mut findings, |share| {
            let share = FIRST_SEARCH_SHARE + (1.0 - FIRST_SEARCH_SHARE) * share;
            let searched = share * entry.positions as f64;
            report.progress.set(done + searched as u64, || format!("{}, verifying", title()));
        })?;
        if interrupt::happened() {
            report.write_partial(&game, &findings)?;
            break;
        }
        done += entry.positions as u64;
        report.progress.set(done, title);
        report.add(index, &game, &findings)?;
    }
    report.progress.finish();
    report.outputs.finish()?;
    if !interrupt::happened() {
        return Ok(status);
    }
    eprint_line(&report.outputs.interruption());
    Ok(ExitStatus::Interrupted)
}

/// Share of the effort that goes into the first search of all positions; the rest verifies moves. Games without mistakes
/// need less, so that the time left is rather over- than underestimated.
const FIRST_SEARCH_SHARE: f64 = 0.15;

/// Minimum number of searched positions: before and after a move.
const MIN_JUDGED_POSITIONS: usize = 2;

/// Results of an analysis of games on their way to all outputs.
struct Report<'a> {
    arguments: &'a Arguments,
    outputs: Outputs,
    progress: Progress,
    /// `true` once the header of the summary is printed.
    has_header: bool,
    games_before: usize,
}

impl Report<'_> {
    /// Writes the text of a game that cannot be read.
    fn add_broken(&mut self, index: usize, text: &str, error: &str) -> Result<(), AnalyseError> {
        let written =
            if self.arguments.json { json_line(&BrokenReport { error }) } else { format!("{text}\n") };
        self.outputs.add(index, &written, || page::error_data(text, error), &self.progress)
    }

    /// Writes an analysed game to all outputs.
    fn add(&mut self, index: usize, game: &PgnGame, findings: &Findings) -> Result<(), AnalyseError> {
        let judged = judge(game, findings);
        let text = self.text(game, &judged);
        self.outputs.add(index, &text, || page::game_data(game, &judged), &self.progress)?;
        if findings.lines.is_empty() {
            return Ok(());
        }
        if !self.has_header {
            self.has_header = true;
            summary::header().iter().for_each(|line| self.progress.eprint_line(line));
        }
        self.progress.eprint_line(&summary::row(index + 1, game, &judged));
        self.draw(index, game, &judged)
    }

    /// Returns an analysed game as PGN or as JSON.
    fn text(&self, game: &PgnGame, judged: &JudgedGame) -> String {
        if self.arguments.json {
            return json_line(&GameReport {
                white: game.tag("White"),
                black: game.tag("Black"),
                result: &game.result,
                players: judged.summaries,
                moves: &judged.moves,
                faults: &game.errors,
            });
        }
        let text = pgn::write(&annotated(game, judged));
        text.strip_suffix('\n').unwrap_or(&text).to_owned()
    }

    /// Writes an interrupted game to standard output, as far as it is analysed. Files get only complete games, since the
    /// analysis can be resumed.
    fn write_partial(&mut self, game: &PgnGame, findings: &Findings) -> Result<(), AnalyseError> {
        if findings.lines.len() < MIN_JUDGED_POSITIONS || self.outputs.has_file() {
            return Ok(());
        }
        Ok(self.progress.print_line(&self.text(game, &judge(game, findings)))?)
    }

    /// Returns the number of games without a graph among complete ones, if the user requested graphs.
    fn count_undrawn(&self, complete: &[Entry<'_>]) -> usize {
        let Some(path) = &self.arguments.graph else { return 0 };
        let graph = |index| files::numbered(path, self.games_before + index + 1);
        let games = complete.iter().enumerate().filter(|(_, entry)| entry.positions > 0);
        games.filter(|&(index, _)| !graph(index).exists()).count()
    }

    /// Draws the graph of a game, if the user requested graphs. Its file has the number of the game.
    fn draw(&mut self, index: usize, game: &PgnGame, judged: &JudgedGame) -> Result<(), AnalyseError> {
        let Some(path) = &self.arguments.graph else { return Ok(()) };
        let path = files::numbered(path, self.games_before + index + 1);
        graph::ensure_overwritable(&path)?;
        files::replace(&path, graph::svg(game, &judged.wins).as_bytes())
            .map_err(|reason| AnalyseError::Write { path, reason })
    }
}
