//! What a score means in the position where a search found it: centipawns or moves to mate, and chances.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::judgement::{MAX_CENTIPAWNS, site_centipawns};
use enroque::chess::{Board, Color};
use enroque::search::score::{INFINITE, Score, is_decisive, mate_in, mated_in, moves_to_mate};
use enroque::search::wdl::{WinDrawLoss, denormalized, normalized, win_draw_loss};

/// A score as people read it, for the side to move unless we say otherwise. In JSON it is `{"cp": 17}` or `{"mate": -3}`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Shown {
    /// On one of the two scales of [`Evaluation`]. A tablebase win has more centipawns than any other score.
    #[serde(rename = "cp")]
    Centipawns(i32),
    /// Moves to mate, negative if the side to move is mated.
    #[serde(rename = "mate")]
    Mate(i32),
}

impl Shown {
    /// Returns the same score for the other side.
    fn negated(self) -> Self {
        match self {
            Self::Centipawns(centipawns) => Self::Centipawns(-centipawns),
            Self::Mate(moves) => Self::Mate(-moves),
        }
    }

    /// Turns the score of `side` into White's.
    #[must_use]
    pub fn for_white(self, side: Color) -> Self {
        if side == Color::White { self } else { self.negated() }
    }

    /// Returns the score in centipawns, clamped to ± [`MAX_CENTIPAWNS`]; a mate counts as the bound.
    pub fn bounded_centipawns(self) -> f64 {
        match self {
            Self::Centipawns(centipawns) => f64::from(centipawns).clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS),
            Self::Mate(moves) => MAX_CENTIPAWNS * f64::from(moves.signum()),
        }
    }

    /// Returns a number that is greater for better scores: quick mates beat slow mates, mates beat centipawns, and
    /// being mated comes last, the sooner the worse.
    pub fn order(self) -> i32 {
        match self {
            Self::Centipawns(centipawns) => centipawns,
            Self::Mate(moves) => moves.signum() * (INFINITE - moves.abs()),
        }
    }
}

/// Writes `+0.17`, `#5` or `#-3`.
impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Centipawns(centipawns) => f.pad(&format!("{:+.2}", f64::from(centipawns) / 100.0)),
            Self::Mate(moves) => f.pad(&format!("#{moves}")),
        }
    }
}

/// A score for the side to move, with what it means in the position where a search found it. Both the centipawns and
/// the chances depend on how much material that position has, so they stay as they are when we look at the score from
/// an earlier position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Evaluation {
    /// The internal score of the search.
    pub score: Score,
    pub chances: WinDrawLoss,
    /// On our own scale, which UCI uses: with 100 centipawns the chance to win is 50 %.
    pub own: Shown,
    /// On the scale of Stockfish 15.1, which chess sites use and the formulas of lichess expect. Mates and tablebase
    /// wins are the same on both scales.
    pub site: Shown,
}

impl Evaluation {
    /// `score` is the internal score of a search, and `board` the position that was searched.
    pub fn new(score: Score, board: &Board) -> Self {
        let own =
            moves_to_mate(score).map_or_else(|| Shown::Centipawns(normalized(score, board)), Shown::Mate);
        let site = match own {
            Shown::Centipawns(own) if !is_decisive(score) => {
                Shown::Centipawns(site_centipawns(own, board).round() as Score)
            }
            own => own,
        };
        Self { score, chances: win_draw_loss(score, board), own, site }
    }

    /// Turns a score back that UCI reported for the position `board`.
    pub fn of_own(own: Shown, board: &Board) -> Self {
        let score = match own {
            Shown::Centipawns(own) if is_decisive(own) => own,
            Shown::Centipawns(own) => denormalized(own, board).round() as Score,
            Shown::Mate(moves) if moves > 0 => mate_in(2 * moves.unsigned_abs() as usize - 1),
            Shown::Mate(moves) => mated_in(2 * moves.unsigned_abs() as usize),
        };
        // Rounding can change the score that we show.
        let site = Self::new(score, board);
        match own {
            Shown::Centipawns(shown) if !is_decisive(score) => {
                Self { own, site: Shown::Centipawns(site_centipawns(shown, board).round() as Score), ..site }
            }
            _ => site,
        }
    }

    /// Returns what the score means before the move that led to this position, for the side that made it.
    #[must_use]
    pub fn before_move(self) -> Self {
        // We count the moves of the side that mates, so the move adds one only if it is that side's.
        self.turned(|moves| if moves <= 0 { 1 - moves } else { -moves })
    }

    /// Returns what the score means after the first move of the line, for the other side.
    #[must_use]
    pub fn after_move(self) -> Self {
        self.turned(|moves| if moves > 0 { 1 - moves } else { -moves })
    }

    /// Returns the score for the other side; `mate` converts the moves to mate.
    fn turned(self, mate: impl Fn(i32) -> i32) -> Self {
        let WinDrawLoss { win, draw, loss } = self.chances;
        let turn = |shown| match shown {
            Shown::Mate(moves) => Shown::Mate(mate(moves)),
            Shown::Centipawns(centipawns) => Shown::Centipawns(-centipawns),
        };
        Self {
            score: -self.score,
            chances: WinDrawLoss { win: loss, draw, loss: win },
            own: turn(self.own),
            site: turn(self.site),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use enroque::search::score::{DECISIVE_RANGE, mated_in};

    #[test]
    fn tablebase_wins_keep_their_score() {
        let of_site = |score| Evaluation::new(score, &Board::startpos()).site;
        assert_eq!(of_site(DECISIVE_RANGE), Shown::Centipawns(DECISIVE_RANGE));
        assert_eq!(of_site(1000), Shown::Centipawns(615));
    }

    #[test]
    fn reported_scores_come_back() {
        for board in [Board::startpos(), "4k3/pppp4/8/8/8/8/PPPP4/R3K2R w - - 0 1".parse().unwrap()] {
            for score in (-3000..3000).chain([DECISIVE_RANGE, mate_in(5), mated_in(6)]) {
                let found = Evaluation::new(score, &board);
                let read = Evaluation::of_own(found.own, &board);
                assert_eq!((read.own, read.site), (found.own, found.site), "{score}");
            }
        }
    }

    #[test]
    fn earlier_move_counts_for_the_side_that_mates() {
        let after = Evaluation::new(mated_in(4), &Board::startpos());
        let before = after.before_move();
        assert_eq!([after, before].map(|each| each.own), [Shown::Mate(-2), Shown::Mate(3)]);
        assert_eq!(before.before_move().site, Shown::Mate(-3));
        assert_eq!((before.after_move(), before.before_move().after_move()), (after, before));
        assert_eq!((before.chances.win, before.chances.loss), (1000, 0));
        let shown = |shown: Shown| shown.for_white(Color::Black).to_string();
        assert_eq!(
            [Shown::Mate(3), Shown::Centipawns(-17), Shown::Centipawns(0)].map(shown),
            ["#-3", "+0.17", "+0.00"]
        );
        let [quick, slow, pawns] = [Shown::Mate(1), Shown::Mate(3), Shown::Centipawns(500)].map(Shown::order);
        assert!(quick > slow && slow > pawns);
    }
}
