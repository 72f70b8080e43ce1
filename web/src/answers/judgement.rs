//! Judges the moves of a game by the scores of its positions.

use enroque::chess::Board;
use enroque_study::judgement::{
    MAX_CENTIPAWNS, losses, mark_of, move_accuracy, rounded, site_centipawns, summarize, win_percent,
};
use enroque_study::phase::phases;
use serde_json::{Value, json};

use super::{Answer, parse_position};

/// Judges the moves of a game. In `scores`, White's score of each position in the form of UCI alternates with a word
/// for the next move: `best` if the search found it best, otherwise `other`. `site 30` is a score on the scale of chess sites. For two moves:
/// `cp 30 best cp 25 other mate -3`. The answer also has White's win percentage in each position.
pub fn judge(scores: &str, start: &str, moves: &str) -> Answer {
    let (mut board, _) = parse_position(start)?;
    let mut moves = moves.split_ascii_whitespace();
    let mut boards = vec![board.clone()];
    let (mut centipawns, mut players) = (Vec::new(), Vec::new());
    let words: Vec<&str> = scores.split_ascii_whitespace().collect();
    for step in words.chunks(3) {
        let wrong = || format!("judge: expected a score and best or other, found '{}'", step.join(" "));
        centipawns.push(step.get(..2).and_then(|score| site_score(score, &board)).ok_or_else(wrong)?);
        let is_best = match step.get(2) {
            None => break,
            Some(&"best") => true,
            Some(&"other") => false,
            Some(_) => return Err(wrong()),
        };
        players.push((board.side_to_move(), is_best));
        let text = moves.next().ok_or("judge: expected a score after each move")?;
        let mv = board.parse_move(text).ok_or_else(|| format!("judge: '{text}' is not legal"))?;
        board.make_move(mv);
        boards.push(board.clone());
    }
    if centipawns.len() != players.len() + 1 {
        return Err("judge: expected a score after each move".to_owned());
    }
    let losses = losses(&centipawns, players);
    let judged: Vec<Value> = losses.iter().map(|loss| describe(loss.percent)).collect();
    let [white, black] = summarize(&centipawns, &phases(&boards), &losses);
    let wins: Vec<f64> = centipawns.iter().map(|&score| rounded(win_percent(score))).collect();
    Ok(json!({ "moves": judged, "win_percent": wins, "white": white, "black": black }))
}

/// Describes a move that loses this many percentage points: its accuracy, and its mark if it has one.
pub fn describe(loss: f64) -> Value {
    let mark = mark_of(loss);
    json!({
        "loss": rounded(loss),
        "accuracy": rounded(move_accuracy(loss)),
        "mark": mark.map(|mark| mark.symbol),
        "name": mark.map(|mark| mark.name),
        "nag": mark.map(|mark| mark.nag),
    })
}

/// Converts White's UCI score to centipawns as chess sites count them, within ± [`MAX_CENTIPAWNS`].
fn site_score(words: &[&str], board: &Board) -> Option<f64> {
    let &[kind, number] = words else { return None };
    let number: i32 = number.parse().ok()?;
    let centipawns = match kind {
        "cp" => site_centipawns(number, board),
        "site" => f64::from(number),
        "mate" => MAX_CENTIPAWNS * f64::from(number.signum()),
        _ => return None,
    };
    Some(centipawns.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS))
}
