//! Thread voting: the choice among the best moves of all threads.

use super::report::Outcome;
use super::score::*;

/// Weight of a vote whose score is the lowest, centipawns.
const BASE_WEIGHT: i64 = 14;

/// Returns the outcome whose move has most votes. A thread's vote is weighted by its depth and by the difference of its
/// score from the lowest one. A proven win takes precedence over all votes; a tie goes to `main`.
pub(super) fn vote_best_thread(main: Outcome, helpers: Vec<Outcome>) -> Outcome {
    let mut all = helpers;
    all.insert(0, main);
    let lowest = all.iter().map(|outcome| outcome.score).min().unwrap_or(DRAW);
    let weight =
        |outcome: &Outcome| (i64::from(outcome.score - lowest) + BASE_WEIGHT) * i64::from(outcome.depth);
    let votes = |outcome: &Outcome| -> i64 {
        all.iter().filter(|other| other.best_move == outcome.best_move).map(weight).sum()
    };
    let rank = |outcome: &Outcome| {
        let proven_win = if is_decisive(outcome.score) { outcome.score.max(0) } else { 0 };
        (proven_win, votes(outcome), weight(outcome))
    };
    // The last of equals is the greatest, and reversed that is the main thread's.
    let best = (0..all.len()).rev().max_by_key(|&index| rank(&all[index])).unwrap_or(0);
    all.swap_remove(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Move;

    fn outcome(code: u16, score: Score, depth: i32) -> Outcome {
        Outcome { best_move: Move::from_code(code), score, depth, ..Outcome::default() }
    }

    #[test]
    fn threads_vote_by_depth_and_score() {
        let chosen = |main, helpers| vote_best_thread(main, helpers).best_move.map(Move::code);
        assert_eq!(
            chosen(outcome(100, 20, 10), vec![outcome(200, 20, 10)]),
            Some(100),
            "a tie goes to the main thread"
        );
        assert_eq!(chosen(outcome(100, 20, 10), vec![outcome(200, 20, 12)]), Some(200));
        let two = vec![outcome(200, 20, 9), outcome(200, 21, 9)];
        assert_eq!(chosen(outcome(100, 22, 10), two), Some(200));
        assert_eq!(chosen(outcome(100, 900, 20), vec![outcome(200, mate_in(5), 8)]), Some(200));
    }
}
