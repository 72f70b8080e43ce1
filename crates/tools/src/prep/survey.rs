//! Compares the scores of all legal moves in a shallow and in a deep search. A trap looks good only to the shallow
//! search, a hidden move looks bad only to the shallow search. The share of sound moves tells how sharp a position is.

use anyhow::Result;

use crate::searcher::{Iteration, Searcher};
use enroque::chess::{Board, Move};
use enroque::search::limits::Limits;

/// The shallow search of a survey is its deepest iteration up to this depth, in plies.
const SHALLOW_DEPTH: i32 = 5;
/// A move counts as good as the best move if its score is at most this many centipawns lower.
const SMALL_LOSS: i32 = 15;
/// A move counts as sound if its score is at most this many centipawns lower than the best move's.
const SOUND_LOSS: i32 = 30;

/// A legal move, and by how many centipawns it is worse than the best move in the shallow and in the deep search.
#[derive(Clone, Debug)]
pub struct Surveyed {
    pub mv: Move,
    pub shallow_loss: i32,
    pub deep_loss: i32,
    /// The line that the deep search found, beginning with `mv`.
    pub pv: Vec<Move>,
}

/// How a shallow search can misjudge a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Surprise {
    /// The move looks good but is bad.
    Trap,
    /// The move looks bad but is good.
    Hidden,
}

/// All legal moves of a position, compared at two depths.
#[derive(Clone, Debug)]
pub struct Survey {
    pub board: Board,
    pub shallow_depth: i32,
    pub deep_depth: i32,
    /// Best first, judged by the deep search.
    pub moves: Vec<Surveyed>,
}

impl Survey {
    /// Searches `board` with one MultiPV line for each legal move.
    pub fn of(searcher: &mut Searcher, board: &Board, limits: Limits) -> Result<Self> {
        let count = board.legal_moves().len();
        Ok(Self::compare(board, &searcher.search(board, count, limits)?))
    }

    /// Compares the deepest iteration up to [`SHALLOW_DEPTH`] with the deepest iteration of all.
    fn compare(board: &Board, iterations: &[Iteration]) -> Self {
        let shallow = iterations.iter().rfind(|each| each.depth <= SHALLOW_DEPTH).or(iterations.first());
        let deep = iterations.last();
        let mut survey = Self { board: board.clone(), shallow_depth: 0, deep_depth: 0, moves: Vec::new() };
        let (Some(shallow), Some(deep)) = (shallow, deep) else { return survey };
        (survey.shallow_depth, survey.deep_depth) = (shallow.depth, deep.depth);
        let best =
            |iteration: &Iteration| iteration.lines.first().map_or(0, |line| line.evaluation.own.order());
        for line in &deep.lines {
            let Some(&mv) = line.pv.first() else { continue };
            let earlier = shallow.lines.iter().find(|line| line.pv.first() == Some(&mv));
            let Some(earlier) = earlier else { continue };
            survey.moves.push(Surveyed {
                mv,
                shallow_loss: best(shallow) - earlier.evaluation.own.order(),
                deep_loss: best(deep) - line.evaluation.own.order(),
                pv: line.pv.clone(),
            });
        }
        survey
    }

    /// Returns how many moves are sound, judged by the deep search.
    pub fn sound(&self) -> usize {
        self.moves.iter().filter(|each| each.deep_loss <= SOUND_LOSS).count()
    }

    /// Returns the traps and hidden moves, the most surprising first.
    pub fn surprises(&self) -> Vec<(Surprise, &Surveyed)> {
        let mut found: Vec<(Surprise, &Surveyed)> =
            self.moves.iter().filter_map(|each| Some((each.surprise()?, each))).collect();
        found.sort_by_key(|(_, each)| -each.swing());
        found
    }
}

impl Surveyed {
    fn surprise(&self) -> Option<Surprise> {
        if self.shallow_loss <= SMALL_LOSS && self.deep_loss > SOUND_LOSS {
            Some(Surprise::Trap)
        } else if self.shallow_loss > SOUND_LOSS && self.deep_loss <= SMALL_LOSS {
            Some(Surprise::Hidden)
        } else {
            None
        }
    }

    /// Returns by how many centipawns the losses at the two depths differ.
    pub fn swing(&self) -> i32 {
        (self.shallow_loss - self.deep_loss).abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surprises_differ_by_depth() {
        let board = Board::startpos();
        let iteration = |depth, moves| Iteration::of_moves(&board, depth, 0, moves);
        let iterations = [
            iteration(1, &[("e2e4", 90), ("d2d4", 0), ("a2a3", 0), ("g2g4", 0)]),
            iteration(5, &[("g2g4", 30), ("e2e4", 20), ("a2a3", 20), ("d2d4", -20)]),
            iteration(9, &[("e2e4", 30), ("d2d4", 20), ("a2a3", 5), ("g2g4", -30)]),
        ];
        let survey = Survey::compare(&board, &iterations);
        let names =
            survey.surprises().iter().map(|(kind, each)| (*kind, board.san(each.mv))).collect::<Vec<_>>();
        assert_eq!(names, [(Surprise::Trap, "g4".to_owned()), (Surprise::Hidden, "d4".to_owned())]);
        assert_eq!((survey.shallow_depth, survey.deep_depth, survey.sound()), (5, 9, 3));
        assert!(Survey::compare(&board, &[]).moves.is_empty());
    }
}
