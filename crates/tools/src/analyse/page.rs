//! HTML page of analysed games, which is also the store of a resumed analysis.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use super::arguments::Arguments;
use super::error::AnalyseError;
use super::judge::JudgedGame;
use super::record::Record;
use super::store::LineStore;
use super::variation::numbered;
use crate::page;
use enroque::chess::{CastlingNotation, Color, FenStyle};
use enroque::util::version::GENERATOR;
use enroque_runs::files;
use enroque_study::pgn::comment::{clock, without_commands};
use enroque_study::pgn::{self, Note, PgnGame};

const TEMPLATE: &str = include_str!("page.html");

/// Beginning of the line before the games. It holds all other data, and each game has a line of its own.
const DATA_LINE: &str = "const data = ";

/// Time between two writings of the page during an analysis.
const WRITE_INTERVAL: Duration = Duration::from_secs(30);

/// Tags shown in addition to the players.
const TAGS: [&str; 5] = ["Event", "Site", "Date", "TimeControl", "Variant"];

/// Page of analysed games.
pub struct PageFile {
    path: PathBuf,
    /// Settings of the analysis.
    record: Value,
    /// Search limits per position in words.
    limits: String,
    /// Address of the board page that it links to.
    board: Option<String>,
    /// Number of games of the input.
    total: usize,
    games: LineStore,
    last_write: Instant,
}

impl PageFile {
    /// Opens a page. An earlier page of the same analysis is continued, another one is replaced.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is no page of games.
    pub fn open(
        path: &Path,
        arguments: &Arguments,
        record: &Record,
        total: usize,
    ) -> Result<Self, AnalyseError> {
        let fail = |reason| AnalyseError::Write { path: path.to_owned(), reason };
        files::ensure_overwritable(path, is_beginning).map_err(fail)?;
        let record = json!(record);
        let mut games = LineStore::beside(path).map_err(fail)?;
        if path.is_file() {
            let page = BufReader::new(File::open(path).map_err(fail)?);
            read_games(page, &record, total, |line| games.push(line)).map_err(fail)?;
        }
        Ok(Self {
            path: path.to_owned(),
            record,
            limits: arguments.limits_text(),
            board: arguments.board.clone(),
            total,
            games,
            last_write: Instant::now(),
        })
    }

    /// Returns the number of games on the page.
    pub fn games(&self) -> usize {
        self.games.count()
    }

    /// Returns the texts of the games from number `first` on, counted from 0, as written to the other outputs.
    ///
    /// # Errors
    /// Returns an error if the games cannot be read; so does each text.
    pub fn texts(
        &self,
        first: usize,
    ) -> Result<impl Iterator<Item = Result<String, AnalyseError>>, AnalyseError> {
        #[derive(Deserialize)]
        struct Game {
            text: String,
        }
        let text = |line: String| -> io::Result<String> { Ok(serde_json::from_str::<Game>(&line)?.text) };
        let lines = self.games.lines().map_err(|reason| self.error(reason))?;
        Ok(lines.skip(first).map(move |line| line.and_then(text).map_err(|reason| self.error(reason))))
    }

    fn error(&self, reason: io::Error) -> AnalyseError {
        AnalyseError::Write { path: self.path.clone(), reason }
    }

    /// Adds game `index` with its text and its data. The page is written from time to time, to a device or pipe only at the
    /// end.
    ///
    /// # Errors
    /// Returns an error if the page cannot be written.
    pub fn add(&mut self, index: usize, text: &str, data: Value) -> Result<(), AnalyseError> {
        self.games.push(&game_line(index, text, data)).map_err(|reason| self.error(reason))?;
        if self.last_write.elapsed() < WRITE_INTERVAL || files::is_stream(&self.path) {
            return Ok(());
        }
        self.last_write = Instant::now();
        self.write()
    }

    /// Writes the page.
    ///
    /// # Errors
    /// Returns an error if the page cannot be written.
    pub fn write(&self) -> Result<(), AnalyseError> {
        let Self { path, limits, board, record, total, games, .. } = self;
        let head = json!({
            "made": format!("{limits} per position, {GENERATOR}"),
            "board": board,
            "settings": record,
            "total": total,
        });
        files::replace_with(path, |out| write_page(out, &head, games.lines()?))
            .map_err(|reason| self.error(reason))
    }
}

/// Writes a page: its data without the games as a JSON object, and each game as a line of [`game_line`].
///
/// # Errors
/// Returns an error if writing fails, and the error of a game.
pub fn write_page(
    out: &mut dyn Write,
    head: &Value,
    games: impl Iterator<Item = io::Result<String>>,
) -> io::Result<()> {
    let (before, after) = page::frame(TEMPLATE);
    let head = page::script_text(head);
    write!(out, "{before}{},\"games\":[", head.strip_suffix('}').unwrap_or(&head))?;
    for (index, game) in games.enumerate() {
        write!(out, "{}\n{}", if index == 0 { "" } else { "," }, game?)?;
    }
    write!(out, "\n]}}{after}")
}

/// Passes the games of a page with these settings to `take`, at most `limit` and each as a line of JSON.
///
/// # Errors
/// Returns an error if the page cannot be read, and the error of `take`.
pub fn read_games(
    page: impl BufRead,
    settings: &Value,
    limit: usize,
    mut take: impl FnMut(&str) -> io::Result<()>,
) -> io::Result<()> {
    let text = |line: io::Result<Vec<u8>>| line.map(|line| String::from_utf8_lossy(&line).into_owned());
    let mut lines = page.split(b'\n').map(text);
    for line in lines.by_ref() {
        if let Some(head) = line?.strip_prefix(DATA_LINE) {
            let head: Value = serde_json::from_str(&format!("{head}]}}")).unwrap_or_default();
            if head["settings"] != *settings {
                return Ok(());
            }
            break;
        }
    }
    for line in lines.take(limit) {
        let line = line?;
        let game = line.strip_suffix(',').unwrap_or(&line);
        if serde_json::from_str::<IgnoredAny>(game).is_err() {
            break;
        }
        take(game)?;
    }
    Ok(())
}

/// Returns the data of game `index` with its text as a line of JSON.
pub fn game_line(index: usize, text: &str, mut data: Value) -> String {
    data["number"] = json!(index + 1);
    data["text"] = json!(text);
    page::script_text(&data)
}

/// Returns the players and the result of a game as a title, with its round if it has one.
fn title(game: &PgnGame) -> String {
    let round = game.tag("Round");
    let round = if ["", "?", "-"].contains(&round) { String::new() } else { format!(" ({round})") };
    format!("{} - {}{round}", game.tag("White"), game.tag("Black"))
}

/// Returns a tag without the unknown parts of a date (`1851.??.??`), `None` if nothing is known.
fn known(value: &str) -> Option<&str> {
    let value = value.trim_end_matches(".??");
    value.contains(|letter| !['?', '-'].contains(&letter)).then_some(value)
}

/// Returns the data of a game that cannot be read.
pub fn error_data(text: &str, error: &str) -> Value {
    let tags = pgn::tags(text);
    let player = |name: &str| tags.iter().find(|(tag, _)| tag == name).map_or("?", |(_, value)| value);
    json!({ "title": format!("{} - {}", player("White"), player("Black")), "error": error })
}

/// Returns the data of a game for the page.
pub fn game_data(game: &PgnGame, judged: &JudgedGame) -> Value {
    let mut board = game.start.clone();
    let mut fens = vec![board.fen(FenStyle::XFen)];
    let mut moves = Vec::new();
    for (played, judgement) in game.line.moves.iter().zip(&judged.moves) {
        let uci = played.mv.map(|mv| board.format_move(mv, CastlingNotation::KingTakesRook));
        let better = judgement.better.as_ref().map(|line| numbered(&board, line));
        let comments = played.notes.iter().filter_map(|note| match note {
            Note::Comment(comment) => Some(comment.as_str()),
            _ => None,
        });
        let comments = comments.collect::<Vec<_>>().join(" ");
        let comment = without_commands(&comments);
        let symbol = played.notes.iter().find_map(|note| match note {
            Note::Nag(nag) => pgn::move_symbol(*nag),
            _ => None,
        });
        pgn::play(&mut board, played.mv);
        fens.push(board.fen(FenStyle::XFen));
        let line = judgement.after.as_ref();
        moves.push(json!({
            "san": judgement.san,
            "squares": uci.as_ref().map(|uci| [uci.get(..2), uci.get(2..4)]),
            "score": line.map(|line| line.score_for_white(board.side_to_move())),
            "line": line.map(|line| numbered(&board, &line.san)),
            "mark": symbol.or(judgement.mark.map(|mark| mark.symbol)),
            "kind": judgement.mark.map(|mark| mark.name),
            "words": judgement.advice(),
            "better": better,
            "clock": clock(&comments),
            "comment": (!comment.is_empty()).then_some(comment),
        }));
    }
    let tags: Vec<&str> = TAGS.iter().filter_map(|name| known(game.tag(name))).collect();
    let wins: Vec<f64> = judged.wins.iter().map(|win| (10.0 * win).round() / 10.0).collect();
    let black_first = u32::from(game.start.side_to_move() == Color::Black);
    json!({
        "title": title(game),
        "result": game.result,
        "tags": tags.join(", "),
        "first": 2 * (game.start.fullmove_number() - 1) + black_first,
        "score0": judged.first.as_ref().map(|line| line.score_for_white(game.start.side_to_move())),
        "line0": judged.first.as_ref().map(|line| numbered(&game.start, &line.san)),
        "players": judged.summaries,
        "moves": moves,
        "fens": fens,
        "wins": wins,
    })
}

/// Returns `true` if the first bytes of a file are those of such a page.
fn is_beginning(bytes: &[u8]) -> bool {
    page::is_beginning(TEMPLATE, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use enroque::chess::CastlingRules;

    #[test]
    fn games_of_page_can_be_read() {
        let games = ["{ </script> <!-- \\ <\\!-- }\n", "]};", "@DATA@ \u{2028}"];
        let lines = || games.iter().enumerate().map(|(index, text)| Ok(game_line(index, text, json!({}))));
        let mut page = Vec::new();
        write_page(&mut page, &json!({ "settings": [1], "total": 3 }), lines()).unwrap();
        let read = |page: &[u8], settings: Value, limit| {
            let mut texts = Vec::new();
            let games = read_games(page, &settings, limit, |line| {
                let game: Value = serde_json::from_str(line)?;
                texts.push(game["text"].as_str().unwrap().to_owned());
                Ok(())
            });
            games.unwrap();
            texts
        };
        assert_eq!(read(&page, json!([1]), 9), games);
        assert_eq!(read(&page, json!([1]), 2), games[..2]);
        assert_eq!(read(&page, json!([2]), 9), [""; 0]);
        let text = String::from_utf8(page).unwrap();
        assert_eq!(text.matches("</script>").count(), 1);
        let damaged = text.replace("\"number\":2", "\"number\":");
        assert_eq!(read(damaged.as_bytes(), json!([1]), 9), games[..1]);
        assert_eq!(read(b"<!DOCTYPE html>\nconst data = {\"settings\":[1]};\n", json!([1]), 9), [""; 0]);
        let mut empty = Vec::new();
        write_page(&mut empty, &json!({ "settings": [1] }), std::iter::empty()).unwrap();
        assert_eq!(read(&empty, json!([1]), 9), [""; 0]);
    }

    #[test]
    fn unknown_tags_are_left_out() {
        let tags = ["????.??.??", "1851.??.??", "1851.06.??", "1851.06.21", "?", "-", "", "Who?"];
        assert_eq!(
            tags.map(|tag| known(tag).unwrap_or("none")),
            ["none", "1851", "1851.06", "1851.06.21", "none", "none", "none", "Who?"]
        );
    }

    #[test]
    fn titles_have_rounds() {
        let title = |round: &str| {
            let text = format!("[White \"A\"]\n[Black \"B\"]\n[Round \"{round}\"]\n\n1. e4 *");
            title(&pgn::read(&text, CastlingRules::Fischer, None).unwrap())
        };
        assert_eq!((title("3.1"), title("?")), ("A - B (3.1)".to_owned(), "A - B".to_owned()));
    }
}
