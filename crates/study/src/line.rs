//! Variations with a score, as a search reports them, and lines of moves in algebraic notation.

use serde::{Serialize, Serializer};

use super::judgement::{MAX_CENTIPAWNS, site_centipawns};
use enroque::chess::{Board, Color, Move};
use enroque::search::report::{Info, Outcome};
use enroque::search::score::{DRAW, INFINITE, Score, is_decisive, mate_in, moves_to_mate};
use enroque::search::wdl::{WinDrawLoss, normalized, win_draw_loss};

/// A variation with the score of its first move. Scores and chances are those of the side to move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Variation {
    /// Rank among the MultiPV lines of a position, counted from 1.
    pub multipv: usize,
    /// Depth of the search in plies.
    pub depth: i32,
    /// The deepest ply that the search reached, quiescence included.
    pub seldepth: usize,
    /// The score in centipawns. 100 means a 50 % chance of winning or, after
    /// [`in_site_centipawns`](Self::in_site_centipawns), an advantage that chess sites call one pawn. `None` if the
    /// search found a mate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cp: Option<Score>,
    /// Moves to mate, negative if the side to move is mated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// Probabilities of win, draw and loss in thousandths.
    pub wdl: [u32; 3],
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// Search time in milliseconds.
    pub time: u64,
    /// The moves of `pv` in algebraic notation.
    pub san: Vec<String>,
    /// The best line. In JSON we write its moves in UCI notation, with castling as king takes rook.
    #[serde(rename = "uci", serialize_with = "in_uci")]
    pub pv: Vec<Move>,
    /// The internal score of the search, before we normalise it to `cp`.
    #[serde(skip)]
    pub score: Score,
}

fn in_uci<S: Serializer>(pv: &[Move], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(pv.iter().map(Move::to_string))
}

impl Variation {
    /// Converts an `info` report of a running search; [`Self::of_outcome`] converts the result of a finished one.
    pub fn of_info(info: &Info<'_>) -> Self {
        Self {
            multipv: info.multi_pv,
            seldepth: info.sel_depth,
            nodes: info.nodes,
            time: info.time.as_millis() as u64,
            ..Self::new(info.board, info.depth, info.score, info.pv)
        }
    }

    /// Converts the result of a search. An [`Outcome`] has no selective depth, so `seldepth` is the length of the PV.
    pub fn of_outcome(board: &Board, outcome: &Outcome) -> Self {
        let time = outcome.time.as_millis() as u64;
        Self { nodes: outcome.nodes, time, ..Self::new(board, outcome.depth, outcome.score, &outcome.pv) }
    }

    /// Makes the variation that begins with `mv`, a move on `board`, and goes on with `after`, the best line in the
    /// position after `mv`; `after` is `None` if `mv` ended the game.
    pub fn of_played(board: &Board, mv: Move, after: Option<&Self>) -> Self {
        let Some(after) = after else {
            let mut end = board.clone();
            end.make_move(mv);
            return Self::new(board, 1, if end.in_check() { mate_in(1) } else { DRAW }, &[mv]);
        };
        let [win, draw, loss] = after.wdl;
        Self {
            multipv: 1,
            depth: after.depth + 1,
            seldepth: after.seldepth + 1,
            cp: after.cp.map(|cp| -cp),
            // We count the moves of the side that mates, so the played move adds one only if it is that side's.
            mate: after.mate.map(|moves| if moves > 0 { -moves } else { 1 - moves }),
            wdl: [loss, draw, win],
            nodes: after.nodes,
            time: after.time,
            san: [vec![board.san(mv)], after.san.clone()].concat(),
            pv: [vec![mv], after.pv.clone()].concat(),
            score: -after.score,
        }
    }

    fn new(board: &Board, depth: i32, score: Score, pv: &[Move]) -> Self {
        let mate = moves_to_mate(score);
        let WinDrawLoss { win, draw, loss } = win_draw_loss(score, board);
        Self {
            multipv: 1,
            depth,
            seldepth: pv.len(),
            cp: if mate.is_none() { Some(normalized(score, board)) } else { None },
            mate,
            wdl: [win, draw, loss],
            nodes: 0,
            time: 0,
            san: san_line(board, pv),
            pv: pv.to_vec(),
            score,
        }
    }

    /// Converts the score to centipawns as chess sites count them. Mates and tablebase wins stay as they are.
    pub fn in_site_centipawns(self, board: &Board) -> Self {
        let site = |cp| match is_decisive(self.score) {
            true => cp,
            false => site_centipawns(self.score.into(), board).round() as Score,
        };
        Self { cp: self.cp.map(site), ..self }
    }

    /// Returns the score in centipawns, clamped to ± [`MAX_CENTIPAWNS`]; a mate counts as the bound.
    pub fn bounded_centipawns(&self) -> f64 {
        match self.mate {
            Some(moves) => MAX_CENTIPAWNS * f64::from(moves.signum()),
            None => f64::from(self.cp.unwrap_or(0)).clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS),
        }
    }

    /// Returns a number that is greater for better scores: quick mates beat slow mates, mates beat centipawns, and
    /// being mated comes last, the sooner the worse.
    pub fn order(&self) -> i32 {
        match (self.mate, self.cp) {
            (Some(moves), _) => moves.signum() * (INFINITE - moves.abs()),
            (None, cp) => cp.unwrap_or(0),
        }
    }

    /// Formats the score from White's side: `+0.17`, `#5` or `#-3`. `side` is the side to move.
    pub fn score_for_white(&self, side: Color) -> String {
        let sign = if side == Color::White { 1 } else { -1 };
        match (self.cp, self.mate) {
            (_, Some(moves)) => format!("#{}", sign * moves),
            (cp, None) => format!("{:+.2}", f64::from(sign * cp.unwrap_or(0)) / 100.0),
        }
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

/// Joins the moves that [`san_line`] returns and adds move numbers: `12... Nf6 13. O-O`.
pub fn numbered(board: &Board, san: &[String]) -> String {
    let mut number = board.fullmove_number();
    let mut white = board.side_to_move() == Color::White;
    let mut words = Vec::with_capacity(san.len());
    for (index, mv) in san.iter().enumerate() {
        words.push(if white {
            format!("{number}. {mv}")
        } else if index == 0 {
            format!("{number}... {mv}")
        } else {
            mv.clone()
        });
        number += u32::from(!white);
        white = !white;
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use enroque::search::score::{DECISIVE_RANGE, mated_in};

    fn of_score(board: &Board, score: Score, moves: &[&str]) -> Variation {
        let mut end = board.clone();
        let pv = moves.iter().map(|text| {
            let mv = end.parse_san(text).unwrap();
            end.make_move(mv);
            mv
        });
        Variation::new(board, 1, score, &pv.collect::<Vec<_>>())
    }

    #[test]
    fn tablebase_wins_keep_their_score() {
        let board = Board::startpos();
        let of_site = |score| of_score(&board, score, &[]).in_site_centipawns(&board).cp;
        assert_eq!(of_site(DECISIVE_RANGE), Some(DECISIVE_RANGE));
        assert_eq!(of_site(1000), Some(783));
    }

    #[test]
    fn played_move_begins_the_line() {
        let board: Board = "3k4/8/4Q3/1N6/8/8/P7/RK6 w A - 0 1".parse().unwrap();
        let castle = board.parse_san("O-O-O").unwrap();
        let mate = Variation::of_played(&board, castle, None);
        assert_eq!((mate.mate, mate.score_for_white(Color::White).as_str()), (Some(1), "#1"));
        assert!(serde_json::to_string(&mate).unwrap().contains(r##""san":["O-O-O#"],"uci":["b1a1"]"##));
        let start = Board::startpos();
        let mut after = start.clone();
        after.make_move(start.parse_san("e4").unwrap());
        let reply = of_score(&after, mated_in(4), &["e5", "Nf3"]);
        let line = Variation::of_played(&start, start.parse_san("e4").unwrap(), Some(&reply));
        assert_eq!((reply.mate, line.mate, line.wdl), (Some(-2), Some(3), [1000, 0, 0]));
        assert_eq!(numbered(&start, &line.san), "1. e4 e5 2. Nf3");
        assert_eq!(numbered(&after, &reply.san), "1... e5 2. Nf3");
        assert!(line.order() > of_score(&start, 500, &[]).order() && mate.order() > line.order());
    }
}
