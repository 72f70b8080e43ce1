//! Says in one sentence why a move is bad, from what the searches prove: the line that refutes the move, and the line
//! that would have been better. Where the lines prove nothing that can be said, there is no sentence.

use enroque::chess::{Board, CastlingSide, Move, PieceKind, Square};

use super::evaluation::Shown;
use super::line::Variation;
use super::motif::{self, Motif};

/// We count material at most this many plies into a line, because later moves are less certain.
const MAX_PLIES: usize = 14;
/// Material that a side wins or loses within this many plies is plain enough to speak of.
const MAX_PLAIN_PLIES: usize = 7;
/// It must stay so for at least this many plies. Otherwise the other side may win it back where the line ends.
const MIN_LASTING_PLIES: usize = 4;
/// We speak of mates in at most this many moves, because people don't see longer ones coming.
pub const MAX_MATE: i32 = 8;
/// We say nothing about material unless the two lines differ by at least this much, in pawns.
const MIN_DIFFERENCE: i32 = 1;
/// A draw counts as missed or given away if the score of the other line is at least this many centipawns.
const DECIDED: f64 = 200.0;

/// The verbs with which the sentences begin.
pub const BEGINNINGS: [&str; 5] = ["Allows ", "Misses ", "Loses ", "Gives up ", "Leaves "];

/// Returns why the move `played` on `board` is bad, without the name of the better move, which is said next to it.
/// `better` is the best line on `board`, `refutation` the best line after the move; `None` if the game ended with the
/// move.
pub fn reason(
    board: &Board,
    played: Move,
    better: &Variation,
    refutation: Option<&Variation>,
) -> Option<String> {
    if better.first()? == played {
        return None;
    }
    let missed = Course::new(board, &better.pv);
    let pv: Vec<Move> =
        std::iter::once(played).chain(refutation.into_iter().flat_map(|line| line.pv.clone())).collect();
    let allowed = Course::new(board, &pv);
    mates(board, played, better, refutation)
        .or_else(|| draws(better, refutation, &missed, &allowed))
        .or_else(|| material(board, &missed, &allowed))
        .or_else(|| castling(board, played, &better.pv))
}

/// A line and what it captures, seen by the side that begins.
struct Course<'a> {
    moves: &'a [Move],
    /// The positions of the line from its first on.
    boards: Vec<Board>,
    /// How many plies lead to each quiet position after the first move, in which we can count the material.
    quiet: Vec<usize>,
}

/// What one side is up in material, by kind from pawn to queen.
type Material = [i32; 5];

const KINDS: [PieceKind; 5] =
    [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];

fn value(kind: usize) -> i32 {
    [1, 3, 3, 5, 9].get(kind).copied().unwrap_or(0)
}

fn total(material: Material) -> i32 {
    material.iter().enumerate().map(|(kind, count)| count * value(kind)).sum()
}

impl<'a> Course<'a> {
    fn new(board: &Board, moves: &'a [Move]) -> Self {
        let moves = moves.get(..MAX_PLIES).unwrap_or(moves);
        let boards = motif::positions(board, moves);
        let is_quiet = |&ply: &usize| {
            boards.get(ply).is_some_and(|board| board.has_legal_move() && motif::is_quiet(board))
        };
        let quiet = (1..boards.len()).filter(is_quiet).collect();
        Self { moves, boards, quiet }
    }

    /// Returns by how much the side that began is up after `ply`, compared with the beginning.
    fn gain(&self, ply: usize) -> Option<Material> {
        let (first, last) = (self.boards.first()?, self.boards.get(ply)?);
        let us = first.side_to_move();
        let count = |board: &Board, color, kind| board.pieces(color, kind).count() as i32;
        Some(KINDS.map(|kind| {
            let lead = |board| count(board, us, kind) - count(board, !us, kind);
            lead(last) - lead(first)
        }))
    }

    /// Returns by how much the side that began is up, in pawns, at the last quiet position.
    fn end(&self) -> Option<i32> {
        Some(total(self.gain(*self.quiet.last()?)?))
    }

    /// Returns the material that the side that began wins (`sign` 1) or loses (-1) early in the line and keeps, or doesn't
    /// get back, in all later quiet positions: the least of what these show, with the sign of the side that began.
    fn lasting(&self, sign: i32) -> Option<Material> {
        let gains = self.quiet.iter().rev().map_while(|&ply| Some((ply, self.gain(ply)?)));
        let lasting: Vec<(usize, Material)> =
            gains.take_while(|&(_, gain)| sign * total(gain) >= MIN_DIFFERENCE).collect();
        let (&(last, _), &(first, _)) = lasting.first().zip(lasting.last())?;
        let is_plain = first <= MAX_PLAIN_PLIES && last >= first + MIN_LASTING_PLIES;
        lasting.iter().map(|&(_, gain)| gain).min_by_key(|&gain| sign * total(gain)).filter(|_| is_plain)
    }

    /// Whether a move up to the quiet end and before `plies` promotes a pawn of the side that moves at ply `from`.
    fn promotion(&self, from: usize) -> Option<Move> {
        let end = *self.quiet.last()?;
        self.moves.iter().take(end).skip(from).step_by(2).copied().find(|mv| mv.promotion().is_some())
    }

    /// Whether the line ends in a draw that the rules show.
    fn is_drawn(&self) -> bool {
        self.boards.last().is_some_and(|board| {
            let is_stalemate = !board.has_legal_move() && !board.in_check();
            is_stalemate
                || self.boards.len() > 1 && board.is_repetition(usize::MAX)
                || board.has_insufficient_material()
        })
    }
}

fn mates(board: &Board, played: Move, better: &Variation, refutation: Option<&Variation>) -> Option<String> {
    let after = refutation.map(|line| line.evaluation.own);
    let number = |moves: i32| (1..=MAX_MATE).contains(&moves).then_some(moves);
    if let (Some(Shown::Mate(moves)), Some(line)) = (after, refutation)
        && let Some(moves) = number(moves)
        && !matches!(better.evaluation.own, Shown::Mate(moves) if moves <= 0)
    {
        let mut next = board.clone();
        next.make_move(played);
        return Some(format!("Allows mate in {moves} with {}.", next.san(line.first()?)));
    }
    match better.evaluation.own {
        Shown::Mate(moves) if !matches!(after, Some(Shown::Mate(after)) if after <= 0) => {
            number(moves).map(|moves| format!("Misses mate in {moves}."))
        }
        _ => None,
    }
}

fn draws(
    better: &Variation,
    refutation: Option<&Variation>,
    missed: &Course<'_>,
    allowed: &Course<'_>,
) -> Option<String> {
    let before = better.evaluation.site.bounded_centipawns();
    let is_level = |line: &Variation| line.evaluation.own == Shown::Centipawns(0);
    if before >= DECIDED && refutation.is_none_or(is_level) && allowed.is_drawn() {
        let cause = match allowed.boards.last() {
            Some(board) if !board.has_legal_move() => "stalemate",
            Some(board) if !board.has_insufficient_material() => "a draw by repetition",
            _ => "a draw",
        };
        return Some(format!("Allows {cause}."));
    }
    let after = refutation?.evaluation.site.bounded_centipawns();
    if after >= DECIDED && is_level(better) && missed.is_drawn() {
        return Some("Misses a draw.".to_owned());
    }
    None
}

fn material(board: &Board, missed: &Course<'_>, allowed: &Course<'_>) -> Option<String> {
    // Both lines may win or lose something. What we name must make a difference.
    let (would, does) = (missed.end()?, allowed.end()?);
    if would - does < MIN_DIFFERENCE {
        return None;
    }
    let lost = allowed.lasting(-1).filter(|_| would >= 0);
    let won = missed.lasting(1).filter(|&won| total(won) - does >= MIN_DIFFERENCE);
    let next = allowed.boards.get(1)?;
    let reply = allowed.moves.get(1).map(|&mv| next.san(mv));
    if let Some(promotion) = allowed.promotion(1)
        && missed.promotion(1).is_none()
        && lost.is_some()
    {
        return Some(format!("Allows a pawn to promote on {}.", promotion.to()));
    }
    if let Some(lost) = lost {
        let lost = lost.map(|count| -count);
        let what = words(lost)?;
        let reply = reply?;
        let taken = captured(next, *allowed.moves.get(1)?);
        if let Some(tactic) = tactic(allowed, 1) {
            return Some(format!("Allows the {tactic} {reply}, which wins {what}."));
        }
        // A piece that was simply left to be taken.
        if let Some((kind, square)) = taken.filter(|&(kind, _)| single(lost) == Some(kind)) {
            if allowed.moves.first().is_some_and(|played| played.to() == square) {
                return Some(format!("Loses {what}: {reply} takes it."));
            }
            let defends = |board: &Board, by: Square| board.attackers_to(square, board.occupied()).has(by);
            let played = *allowed.moves.first()?;
            let us = board.side_to_move();
            let stopped = defends(board, played.from()) && !next.is_attacked(square, us, next.occupied());
            let name = kind.name();
            let how = if stopped { "without its defender" } else { "in danger" };
            return Some(format!("Leaves the {name} on {square} {how}: {reply} takes it."));
        }
        return Some(format!("Loses {what} after {reply}."));
    }
    if let Some(promotion) = missed.promotion(0).filter(|_| allowed.promotion(0).is_none() && won.is_some()) {
        return Some(format!("Misses the promotion of a pawn on {}.", promotion.to()));
    }
    let what = words(won?)?;
    Some(match tactic(missed, 0) {
        Some(tactic) => format!("Misses a {tactic} that wins {what}."),
        None => format!("Misses the win of {what}."),
    })
}

/// Returns what a move captures, and where.
fn captured(board: &Board, mv: Move) -> Option<(PieceKind, Square)> {
    let victim = board.piece_on(mv.to()).filter(|_| mv.is_capture() && !mv.is_castle())?;
    Some((victim.kind(), mv.to()))
}

/// Returns the piece if the material is one piece and nothing else.
fn single(material: Material) -> Option<PieceKind> {
    let mut kinds = material.iter().zip(KINDS).filter(|&(&count, _)| count != 0);
    let (&count, kind) = kinds.next()?;
    (count == 1 && kinds.next().is_none()).then_some(kind)
}

/// Names material that a side wins: `a knight`, `the exchange`, `a rook for a pawn`. `None` if there is no good name.
fn words(mut material: Material) -> Option<String> {
    // A knight against a bishop is an even trade.
    let minor = material[1].signum() * material[2].signum() < 0;
    if minor {
        let even = material[1].abs().min(material[2].abs());
        material[1] -= even * material[1].signum();
        material[2] -= even * material[2].signum();
    }
    let minors = material[1] + material[2];
    if material[3] == 1 && minors == -1 && material[4] == 0 {
        return match material[0] {
            0 => Some("the exchange".to_owned()),
            1.. => Some(format!("the exchange and {}", counted(0, material[0]))),
            _ => Some(format!("the exchange for {}", counted(0, -material[0]))),
        };
    }
    let list = |sign: i32| {
        let some = (0..KINDS.len()).rev().filter(|&kind| material[kind] * sign > 0);
        some.map(|kind| counted(kind, material[kind] * sign)).collect::<Vec<_>>().join(" and ")
    };
    let (won, given) = (list(1), list(-1));
    match (won.is_empty(), given.is_empty()) {
        (true, _) => None,
        (false, true) => Some(won),
        (false, false) => Some(format!("{won} for {given}")),
    }
}

fn counted(kind: usize, count: i32) -> String {
    let name = KINDS.get(kind).map_or("piece", |kind| kind.name());
    match count {
        1 => format!("a {name}"),
        2 => format!("two {name}s"),
        _ => format!("{count} {name}s"),
    }
}

/// Names the tactic of the move at `at`, if the line cashes in on it before its quiet end.
fn tactic(course: &Course<'_>, at: usize) -> Option<&'static str> {
    let line = course.moves.get(at..*course.quiet.last()?)?;
    let motif = motif::of_move(course.boards.get(at)?, line)?;
    // In a pin of another kind, the move goes where only pinned pieces could take it. That needs more words.
    (motif != Motif::Pin).then(|| motif.name())
}

/// Says that a move of king or rook gives up castling, if the better line castles.
fn castling(board: &Board, played: Move, better: &[Move]) -> Option<String> {
    let us = board.side_to_move();
    let castles = better.iter().take(MAX_PLIES).step_by(2).copied().find(|mv| mv.is_castle());
    let kind = board.piece_on(played.from())?.kind();
    let gives_up = kind == PieceKind::King && !played.is_castle();
    let mut next = board.clone();
    next.make_move(played);
    let has_right = |board: &Board| CastlingSide::ALL.iter().any(|&side| board.castling(us, side).is_some());
    (castles.is_some() && gives_up && has_right(board) && !has_right(&next))
        .then(|| "Gives up castling.".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::Evaluation;
    use enroque::search::report::Outcome;
    use enroque::search::score::{mate_in, mated_in};

    /// Makes the line with these moves and this score.
    fn line(board: &Board, score: i32, moves: &str) -> Variation {
        let mut position = board.clone();
        let play = |san: &str| {
            let mv = position.parse_san(san).unwrap_or_else(|_| panic!("{san}"));
            position.make_move(mv);
            mv
        };
        let pv = moves.split_whitespace().map(play).collect();
        Variation {
            evaluation: Evaluation::new(score, board),
            ..Variation::of_outcome(board, &Outcome { pv, ..Outcome::default() })
        }
    }

    fn why(fen: &str, played: &str, better: (i32, &str), refutation: (i32, &str)) -> String {
        let board: Board = fen.parse().unwrap();
        let played = board.parse_san(played).unwrap();
        let mut next = board.clone();
        next.make_move(played);
        let (better, refutation) =
            (line(&board, better.0, better.1), line(&next, refutation.0, refutation.1));
        reason(&board, played, &better, Some(&refutation)).unwrap_or_default()
    }

    #[test]
    fn sentences_say_what_the_lines_prove() {
        let opened = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2";
        let forked = "r3k3/pp3ppp/8/1N6/8/8/PPP2PPP/4K3 w q - 0 1";
        for (fen, played, better, refutation, expected) in [
            (opened, "g4", (-50, "e4 Nc6"), (mate_in(1), "Qh4#"), "Allows mate in 1 with Qh4#."),
            (opened, "g4", (mated_in(4), "e4"), (mate_in(1), "Qh4#"), ""),
            (
                "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
                "h3",
                (mate_in(1), "Rd8#"),
                (-500, "Kf8"),
                "Misses mate in 1.",
            ),
            (
                forked,
                "Kd2",
                (600, "Nc7+ Kd7 Nxa8 Kc6 Kd2 Kd5 Kd3 Kc5"),
                (0, "Kd7 Ke3"),
                "Misses a fork that wins a rook.",
            ),
            (forked, "Kd2", (0, "Kd1 Kd7"), (0, "Kd7 Ke3"), ""),
            // Nobody knows what happens to the knight in the corner.
            (forked, "Kd2", (600, "Nc7+ Kd7 Nxa8 Kc6"), (0, "Kd7 Ke3"), ""),
            // A trade wins nothing.
            ("4k3/5ppp/8/3n4/8/4B3/5PPP/4K3 b - - 0 1", "Nxe3", (0, "Kd7 Kd2"), (300, "fxe3 Kd7"), ""),
            (
                "4k3/p4ppp/1p3n2/8/8/4B3/5PPP/4K3 b - - 0 1",
                "b5",
                (0, "Kd7 Kd2"),
                (100, "Bxa7 Kd7 Kd2 Ke6 Kd3 Ke5 Be3"),
                "Leaves the pawn on a7 in danger: Bxa7 takes it.",
            ),
        ] {
            assert_eq!(why(fen, played, better, refutation), expected, "{fen} {played}");
        }
    }
}
