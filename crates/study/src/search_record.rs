//! A review's searches in a form that JSON can hold: the web page reports them so, and an interrupted analysis keeps
//! them for the next run.

use enroque::chess::{Board, Move};
use serde::{Deserialize, Serialize};

use super::evaluation::{Evaluation, Shown};
use super::line::Variation;
use super::review::{Review, Task};

/// A search that a review asked for, and what it found. Moves are in UCI notation, with castling as king takes rook.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SearchRecord {
    pub task: TaskRecord,
    /// The lines that were last complete at the same depth, best first.
    pub lines: Vec<LineRecord>,
}

/// See [`Task`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TaskRecord {
    pub at: usize,
    pub moves: Vec<String>,
    pub lines: usize,
    pub divisor: u32,
}

/// See [`Variation`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LineRecord {
    pub depth: i32,
    #[serde(default)]
    pub seldepth: usize,
    #[serde(default)]
    pub nodes: u64,
    #[serde(default)]
    pub time: u64,
    /// Of the side to move, on our own scale.
    pub score: Shown,
    pub pv: Vec<String>,
}

impl SearchRecord {
    pub fn new(task: &Task, lines: &[Variation]) -> Self {
        Self { task: TaskRecord::new(task), lines: lines.iter().map(LineRecord::new).collect() }
    }

    /// Gives the search to the review of the same game. Returns `None`, and changes nothing, if the record has a move that
    /// isn't legal there or otherwise can't be from such a review.
    pub fn give_to(&self, review: &mut Review) -> Option<()> {
        let board = review.board(self.task.at)?;
        let task = self.task.task(board)?;
        let lines = self.lines.iter().map(|line| line.variation(board)).collect::<Option<_>>()?;
        review.give(&task, lines);
        Some(())
    }
}

impl TaskRecord {
    pub fn new(task: &Task) -> Self {
        let Task { at, moves, lines, divisor } = task;
        let moves = moves.iter().map(ToString::to_string).collect();
        Self { at: *at, moves, lines: *lines, divisor: *divisor }
    }

    fn task(&self, board: &Board) -> Option<Task> {
        let Self { at, lines, divisor, .. } = *self;
        let moves = self.moves.iter().map(|word| board.parse_move(word)).collect::<Option<_>>()?;
        (lines > 0 && divisor > 0).then_some(Task { at, moves, lines, divisor })
    }
}

impl LineRecord {
    fn new(line: &Variation) -> Self {
        let Variation { depth, seldepth, nodes, time, .. } = *line;
        let pv = line.pv.iter().map(ToString::to_string).collect();
        Self { depth, seldepth, nodes, time, score: line.evaluation.own, pv }
    }

    fn variation(&self, board: &Board) -> Option<Variation> {
        let mut next = board.clone();
        let parse = |word: &String| {
            let mv = next.parse_move(word)?;
            next.make_move(mv);
            Some(mv)
        };
        let pv: Vec<Move> = self.pv.iter().map(parse).collect::<Option<_>>()?;
        let Self { depth, seldepth, nodes, time, score, .. } = *self;
        Some(Variation {
            multipv: 1,
            depth,
            seldepth,
            nodes,
            time,
            pv,
            evaluation: Evaluation::of_own(score, board),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use enroque::search::report::Outcome;

    #[test]
    fn searches_come_back() {
        let start: Board = "3qk3/8/8/8/8/8/8/R3K1R1 w GA - 0 1".parse().unwrap();
        let castle = start.parse_san("O-O").unwrap();
        let mut next = start.clone();
        next.make_move(castle);
        let review = || Review::new([start.clone(), next.clone()], [Some(castle)], "*");
        let outcome = Outcome { depth: 9, score: 31, pv: vec![castle], nodes: 70, ..Outcome::default() };
        let line = Variation::of_outcome(&start, &outcome);
        let task = review().tasks().remove(0);
        let record = SearchRecord::new(&task, std::slice::from_ref(&line));
        assert_eq!(record.lines[0].pv, ["e1g1"]);
        let (mut told, mut found) = (review(), review());
        assert_eq!(record.give_to(&mut told), Some(()));
        found.give(&task, vec![line]);
        assert_eq!(told.tasks(), found.tasks());
        // UCI rounds the score, but its value on both scales stays.
        let shown = |review: &Review| {
            let line = review.judge().0.remove(0).line.unwrap();
            (line.pv, line.depth, line.nodes, line.evaluation.own, line.evaluation.site)
        };
        assert_eq!(shown(&told), shown(&found));
        for broken in [
            SearchRecord { task: TaskRecord { at: 7, ..record.task.clone() }, ..record.clone() },
            SearchRecord { task: TaskRecord { divisor: 0, ..record.task.clone() }, ..record.clone() },
            SearchRecord {
                lines: vec![LineRecord { pv: vec!["e8g8".to_owned()], ..record.lines[0].clone() }],
                ..record
            },
        ] {
            assert_eq!(broken.give_to(&mut review()), None, "{broken:?}");
        }
    }
}
