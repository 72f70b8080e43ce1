//! Scores in centipawns for the side to move, the ranges above them for tablebase results and mates, and bounds.

use std::ops::Neg;

use crate::chess::Color;
use crate::tablebase::Wdl;

/// The search goes no deeper than this ply.
pub const MAX_PLY: usize = 240;
/// Maximum depth of an iteration, plies. A larger `go depth` is cut down to this.
pub const MAX_DEPTH: i32 = MAX_PLY as i32 - 1;

/// A score in centipawns for the side to move. Scores far from 0 encode the distance to a mate or a tablebase result.
pub type Score = i32;

/// Greater than every score.
pub const INFINITE: Score = 32_001;
/// Being mated now scores `-MATE`; mating in *n* plies scores `MATE - n`.
pub const MATE: Score = 32_000;
pub const DRAW: Score = 0;
/// Minimum score that announces a mate.
pub const MATE_RANGE: Score = MATE - MAX_PLY as Score;
/// A tablebase win *n* plies from the root scores `TABLEBASE_WIN - n`.
pub const TABLEBASE_WIN: Score = 30_500;
/// Minimum score of a proven win, by mate or tablebase.
pub const DECISIVE_RANGE: Score = TABLEBASE_WIN - MAX_PLY as Score;
/// A static eval stays within ± this, far from any proven score.
pub const EVAL_LIMIT: Score = 29_000;

/// The scores between which a search must be exact: any score ≤ alpha or ≥ beta is only a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    pub alpha: Score,
    pub beta: Score,
}

impl Window {
    /// The window that holds every score.
    pub const FULL: Self = Self { alpha: -INFINITE, beta: INFINITE };

    /// Returns the null window that tells whether a score is above `alpha`.
    pub const fn null_above(alpha: Score) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// Returns the null window that tells whether a score reaches `beta`.
    pub const fn null_below(beta: Score) -> Self {
        Self { alpha: beta - 1, beta }
    }
}

impl Neg for Window {
    type Output = Self;

    /// Returns the window as the other side sees it.
    #[inline(always)]
    fn neg(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

/// Plies without a capture or pawn move after which the game is drawn.
const FIFTY_MOVES: Score = crate::chess::board::draws::FIFTY_MOVES as Score;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum Bound {
    /// The true score is at most this.
    Upper = 1,
    /// The true score is at least this.
    Lower = 2,
    #[default]
    Exact = 3,
}

impl Bound {
    /// Returns the bound type of a score after a search in this window.
    #[inline]
    pub const fn of(score: Score, alpha: Score, beta: Score) -> Self {
        if score >= beta {
            Self::Lower
        } else if score > alpha {
            Self::Exact
        } else {
            Self::Upper
        }
    }

    /// Whether `score`, if it is this kind of bound, settles a node with this window, so that we can return it.
    #[inline]
    pub const fn causes_cutoff(self, score: Score, alpha: Score, beta: Score) -> bool {
        match self {
            Self::Upper => score <= alpha,
            Self::Lower => score >= beta,
            Self::Exact => true,
        }
    }

    /// Whether `score`, if it is this kind of bound, tells us more than `eval`: it is exact, or a bound that excludes
    /// `eval`.
    #[inline]
    pub const fn improves(self, score: Score, eval: Score) -> bool {
        self.causes_cutoff(score, eval, eval)
    }
}

/// Returns the score for mating `ply` plies from the root.
#[inline]
pub const fn mate_in(ply: usize) -> Score {
    MATE - ply as Score
}

/// Returns the score for being mated `ply` plies from the root.
#[inline]
pub const fn mated_in(ply: usize) -> Score {
    ply as Score - MATE
}

#[inline]
pub const fn is_mate(score: Score) -> bool {
    score.abs() >= MATE_RANGE
}

/// Whether either side has a mate or a tablebase win.
#[inline]
pub const fn is_decisive(score: Score) -> bool {
    score.abs() >= DECISIVE_RANGE
}

/// Returns what a draw is worth for White and for Black, if it counts as a win for the side with draw odds.
///
/// With odds, a draw is better or worse than every static eval, so the side with odds takes a repetition at once and
/// the other side avoids it, but neither prefers a draw to a mate.
pub fn draw_scores(draw_odds: Option<Color>) -> [Score; 2] {
    Color::ALL.map(|color| match draw_odds {
        None => DRAW,
        Some(winner) if winner == color => EVAL_LIMIT,
        Some(_) => -EVAL_LIMIT,
    })
}

/// Returns the score for a tablebase result `ply` plies from the root.
pub const fn score_of(wdl: Wdl, ply: usize) -> Score {
    match wdl {
        Wdl::Win => TABLEBASE_WIN - ply as Score,
        Wdl::Loss => ply as Score - TABLEBASE_WIN,
        // The fifty-move rule makes both of these a draw, but the side that would lose without it may still go wrong.
        Wdl::CursedWin => DRAW + 1,
        Wdl::BlessedLoss => DRAW - 1,
        Wdl::Draw => DRAW,
    }
}

/// Returns how many moves away a mate is, negative if the side to move is mated; `None` for other scores.
pub const fn moves_to_mate(score: Score) -> Option<i32> {
    if score >= MATE_RANGE {
        Some((MATE - score + 1) / 2)
    } else if score <= -MATE_RANGE {
        Some(-(MATE + score) / 2)
    } else {
        None
    }
}

/// Converts a score for the TT, where distances to a mate or tablebase win count from that position, not the root.
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

/// Inverse of [`to_tt`], but a mate that the fifty-move rule prevents becomes a non-decisive score.
#[inline]
pub const fn from_tt(score: Score, ply: usize, halfmove_clock: u16) -> Score {
    let plies_left = FIFTY_MOVES - halfmove_clock as Score;
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
    fn table_scores_convert_back() {
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
