//! Search for a puzzle in a game: candidates by a first look, proof with two lines, the solution, its difficulty.

use super::games::Opening;
use super::puzzle::Puzzle;
use super::verdict::{OnlyMove, best, candidate, nodes_to_find, only_winner};
use crate::prep::PrepError;
use crate::prep::searcher::{Effort, Iteration, OwnEngine, Searcher};
use enroque::chess::{Board, CastlingNotation, FenStyle, Move};

/// Nodes of the first look, which finds candidates for the proof.
const FIRST_LOOK_NODES: u64 = 10_000;
/// Part of the effort for a reply of the opponent.
const REPLY_DIVISOR: u64 = 2;
/// Candidates of a game that are searched in full, the hardest first.
const MAX_CANDIDATES: usize = 4;
/// Largest number of own moves of a solution.
const MAX_OWN_MOVES: usize = 6;

/// Search for puzzles with one engine.
pub struct Finder<'a> {
    engine: &'a mut OwnEngine,
    effort: Effort,
}

/// Position that may be a puzzle.
struct Candidate {
    /// Position before the last move, and that move.
    before: Board,
    last: Move,
    board: Board,
    /// Nodes after which the first look had found the best move.
    nodes: u64,
}

impl<'a> Finder<'a> {
    /// Creates a search with this effort for each proof.
    pub fn new(engine: &'a mut OwnEngine, nodes: u64) -> Self {
        Self { engine, effort: Effort { nodes, move_time: None } }
    }

    /// Returns the hardest puzzle of a game.
    ///
    /// # Errors
    /// Returns an error if the engine fails.
    pub fn find(&mut self, opening: &Opening) -> Result<Option<Puzzle>, PrepError> {
        let mut candidates = self.candidates(opening)?;
        candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.nodes));
        for candidate in candidates.iter().take(MAX_CANDIDATES) {
            if let Some(puzzle) = self.prove(candidate, &opening.source)? {
                return Ok(Some(puzzle));
            }
        }
        Ok(None)
    }

    /// Looks at every position after the first move.
    fn candidates(&mut self, opening: &Opening) -> Result<Vec<Candidate>, PrepError> {
        self.engine.new_game()?;
        let first_look = Effort { nodes: FIRST_LOOK_NODES.min(self.effort.nodes), move_time: None };
        let mut candidates = Vec::new();
        let mut before = opening.start.clone();
        for &last in &opening.moves {
            let mut board = before.clone();
            board.make_move(last);
            board.trim_history();
            let found = self.engine.search(&board, 2, first_look)?;
            if let Some(nodes) = promising(&found, last) {
                candidates.push(Candidate { before, last, board: board.clone(), nodes });
            }
            before = board;
        }
        Ok(candidates)
    }

    fn prove(&mut self, candidate: &Candidate, source: &str) -> Result<Option<Puzzle>, PrepError> {
        let &Candidate { ref before, last, ref board, .. } = candidate;
        let proof = self.only_move(board)?.filter(|(only, _)| !is_recapture(only.mv, last));
        let Some((only, nodes)) = proof else { return Ok(None) };
        let text = |board: &Board, mv| board.format_move(mv, CastlingNotation::KingTakesRook);
        let mut solution = Vec::new();
        let mut board = board.clone();
        for mv in self.solution(&board, only.mv)? {
            solution.push(text(&board, mv));
            board.make_move(mv);
        }
        Ok(Some(Puzzle {
            before: before.fen(FenStyle::Shredder),
            last: text(before, last),
            solution,
            chances: only.chances.map(rounded),
            nodes,
            source: source.to_owned(),
        }))
    }

    /// Returns the only winning move, if two searches agree on it, the second with twice the effort, and the nodes after
    /// which the second has found it for good.
    fn only_move(&mut self, board: &Board) -> Result<Option<(OnlyMove, u64)>, PrepError> {
        let Effort { nodes, move_time } = self.effort;
        let mut first = None;
        for effort in [self.effort, Effort { nodes: nodes.saturating_mul(2), move_time }] {
            self.engine.new_game()?;
            let found = self.engine.search(board, 2, effort)?;
            let only = found.last().and_then(|iteration| only_winner(&iteration.lines));
            let Some(only) = only.filter(|only| first.is_none_or(|mv| mv == only.mv)) else {
                return Ok(None);
            };
            if first.is_some() {
                return Ok(nodes_to_find(&found, only.mv).map(|nodes| (only, nodes)));
            }
            first = Some(only.mv);
        }
        Ok(None)
    }

    /// Returns the moves of both sides from the first on, as long as each own move is the only winning one.
    fn solution(&mut self, board: &Board, first: Move) -> Result<Vec<Move>, PrepError> {
        let mut board = board.clone();
        let mut moves = vec![first];
        board.make_move(first);
        for _ in 1..MAX_OWN_MOVES {
            self.engine.new_game()?;
            let found = self.engine.search(&board, 1, self.effort.share(REPLY_DIVISOR))?;
            let Some(reply) = best(&found) else { break };
            board.make_move(reply);
            let Some((own, _)) = self.only_move(&board)? else { break };
            moves.extend([reply, own.mv]);
            board.make_move(own.mv);
        }
        Ok(moves)
    }
}

/// Returns the nodes after which the first look had found its best move, if that may be the solution of a puzzle.
fn promising(found: &[Iteration], last: Move) -> Option<u64> {
    let mv = candidate(&found.last()?.lines).filter(|&mv| !is_recapture(mv, last))?;
    nodes_to_find(found, mv)
}

fn is_recapture(mv: Move, last: Move) -> bool {
    mv.is_capture() && last.is_capture() && mv.to() == last.to()
}

/// Returns a percentage with one decimal place.
fn rounded(percent: f64) -> f64 {
    (percent * 10.0).round() / 10.0
}
