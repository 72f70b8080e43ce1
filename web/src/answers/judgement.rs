//! Judgement of a move by the scores before and after it.

use enroque::study::judgement::{MAX_CENTIPAWNS, mark_of, move_accuracy, win_percent};
use serde_json::json;

use super::Answer;

/// Judges a move by two scores in the words of UCI, both for its side: `cp 30 mate -3`.
pub fn judge(words: &str) -> Answer {
    let words: Vec<&str> = words.split_ascii_whitespace().collect();
    let scores: Option<Vec<f64>> = words.chunks(2).map(centipawns).collect();
    let Some(&[before, after]) = scores.as_deref() else {
        return Err(format!("judge: expected two scores such as cp 30, found '{}'", words.join(" ")));
    };
    let (before, after) = (win_percent(before), win_percent(after));
    let loss = (before - after).max(0.0);
    let mark = mark_of(loss);
    Ok(json!({
        "before": tenths(before),
        "after": tenths(after),
        "loss": tenths(loss),
        "accuracy": tenths(move_accuracy(loss)),
        "mark": mark.map(|mark| mark.symbol),
        "name": mark.map(|mark| mark.name),
        "nag": mark.map(|mark| mark.nag),
    }))
}

fn centipawns(words: &[&str]) -> Option<f64> {
    let &[kind, number] = words else { return None };
    let number: i32 = number.parse().ok()?;
    match kind {
        "cp" => Some(f64::from(number).clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS)),
        // A mate in 0 is that of the mover.
        "mate" => Some(if number > 0 { MAX_CENTIPAWNS } else { -MAX_CENTIPAWNS }),
        _ => None,
    }
}

fn tenths(value: f64) -> f64 {
    (10.0 * value).round() / 10.0
}
