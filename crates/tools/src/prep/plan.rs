//! Plans: the principal variation of a candidate move, and the other moves that a page names.

use serde::Serialize;

use super::error::PrepError;
use super::searcher::{Effort, Line, Searcher};
use enroque::chess::{Board, Move};

/// Shortest plan in plies; shorter lines are continued by further searches.
const MIN_PLAN: usize = 8;
/// Longest plan in plies.
const MAX_PLAN: usize = 12;
/// Candidate move with its plan.
#[derive(Serialize)]
pub struct Candidate {
    /// First move.
    pub san: String,
    /// Score for White.
    pub score: String,
    /// White's chances in per cent.
    pub chances: Option<[u32; 3]>,
    /// Moves of both sides.
    pub plan: String,
}

/// Move that only looks good or only looks bad.
#[derive(Serialize)]
pub struct Trap {
    /// Moves up to and including the surprising one.
    pub moves: String,
    /// `true` if the move looks good and is bad.
    pub is_trap: bool,
    /// Explanation.
    pub text: String,
}

/// Plan with its root, as moves.
pub struct Plan {
    /// Moves from the start position.
    pub moves: Vec<Move>,
    /// Best score of the search for White.
    pub line: Line,
}

impl Plan {
    /// Returns the line of a first move, continued until it is long enough for a plan.
    ///
    /// # Errors
    /// Returns an error if the engine fails.
    pub fn continued(
        searcher: &mut dyn Searcher,
        board: &Board,
        line: Line,
        effort: Effort,
    ) -> Result<Self, PrepError> {
        let mut moves = line.pv.clone();
        while moves.len() < MIN_PLAN {
            let mut end = board.clone();
            moves.iter().for_each(|&mv| end.make_move(mv));
            let next =
                searcher.search(&end, 1, effort)?.pop().and_then(|found| found.lines.into_iter().next());
            match next {
                Some(next) if !next.pv.is_empty() => moves.extend(next.pv),
                _ => break,
            }
        }
        moves.truncate(MAX_PLAN);
        Ok(Self { moves, line })
    }
}

/// Returns moves in algebraic notation.
pub fn san_line(board: &Board, moves: &[Move]) -> Vec<String> {
    let mut board = board.clone();
    let san = |&mv: &Move| {
        let text = board.san(mv);
        board.make_move(mv);
        text
    };
    moves.iter().map(san).collect()
}
