//! Analyses the games of a PGN file, one after another.

use anyhow::{Result, ensure};
use console::{pad_str, truncate_str};

use super::annotate::annotated;
use super::arguments::Arguments;
use super::input::{GameFile, Size, side_of};
use super::ply::AnalysedGame;
use super::search::{FIRST_LOOK_SHARE, search_game};
use super::store::{FinishedGame, Settings, Store};
use super::{graph, json, page};
use crate::games::GameReader;
use crate::searcher::Searcher;
use enroque::terminal::{ExitStatus, eprint_line};
use enroque_runs::files::{self, AtPath};
use enroque_runs::interrupt;
use enroque_runs::program::complain;
use enroque_runs::progress::Progress;
use enroque_study::judgement::Summary;
use enroque_study::pgn::{self, PgnError, PgnGame, Section};
use enroque_study::review::Review;

/// To judge a move, we need the positions before and after it.
const MIN_JUDGED_POSITIONS: usize = 2;
/// Width of the column with both players' names in the table of games.
const NAMES_WIDTH: usize = 25;

/// Analyses the games one after another, and the positions of each game in parallel. `games_before` is the number of
/// games in earlier files, because graphs are numbered across all files.
pub(super) fn analyse_games(
    searchers: &mut [Searcher],
    arguments: &Arguments,
    file: &GameFile,
    games_before: usize,
) -> Result<ExitStatus> {
    if file.positions.is_empty() {
        complain(&format!("{}: no games", file.name));
        return Ok(ExitStatus::BadInput);
    }
    if let Some(path) = &arguments.graph {
        graph::ensure_overwritable(path)?;
    }
    if let Some(me) = &arguments.me {
        ensure!(
            file.players.has_own,
            "--me {me}: no game of {} has one such player. {}",
            file.name,
            file.players.list()
        );
    }
    let start = arguments.start()?;
    let settings = Settings::new(arguments, file, start.as_ref());
    let is_own = |&(index, _): &(usize, &u32)| arguments.shard.owns(index as u64);
    let counts: Vec<u64> =
        file.positions.iter().enumerate().filter(is_own).map(|(_, &count)| u64::from(count)).collect();
    let mut store = Store::open(arguments, &settings, counts.len())?;
    let resumed = store.finished.min(counts.len());
    if resumed > 0 {
        eprint_line(&format!("resuming after {resumed} of {} games", counts.len()));
    }
    let mut done = counts[..resumed].iter().sum();
    let mut progress = Progress::new(counts.iter().sum(), "moves", done);
    let reader = GameReader::new(&file.name, arguments.castling, start.as_ref());
    let (mut status, mut own, mut table) = (ExitStatus::Success, Own::default(), Table::default());
    let mut size = Size::default();
    let mut sections = file.sections(arguments.shard, &mut size)?;
    store.each_finished(&progress, |finished| {
        let Some(section) = sections.next().transpose()? else { return Ok(()) };
        finished.ensure_of(&section)?;
        if let Ok(game) = progress.suspend(|| read_game(&reader, &section, &mut status)) {
            table.add(&progress, section.number, &game, finished.players());
            own.add(&game, arguments, finished);
            draw_graph(arguments, games_before + section.number, &game, finished)?;
        }
        Ok(())
    })?;
    let mut counts = counts.into_iter().skip(resumed);
    for section in &mut sections {
        let section = section?;
        let count = counts.next().unwrap_or(0);
        let game = match progress.suspend(|| read_game(&reader, &section, &mut status)) {
            Ok(game) => game,
            Err(error) => {
                let error = error.to_string();
                let text = unread_text(arguments, &section.text, &error);
                store.add(&section, &text, page::error_data(&section.text, &error), &progress)?;
                continue;
            }
        };
        let number = section.number;
        let title = format!("game {number}/{}: {}", file.positions.len(), game.players());
        let report = |share: f64| {
            let comparing = if share > FIRST_LOOK_SHARE { ", comparing" } else { "" };
            progress.set(done + (share * count as f64) as u64, || format!("{title}{comparing}"));
        };
        let mut searches = store.unfinished(&section)?;
        let review = match game.line.moves.len() {
            0 => Review::default(),
            _ => search_game(searchers, &arguments.limits(), &game, &mut searches, report)?,
        };
        let analysed = AnalysedGame::new(&game, &review);
        let text = text_of(arguments, &analysed);
        if interrupt::happened() {
            // A later run goes on with these searches. If no later run can resume, we print what we know of the game.
            let is_kept = store.keep_unfinished(&section, searches)?;
            if analysed.plies.len() >= MIN_JUDGED_POSITIONS && !is_kept {
                progress.print_line(&text)?;
            }
            break;
        }
        done += count;
        progress.set(done, || title);
        let finished = store.add(&section, &text, page::game_data(&analysed), &progress)?;
        table.add(&progress, number, &game, finished.players());
        own.add(&game, arguments, &finished);
        draw_graph(arguments, games_before + number, &game, &finished)?;
    }
    progress.finish();
    store.write_page()?;
    if let Some(me) = &arguments.me {
        eprint_line(&own.text(me));
    }
    if let Some(page) = arguments.page.as_ref().filter(|page| !files::is_stream(page)) {
        eprint_line(&format!("{}: written; open it in a browser", page.display()));
    }
    if interrupt::happened() {
        eprint_line(&store.interruption());
        return Ok(ExitStatus::Interrupted);
    }
    drop(sections);
    if size != file.size {
        complain(&format!(
            "{}: changed during the analysis; analyse it again, with another output",
            file.name
        ));
        return Ok(ExitStatus::BadInput);
    }
    Ok(status)
}

/// Reads a game, and reports its errors. Raises `status` if there are any.
fn read_game(
    reader: &GameReader<'_>,
    section: &Section,
    status: &mut ExitStatus,
) -> Result<PgnGame, PgnError> {
    let game = reader.read(section);
    let (errors, found) = match &game {
        Ok(game) => (&game.errors[..], ExitStatus::of_check(game.errors.is_empty())),
        Err(error) => (std::slice::from_ref(error), ExitStatus::BadInput),
    };
    errors.iter().for_each(|error| reader.report(section, error));
    *status = found.max(*status);
    game
}

/// Draws the graph of game `number` if the user asked for graphs. A game without moves has none.
fn draw_graph(arguments: &Arguments, number: usize, game: &PgnGame, finished: &FinishedGame) -> Result<()> {
    let Some(path) = arguments.graph.as_ref().filter(|_| !game.line.moves.is_empty()) else { return Ok(()) };
    let path = files::numbered(path, number);
    graph::ensure_overwritable(&path)?;
    files::replace(&path, graph::svg(game, &finished.wins()).as_bytes()).at(&path)
}

/// Returns a game that can't be read as JSON or PGN, depending on `--json`.
fn unread_text(arguments: &Arguments, text: &str, error: &str) -> String {
    if arguments.json {
        return json::to_line(&serde_json::json!({ "error": error }));
    }
    text.trim().lines().collect::<Vec<_>>().join("\n") + "\n"
}

/// Returns an analysed game as JSON or PGN, depending on `--json`.
fn text_of(arguments: &Arguments, analysed: &AnalysedGame<'_>) -> String {
    if arguments.json {
        return json::game_line(analysed);
    }
    let text = pgn::write(&annotated(analysed));
    text.strip_suffix('\n').unwrap_or(&text).to_owned()
}

/// Counts the games of the `--me` player, and this player's mistakes in them.
#[derive(Default)]
struct Own {
    games: usize,
    moves: Summary,
}

impl Own {
    fn add(&mut self, game: &PgnGame, arguments: &Arguments, finished: &FinishedGame) {
        let Some(me) = &arguments.me else { return };
        let Some((color, players)) = side_of(&game.tags, me).zip(finished.players()) else { return };
        let Summary { inaccuracies, mistakes, blunders, .. } = players[color.index()];
        self.games += 1;
        self.moves.inaccuracies += inaccuracies;
        self.moves.mistakes += mistakes;
        self.moves.blunders += blunders;
    }

    fn text(&self, me: &str) -> String {
        let plural = if self.games == 1 { "" } else { "s" };
        format!("{me}: {} game{plural}, {}", self.games, self.moves.marks())
    }
}

/// The table of games on standard error. Its lines fit 80 columns.
#[derive(Default)]
struct Table {
    has_header: bool,
}

impl Table {
    /// Adds a game's row, unless it has no moves or can't be read.
    fn add(&mut self, progress: &Progress, number: usize, game: &PgnGame, players: Option<[Summary; 2]>) {
        let Some(players) = players.filter(|_| !game.line.moves.is_empty()) else { return };
        if !self.has_header {
            header().iter().for_each(|line| progress.eprint_line(line));
            self.has_header = true;
        }
        progress.eprint_line(&row(number, game, players));
    }
}

/// Returns the lines above the rows of the table.
fn header() -> [String; 3] {
    let player = "acc.% ACPL ?!  ? ??";
    [
        "acc.% is the accuracy, ACPL the average loss of a move in centipawns.".to_owned(),
        format!("{:4} {:NAMES_WIDTH$} {:7} {:19}  Black", "", "", "", "White"),
        format!("{:>4} {:NAMES_WIDTH$} {:7} {player}  {player}", "game", "players", "result"),
    ]
}

/// Returns the row of a game: number, players and result, then for each side the accuracy in per cent, the average loss
/// in centipawns, and how many inaccuracies, mistakes and blunders.
fn row(number: usize, game: &PgnGame, players: [Summary; 2]) -> String {
    let [white, black] = players.map(|player| {
        let Some((accuracy, loss)) = player.figures() else {
            return format!("{:>5} {:>4} {:>2} {:>2} {:>2}", "-", "-", "-", "-", "-");
        };
        let Summary { inaccuracies, mistakes, blunders, .. } = player;
        format!("{accuracy:>5} {loss:>4} {inaccuracies:>2} {mistakes:>2} {blunders:>2}")
    });
    let title = game.players();
    let title = truncate_str(&title, NAMES_WIDTH, "…");
    let title = pad_str(&title, NAMES_WIDTH, console::Alignment::Left, None);
    format!("{number:>4} {title} {:7} {white}  {black}", game.result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use enroque::chess::CastlingRules;

    #[test]
    fn rows_fit_eighty_columns() {
        let read = |text: &str| pgn::read(text, CastlingRules::Fischer, None).unwrap();
        let long = read("[White \"A very long name of a player\"]\n[Black \"Another, B.\"]\n\n1. e4 1/2-1/2");
        let wide = read("[White \"\u{202e}王王王王王王王王王王王王王王王王王\"]\n\n1. e4 *");
        for game in [&long, &wide] {
            let row = row(1234, game, [Summary::default(); 2]);
            assert_eq!(console::measure_text_width(&row), 79, "{row}");
            assert!(!row.contains('\u{202e}'), "{row}");
        }
        assert!(header().iter().all(|line| line.len() <= 79));
    }
}
