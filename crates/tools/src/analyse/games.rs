//! Analyses the games of a PGN file, one after another.

use anyhow::{Result, ensure};
use console::{pad_str, truncate_str};

use super::annotate::annotated;
use super::arguments::Arguments;
use super::judge::judge;
use super::ply::AnalysedGame;
use super::store::{Settings, Store};
use super::verify::{FIRST_SEARCH_SHARE, SearchedGame};
use super::{graph, json, page};
use crate::games::GameReader;
use crate::searcher::Searcher;
use enroque::chess::Color;
use enroque::terminal::{ExitStatus, eprint_line};
use enroque_runs::files::{self, AtPath};
use enroque_runs::interrupt;
use enroque_runs::program::complain;
use enroque_runs::progress::Progress;
use enroque_study::judgement::Summary;
use enroque_study::pgn::{self, PgnGame, Section};

/// To judge a move, we need the positions before and after it.
const MIN_JUDGED_POSITIONS: usize = 2;
/// Width of the column with both players' names in the table of games.
const NAMES_WIDTH: usize = 25;

/// A game of the file. We keep its text and parse it again when its turn comes, so that large files need little memory.
struct Entry {
    section: Section,
    /// How many positions to search: one more than the game has moves, or 0 if it has no moves.
    positions: usize,
}

/// Splits a file into its games, and reports the errors in each game on standard error.
fn read_entries(reader: &GameReader<'_>, text: &str) -> (Vec<Entry>, ExitStatus) {
    let mut status = ExitStatus::Success;
    let mut entries = Vec::new();
    for section in pgn::sections(text) {
        let mut entry = Entry { section, positions: 0 };
        match reader.read(&entry.section) {
            Ok(game) => {
                game.errors.iter().for_each(|error| reader.report(&entry.section, error));
                if !game.errors.is_empty() {
                    status = status.max(ExitStatus::CheckFailed);
                }
                let moves = game.moves().count();
                entry.positions = if moves == 0 { 0 } else { moves + 1 };
            }
            Err(error) => {
                reader.report(&entry.section, &error);
                status = status.max(ExitStatus::BadInput);
            }
        }
        entries.push(entry);
    }
    (entries, status)
}

/// Analyses the games one after another, and the positions of each game in parallel. `games_before` is the number of
/// games in earlier files, because graphs are numbered across all files.
pub(super) fn analyse_games(
    searchers: &mut [Searcher],
    arguments: &Arguments,
    file: &str,
    text: &str,
    games_before: usize,
) -> Result<ExitStatus> {
    let reader = GameReader::new(file, arguments.castling, arguments.start.as_deref());
    let (entries, status) = read_entries(&reader, text);
    if entries.is_empty() {
        complain(&format!("{file}: no games"));
        return Ok(ExitStatus::BadInput);
    }
    if let Some(path) = &arguments.graph {
        graph::ensure_overwritable(path)?;
    }
    let mut own = arguments.me.as_ref().map(|_| Own::default());
    if let Some(me) = &arguments.me {
        let plays =
            |entry: &Entry| reader.read(&entry.section).is_ok_and(|game| side_of(&game, me).is_some());
        ensure!(entries.iter().any(plays), "--me {me}: no game of {file} has one such player");
    }
    let settings = Settings::new(arguments, file, text);
    let (mut store, finished) = Store::open(arguments, &settings, entries.len())?;
    let positions = |entries: &[Entry]| entries.iter().map(|entry| entry.positions).sum::<usize>() as u64;
    let complete = finished.len().min(entries.len());
    let mut done = positions(&entries[..complete]);
    let mut progress = Progress::new(positions(&entries), "positions", done);
    if complete > 0 {
        eprint_line(&format!("resuming after {complete} of {} games", entries.len()));
    }
    let mut finished = finished.into_iter();
    let mut has_header = false;
    for (index, entry) in entries.iter().enumerate() {
        let game = reader.read(&entry.section);
        let finished = match (finished.next(), &game) {
            (Some(finished), _) => {
                store.add_finished(&finished, &progress)?;
                finished
            }
            (None, Err(error)) => {
                let text = match arguments.json {
                    true => json::to_line(&serde_json::json!({ "error": error.to_string() })),
                    false => entry.section.text.trim().lines().collect::<Vec<_>>().join("\n") + "\n",
                };
                store.add(&text, page::error_data(&entry.section.text, &error.to_string()), &progress)?
            }
            (None, Ok(game)) => {
                let title = format!("game {}/{}: {}", index + 1, entries.len(), game.players());
                let report = |share| {
                    let verifying = if share > FIRST_SEARCH_SHARE { ", verifying" } else { "" };
                    let searched = (share * entry.positions as f64) as u64;
                    progress.set(done + searched, || format!("{title}{verifying}"));
                };
                let analysed = analyse_game(searchers, arguments, game, report)?;
                let text = text_of(arguments, &analysed);
                if interrupt::happened() {
                    // We print the unfinished game only if no later run can resume. A run that resumes analyses this
                    // game from the beginning.
                    if analysed.plies.len() >= MIN_JUDGED_POSITIONS && !store.is_kept() {
                        progress.print_line(&text)?;
                    }
                    break;
                }
                done += entry.positions as u64;
                progress.set(done, || title.clone());
                let finished = store.add(&text, page::game_data(&analysed), &progress)?;
                if entry.positions > 0 {
                    if !has_header {
                        header().iter().for_each(|line| progress.eprint_line(line));
                        has_header = true;
                    }
                    progress.eprint_line(&row(index + 1, &analysed));
                }
                finished
            }
        };
        if let (Some(own), Some(me), Ok(game)) = (&mut own, &arguments.me, &game) {
            own.add(game, me, finished.players);
        }
        if let (Some(path), Ok(game), false) = (&arguments.graph, &game, entry.positions == 0) {
            let path = files::numbered(path, games_before + index + 1);
            graph::ensure_overwritable(&path)?;
            files::replace(&path, graph::svg(game, &finished.wins).as_bytes()).at(&path)?;
        }
    }
    progress.finish();
    store.write_page()?;
    if let (Some(own), Some(me)) = (own, &arguments.me) {
        eprint_line(&own.text(me));
    }
    if let Some(page) = arguments.page.as_ref().filter(|page| !files::is_stream(page)) {
        eprint_line(&format!("{}: written; open it in a browser", page.display()));
    }
    if !interrupt::happened() {
        return Ok(status);
    }
    eprint_line(&store.interruption());
    Ok(ExitStatus::Interrupted)
}

/// Searches and judges a game. A game without moves needs no search.
fn analyse_game<'a>(
    searchers: &mut [Searcher],
    arguments: &Arguments,
    game: &'a PgnGame,
    report: impl FnMut(f64),
) -> Result<AnalysedGame<'a>> {
    if game.line.moves.is_empty() {
        return Ok(judge(game, SearchedGame::default()));
    }
    Ok(judge(game, SearchedGame::search(searchers, &arguments.limits(), game, report)?))
}

/// Returns an analysed game as JSON or PGN, depending on `--json`.
fn text_of(arguments: &Arguments, analysed: &AnalysedGame<'_>) -> String {
    if arguments.json {
        return json::game_line(analysed);
    }
    let text = pgn::write(&annotated(analysed));
    text.strip_suffix('\n').unwrap_or(&text).to_owned()
}

/// Returns the side of the player whose name contains `me`, ignoring case; `None` if neither or both do.
fn side_of(game: &PgnGame, me: &str) -> Option<Color> {
    let plays = |tag| game.tag(tag).to_lowercase().contains(&me.to_lowercase());
    match (plays("White"), plays("Black")) {
        (true, false) => Some(Color::White),
        (false, true) => Some(Color::Black),
        _ => None,
    }
}

/// Counts the games of the `--me` player, and this player's mistakes in them.
#[derive(Default)]
struct Own {
    games: usize,
    moves: Summary,
}

impl Own {
    fn add(&mut self, game: &PgnGame, me: &str, players: Option<[Summary; 2]>) {
        let Some((color, players)) = side_of(game, me).zip(players) else { return };
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

/// Returns the lines above the table of games. These lines and the rows of the table fit 80 columns.
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
fn row(number: usize, analysed: &AnalysedGame<'_>) -> String {
    let AnalysedGame { game, players, .. } = analysed;
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
            let row = row(1234, &AnalysedGame { game, plies: Vec::new(), players: [Summary::default(); 2] });
            assert_eq!(console::measure_text_width(&row), 79, "{row}");
            assert!(!row.contains('\u{202e}'), "{row}");
        }
        assert!(header().iter().all(|line| line.len() <= 79));
    }
}
