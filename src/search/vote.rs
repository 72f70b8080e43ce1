//! The vote of the threads: which of their best moves is played. On faith: never measured by itself.

use super::report::Outcome;
use super::score::*;

/// The outcome whose move gathers most votes, each thread's weighted by its depth and by how much better its
/// score is than the worst; a mate found goes before all.
pub(super) fn vote_best_thread(own: Outcome, others: Vec<Outcome>) -> Outcome {
    /// What a vote weighs beside its score, centipawns.
    const BASE_WEIGHT: i64 = 14;
    let mut all = others;
    all.insert(0, own);
    let lowest = all.iter().map(|outcome| outcome.score).min().unwrap_or(DRAW);
    let weight =
        |outcome: &Outcome| (i64::from(outcome.score - lowest) + BASE_WEIGHT) * i64::from(outcome.depth);
    let votes = |outcome: &Outcome| -> i64 {
        all.iter().filter(|other| other.best_move == outcome.best_move).map(weight).sum()
    };
    let rank = |outcome: &Outcome| {
        let decisive = if is_decisive(outcome.score) { outcome.score } else { 0 };
        (decisive.max(0), votes(outcome), weight(outcome))
    };
    let mut best = 0;
    for i in 1..all.len() {
        if rank(&all[i]) > rank(&all[best]) {
            best = i;
        }
    }
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
        let chosen = |own, others| vote_best_thread(own, others).best_move.map(Move::code);
        assert_eq!(
            chosen(outcome(100, 20, 10), vec![outcome(200, 20, 10)]),
            Some(100),
            "a tie is the main thread's"
        );
        assert_eq!(chosen(outcome(100, 20, 10), vec![outcome(200, 20, 12)]), Some(200));
        let two = vec![outcome(200, 20, 9), outcome(200, 21, 9)];
        assert_eq!(chosen(outcome(100, 22, 10), two), Some(200));
        assert_eq!(chosen(outcome(100, 900, 20), vec![outcome(200, mate_in(5), 8)]), Some(200));
    }
}
