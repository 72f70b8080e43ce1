//! Searches a start: candidate moves with a plan for each, and surveys of the first moves and of the replies.

use anyhow::{Context, Result};

use super::survey::{Surprise, Survey, Surveyed};
use crate::searcher::Searcher;
use crate::searcher::limits::shorter;
use enroque::chess::startpos::StartNumbers;
use enroque::chess::{Board, Move};
use enroque::search::limits::Limits;
use enroque_study::line::Variation;

/// Minimum length of a plan, in plies. If the line of a candidate move is shorter, we search on from its end.
const MIN_PLAN: usize = 8;
/// We cut longer plans to this many plies.
const MAX_PLAN: usize = 12;
/// Number of candidate moves, the best first, for which we survey Black's replies.
const SURVEYED_REPLIES: usize = 3;
const MAX_TRAPS: usize = 3;
const MAX_HIDDEN: usize = 2;
/// The search for candidate moves gets the full node and time limits. We divide both limits by these numbers for the
/// survey of the first moves, for the survey of the replies to each candidate, and for each search that continues a
/// plan.
const FIRST_MOVES_DIVISOR: u32 = 2;
const REPLIES_DIVISOR: u32 = 3;
const CONTINUATION_DIVISOR: u32 = 64;

/// How many steps the progress bar counts for each start: one for the candidate moves, and one for each survey.
pub const SEARCHES: u64 = 2 + SURVEYED_REPLIES as u64;

/// What the engine found out about a start.
pub struct Preparation {
    pub board: Board,
    pub numbers: StartNumbers,
    /// Depth of the search for candidate moves.
    pub depth: i32,
    /// A plan for each candidate move, best first.
    pub plans: Vec<Plan>,
    /// Surveys, each with the moves that lead from the start to its position: no move, or a candidate move.
    pub surveys: Vec<(Vec<Move>, Survey)>,
}

/// The best line that begins with a candidate move, continued if it is too short to show a plan.
pub struct Plan {
    /// Moves of both sides, from the start position.
    pub moves: Vec<Move>,
    pub line: Variation,
}

/// A trap or a hidden move, and the survey that found it.
pub struct Find<'a> {
    pub kind: Surprise,
    /// The moves from the start position to the survey's position.
    path: &'a [Move],
    pub survey: &'a Survey,
    pub surveyed: &'a Surveyed,
}

impl Find<'_> {
    /// Returns the moves from the start position up to and including the trap or hidden move.
    pub fn moves(&self) -> Vec<Move> {
        [self.path, &[self.surveyed.mv]].concat()
    }
}

impl Preparation {
    /// Searches a start. Calls `done` at most [`SEARCHES`] times, for the progress bar.
    pub fn of(
        searcher: &mut Searcher,
        board: &Board,
        lines: usize,
        limits: &Limits,
        mut done: impl FnMut(),
    ) -> Result<Self> {
        searcher.new_game();
        let lines = lines.min(board.legal_moves().len());
        let iteration = searcher.search(board, lines, limits.clone())?.pop();
        let (depth, best) = iteration.map_or((0, Vec::new()), |found| (found.depth, found.lines));
        let mut plans = Vec::new();
        for line in best.into_iter().take(lines) {
            plans.push(plan(searcher, board, line, &shorter(limits, CONTINUATION_DIVISOR))?);
        }
        done();
        let mut surveys =
            vec![(Vec::new(), Survey::of(searcher, board, shorter(limits, FIRST_MOVES_DIVISOR))?)];
        done();
        for plan in plans.iter().take(SURVEYED_REPLIES) {
            let Some(&first) = plan.moves.first() else { continue };
            let mut after = board.clone();
            after.make_move(first);
            let survey = Survey::of(searcher, &after, shorter(limits, REPLIES_DIVISOR))?;
            surveys.push((vec![first], survey));
            done();
        }
        let numbers = StartNumbers::of(board).context("not a start position")?;
        Ok(Self { board: board.clone(), numbers, depth, plans, surveys })
    }

    /// Returns the most surprising moves of all surveys, traps first.
    pub fn surprises(&self) -> Vec<Find<'_>> {
        let mut found: Vec<Find<'_>> = Vec::new();
        for (path, survey) in &self.surveys {
            let find = |(kind, surveyed)| Find { kind, path, survey, surveyed };
            found.extend(survey.surprises().into_iter().map(find));
        }
        found.sort_by_key(|find| -find.surveyed.swing());
        let (traps, hidden): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|find| find.kind == Surprise::Trap);
        traps.into_iter().take(MAX_TRAPS).chain(hidden.into_iter().take(MAX_HIDDEN)).collect()
    }
}

fn plan(searcher: &mut Searcher, board: &Board, line: Variation, limits: &Limits) -> Result<Plan> {
    let mut moves = line.pv.clone();
    while moves.len() < MIN_PLAN {
        let mut end = board.clone();
        moves.iter().for_each(|&mv| end.make_move(mv));
        let next =
            searcher.search(&end, 1, limits.clone())?.pop().and_then(|found| found.lines.into_iter().next());
        match next {
            Some(next) if !next.pv.is_empty() => moves.extend(next.pv),
            _ => break,
        }
    }
    moves.truncate(MAX_PLAN);
    Ok(Plan { moves, line })
}
