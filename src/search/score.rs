//! Scores: centipawns for the side to move, and the ranges that mean mate.

/// Deepest ply that the search reaches.
pub const MAX_PLY: usize = 240;

/// A score in centipawns from the side to move, or a distance to mate.
pub type Score = i32;

/// Beyond every score.
pub const INFINITE: Score = 32_001;
/// Being mated now is `-MATE`, mating in *n* plies `MATE - n`.
pub const MATE: Score = 32_000;
/// A draw.
pub const DRAW: Score = 0;
/// Scores from here on announce a mate.
pub const MATE_RANGE: Score = MATE - MAX_PLY as Score;
/// Bound of what an evaluation may say.
pub const EVAL_LIMIT: Score = 29_000;

/// The score of mating `ply` plies from the root.
#[inline]
pub const fn mate_in(ply: usize) -> Score {
    MATE - ply as Score
}

/// The score of being mated `ply` plies from the root.
#[inline]
pub const fn mated_in(ply: usize) -> Score {
    ply as Score - MATE
}

/// `true` for a mate by either side.
#[inline]
pub const fn is_mate(score: Score) -> bool {
    score.abs() >= MATE_RANGE
}

/// Moves to mate, negative when being mated; `None` for other scores.
pub const fn moves_to_mate(score: Score) -> Option<i32> {
    if score >= MATE_RANGE {
        Some((MATE - score + 1) / 2)
    } else if score <= -MATE_RANGE {
        Some(-(MATE + score) / 2)
    } else {
        None
    }
}

/// A score as the table keeps it: distances to mate count from the stored position, not from the root.
#[inline]
pub const fn to_table(score: Score, ply: usize) -> Score {
    if score >= MATE_RANGE {
        score + ply as Score
    } else if score <= -MATE_RANGE {
        score - ply as Score
    } else {
        score
    }
}

/// The inverse of [`to_table`]. Mates that the fifty-move limit would cut short are taken back to the edge of
/// the mate range.
#[inline]
pub const fn from_table(score: Score, ply: usize, halfmove_clock: u16) -> Score {
    let plies_left = 100 - halfmove_clock as Score;
    if score >= MATE_RANGE {
        if MATE - score > plies_left { MATE_RANGE - 1 } else { score - ply as Score }
    } else if score <= -MATE_RANGE {
        if MATE + score > plies_left { 1 - MATE_RANGE } else { score + ply as Score }
    } else {
        score
    }
}
