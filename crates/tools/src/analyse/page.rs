//! Writes the HTML page of analysed games.

use std::io::{self, BufRead, Write};

use serde::Serialize;
use serde_json::{Value, json};

use super::ply::{AnalysedGame, Ply, Step};
use crate::page;
use enroque::chess::{Color, FenStyle};
use enroque_study::clock::seconds_spent;
use enroque_study::judgement::rounded;
use enroque_study::line::numbered;
use enroque_study::pgn::comment::{clock, without_commands};
use enroque_study::pgn::{self, Note, PgnGame, PgnMove};
use enroque_study::remark::RemarkKind;

const TEMPLATE: &str = include_str!("page.html");

/// The page shows these PGN tags besides the names of the players.
const TAGS: [&str; 5] = ["Event", "Site", "Date", "TimeControl", "Variant"];

/// Writes a page game by game.
pub struct Writer<'a> {
    out: &'a mut dyn Write,
    /// What the page has after the games.
    end: String,
    separator: &'static str,
}

impl<'a> Writer<'a> {
    /// `head` is a JSON object with all data of the page except the games.
    pub fn begin(out: &'a mut dyn Write, head: &Value) -> io::Result<Self> {
        let (before, after) = page::frame(TEMPLATE);
        let head = page::script_text(head);
        write!(out, "{before}{},\"games\":[", head.strip_suffix('}').unwrap_or(&head))?;
        Ok(Self { out, end: format!("\n]}}{after}"), separator: "\n" })
    }

    /// Adds what the page shows for a game.
    pub fn add(&mut self, game: &impl Serialize) -> io::Result<()> {
        let game = page::script_safe(&serde_json::to_string(game)?);
        write!(self.out, "{}{game}", self.separator)?;
        self.separator = ",\n";
        Ok(())
    }

    pub fn finish(self) -> io::Result<()> {
        self.out.write_all(self.end.as_bytes())
    }
}

/// Names the players, and the round if the game has one: `A - B (3.1)`.
fn title(game: &PgnGame) -> String {
    let round = game.tag("Round");
    let round = if ["", "?", "-"].contains(&round) { String::new() } else { format!(" ({round})") };
    format!("{} - {}{round}", game.tag("White"), game.tag("Black"))
}

/// Drops the unknown parts of a date such as `1851.??.??`. Returns `None` if nothing is left.
fn known(value: &str) -> Option<&str> {
    let value = value.trim_end_matches(".??");
    value.contains(|letter| !['?', '-'].contains(&letter)).then_some(value)
}

/// Returns what the page shows for a game that can't be read.
pub fn error_data(text: &str, error: &str) -> Value {
    let tags = pgn::tags(text);
    let player = |name: &str| tags.iter().find(|(tag, _)| tag == name).map_or("?", |(_, value)| value);
    json!({ "title": format!("{} - {}", player("White"), player("Black")), "error": error })
}

/// Returns what the page shows for an analysed game.
pub fn game_data(analysed: &AnalysedGame<'_>) -> Value {
    let game = analysed.game;
    let best_line = |ply: &Ply| ply.line.as_ref().map(|line| numbered(&ply.board, &line.pv));
    let spent = seconds_spent(game);
    let moves = game.line.moves.iter().zip(spent).zip(analysed.steps()).map(|((played_move, spent), step)| {
        let PgnMove { mv, notes } = played_move;
        let Step { before, played, after } = step;
        let comments = comments(notes);
        let comment = without_commands(&comments);
        let remark = played.remark.as_ref().map(|remark| remark.kind);
        let symbol = notes.iter().find_map(|note| match note {
            Note::Nag(nag) => pgn::move_symbol(*nag),
            _ => None,
        });
        json!({
            "san": played.san,
            "squares": mv.map(|mv| [mv.from().to_string(), mv.to().to_string()]),
            "score": after.score(),
            "line": best_line(after),
            "mark": symbol.or(played.mark.map(|mark| mark.symbol)).or(remark.and_then(RemarkKind::symbol)),
            "kind": played.mark.map(|mark| mark.name).or(remark.map(RemarkKind::name)),
            "words": step.advice(),
            "better": step.better().map(|line| numbered(&before.board, line)),
            "clock": clock(&comments),
            "spent": spent.map(rounded),
            "comment": (!comment.is_empty()).then_some(comment),
        })
    });
    let moves: Vec<Value> = moves.collect();
    let boards = std::iter::once(&game.start).chain(analysed.steps().map(|step| &step.after.board));
    let fens: Vec<String> = boards.map(|board| board.fen(FenStyle::XFen)).collect();
    let tags: Vec<&str> = TAGS.iter().filter_map(|name| known(game.tag(name))).collect();
    let wins: Vec<f64> = analysed.wins().into_iter().map(rounded).collect();
    let black_first = u32::from(game.start.side_to_move() == Color::Black);
    let first = analysed.plies.first();
    let opening = without_commands(&comments(&game.line.before));
    json!({
        "title": title(game),
        "names": [game.tag("White"), game.tag("Black")],
        "result": game.result,
        "tags": tags.join(", "),
        "first": 2 * (game.start.fullmove_number() - 1) + black_first,
        "score0": first.and_then(Ply::score),
        "line0": first.and_then(best_line),
        "comment0": (!opening.is_empty()).then_some(opening),
        "players": analysed.players,
        "moves": moves,
        "fens": fens,
        "wins": wins,
    })
}

/// Joins the comments among the notes.
fn comments(notes: &[Note]) -> String {
    let comments = notes.iter().filter_map(|note| match note {
        Note::Comment(comment) => Some(comment.as_str()),
        _ => None,
    });
    comments.collect::<Vec<_>>().join(" ")
}

/// Returns the settings of the analysis whose page this is; `None` if we can't find them.
pub fn settings(page: impl BufRead) -> io::Result<Option<Value>> {
    for line in page.lines() {
        let line = line?;
        let Some(data) = line.strip_prefix("const data = ") else { continue };
        let head = data.strip_suffix("\"games\":[").and_then(|head| head.strip_suffix(','));
        let head = head.and_then(|head| serde_json::from_str::<Value>(&format!("{head}}}")).ok());
        return Ok(head.map(|mut head| head["settings"].take()));
    }
    Ok(None)
}

/// Whether a file that begins with `bytes` may be a page of analysed games.
pub fn is_beginning(bytes: &[u8]) -> bool {
    page::is_beginning(TEMPLATE, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use enroque::chess::CastlingRules;

    #[test]
    fn games_cannot_end_the_script() {
        let games =
            ["{ </script> <!-- \\ <\\!-- }\n", "]};", "@DATA@ \u{2028}"].map(|text| json!({ "text": text }));
        let mut page = Vec::new();
        let mut writer = Writer::begin(&mut page, &json!({ "settings": [1], "total": 3 })).unwrap();
        games.iter().for_each(|game| writer.add(game).unwrap());
        writer.finish().unwrap();
        let page = String::from_utf8(page).unwrap();
        assert_eq!(page.matches("</script>").count(), 1);
        let (_, data) = page.split_once("\nconst data = ").unwrap();
        let data = serde_json::Deserializer::from_str(data).into_iter::<Value>().next().unwrap().unwrap();
        assert_eq!(data["games"], json!(games));
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
