//! What a review says about moves that have no mark: the only good move, and a mate that was missed in a position that
//! stays won.

use enroque::chess::{Board, Move};

use super::evaluation::Shown;
use super::judgement::{MARKS, mark_of, win_percent};
use super::line::Variation;
use super::reason::MAX_MATE;

/// A move is the only good one if the next best loses at least this many percentage points of winning chances: a mistake.
pub const MIN_ALTERNATIVE_LOSS: f64 = MARKS[1].min_loss;

/// What stands out about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RemarkKind {
    OnlyMove,
    MissedMate,
}

/// What stands out about a move, in one sentence or two.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    pub kind: RemarkKind,
    pub text: String,
}

impl RemarkKind {
    pub const ALL: [Self; 2] = [Self::OnlyMove, Self::MissedMate];

    /// Returns the words with which the remark begins.
    pub const fn beginning(self) -> &'static str {
        match self {
            Self::OnlyMove => "Only move.",
            Self::MissedMate => "Missed mate.",
        }
    }

    /// Returns a word for the kind.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OnlyMove => "OnlyMove",
            Self::MissedMate => "MissedMate",
        }
    }

    /// Returns the numeric annotation glyph of PGN, if there is one.
    pub const fn nag(self) -> Option<u8> {
        match self {
            Self::OnlyMove => Some(7),
            Self::MissedMate => None,
        }
    }

    /// Returns the sign for the glyph.
    pub const fn symbol(self) -> Option<&'static str> {
        match self {
            Self::OnlyMove => Some("□"),
            Self::MissedMate => None,
        }
    }
}

impl Remark {
    /// Finds the remark with which a comment begins. Returns its kind, and the rest of the comment.
    pub fn parse(comment: &str) -> Option<(RemarkKind, &str)> {
        let parse = |kind: RemarkKind| {
            let words = comment.strip_prefix(kind.beginning())?.strip_prefix(' ')?;
            let (sentence, rest) = words.split_once('.')?;
            let is_ours = match kind {
                RemarkKind::OnlyMove => sentence.contains(" was next best, and a "),
                RemarkKind::MissedMate => sentence.contains(" mates in "),
            };
            is_ours.then(|| (kind, rest.trim_start()))
        };
        RemarkKind::ALL.into_iter().find_map(parse)
    }
}

/// Whether it deserves a look if `played`, the first move of the `best` line, is the only good move. Taking back what was
/// just taken is no achievement, and neither is mate in one, nor the only legal move. `last` is the move before.
pub fn may_be_only_move(board: &Board, last: Option<Move>, played: Move, best: &Variation) -> bool {
    let takes_back =
        last.is_some_and(|last| last.is_capture() && played.is_capture() && last.to() == played.to());
    let chance = win_percent(best.evaluation.site.bounded_centipawns());
    let mates = best.evaluation.own == Shown::Mate(1);
    !takes_back && !mates && chance >= MIN_ALTERNATIVE_LOSS && board.legal_moves().len() > 1
}

/// Says that the best move was the only good one. `loss` is how many percentage points the `alternative`, the best other
/// move, loses.
pub fn only_move(board: &Board, alternative: Move, loss: f64) -> Option<Remark> {
    let mark = mark_of(loss).filter(|_| loss >= MIN_ALTERNATIVE_LOSS)?;
    let (san, name) = (board.san(alternative), mark.name.to_lowercase());
    let kind = RemarkKind::OnlyMove;
    Some(Remark { kind, text: format!("{} {san} was next best, and a {name}.", kind.beginning()) })
}

/// Says that a move missed a mate, as far as `after` shows that it did; `after` is the best line after the move, `None` if
/// the game ended there.
pub fn missed_mate(
    board: &Board,
    played: Move,
    better: &Variation,
    after: Option<&Variation>,
) -> Option<Remark> {
    let Shown::Mate(moves) = better.evaluation.own else { return None };
    let mates = |line: &Variation| matches!(line.evaluation.own, Shown::Mate(moves) if moves <= 0);
    let best = better.first().filter(|&best| best != played)?;
    let is_missed = (1..=MAX_MATE).contains(&moves) && after.is_some_and(|after| !mates(after));
    let kind = RemarkKind::MissedMate;
    is_missed
        .then(|| Remark { kind, text: format!("{} {} mates in {moves}.", kind.beginning(), board.san(best)) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::{Review, Task};
    use enroque::search::score::mate_in;

    /// Reviews a game of one move by made-up results: the best line before and after it, then what each further task finds.
    /// Returns the remark.
    fn remark(fen: &str, san: &str, looks: [(i32, &str); 2], found: &[&[(i32, &str)]]) -> Option<Remark> {
        let board: Board = fen.parse().unwrap();
        let mv = board.parse_san(san).unwrap();
        let mut next = board.clone();
        next.make_move(mv);
        let mut review = Review::new([board.clone(), next.clone()], [Some(mv)], "*");
        for (task, (score, best)) in review.tasks().iter().zip(looks) {
            review.give(task, vec![Variation::made_up([&board, &next][task.at], score, best)]);
        }
        for found in found {
            let tasks: Vec<Task> = review.tasks();
            assert_eq!(tasks.len(), 1, "{tasks:?}");
            review.give(
                &tasks[0],
                found.iter().map(|&(score, san)| Variation::made_up(&board, score, san)).collect(),
            );
        }
        assert_eq!(review.tasks(), []);
        review.judge().0.remove(0).remark
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn only_moves_are_compared_with_the_next_best() {
        let text = |found: &[&[(i32, &str)]]| {
            remark(START, "e4", [(30, "e4"), (-30, "e5")], found).map(|remark| remark.text)
        };
        let blunder = text(&[&[(-400, "d4")], &[(30, "e4"), (-400, "d4")]]);
        assert_eq!(blunder.as_deref(), Some("Only move. d4 was next best, and a blunder."));
        // A longer search finds a good move that the look missed.
        assert_eq!(text(&[&[(-400, "d4")], &[(30, "e4"), (20, "d4")]]), None);
        assert_eq!(text(&[&[(20, "d4")]]), None);
        // Mate in one is no achievement, and nor is a move in a position that stays lost.
        let mate = "6k1/5ppp/8/8/8/8/8/3RK3 w - - 0 1";
        assert_eq!(remark(mate, "Rd8#", [(mate_in(1), "Rd8#"), (0, "")], &[]), None);
        assert_eq!(remark(START, "e4", [(-3000, "e4"), (3000, "e5")], &[]), None);
    }

    #[test]
    fn missed_mates_need_no_mark() {
        let missed =
            remark(START, "d4", [(mate_in(5), "e4"), (-3000, "e5")], &[&[(mate_in(5), "e4"), (3000, "d4")]]);
        let text = "Missed mate. e4 mates in 3.";
        assert_eq!(missed, Some(Remark { kind: RemarkKind::MissedMate, text: text.to_owned() }));
        assert_eq!(Remark::parse(&format!("{text} Good!")), Some((RemarkKind::MissedMate, "Good!")));
        assert_eq!(
            Remark::parse("Only move. d4 was next best, and a mistake."),
            Some((RemarkKind::OnlyMove, ""))
        );
        assert_eq!(Remark::parse("Only move. I think."), None);
        // A slower mate misses no mate, and a mark says it with its reason.
        let slower = [(mate_in(5), "e4"), (enroque::search::score::mated_in(6), "e5")];
        assert_eq!(remark(START, "d4", slower, &[]), None);
    }
}
