//! Castlings of a position, explained.

use enroque::chess::movegen::obstacles::CastlingObstacle;
use enroque::chess::{Bitboard, Board, CastlingSide, Color, Move, MoveKind, Square};
use enroque_study::castling::{castling, hand_procedure, obstacle_text, square_names};
use serde_json::{Value, json};

/// For all four castlings, returns the conditions, how to move the pieces by hand, and the obstacles.
pub fn explain(board: &Board) -> Value {
    let castlings = Color::ALL
        .into_iter()
        .flat_map(|color| CastlingSide::ALL.into_iter().rev().map(move |side| describe(board, color, side)));
    json!({ "castlings": castlings.collect::<Vec<_>>() })
}

fn describe(board: &Board, color: Color, side: CastlingSide) -> Value {
    let name = side.san();
    let text = castling(board, color, side);
    let Some(path) = board.castling(color, side) else {
        return json!({ "color": color.name(), "side": name, "right": false, "can": false, "text": text });
    };
    let obstacles = board.castling_obstacles(color, path);
    let described = obstacles.iter().map(|&obstacle| {
        let squares: Vec<String> = squares_of(obstacle).iter().map(ToString::to_string).collect();
        json!({ "text": obstacle_text(board, color, obstacle, path), "squares": squares })
    });
    json!({
        "color": color.name(),
        "side": name,
        "right": true,
        "can": obstacles.is_empty(),
        "uci": Move::new(path.king_from, path.rook_from, MoveKind::Castle).to_string(),
        "king": [path.king_from.to_string(), path.king_to.to_string()],
        "rook": [path.rook_from.to_string(), path.rook_to.to_string()],
        "empty": square_names(path.must_be_empty),
        "safe": square_names(path.must_be_safe | Bitboard::of(path.king_from)),
        "hand": hand_procedure(path),
        "obstacles": described.collect::<Vec<_>>(),
        "text": text,
    })
}

fn squares_of(obstacle: CastlingObstacle) -> Vec<Square> {
    match obstacle {
        CastlingObstacle::NotToMove => vec![],
        CastlingObstacle::InCheck(from)
        | CastlingObstacle::Blocked(from)
        | CastlingObstacle::Uncovered(from) => vec![from],
        CastlingObstacle::Attacked(square, from) => vec![square, from],
    }
}
