//! Shows the facts about a start position as rows of text and as JSON.

use serde_json::{Value, json};

use crate::castling::{color_name, square_names};
use crate::facts::{CastlingFacts, PawnAttack, StartFacts, with_move_of};
use enroque::chess::startpos::StartNumbers;
use enroque::chess::{Bitboard, Board, CastlingSide, Color, FenStyle, Square};

/// Returns White's facts, and Black's unless they mirror White's.
pub fn sides(board: &Board) -> Vec<StartFacts> {
    let rooks = |color| CastlingSide::ALL.map(|side| Some(board.castling(color, side)?.rook_from.file()));
    let is_mirrored = StartNumbers::of(board).is_some_and(|numbers| !numbers.is_double())
        && rooks(Color::White) == rooks(Color::Black);
    let colors = if is_mirrored { &Color::ALL[..1] } else { &Color::ALL[..] };
    colors.iter().map(|&color| StartFacts::of(board, color)).collect()
}

/// Returns the title above the facts of `side`, which is one of `sides`.
pub fn title(sides: &[StartFacts], side: &StartFacts) -> &'static str {
    if sides.len() == 1 { "Facts (White's squares)" } else { color_name(side.color) }
}

/// Formats a title and, below it, labels and values in two columns.
pub fn block(title: &str, rows: &[(&str, String)]) -> String {
    const LABEL_WIDTH: usize = 18;
    let lines = rows.iter().map(|(label, value)| format!("\n  {label:<LABEL_WIDTH$}  {value}"));
    title.to_owned() + &lines.collect::<String>()
}

/// Returns one row for each kind of fact: a label, and the facts in words.
pub fn rows(board: &Board, facts: &StartFacts) -> Vec<(&'static str, String)> {
    let mut rows = vec![
        ("Undefended pawns", squares(facts.undefended)),
        ("Only king defends", squares(facts.king_only)),
        ("Attackable at once", attacks(board, facts)),
    ];
    for side in CastlingSide::ALL.into_iter().rev() {
        let label = side.san();
        rows.push((label, castling(board, facts.castlings[side].as_ref())));
    }
    let bishops = facts.bishops.iter().map(|bishop| {
        let place = if bishop.pawns.count() == 1 { " in the corner" } else { "" };
        format!("{}{place}, opened by {}", bishop.square, or_list(bishop.pawns))
    });
    rows.push(("Bishops", bishops.collect::<Vec<_>>().join("; ")));
    let knights = facts.knights.iter().map(|(square, targets)| format!("{square} to {}", or_list(*targets)));
    rows.push(("Knights", knights.collect::<Vec<_>>().join("; ")));
    rows.push(("Transposes to", numbers(&facts.reachable)));
    rows.push(("Without castling", numbers(&facts.reachable_without_castling)));
    rows
}

fn squares(set: Bitboard) -> String {
    if set.is_empty() { "none".to_owned() } else { square_names(set).join(" ") }
}

fn numbers(reachable: &[u32]) -> String {
    let names: Vec<String> = reachable.iter().map(u32::to_string).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// Joins the names of squares: `a3 or c3`.
pub fn or_list(set: Bitboard) -> String {
    square_names(set).join(" or ")
}

/// Lists the pawns with the first moves that attack them: `b2 by 1... g6, Bd4; h2 (king only) by 1... b6`, where only
/// the king defends h2.
fn attacks(board: &Board, facts: &StartFacts) -> String {
    let board = with_move_of(board, !facts.color);
    let number = if board.side_to_move() == Color::White { "1." } else { "1..." };
    let mut parts: Vec<String> = Vec::new();
    let mut last = None;
    for &PawnAttack { mv, pawn } in &facts.attacks {
        let san = board.san(mv);
        match parts.last_mut() {
            Some(part) if last == Some(pawn) => part.push_str(&format!(", {san}")),
            _ => {
                let defended = if facts.king_only.has(pawn) { " (king only)" } else { "" };
                parts.push(format!("{pawn}{defended} by {number} {san}"));
            }
        }
        last = Some(pawn);
    }
    if parts.is_empty() { "none".to_owned() } else { parts.join("; ") }
}

fn castling(board: &Board, facts: Option<&CastlingFacts>) -> String {
    let Some(facts) = facts else { return "no right".to_owned() };
    if facts.moves == Some(0) {
        return "at once".to_owned();
    }
    let count = facts.moves.map_or_else(|| "many".to_owned(), |moves| moves.to_string());
    let plural = if facts.moves == Some(1) { "" } else { "s" };
    let pieces = facts.blockers.into_iter().map(|square| piece(board, square));
    let pieces = pieces.collect::<Vec<_>>().join(", ");
    let cost = if facts.costs_other_right { "; gives up the other castling" } else { "" };
    format!("after {count} move{plural}: {pieces} in the way{cost}")
}

/// Names a piece with its square: `Nb1`.
fn piece(board: &Board, square: Square) -> String {
    let letter = board.piece_on(square).map_or(' ', |piece| piece.kind().letter());
    format!("{letter}{square}")
}

/// Returns everything about a start position, whose numbers are `numbers`: its name, FENs and numbers, and the facts
/// about both sides.
pub fn json(board: &Board, numbers: StartNumbers) -> Value {
    let both = |[white, black]: [Value; 2]| json!({ "white": white, "black": black });
    let pair = |numbers: StartNumbers| both([numbers.white().into(), numbers.black().into()]);
    json!({
        "name": numbers.name(),
        "fen": board.fen(FenStyle::Shredder),
        "xfen": board.fen(FenStyle::XFen),
        "number": pair(numbers),
        "rank": both(numbers.letters().map(Value::from)),
        "mirror": pair(numbers.mirror()),
        "white": side_json(board, &StartFacts::of(board, Color::White)),
        "black": side_json(board, &StartFacts::of(board, Color::Black)),
    })
}

fn side_json(board: &Board, facts: &StartFacts) -> Value {
    let attacker = with_move_of(board, !facts.color);
    let attacks = facts
        .attacks
        .iter()
        .map(|&PawnAttack { mv, pawn }| json!({ "pawn": pawn.to_string(), "move": attacker.san(mv) }));
    let castling = |facts: &CastlingFacts| {
        json!({
            "moves": facts.moves,
            "blockers": square_names(facts.blockers),
            "costs_other_right": facts.costs_other_right,
        })
    };
    let [a_side, h_side] = facts.castlings.0.map(|facts| facts.as_ref().map(castling));
    let bishops = facts.bishops.iter().map(|bishop| {
        json!({
            "square": bishop.square.to_string(),
            "is_in_corner": bishop.pawns.count() == 1,
            "opened_by": square_names(bishop.pawns),
            "range": bishop.range,
        })
    });
    let knights = facts
        .knights
        .iter()
        .map(|(square, targets)| json!({ "square": square.to_string(), "targets": square_names(*targets) }));
    json!({
        "undefended": square_names(facts.undefended),
        "king_only": square_names(facts.king_only),
        "attacks": attacks.collect::<Vec<_>>(),
        "o-o": h_side,
        "o-o-o": a_side,
        "bishops": bishops.collect::<Vec<_>>(),
        "knights": knights.collect::<Vec<_>>(),
        "reachable": facts.reachable,
        "reachable_without_castling": facts.reachable_without_castling,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use enroque::chess::startpos::chess960;

    #[test]
    fn attacked_pawns_that_the_king_defends_are_marked() {
        let attackable = |number| {
            let board = chess960(number).unwrap();
            rows(&board, &StartFacts::of(&board, Color::White)).swap_remove(2)
        };
        assert_eq!(attackable(334), ("Attackable at once", "a2 by 1... f5, f6".to_owned()));
        assert_eq!(attackable(953), ("Attackable at once", "b2 (king only) by 1... g5, g6".to_owned()));
    }
}
