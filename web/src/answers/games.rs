//! Games in PGN, to JSON and back.

use enroque::chess::notation::Fen;
use enroque::chess::{Board, CastlingRules, FenStyle};
use enroque_study::pgn::{self, Line, Note, PgnGame, PgnMove, play, san};
use serde_json::{Value, json};

use super::Answer;

/// Returns the games of a PGN text, which is given as a JSON string.
pub fn read(text: &str) -> Answer {
    let text: String =
        serde_json::from_str(text).map_err(|error| format!("pgn: expected a JSON string: {error}"))?;
    let games = pgn::sections(&text).into_iter().map(|section| {
        let game = section
            .read(CastlingRules::Fischer, None)
            .map_err(|error| error.to_string())
            .and_then(refuse_other_castling);
        match game {
            Ok(game) => describe(&game),
            Err(error) => json!({
                "tags": pgn::tags(&section.text),
                "errors": [format!("line {}: {error}", section.line)],
            }),
        }
    });
    Ok(json!({ "games": games.collect::<Vec<_>>() }))
}

/// Refuses games whose castling rules differ from those of chess and Chess960. The page gets only FENs, which don't
/// show the rules.
fn refuse_other_castling(game: PgnGame) -> Result<PgnGame, String> {
    if game.start.has_fischer_castling() {
        Ok(game)
    } else {
        Err("this page knows the castling of chess and Chess960 only".to_owned())
    }
}

fn describe(game: &PgnGame) -> Value {
    let warnings =
        Fen::parse(game.tag("FEN"), CastlingRules::Fischer).map(|fen| fen.false_rights).unwrap_or_default();
    json!({
        "tags": game.tags,
        "start": game.start.fen(FenStyle::XFen),
        "result": game.result,
        "errors": game.errors.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "warnings": warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "line": describe_line(&game.line, &game.start),
    })
}

fn describe_line(line: &Line, start: &Board) -> Value {
    let mut board = start.clone();
    let moves = line.moves.iter().map(|played| {
        let before = board.clone();
        play(&mut board, played.mv);
        board.trim_history();
        json!({
            "uci": played.mv.map(|mv| mv.to_string()),
            "san": san(&before, played.mv),
            "notes": describe_notes(&played.notes, &before),
        })
    });
    let moves: Vec<Value> = moves.collect();
    json!({ "before": describe_notes(&line.before, start), "moves": moves })
}

/// Describes the annotations of a move made on `before`.
fn describe_notes(notes: &[Note], before: &Board) -> Vec<Value> {
    let describe = |note: &Note| match note {
        Note::Nag(nag) => json!({ "nag": nag }),
        Note::Comment(comment) => json!({ "comment": comment }),
        Note::Variation(line) => json!({ "variation": describe_line(line, before) }),
    };
    notes.iter().map(describe).collect()
}

/// Converts a game from JSON, in the form that [`read`] returns, to PGN.
pub fn write(text: &str) -> Answer {
    let value: Value =
        serde_json::from_str(text).map_err(|error| format!("write: expected JSON: {error}"))?;
    let fen = value["start"].as_str().unwrap_or_default();
    let start =
        Board::from_fen(fen, CastlingRules::Fischer).map_err(|error| format!("write: start: {error}"))?;
    let tag = |pair: &Value| Some((pair[0].as_str()?.to_owned(), pair[1].as_str()?.to_owned()));
    let mut tags: Vec<_> = list(&value["tags"]).iter().filter_map(tag).collect();
    let result = value["result"].as_str().unwrap_or("*").to_owned();
    if !tags.is_empty() {
        set_result(&mut tags, &result);
    }
    if start != Board::startpos() {
        for (name, value) in [("Variant", "Chess960"), ("SetUp", "1"), ("FEN", &start.fen(FenStyle::XFen))] {
            if !tags.iter().any(|(tag, _)| tag == name) {
                tags.push((name.to_owned(), value.to_owned()));
            }
        }
    }
    let game = PgnGame { tags, line: parse_line(&value["line"], &start)?, start, result, errors: vec![] };
    Ok(json!({ "pgn": pgn::write(&game) }))
}

/// Sets the `Result` tag. A new one goes after the tags of the players.
fn set_result(tags: &mut Vec<(String, String)>, result: &str) {
    let place = |name: &str| tags.iter().position(|(tag, _)| tag == name);
    let (old, end) = (place("Result"), place("Black").map_or(tags.len(), |black| black + 1));
    match old {
        Some(old) => result.clone_into(&mut tags[old].1),
        None => tags.insert(end, ("Result".to_owned(), result.to_owned())),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn parse_line(value: &Value, start: &Board) -> Result<Line, String> {
    let mut board = start.clone();
    let mut line = Line { before: parse_notes(&value["before"], start)?, moves: vec![] };
    for played in list(&value["moves"]) {
        let mv =
            match played["uci"].as_str() {
                Some(text) => Some(board.parse_move(text).ok_or_else(|| {
                    format!("write: '{text}' is not legal in {}", board.fen(FenStyle::XFen))
                })?),
                None if board.in_check() => return Err("write: a null move in check".to_owned()),
                None => None,
            };
        line.moves.push(PgnMove { mv, notes: parse_notes(&played["notes"], &board)? });
        play(&mut board, mv);
        board.trim_history();
    }
    Ok(line)
}

fn parse_notes(value: &Value, before: &Board) -> Result<Vec<Note>, String> {
    let parse = |note: &Value| {
        if let Some(nag) = note["nag"].as_u64() {
            return Ok(Note::Nag(nag.min(u64::from(u8::MAX)) as u8));
        }
        if let Some(comment) = note["comment"].as_str() {
            return Ok(Note::Comment(comment.split_whitespace().collect::<Vec<_>>().join(" ")));
        }
        Ok(Note::Variation(parse_line(&note["variation"], before)?))
    };
    list(value).iter().map(parse).collect()
}
