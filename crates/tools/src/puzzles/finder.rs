//! Finds a puzzle in a game: a short first look picks candidates, a MultiPV search proves that only one move wins, and
//! more searches follow the solution and measure how hard it is.

use anyhow::Result;

use super::games::Opening;
use super::puzzle::Puzzle;
use crate::searcher::{Effort, Iteration, Searcher};
use enroque::chess::{Board, CastlingNotation, FenStyle, Move};
use enroque_study::judgement::win_percent;
use enroque_study::line::Variation;

/// The first look, which finds candidates for the proof, takes this many nodes per position.
const FIRST_LOOK_NODES: u64 = 10_000;
/// The search for a reply of the opponent gets the effort divided by this.
const REPLY_DIVISOR: u64 = 2;
/// We try to prove at most this many candidates of a game, the hardest first.
const MAX_CANDIDATES: usize = 4;
/// A solution has at most this many moves of the solver.
const MAX_OWN_MOVES: usize = 6;

pub struct Finder<'a> {
    searcher: &'a mut Searcher,
    effort: Effort,
}

/// A position that may be a puzzle.
struct Candidate {
    /// The position before the last move.
    before: Board,
    last: Move,
    board: Board,
    /// After how many nodes the first look had found the best move.
    nodes: u64,
}

impl<'a> Finder<'a> {
    /// Each proof takes `nodes`, and then twice as many.
    pub fn new(searcher: &'a mut Searcher, nodes: u64) -> Self {
        Self { searcher, effort: Effort::nodes(nodes) }
    }

    /// Returns the hardest puzzle of a game, if it has one.
    pub fn find(&mut self, opening: &Opening) -> Result<Option<Puzzle>> {
        let mut candidates = self.candidates(opening)?;
        candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.nodes));
        for candidate in candidates.iter().take(MAX_CANDIDATES) {
            if let Some(puzzle) = self.prove(candidate, &opening.source)? {
                return Ok(Some(puzzle));
            }
        }
        Ok(None)
    }

    /// Takes a first look at every position after the first move.
    fn candidates(&mut self, opening: &Opening) -> Result<Vec<Candidate>> {
        self.searcher.new_game();
        let first_look = Effort::nodes(FIRST_LOOK_NODES.min(self.effort.nodes));
        let mut candidates = Vec::new();
        let mut before = opening.start.clone();
        for &last in &opening.moves {
            let mut board = before.clone();
            board.make_move(last);
            board.trim_history();
            let found = self.searcher.search(&board, 2, first_look)?;
            if let Some(nodes) = promising(&found, last) {
                candidates.push(Candidate { before, last, board: board.clone(), nodes });
            }
            before = board;
        }
        Ok(candidates)
    }

    fn prove(&mut self, candidate: &Candidate, source: &str) -> Result<Option<Puzzle>> {
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
            before: before.fen(FenStyle::XFen),
            last: text(before, last),
            solution,
            chances: only.chances.map(rounded),
            nodes,
            source: source.to_owned(),
        }))
    }

    /// Returns the only winning move if two searches agree on it, the second with twice the effort. Also returns after
    /// how many nodes the second one had found it for good.
    fn only_move(&mut self, board: &Board) -> Result<Option<(OnlyMove, u64)>> {
        let mut first = None;
        for effort in [self.effort, Effort::nodes(self.effort.nodes.saturating_mul(2))] {
            self.searcher.new_game();
            let found = self.searcher.search(board, 2, effort)?;
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

    /// Returns the moves of both sides, as long as each of the solver's moves is the only winning one.
    fn solution(&mut self, board: &Board, first: Move) -> Result<Vec<Move>> {
        let mut board = board.clone();
        let mut moves = vec![first];
        board.make_move(first);
        for _ in 1..MAX_OWN_MOVES {
            self.searcher.new_game();
            let found = self.searcher.search(&board, 1, self.effort.share(REPLY_DIVISOR))?;
            let Some(reply) = best(&found) else { break };
            board.make_move(reply);
            let Some((own, _)) = self.only_move(&board)? else { break };
            moves.extend([reply, own.mv]);
            board.make_move(own.mv);
        }
        Ok(moves)
    }
}

/// If the best move of the first look may be the solution of a puzzle, returns after how many nodes it was found.
fn promising(found: &[Iteration], last: Move) -> Option<u64> {
    let mv = candidate(&found.last()?.lines).filter(|&mv| !is_recapture(mv, last))?;
    nodes_to_find(found, mv)
}

fn is_recapture(mv: Move, last: Move) -> bool {
    mv.is_capture() && last.is_capture() && mv.to() == last.to()
}

/// Rounds to one decimal place.
fn rounded(percent: f64) -> f64 {
    (percent * 10.0).round() / 10.0
}

/// How far ahead of the best other move the winning move must be, in win percentages.
struct Bounds {
    /// The winning move is worth at least this much.
    winning: f64,
    /// The best other move is worth less than this.
    others: f64,
    /// The winning move is ahead by at least this much.
    gap: f64,
}

/// What a proof demands.
const PROOF: Bounds = Bounds { winning: 60.0, others: 60.0, gap: 15.0 };
/// What the first look demands. Its scores are less exact, so it is more generous.
const CANDIDATE: Bounds = Bounds { winning: 58.0, others: 62.0, gap: 8.0 };

impl Bounds {
    fn admit(&self, [best, second]: [f64; 2]) -> bool {
        best >= self.winning && second < self.others && best - second >= self.gap
    }
}

/// A move that wins while no other does.
struct OnlyMove {
    mv: Move,
    /// Win percentages of the move and the best other one.
    chances: [f64; 2],
}

/// Returns the best move if it wins, while the second one does not and is far behind.
fn only_winner(lines: &[Variation]) -> Option<OnlyMove> {
    let (best, others) = lines.split_first()?;
    let chances = [chance(best), others.first().map_or(0.0, chance)];
    PROOF.admit(chances).then_some(OnlyMove { mv: *best.pv.first()?, chances })
}

/// Returns the best move of the first look if it may be the only winning one, and not the only legal one.
fn candidate(lines: &[Variation]) -> Option<Move> {
    let [best, second] = lines else { return None };
    if CANDIDATE.admit([chance(best), chance(second)]) { best.pv.first().copied() } else { None }
}

/// Returns the win percentage of a line for the side to move.
pub fn chance(line: &Variation) -> f64 {
    win_percent(f64::from(line.order()))
}

fn best(found: &[Iteration]) -> Option<Move> {
    found.last()?.lines.first()?.pv.first().copied()
}

/// Returns after how many nodes `mv` had become the best move for good, far ahead of the second.
fn nodes_to_find(found: &[Iteration], mv: Move) -> Option<u64> {
    let is_ahead = |lines: &&[Variation]| {
        let second = lines.get(1).map_or(0.0, chance);
        lines
            .first()
            .is_some_and(|line| line.pv.first() == Some(&mv) && chance(line) - second >= CANDIDATE.gap)
    };
    let last_ones = found.iter().rev().map(|iteration| iteration.lines.as_slice()).take_while(is_ahead);
    last_ones.last()?.first().map(|line| line.nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn iteration(nodes: u64, moves: &[(&str, i32)]) -> Iteration {
        Iteration::of_moves(&Board::startpos(), 1, nodes, moves)
    }

    #[test]
    fn winner_must_be_only_one() {
        let is_only = |scores: [i32; 2]| {
            let lines = iteration(1, &[("e2e4", scores[0]), ("d2d4", scores[1])]).lines;
            (candidate(&lines).is_some(), only_winner(&lines).is_some())
        };
        assert_eq!(is_only([300, 0]), (true, true));
        // A short search may be slightly wrong, so its bounds are wider.
        assert_eq!(is_only([100, 0]), (true, false));
        // There is no puzzle if both moves win, if neither does, or if they are too close.
        assert_eq!([[900, 300], [0, -300], [120, 80]].map(is_only), [(false, false); 3]);
        let only_legal = iteration(1, &[("e2e4", 300)]).lines;
        assert!(candidate(&only_legal).is_none() && only_winner(&only_legal).is_some());
    }

    #[test]
    fn found_move_stays_far_ahead() {
        let found = [
            iteration(10, &[("e2e4", 300), ("d2d4", 0)]),
            iteration(20, &[("e2e4", 300), ("d2d4", 290)]),
            iteration(30, &[("e2e4", 300), ("d2d4", 100)]),
            iteration(40, &[("e2e4", 300), ("d2d4", 0)]),
        ];
        let [e4, d4] = ["e2e4", "d2d4"].map(|mv| Board::default().parse_move(mv).unwrap());
        assert_eq!([e4, d4].map(|mv| nodes_to_find(&found, mv)), [Some(30), None]);
        let other = iteration(50, &[("d2d4", 300), ("e2e4", 0)]);
        assert_eq!(nodes_to_find(&[&found[..], &[other]].concat(), d4), Some(50));
    }
}
