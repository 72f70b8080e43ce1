//! Plans the searches of a review for the web page, and judges the moves by what the searches found.

use enroque_study::judgement::rounded;
use enroque_study::review::{Review, Verdict, white_win};
use enroque_study::search_record::{SearchRecord, TaskRecord};
use serde_json::{Value, json};

use super::{Answer, judgement, parse_position};

/// Answers a JSON object: the `position` in the words of UCI, the `result` of the game, the `nodes` that one position
/// may cost, and the finished `searches`, each with the `task` that an earlier answer gave and the `lines` found, best
/// first: depth, score for the side to move, and variation. The answer has the next tasks, the verdicts on all moves
/// between positions that have been searched, and the statistics of both players.
pub fn review(question: &str) -> Answer {
    let question: Value = serde_json::from_str(question).map_err(|error| format!("review: {error}"))?;
    let text = |name: &str| question[name].as_str().ok_or_else(|| format!("review: expected a text '{name}'"));
    let nodes = question["nodes"].as_u64().ok_or("review: expected a number 'nodes'")?;
    let (start, moves) = text("position")?.split_once(" moves ").unwrap_or((text("position")?, ""));
    let mut boards = vec![parse_position(start)?.0];
    let mut played = Vec::new();
    for word in moves.split_ascii_whitespace() {
        let Some(board) = boards.last() else { break };
        let mv = board.parse_move(word).ok_or_else(|| format!("review: '{word}' is not legal"))?;
        let mut next = board.clone();
        next.make_move(mv);
        boards.push(next);
        played.push(Some(mv));
    }
    let mut review = Review::new(boards, played.iter().copied(), text("result")?);
    for search in question["searches"].as_array().into_iter().flatten() {
        let record: SearchRecord =
            serde_json::from_value(search.clone()).map_err(|error| format!("review: {error}"))?;
        record.give_to(&mut review).ok_or("review: a search does not fit the game")?;
    }
    let tasks = review.tasks().into_iter().map(|task| {
        let mut described = json!(TaskRecord::new(&task));
        described["nodes"] = (nodes / u64::from(task.divisor)).max(1).into();
        described["is_first"] = task.is_first_look().into();
        described
    });
    let tasks: Vec<Value> = tasks.collect();
    let (verdicts, [white, black]) = review.judge();
    let wins: Vec<f64> = verdicts.iter().map(|each| rounded(white_win(&each.board, each.line.as_ref()))).collect();
    let moves: Vec<Value> = verdicts.iter().filter_map(judged).collect();
    let positions: Vec<Value> = verdicts.iter().map(position).collect();
    Ok(json!({
        "tasks": tasks, "moves": moves, "positions": positions, "win_percent": wins, "white": white, "black": black,
    }))
}

/// Describes the move of a verdict; `None` in the last position.
fn judged(verdict: &Verdict) -> Option<Value> {
    let mut judged = judgement::describe(verdict.loss.as_ref()?.percent);
    judged["reason"] = json!(verdict.reason);
    judged["remark"] = json!(verdict.remark.as_ref().map(|remark| json!({
        "kind": remark.kind.name(), "nag": remark.kind.nag(), "text": remark.text,
    })));
    Some(judged)
}

/// Describes the best line of a position, with White's score and chances in per cent; `null` if the game is over.
fn position(verdict: &Verdict) -> Value {
    let Some(line) = &verdict.line else { return Value::Null };
    let side = verdict.board.side_to_move();
    let [score, site] = [line.evaluation.own, line.evaluation.site].map(|score| score.for_white(side));
    let chances = line.evaluation.chances;
    let mut chances = [chances.win, chances.draw, chances.loss].map(|chance| f64::from(chance) / 10.0);
    if side == enroque::chess::Color::Black {
        chances.reverse();
    }
    let pv: Vec<String> = line.pv.iter().map(ToString::to_string).collect();
    json!({ "score": score, "site": site, "depth": line.depth, "chances": chances, "pv": pv })
}
