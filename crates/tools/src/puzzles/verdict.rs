//! Verdicts on searches: win percentages, the only winning move, the nodes after which a move is found.

use crate::prep::searcher::{Iteration, Line};
use enroque::chess::Move;
use enroque_study::judgement::win_percent;

/// Bounds in win percentages between a move and the best other one.
struct Bounds {
    /// Least value of the move.
    winning: f64,
    /// Bound of the other move, which stays below it.
    others: f64,
    /// Least distance.
    gap: f64,
}

/// Bounds of a solution.
const PROOF: Bounds = Bounds { winning: 60.0, others: 60.0, gap: 15.0 };
/// Bounds of a candidate in a short search, whose scores are less exact.
const CANDIDATE: Bounds = Bounds { winning: 58.0, others: 62.0, gap: 8.0 };

impl Bounds {
    fn admit(&self, [best, second]: [f64; 2]) -> bool {
        best >= self.winning && second < self.others && best - second >= self.gap
    }
}

/// The only winning move, with the win percentages of it and of the best other one.
pub struct OnlyMove {
    /// The move.
    pub mv: Move,
    /// Win percentages.
    pub chances: [f64; 2],
}

/// Returns the best move if it wins and the second is far behind and does not win.
pub fn only_winner(lines: &[Line]) -> Option<OnlyMove> {
    let (best, others) = lines.split_first()?;
    let chances = [chance(best), others.first().map_or(0.0, chance)];
    PROOF.admit(chances).then_some(OnlyMove { mv: *best.pv.first()?, chances })
}

/// Returns the best move of a short search if it may be the only winning one of several legal moves.
pub fn candidate(lines: &[Line]) -> Option<Move> {
    let [best, second] = lines else { return None };
    if CANDIDATE.admit([chance(best), chance(second)]) { best.pv.first().copied() } else { None }
}

/// Returns the win percentage of a line for the side to move.
pub fn chance(line: &Line) -> f64 {
    win_percent(f64::from(line.score.value()))
}

/// Returns the best move of a search.
pub fn best(found: &[Iteration]) -> Option<Move> {
    found.last()?.lines.first()?.pv.first().copied()
}

/// Returns the nodes at the first iteration from which on `mv` is the best move, far ahead of the second.
pub fn nodes_to_find(found: &[Iteration], mv: Move) -> Option<u64> {
    let is_ahead = |lines: &&[Line]| {
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
    use crate::prep::searcher::LineScore;
    use enroque::chess::Board;

    /// Returns the lines of these moves with these scores, found after `nodes`.
    fn iteration(nodes: u64, lines: &[(&str, i32)]) -> Iteration {
        let board = Board::default();
        let line = |&(mv, cp): &(&str, i32)| Line {
            score: LineScore::Cp(cp),
            wdl: None,
            pv: vec![board.parse_move(mv).unwrap()],
            nodes,
        };
        Iteration { depth: 1, lines: lines.iter().map(line).collect() }
    }

    #[test]
    fn winner_must_be_only_one() {
        let is_only = |scores: [i32; 2]| {
            let lines = iteration(1, &[("e2e4", scores[0]), ("d2d4", scores[1])]).lines;
            (candidate(&lines).is_some(), only_winner(&lines).is_some())
        };
        assert_eq!(is_only([300, 0]), (true, true));
        // A short search may be slightly wrong.
        assert_eq!(is_only([100, 0]), (true, false));
        // Both win, none wins, and the distance is small.
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
