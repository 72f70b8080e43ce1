//! Questions of the castling quiz.

use enroque::util::random::Random;
use enroque_study::quiz;
use serde_json::json;

use super::Answer;

/// Largest number of questions in an answer.
const MAX_COUNT: usize = 200;

/// Returns a fixed set of questions if `words` is `graded`. If it is `SEED COUNT`, returns COUNT random questions.
pub fn ask(words: &str) -> Answer {
    let questions = if words == "graded" {
        quiz::graded_questions()
    } else {
        let numbers: Vec<u64> = words.split_ascii_whitespace().map_while(|word| word.parse().ok()).collect();
        let &[seed, count] = &numbers[..] else {
            return Err(format!("quiz: expected graded, or a seed and a count, found '{words}'"));
        };
        quiz::questions((count as usize).min(MAX_COUNT), &mut Random::new(seed))
    };
    Ok(json!({ "questions": questions }))
}
