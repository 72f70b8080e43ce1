//! Variations with a score, as a search reports them, and lines of moves in algebraic notation.

use super::evaluation::Evaluation;
use super::judgement::win_percent;
use enroque::chess::{Board, Color, Move};
use enroque::engine::lines::Line;
use enroque::search::report::Outcome;
use enroque::search::score::{DRAW, mate_in};

/// A variation with the score of its first move, for the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variation {
    /// Rank among the MultiPV lines of a position, counted from 1.
    pub multipv: usize,
    /// Depth of the search in plies.
    pub depth: i32,
    /// The deepest ply that the search reached, quiescence included.
    pub seldepth: usize,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// Search time in milliseconds.
    pub time: u64,
    pub pv: Vec<Move>,
    pub evaluation: Evaluation,
}

impl Variation {
    /// Converts a line that a search on `board` reported; [`Self::of_outcome`] converts the result of a search.
    pub fn of_line(board: &Board, line: &Line) -> Self {
        Self {
            multipv: line.multi_pv,
            depth: line.depth,
            seldepth: line.sel_depth,
            nodes: line.nodes,
            time: line.time.as_millis() as u64,
            pv: line.pv.clone(),
            evaluation: Evaluation::new(line.score, board),
        }
    }

    /// Converts the result of a search. An [`Outcome`] has no selective depth, so `seldepth` is the length of the PV.
    pub fn of_outcome(board: &Board, outcome: &Outcome) -> Self {
        Self {
            multipv: 1,
            depth: outcome.depth,
            seldepth: outcome.pv.len(),
            nodes: outcome.nodes,
            time: outcome.time.as_millis() as u64,
            pv: outcome.pv.clone(),
            evaluation: Evaluation::new(outcome.score, board),
        }
    }

    /// Makes the variation that begins with `mv`, a move on `board`, and goes on with `after`, the best line in the
    /// position after `mv`; `after` is `None` if `mv` ended the game, by mate or as a draw.
    pub fn of_played(board: &Board, mv: Move, after: Option<&Self>) -> Self {
        let Some(after) = after else {
            let mut end = board.clone();
            end.make_move(mv);
            let is_mate = end.in_check() && !end.has_legal_move();
            let score = if is_mate { mate_in(1) } else { DRAW };
            return Self::of_outcome(board, &Outcome { depth: 1, score, pv: vec![mv], ..Outcome::default() });
        };
        Self {
            multipv: 1,
            depth: after.depth + 1,
            seldepth: after.seldepth + 1,
            pv: [&[mv][..], &after.pv].concat(),
            evaluation: after.evaluation.before_move(),
            ..*after
        }
    }

    /// Makes up the result of a search for a test: `score` on our own scale, and the best move.
    #[cfg(test)]
    pub fn made_up(board: &Board, score: i32, san: &str) -> Self {
        let pv = vec![board.parse_san(san).unwrap()];
        let outcome = Outcome { depth: 9, pv, ..Outcome::default() };
        Self { evaluation: Evaluation::new(score, board), ..Self::of_outcome(board, &outcome) }
    }

    /// Returns the variation without its first move, for the side that moves then; `None` if nothing would be left.
    pub fn after_first(&self) -> Option<Self> {
        let pv = self.pv.get(1..).filter(|pv| !pv.is_empty())?.to_vec();
        let depth = self.depth - 1;
        Some(Self { multipv: 1, depth, pv, evaluation: self.evaluation.after_move(), ..*self })
    }

    /// Returns the win percentage that the formula of lichess gives for the score on the scale of chess sites. A mate is
    /// certain.
    pub fn win_percent(&self) -> f64 {
        win_percent(f64::from(self.evaluation.site.order()))
    }

    /// Returns the move with which the variation begins.
    pub fn first(&self) -> Option<Move> {
        self.pv.first().copied()
    }
}

/// Returns each move in algebraic notation. The first one is played on `board`, the others follow it.
pub fn san_line(board: &Board, moves: &[Move]) -> Vec<String> {
    let mut board = board.clone();
    let san = |&mv: &Move| {
        let text = board.san(mv);
        board.make_move(mv);
        text
    };
    moves.iter().map(san).collect()
}

/// Returns the moves of [`san_line`] with move numbers: `12... Nf6 13. O-O`.
pub fn numbered(board: &Board, moves: &[Move]) -> String {
    let mut number = board.fullmove_number();
    let mut white = board.side_to_move() == Color::White;
    let mut words = Vec::with_capacity(moves.len());
    for (index, mv) in san_line(board, moves).into_iter().enumerate() {
        words.push(if white {
            format!("{number}. {mv}")
        } else if index == 0 {
            format!("{number}... {mv}")
        } else {
            mv
        });
        number += u32::from(!white);
        white = !white;
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::evaluation::Shown;
    use super::*;

    #[test]
    fn played_move_begins_the_line() {
        let board: Board = "3k4/8/4Q3/1N6/8/8/P7/RK6 w A - 0 1".parse().unwrap();
        let castle = board.parse_san("O-O-O").unwrap();
        let mate = Variation::of_played(&board, castle, None);
        assert_eq!((mate.evaluation.own, mate.depth), (Shown::Mate(1), 1));
        assert_eq!(numbered(&board, &mate.pv), "1. O-O-O#");
        // A check that ends the game may also be a draw by repetition.
        let check = board.parse_san("Qd6+").unwrap();
        assert_eq!(Variation::of_played(&board, check, None).evaluation.own, Shown::Centipawns(0));
        let start = Board::startpos();
        let e4 = start.parse_san("e4").unwrap();
        let mut after = start.clone();
        after.make_move(e4);
        let pv = vec![after.parse_san("e5").unwrap()];
        let reply = Variation::of_outcome(&after, &Outcome { depth: 7, score: 40, pv, ..Outcome::default() });
        let line = Variation::of_played(&start, e4, Some(&reply));
        assert_eq!((line.depth, line.seldepth, line.evaluation.score), (8, 2, -40));
        assert_eq!(numbered(&start, &line.pv), "1. e4 e5");
        assert_eq!(numbered(&after, &reply.pv), "1... e5");
    }
}
