//! Scores: centipawns for the side to move, the ranges that mean mate, and what a score bounds.

use crate::tablebase::Wdl;

/// Deepest ply that the search reaches.
pub const MAX_PLY: usize = 240;

/// A score in centipawns from the side to move, or a distance to mate.
pub type Score = i32;

/// Beyond every score.
pub const INFINITE: Score = 32_001;
/// Being mated now is `-MATE`, mating in *n* plies `MATE - n`.
pub const MATE: Score = 32_000;
pub const DRAW: Score = 0;
/// Scores from here on announce a mate.
pub const MATE_RANGE: Score = MATE - MAX_PLY as Score;
/// A win that a tablebase knows *n* plies from the root is `TABLEBASE_WIN - n`.
pub const TABLEBASE_WIN: Score = 30_500;
/// Scores from here on are won for certain, by mate or by tablebase.
pub const DECISIVE_RANGE: Score = TABLEBASE_WIN - MAX_PLY as Score;
/// Bound of what an evaluation may say.
pub const EVAL_LIMIT: Score = 29_000;

/// How a score relates to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum Bound {
    /// The true score is at most this.
    Upper = 1,
    /// The true score is at least this.
    Lower = 2,
    /// The true score.
    #[default]
    Exact = 3,
}

impl Bound {
    /// `true` when a score of this kind settles a search between `alpha` and `beta`.
    #[inline]
    pub const fn causes_cutoff(self, score: Score, alpha: Score, beta: Score) -> bool {
        match self {
            Self::Upper => score <= alpha,
            Self::Lower => score >= beta,
            Self::Exact => true,
        }
    }

    /// `true` when a score of this kind is nearer to the truth than the estimate `eval`.
    #[inline]
    pub const fn improves(self, score: Score, eval: Score) -> bool {
        match self {
            Self::Upper => score <= eval,
            Self::Lower => score >= eval,
            Self::Exact => true,
        }
    }
}

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

/// `true` for a mate or a tablebase result by either side: a score that is no evaluation.
#[inline]
pub const fn is_decisive(score: Score) -> bool {
    score.abs() >= DECISIVE_RANGE
}

/// The score of a tablebase result `ply` plies from the root.
pub const fn score_of(wdl: Wdl, ply: usize) -> Score {
    match wdl {
        Wdl::Win => TABLEBASE_WIN - ply as Score,
        Wdl::Loss => ply as Score - TABLEBASE_WIN,
        // As good as drawn, but one side may hope for a mistake.
        Wdl::CursedWin => DRAW + 1,
        Wdl::BlessedLoss => DRAW - 1,
        Wdl::Draw => DRAW,
    }
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

/// A score as the transposition table keeps it: distances count from the stored position, not from the root.
#[inline]
pub const fn to_tt(score: Score, ply: usize) -> Score {
    if score >= DECISIVE_RANGE {
        score + ply as Score
    } else if score <= -DECISIVE_RANGE {
        score - ply as Score
    } else {
        score
    }
}

/// The inverse of [`to_tt`]. A mate that the fifty-move limit would cut short is no longer called one.
#[inline]
pub const fn from_tt(score: Score, ply: usize, halfmove_clock: u16) -> Score {
    let plies_left = 100 - halfmove_clock as Score;
    if is_mate(score) && MATE - score.abs() > plies_left {
        (DECISIVE_RANGE - 1) * score.signum()
    } else if score >= DECISIVE_RANGE {
        score - ply as Score
    } else if score <= -DECISIVE_RANGE {
        score + ply as Score
    } else {
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_go_through_the_transposition_table() {
        for score in [0, 55, -1234, mate_in(7), mated_in(12), TABLEBASE_WIN - 9, 9 - TABLEBASE_WIN] {
            assert_eq!(from_tt(to_tt(score, 5), 5, 0), score);
        }
        let elsewhere = from_tt(to_tt(mate_in(9), 5), 3, 0);
        assert_eq!(elsewhere, mate_in(7), "four plies from the stored position");
        assert!(!is_decisive(from_tt(mate_in(30), 2, 80)), "the fifty-move limit comes first");
        assert_eq!(moves_to_mate(mate_in(1)), Some(1));
        assert_eq!(moves_to_mate(mated_in(2)), Some(-1));
        assert_eq!(moves_to_mate(TABLEBASE_WIN), None);
    }
}
