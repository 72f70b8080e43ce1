//! HTML page of analysed games, which is also the store of a resumed analysis.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::arguments::Arguments;
use super::error::AnalyseError;
use super::judge::JudgedGame;
use super::record::Record;
use super::variation::numbered;
use crate::chess::{CastlingNotation, Color, FenStyle};
use crate::util::files;
use crate::util::version::GENERATOR;
use crate::workbench::page;
use crate::workbench::pgn::comment::{clock, without_commands};
use crate::workbench::pgn::{self, Note, PgnGame};

const TEMPLATE: &str = include_str!("page.html");

/// Beginning of the line that holds the data.
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
    games: Vec<Value>,
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
        let mut games = Vec::new();
        if path.is_file() {
            let page = std::fs::read(path).map_err(fail)?;
            let mut data = data_of(&String::from_utf8_lossy(&page));
            if data["settings"] == record
                && let Value::Array(earlier) = data["games"].take()
            {
                games = earlier;
            }
        }
        games.truncate(total);
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
        self.games.len()
    }

    /// Returns the texts of the games, as written to the other outputs.
    pub fn texts(&self) -> impl Iterator<Item = String> + '_ {
        self.games.iter().map(|game| game["text"].as_str().unwrap_or_default().to_owned())
    }

    /// Adds game `index` with its text and its data. The page is written from time to time.
    ///
    /// # Errors
    /// Returns an error if the page cannot be written.
    pub fn add(&mut self, index: usize, text: String, mut data: Value) -> Result<(), AnalyseError> {
        data["number"] = json!(index + 1);
        data["text"] = json!(text);
        self.games.push(data);
        if self.last_write.elapsed() < WRITE_INTERVAL {
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
        let Self { limits, board, record, total, games, .. } = self;
        let data = json!({
            "made": format!("{limits} per position, {GENERATOR}"),
            "board": board,
            "settings": record,
            "total": total,
            "games": games,
        });
        files::replace(&self.path, page::fill(TEMPLATE, &data).as_bytes())
            .map_err(|reason| AnalyseError::Write { path: self.path.clone(), reason })
    }
}

/// Returns the data of a page; null if it has none.
fn data_of(page: &str) -> Value {
    let line = page.lines().find_map(|line| line.strip_prefix(DATA_LINE)?.strip_suffix(';'));
    // The page escapes this beginning of a comment in a way that JSON does not know.
    let json = line.unwrap_or_default().replace("<\\!--", "<!--");
    serde_json::from_str(&json).unwrap_or_default()
}

/// Returns the players and the result of a game as a title, with its round if it has one.
fn title(game: &PgnGame) -> String {
    let round = game.tag("Round");
    let round = if ["", "?", "-"].contains(&round) { String::new() } else { format!(" ({round})") };
    format!("{} - {}{round}", game.tag("White"), game.tag("Black"))
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
    let tags: Vec<&str> =
        TAGS.iter().map(|name| game.tag(name)).filter(|value| !["", "?"].contains(value)).collect();
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

    #[test]
    fn page_data_can_be_read() {
        let data = json!({ "games": [{ "text": "{ </script> <!-- \\ <\\!-- }\n" }] });
        assert_eq!(data_of(&page::fill(TEMPLATE, &data)), data);
        assert_eq!(data_of("<!DOCTYPE html>"), Value::Null);
    }
}
