//! HTML page of analysed games.

use serde_json::{Value, json};

use super::judge::JudgedGame;
use super::variation::{Variation, numbered};
use crate::chess::{CastlingNotation, Color, FenStyle};
use crate::util::version::GENERATOR;
use crate::workbench::page;
use crate::workbench::pgn::{Note, PgnGame};

const TEMPLATE: &str = include_str!("page.html");

/// Tags shown in addition to the players.
const TAGS: [&str; 6] = ["Event", "Site", "Date", "Round", "TimeControl", "Variant"];

/// Returns the data of a game for the page. `first` is the best line of its first position.
pub fn game_data(game: &PgnGame, judged: &JudgedGame, first: Option<&Variation>) -> Value {
    let mut board = game.start.clone();
    let mut fens = vec![board.fen(FenStyle::XFen)];
    let mut moves = Vec::new();
    for (played, judgement) in game.line.moves.iter().zip(&judged.moves) {
        let Some(mv) = played.mv else { break };
        let uci = board.format_move(mv, CastlingNotation::KingTakesRook);
        let better = judgement.better.as_ref().map(|line| numbered(&board, line));
        let comments = played.notes.iter().filter_map(|note| match note {
            Note::Comment(comment) => Some(comment.as_str()),
            _ => None,
        });
        let comment = comments.collect::<Vec<_>>().join(" ");
        board.make_move(mv);
        fens.push(board.fen(FenStyle::XFen));
        let score = judgement.after.as_ref().map(|line| line.score_for_white(board.side_to_move()));
        moves.push(json!({
            "san": judgement.san,
            "squares": [uci.get(..2), uci.get(2..4)],
            "score": score,
            "mark": judgement.mark.map(|mark| mark.symbol),
            "kind": judgement.mark.map(|mark| mark.name),
            "words": judgement.advice(),
            "better": better,
            "comment": (!comment.is_empty()).then_some(comment),
        }));
    }
    let tags: Vec<&str> =
        TAGS.iter().map(|name| game.tag(name)).filter(|value| !["", "?"].contains(value)).collect();
    let wins: Vec<f64> = judged.wins.iter().map(|win| (10.0 * win).round() / 10.0).collect();
    let black_first = u32::from(game.start.side_to_move() == Color::Black);
    json!({
        "title": format!("{} - {}", game.tag("White"), game.tag("Black")),
        "result": game.result,
        "tags": tags.join(", "),
        "first": 2 * (game.start.fullmove_number() - 1) + black_first,
        "score0": first.map(|line| line.score_for_white(game.start.side_to_move())),
        "players": judged.summaries,
        "moves": moves,
        "fens": fens,
        "wins": wins,
    })
}

/// Returns the page of the given games. `limits` describes the search limits per position.
pub fn html(games: &[Value], limits: &str) -> String {
    page::fill(TEMPLATE, &json!({ "made": format!("{limits} per position, {GENERATOR}"), "games": games }))
}

/// Returns `true` if the first bytes of a file are those of such a page.
pub fn is_beginning(bytes: &[u8]) -> bool {
    page::is_beginning(TEMPLATE, bytes)
}
