//! Gives advice for the first five moves. It follows from facts about the start position, and from the plans, which are
//! the engine's lines after different first moves.

use std::collections::HashMap;

use super::preparation::{Plan, Preparation};
use super::survey::Surprise;
use enroque::chess::{Bitboard, Board, CastlingSide, Color, Move};
use enroque_study::castling::{color_name, square_names};
use enroque_study::facts::{CastlingFacts, StartFacts};
use enroque_study::line::{numbered, san_line};
use enroque_study::start::or_list;

/// The advice covers this many moves of each side.
const MOVES: usize = 5;
/// For each side we name at most this many of its most frequent moves.
const NAMED_MOVES: usize = 3;
/// We warn of at most this many traps.
const NAMED_TRAPS: usize = 2;

/// Returns the advice as lines of text, the most urgent first.
pub fn lines(preparation: &Preparation, sides: &[StartFacts]) -> Vec<String> {
    let Preparation { board, plans, .. } = preparation;
    let mut lines = Vec::new();
    for facts in sides {
        let whose = if sides.len() == 1 { String::new() } else { format!("{}: ", color_name(facts.color)) };
        let mut add = |text: Option<String>| lines.extend(text.map(|text| format!("{whose}{text}")));
        add(weak_pawns(facts));
        add(castling(facts));
        for bishop in facts.bishops.iter().filter(|bishop| bishop.pawns.count() == 1) {
            add(Some(corner_bishop(board, bishop.square.to_string(), bishop.pawns, plans)));
        }
    }
    lines.extend(castlings_in_plans(plans));
    lines.extend(Color::ALL.into_iter().filter_map(|color| frequent_moves(board, color, plans)));
    let traps = preparation.surprises().into_iter().filter(|find| find.kind == Surprise::Trap);
    let traps: Vec<String> = traps.take(NAMED_TRAPS).map(|find| numbered(board, &find.moves())).collect();
    if !traps.is_empty() {
        lines.push(format!("Look twice before {}.", traps.join(" and ")));
    }
    lines
}

fn list(set: Bitboard) -> String {
    square_names(set).join(" and ")
}

fn pronoun(set: Bitboard) -> &'static str {
    if set.count() == 1 { "it" } else { "them" }
}

fn weak_pawns(facts: &StartFacts) -> Option<String> {
    let attacked: Bitboard =
        facts.attacks.iter().map(|attack| attack.pawn).filter(|&pawn| facts.undefended.has(pawn)).collect();
    if attacked.non_empty() {
        let them = pronoun(attacked);
        return Some(format!(
            "Guard {}: a first move can attack {them}, and nothing defends {them}.",
            list(attacked)
        ));
    }
    if facts.undefended.non_empty() {
        let them = pronoun(facts.undefended);
        return Some(format!("Keep {} in mind: nothing defends {them}.", list(facts.undefended)));
    }
    if facts.king_only.non_empty() {
        return Some(format!(
            "Only the king defends {}; remember it when you castle.",
            list(facts.king_only)
        ));
    }
    None
}

/// Says in how many plans each side castles; `None` if neither side castles in any plan.
fn castlings_in_plans(plans: &[Plan]) -> Option<String> {
    let castles = |plan: &&Plan, color: Color| {
        plan.moves.iter().skip(color.index()).step_by(2).any(|mv| mv.is_castle())
    };
    let [white, black] = Color::ALL.map(|color| plans.iter().filter(|plan| castles(plan, color)).count());
    (white + black > 0)
        .then(|| format!("White castles in {white} of {} plans, Black in {black}.", plans.len()))
}

fn castling(facts: &StartFacts) -> Option<String> {
    let name = |side: CastlingSide| side.san();
    let rights = CastlingSide::ALL
        .into_iter()
        .filter_map(|side| facts.castlings[side].map(|castling| (side, castling)));
    let (side, castling): (CastlingSide, CastlingFacts) = rights
        .min_by_key(|(side, castling)| (castling.moves.unwrap_or(u32::MAX), *side == CastlingSide::A))?;
    let cost = if castling.costs_other_right { ", which gives up the other castling" } else { "" };
    Some(match castling.moves {
        Some(0) => format!("{} can be played at once.", name(side)),
        Some(1) => format!("The quickest castling is {}, after one move{cost}.", name(side)),
        Some(moves) => format!("The quickest castling is {}, after {moves} moves{cost}.", name(side)),
        None => return None,
    })
}

/// Says in how many plans a side moves the pawn that shuts in its bishop on a corner square.
fn corner_bishop(board: &Board, bishop: String, pawns: Bitboard, plans: &[Plan]) -> String {
    let opens = |plan: &&Plan| plan.moves.iter().take(2 * MOVES).any(|mv| pawns.has(mv.from()));
    let count = plans.iter().filter(opens).count();
    let side = pawns.into_iter().next().and_then(|pawn| board.piece_on(pawn)).map(|pawn| pawn.color());
    let plans = match (count, side) {
        (0, _) | (_, None) => "no plan hurries to move it".to_owned(),
        (count, Some(color)) => format!("{} moves it in {count} of {} plans", color_name(color), plans.len()),
    };
    format!("The bishop on {bishop} needs the pawn on {}; {plans}.", or_list(pawns))
}

/// Names the moves that a side plays in more than one plan, the most frequent first. If there is only one plan, names
/// its first moves.
fn frequent_moves(board: &Board, color: Color, plans: &[Plan]) -> Option<String> {
    let mut counts: HashMap<String, (usize, usize)> = HashMap::new();
    for plan in plans {
        let moves: Vec<Move> = plan.moves.iter().take(2 * MOVES).copied().collect();
        let own = san_line(board, &moves).into_iter().enumerate().skip(color.index()).step_by(2);
        for (ply, san) in own {
            let san = san.trim_end_matches(['+', '#']).to_owned();
            let (count, first) = counts.entry(san).or_insert((0, ply));
            *count += 1;
            *first = ply.min(*first);
        }
    }
    let mut moves: Vec<(String, (usize, usize))> =
        counts.into_iter().filter(|(_, (count, _))| *count > 1 || plans.len() == 1).collect();
    moves.sort_by_key(|(san, (count, first))| (std::cmp::Reverse(*count), *first, san.clone()));
    let named: Vec<String> =
        moves.iter().take(NAMED_MOVES).map(|(san, (count, _))| format!("{san} ({count})")).collect();
    let total = plans.len();
    let plural = if total == 1 { "" } else { "s" };
    (!named.is_empty()).then(|| {
        let (side, named) = (color_name(color), named.join(", "));
        format!("{side}'s most frequent moves in {total} plan{plural}: {named}.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use enroque::chess::startpos::{StartNumbers, chess960, double_chess960};
    use enroque_study::start::sides;

    #[test]
    fn advice_follows_from_facts() {
        let advice = |board: Board| {
            let sides = sides(&board);
            let numbers = StartNumbers::of(&board).unwrap();
            let (plans, surveys) = Default::default();
            lines(&Preparation { board, numbers, depth: 0, plans, surveys }, &sides)
        };
        assert_eq!(
            advice(chess960(334).unwrap()),
            [
                "Guard a2: a first move can attack it, and nothing defends it.",
                "The quickest castling is O-O-O, after 2 moves."
            ]
        );
        assert_eq!(
            advice(double_chess960(344, 518).unwrap()),
            [
                "White: Keep b2 and h2 in mind: nothing defends them.",
                "White: O-O-O can be played at once.",
                "Black: Only the king defends f7; remember it when you castle.",
                "Black: The quickest castling is O-O, after 3 moves."
            ]
        );
        let attacked = advice(chess960(865).unwrap());
        assert_eq!(attacked[0], "Guard g2 and h2: a first move can attack them, and nothing defends them.");
        let corner = advice(chess960(0).unwrap());
        assert_eq!(corner[2], "The bishop on a1 needs the pawn on b2; no plan hurries to move it.");
    }
}
