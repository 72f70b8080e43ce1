//! `enroque-tools startpos counts`: counts the figures about the 960 starts that people quote.

use crate::sweep::rows::Samples;
use enroque::chess::startpos::{
    BackRank, CHESS960_COUNT, ORTHODOX, back_rank, castling_needs_other_rook, chess960,
};
use enroque::chess::{Color, PieceKind};
use enroque_study::atlas::Atlas;
use enroque_study::facts::StartFacts;
use enroque_study::families::Keeping;

/// A figure: what we count, the number, and what others have published if it differs.
struct Count {
    what: &'static str,
    count: usize,
    published: &'static str,
}

/// Returns a table of all figures.
pub fn table() -> String {
    let mut text = format!("{:<58} {:>5} {:>8}  published\n", "Chess960 starts", "count", "share");
    for Count { what, count, published } in counts() {
        let share = 100.0 * count as f64 / f64::from(CHESS960_COUNT);
        text += format!("{what:<58} {count:>5} {share:>6.1} %  {published}").trim_end();
        text.push('\n');
    }
    text + "\n" + &blocked_castling() + &orthodox_and_mean()
}

fn counts() -> Vec<Count> {
    let ranks: Vec<BackRank> = (0..CHESS960_COUNT).filter_map(back_rank).collect();
    let facts: Vec<StartFacts> =
        (0..CHESS960_COUNT).filter_map(chess960).map(|board| StartFacts::of(&board, Color::White)).collect();
    let with_rank = |condition: fn(&BackRank) -> bool| ranks.iter().filter(|rank| condition(rank)).count();
    let with_facts =
        |condition: fn(&StartFacts) -> bool| facts.iter().filter(|facts| condition(facts)).count();
    let lonely = |has_weak_pawn: bool| {
        let both = ranks.iter().zip(&facts);
        both.filter(|(rank, facts)| has_lonely_knight(rank) && facts.undefended.is_empty() != has_weak_pawn)
            .count()
    };
    let alone = |families: &[Vec<u32>]| families.iter().filter(|family| family.len() == 1).count();
    let (keeping, losing) = (Keeping::CastlingRights.families(), Keeping::Bishops.families());
    let count = |what, count| Count { what, count, published: "" };
    vec![
        Count {
            published: "66 %",
            ..count("King on b, c, f or g", with_rank(|rank| [1, 2, 5, 6].contains(&king(rank))))
        },
        count("King on a dark square", with_rank(|rank| king(rank).is_multiple_of(2))),
        count("One castling blocked by the other rook", with_rank(castling_needs_other_rook)),
        count(
            "Castling possible on the first move",
            with_facts(|facts| facts.castlings.0.iter().flatten().any(|castling| castling.moves == Some(0))),
        ),
        count("No undefended pawn", with_facts(|facts| facts.undefended.is_empty())),
        count(
            "Undefended pawn that a first move attacks",
            with_facts(|facts| facts.attacks.iter().any(|attack| facts.undefended.has(attack.pawn))),
        ),
        count("Knight next to no king, queen or bishop; weak pawn", lonely(true)),
        Count {
            published: "0",
            ..count("Knight next to no king, queen or bishop; no weak pawn", lonely(false))
        },
        Count {
            published: "780",
            ..count("Families of transpositions, castling rights kept", keeping.len())
        },
        count("Starts without transposition, castling rights kept", alone(&keeping)),
        count("Families of transpositions, castling rights lost", losing.len()),
        Count {
            published: "180",
            ..count("Starts without transposition, castling rights lost", alone(&losing))
        },
    ]
}

fn king(rank: &BackRank) -> usize {
    rank.iter().take_while(|&&kind| kind != PieceKind::King).count()
}

/// Whether a knight has no king, queen or bishop next to it. They would defend the pawn in front of it.
fn has_lonely_knight(rank: &BackRank) -> bool {
    use PieceKind::{Bishop, King, Knight, Queen};
    let is_defender = |file: Option<usize>| {
        file.and_then(|file| rank.get(file)).is_some_and(|kind| [King, Queen, Bishop].contains(kind))
    };
    (0..rank.len())
        .any(|file| rank[file] == Knight && !is_defender(file.checked_sub(1)) && !is_defender(Some(file + 1)))
}

/// Says how much less White's advantage is on average than in the orthodox start.
fn orthodox_and_mean() -> String {
    let atlas = Atlas::shipped();
    let mean = Samples(atlas.entries.iter().map(|entry| entry.score).collect()).mean();
    let orthodox = atlas.entry(ORTHODOX).map(|entry| entry.score);
    let Some((orthodox, mean)) = orthodox.zip(mean) else { return String::new() };
    let less = 100.0 * (orthodox - mean) / orthodox;
    format!("  orthodox start  {orthodox:+.3}\n  mean of all  {mean:+.3}, {less:.1} % less")
}

/// Compares White's score in the starts where one rook blocks the castling with the other with the score in the rest.
fn blocked_castling() -> String {
    let scores = |is_blocked: bool| {
        let entries = Atlas::shipped().entries.iter();
        let chosen = entries.filter(|entry| {
            back_rank(entry.number).is_some_and(|rank| castling_needs_other_rook(&rank) == is_blocked)
        });
        Samples(chosen.map(|entry| entry.score).collect())
    };
    let (blocked, others) = (scores(true), scores(false));
    let both = blocked.mean().zip(others.mean()).zip(blocked.error().zip(others.error()));
    let Some(((blocked_mean, others_mean), (blocked_error, others_error))) = both else {
        return String::new();
    };
    let (difference, error) = (blocked_mean - others_mean, blocked_error.hypot(others_error));
    let percent = |pawns: f64| 100.0 * pawns / others_mean;
    format!(
        "White's score in the atlas\n  {} starts where one castling gives up the other  {blocked_mean:+.3}\n  \
         the other {}  {others_mean:+.3}\n  difference  {difference:+.3} ± {error:.3}, or {:.1} ± {:.1} %\n",
        blocked.0.len(),
        others.0.len(),
        percent(difference),
        percent(error),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `crates/tools/tests/count_starts.py` counts these without our code.
    #[test]
    fn figures_are_counted() {
        let found: Vec<usize> = counts().iter().map(|count| count.count).collect();
        assert_eq!(found, [552, 480, 90, 162, 360, 204, 356, 32, 708, 492, 192, 48]);
    }

    #[test]
    fn blocked_castling_has_an_error() {
        let text = blocked_castling();
        assert!(text.contains("difference  +0.010 ± 0.009, or 3.7 ± 3.2 %"), "{text}");
    }
}
