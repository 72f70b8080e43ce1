//! Explains castling in words: the path, the conditions, how to do it by hand, and the obstacles.

use std::fmt::Write as _;

use enroque::chess::castling::CastlingPath;
use enroque::chess::movegen::obstacles::CastlingObstacle;
use enroque::chess::{Bitboard, Board, CastlingSide, Color, Move, MoveKind, Square};

/// Explains on several lines whether `color` can castle on `side` now: path, conditions, and what is in the way.
pub fn castling(board: &Board, color: Color, side: CastlingSide) -> String {
    let name = format!("{} {}", color_name(color), side.san());
    let Some(path) = board.castling(color, side) else {
        return format!("{name}: no castling right.\n");
    };
    let obstacles = board.castling_obstacles(color, path);
    let verdict = if obstacles.is_empty() { "can be played" } else { "cannot be played now" };
    let code = Move::new(path.king_from, path.rook_from, MoveKind::Castle);
    let mut text = format!("{name} ({code}): {verdict}.\n");
    let _ = writeln!(text, "  king  {}", path_text(path.king_from, path.king_to));
    let _ = writeln!(text, "  rook  {}", path_text(path.rook_from, path.rook_to));
    let _ = writeln!(text, "  must be empty         {}", square_list(path.must_be_empty));
    let safe = path.must_be_safe | Bitboard::of(path.king_from);
    let _ = writeln!(text, "  must not be attacked  {}", square_list(safe));
    let _ = writeln!(text, "  by hand               {}", hand_procedure(path).join("; "));
    for obstacle in obstacles {
        let _ = writeln!(text, "  - {}", obstacle_text(board, color, obstacle, path));
    }
    text
}

/// Returns the steps of castling on a physical board, as the FIDE guidelines for Chess960 recommend. If both pieces
/// move, the king waits off the board, so that they never share a square.
pub fn hand_procedure(path: &CastlingPath) -> Vec<String> {
    let CastlingPath { king_from, king_to, rook_from, rook_to, .. } = *path;
    let mut steps = vec!["announce \"I castle\"".to_owned()];
    let (king_moves, rook_moves) = (king_from != king_to, rook_from != rook_to);
    if king_moves && rook_moves {
        steps.push(format!("king from {king_from} off the board, next to {king_to}"));
    }
    if rook_moves {
        steps.push(format!("rook from {rook_from} to {rook_to}"));
    }
    if king_moves {
        let origin = if rook_moves { String::new() } else { format!("from {king_from} ") };
        steps.push(format!("king {origin}to {king_to}"));
    }
    steps.push("press the clock, all with the same hand".to_owned());
    steps
}

fn path_text(from: Square, to: Square) -> String {
    if from == to { format!("stays on {from}") } else { format!("{from} to {to}") }
}

fn square_list(set: Bitboard) -> String {
    if set.is_empty() { "no square".to_owned() } else { square_names(set).join(" ") }
}

/// Returns the names of squares, from a1 to h8.
pub fn square_names(set: Bitboard) -> Vec<String> {
    set.into_iter().map(|square| square.to_string()).collect()
}

/// Returns a sentence that says why castling along `path` is not possible.
pub fn obstacle_text(board: &Board, color: Color, obstacle: CastlingObstacle, path: &CastlingPath) -> String {
    let piece = |square: Square| {
        let kind = board.piece_on(square).map_or("piece", |piece| piece.kind().name());
        format!("{kind} on {square}")
    };
    match obstacle {
        CastlingObstacle::NotToMove => format!("It is {}'s move.", color_name(!color)),
        CastlingObstacle::InCheck(from) => format!("The king is in check from the {}.", piece(from)),
        CastlingObstacle::Blocked(square) => {
            let owner = board.piece_on(square).map_or(color, |piece| piece.color());
            format!("{}'s {} is in the way.", color_name(owner), piece(square))
        }
        CastlingObstacle::Attacked(square, from) if square == path.king_to => {
            format!("The king would land on {square}, which the {} attacks.", piece(from))
        }
        CastlingObstacle::Attacked(square, from) => {
            format!("The king would pass {square}, which the {} attacks.", piece(from))
        }
        CastlingObstacle::Uncovered(from) => format!(
            "With the rook gone from {}, the {} would give check on {}.",
            path.rook_from,
            piece(from),
            path.king_to
        ),
    }
}

/// Returns the English name of a colour: `White` or `Black`.
pub fn color_name(color: Color) -> &'static str {
    ["White", "Black"][color.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hand_procedures_follow_movement() {
        let steps = |fen: &str, side| {
            let board: Board = fen.parse().unwrap();
            let steps = hand_procedure(board.castling(Color::White, side).unwrap());
            steps[1..steps.len() - 1].join("; ")
        };
        let (a, h) = (CastlingSide::A, CastlingSide::H);
        let both = "king from e1 off the board, next to g1; rook from h1 to f1; king to g1";
        assert_eq!(steps("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", h), both);
        assert_eq!(steps("4k3/8/8/8/8/8/8/6KR w K - 0 1", h), "rook from h1 to f1");
        assert_eq!(steps("4k3/8/8/8/8/8/8/3RK3 w Q - 0 1", a), "king from e1 to c1");
        let swap = "king from f1 off the board, next to g1; rook from g1 to f1; king to g1";
        assert_eq!(steps("4k3/8/8/8/8/8/8/5KR1 w K - 0 1", h), swap);
    }
}
