//! Attempts to draw a start: numbers from hashes until one is allowed.

use std::collections::HashSet;

use super::event::{Attempt, Balance, Event, Round, Verdict};
use super::hash;

/// Largest number of attempts of a round; more mean that hardly any start is allowed.
pub const MAX_ATTEMPTS: usize = 100_000;

/// Source of the scores of a start, for events with a balance.
pub trait Scorer {
    /// Error of the source.
    type Error;

    /// Returns the scores for White of start `number`, drawn in attempt `index`, in centipawns: those of both searches,
    /// or only the first if it exceeds the limit.
    ///
    /// # Errors
    /// Returns an error if there are no such scores.
    fn scores(
        &mut self,
        event: &Event,
        balance: &Balance,
        index: usize,
        number: u64,
    ) -> Result<Vec<i32>, Self::Error>;
}

/// Returns the attempts of a round, the last of which is drawn; `None` if the attempts are exhausted.
///
/// # Errors
/// Returns an error if `scorer` fails.
pub fn of_round<S: Scorer>(
    event: &Event,
    used: &HashSet<u64>,
    round: &Round,
    scorer: &mut S,
) -> Result<Option<Vec<Attempt>>, S::Error> {
    let (fingerprint, size) = (event.fingerprint(), event.set.count());
    let mut attempts = Vec::new();
    while attempts.len() < MAX_ATTEMPTS {
        let index = attempts.len();
        let number = hash::number(&round.attempt_text(&fingerprint, index), size);
        let mut attempt = Attempt { number, verdict: Verdict::Beyond, scores: Vec::new() };
        if let Some(number) = number {
            attempt.verdict = if event.is_excluded(number) {
                Verdict::Excluded
            } else if !event.repeats && used.contains(&number) {
                Verdict::Used
            } else {
                Verdict::Drawn
            };
            if let (Verdict::Drawn, Some(balance)) = (&attempt.verdict, &event.balance) {
                attempt.scores = scorer.scores(event, balance, index, number)?;
                if !attempt.scores.iter().all(|&score| balance.accepts(score)) {
                    attempt.verdict = Verdict::Unbalanced;
                }
            }
        }
        let is_drawn = attempt.verdict == Verdict::Drawn;
        attempts.push(attempt);
        if is_drawn {
            return Ok(Some(attempts));
        }
    }
    Ok(None)
}
