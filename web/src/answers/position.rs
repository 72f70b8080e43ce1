//! Positions with their legal moves, and lines in algebraic notation.

use enroque::chess::startpos::StartNumbers;
use enroque::chess::{Board, Color, FenStyle, Move};
use enroque_study::line::numbered;
use serde_json::{Value, json};

use super::Answer;
use super::start::start_numbers;

/// Returns the FENs, the state and the legal moves of a position.
pub fn describe(board: &Board, warnings: Vec<String>) -> Value {
    let outcome = board.outcome().map(|outcome| {
        let result = match outcome.winner() {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        };
        json!({ "winner": outcome.winner().map(Color::name), "text": outcome.to_string(), "result": result })
    });
    let us = board.side_to_move();
    let check = board.in_check().then(|| board.king(us).to_string());
    let start = start_numbers(board).map(StartNumbers::name);
    json!({
        "fen": board.fen(FenStyle::XFen),
        "shredder": board.fen(FenStyle::Shredder),
        "turn": us.name(),
        "check": check,
        "fullmove": board.fullmove_number(),
        "halfmove": board.halfmove_clock(),
        "repeated": board.is_repetition(usize::MAX),
        "start": start,
        "outcome": outcome,
        "moves": board.legal_moves().iter().map(|&mv| describe_move(board, mv)).collect::<Vec<_>>(),
        "warnings": warnings,
    })
}

fn describe_move(board: &Board, mv: Move) -> Value {
    let mut described = json!({
        "uci": mv.to_string(),
        "from": mv.from().to_string(),
        "to": mv.to().to_string(),
        "san": board.san(mv),
    });
    if let Some(piece) = mv.promotion() {
        described["promotion"] = piece.name().into();
    }
    let castling = board.castling_side_of(mv).and_then(|side| board.castling(board.side_to_move(), side));
    if let Some(path) = castling {
        described["castling"] = json!({ "king": path.king_to.to_string(), "rook": path.rook_to.to_string() });
    }
    described
}

/// Returns each move of a line in UCI and algebraic notation, and the FEN after it, up to the first illegal move.
pub fn line(board: &Board, moves: &str) -> Value {
    let mut end = board.clone();
    let (mut described, mut fens, mut played) = (Vec::new(), Vec::new(), Vec::new());
    for word in moves.split_ascii_whitespace() {
        let Some(mv) = end.parse_move(word) else { break };
        described.push(json!({ "uci": mv.to_string(), "san": end.san(mv) }));
        end.make_move(mv);
        fens.push(end.fen(FenStyle::XFen));
        played.push(mv);
    }
    json!({ "moves": described, "text": numbered(board, &played), "fens": fens })
}

/// Returns the move that a text names, in algebraic notation or coordinates.
pub fn find(board: &Board, text: &str) -> Answer {
    let mv = match board.parse_move(text) {
        Some(mv) => mv,
        None => board.parse_san(text).map_err(|error| error.to_string())?,
    };
    Ok(json!({ "uci": mv.to_string(), "san": board.san(mv) }))
}
