//! Says in one sentence why a move is bad, from what the searches prove: the line that refutes the move, and the line
//! that would have been better. Where the lines prove nothing that can be said, there is no sentence.

use enroque::chess::{Board, CastlingSide, Move, PieceKind};

use super::course::{Course, MIN_DIFFERENCE, Material, captured, has_pieces, single, total, value, words};
use super::evaluation::Shown;
use super::line::Variation;
use super::motif::{self, Motif};

/// We speak of mates in at most this many moves, because people don't see longer ones coming.
pub const MAX_MATE: i32 = 8;
/// A draw counts as missed or given away if the score of the other line is at least this many centipawns.
const DECIDED: f64 = 200.0;
/// We say that a move gives up castling if the better line castles within this many plies. If it castles later, something
/// else matters more.
const CASTLING_PLIES: usize = 3;

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
        .or_else(|| {
            let score = better.evaluation.site.bounded_centipawns();
            let gap = score + refutation?.evaluation.site.bounded_centipawns();
            material(board, &missed, &allowed, gap, score)
        })
        .or_else(|| castling(board, played, &better.pv))
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

fn material(
    board: &Board,
    missed: &Course<'_>,
    allowed: &Course<'_>,
    gap: f64,
    score: f64,
) -> Option<String> {
    // Both lines may win or lose something. What we name must make a difference.
    let (would, does) = (missed.end()?, allowed.end()?);
    if would - does < MIN_DIFFERENCE {
        return None;
    }
    let explains = |&material: &Material| 2 * total(material) >= would - does;
    let lost = allowed.lasting(1, gap).filter(explains).filter(|_| would >= 0);
    // A move that wins much of it, too, if only for a while, doesn't miss it.
    let peak = allowed.peak()?;
    let won = missed.lasting(0, gap).filter(explains).filter(|&won| 2 * peak <= total(won));
    // Whoever is ahead in material after that, but not by the score, will have to give it back.
    let won = won.filter(|&won| missed.lead() + total(won) <= 0 || score >= 0.0);
    if let Some(promotion) = allowed.promotion(1)
        && missed.promotion(1).is_none()
        && lost.is_some()
    {
        return Some(format!("Allows a pawn to promote on {}.", promotion.to()));
    }
    let is_main = |&lost: &Material| won.is_none_or(|won| total(won) <= total(lost));
    if let Some(lost) = lost.filter(is_main) {
        let next = allowed.boards.get(1)?;
        let (reply, what) = (next.san(*allowed.moves.get(1)?), words(lost)?);
        if let Some(tactic) = tactic(allowed, 1) {
            return Some(format!("Allows the {tactic} {reply}, which wins {what}."));
        }
        let loses = || has_pieces(lost).then(|| format!("Loses {what} after {reply}."));
        return hanging(board, missed, allowed, gap).or_else(loses);
    }
    if let Some(left) = hanging(board, missed, allowed, gap) {
        return Some(left);
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

/// Names a piece that was simply left to be taken.
fn hanging(board: &Board, missed: &Course<'_>, allowed: &Course<'_>, gap: f64) -> Option<String> {
    let (&played, replies) = allowed.moves.split_first()?;
    let next = allowed.boards.get(1)?;
    let &reply = replies.first()?;
    let (kind, square) = captured(next, reply)?;
    let replied = Course::new(next, replies);
    let is_kind = single(replied.lasting(0, gap)?) == Some(kind);
    let difference = missed.end()? - allowed.end()?;
    let is_lost = (value(kind)..=2 * value(kind)).contains(&difference);
    if !is_kind || !is_lost {
        return None;
    }
    let (name, reply) = (kind.name(), next.san(reply));
    if played.to() == square {
        // Taking back what just took something isn't that simple.
        return (!played.is_capture()).then(|| format!("Loses a {name}: {reply} takes it."));
    }
    // What falls in the better line, too, makes no difference.
    if missed.moves.iter().skip(1).step_by(2).any(|mv| mv.is_capture() && mv.to() == square) {
        return None;
    }
    let defended = board.attackers_to(square, board.occupied()).has(played.from());
    let is_alone = !next.is_attacked(square, board.side_to_move(), next.occupied());
    let how = if defended && is_alone { "without its defender" } else { "in danger" };
    Some(format!("Leaves the {name} on {square} {how}: {reply} takes it."))
}

/// Names the tactic of the move at `at`, if the line cashes in on it before its quiet end.
fn tactic(course: &Course<'_>, at: usize) -> Option<&'static str> {
    let line = course.moves.get(at..*course.quiet.last()?)?;
    let motif = motif::of_move(course.boards.get(at)?, line)?;
    // In a pin of another kind, the move goes where only pinned pieces could take it. That needs more words.
    (motif != Motif::Pin).then(|| motif.name())
}

/// Says that a move of the king gives up castling, if the better line castles soon.
fn castling(board: &Board, played: Move, better: &[Move]) -> Option<String> {
    let us = board.side_to_move();
    let castles = better.iter().take(CASTLING_PLIES).step_by(2).any(|mv| mv.is_castle());
    let kind = board.piece_on(played.from())?.kind();
    let gives_up = kind == PieceKind::King && !played.is_castle();
    let mut next = board.clone();
    next.make_move(played);
    let has_right = |board: &Board| CastlingSide::ALL.iter().any(|&side| board.castling(us, side).is_some());
    (castles && gives_up && has_right(board) && !has_right(&next)).then(|| "Gives up castling.".to_owned())
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

    /// A position, the played move, the better line and the refutation with their scores, and the sentence.
    type Row<'a> = (&'a str, &'a str, (i32, &'a str), (i32, &'a str), &'a str);

    fn assert_reasons(rows: &[Row<'_>]) {
        let given =
            rows.iter().map(|&(fen, played, better, refutation, _)| why(fen, played, better, refutation));
        let expected: Vec<&str> = rows.iter().map(|row| row.4).collect();
        assert_eq!(given.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn sentences_name_what_matters() {
        assert_reasons(&[
            (
                // The move takes a bishop, which it would win in any case, and loses another.
                "rnb1R3/ppp2ppk/7p/1B1P4/1q6/5N2/PPP2PPP/1K1R4 w - - 4 17",
                "Rxc8",
                (14, "Bd3 g6 Rxc8 Kg7 Rxc7 Qd6 Rxb7 Nd7 c3 Nc5"),
                (350, "Qxb5 a3 Qd7 Rf8 a5 Rd4 Qe7 Rc8 a4 h4 Nc6 Rxa8 Nxd4"),
                "Leaves the bishop on b5 in danger: Qxb5 takes it.",
            ),
            (
                // The pawn that falls is nothing beside the queen.
                "r3k2r/1pp5/1p1p1p2/4p1pN/1PPPq1P1/P7/6PN/R4RK1 w kq - 0 22",
                "dxe5",
                (685, "Nxf6 Kd8 Nxe4 exd4 Nf3 Re8 Nfxg5 Kc8 Rf4 Kb8 Nf6 Re3 Rxd4"),
                (484, "Qd4 Kh1 fxe5 c5 bxc5 Rad1 Qe3 bxc5 Qxc5 Rc1 Qa5 Nf6 Kd8"),
                "Misses a fork that wins a queen.",
            ),
            (
                "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R w KQkq - 1 5",
                "Kf1",
                (10, "c3 d6 O-O O-O Bb3 a6"),
                (60, "d6 c3 O-O h3 a6 Bb3"),
                "Gives up castling.",
            ),
        ]);
    }

    #[test]
    fn shaky_claims_have_no_sentence() {
        assert_reasons(&[
            (
                // White castles late in the better line, and the bishop on f4 matters more.
                "r3q1k1/p4rpp/3bN1p1/1p1P4/2p1PB2/P1Qn3P/1P3PP1/R3K2R w KQ - 2 24",
                "Ke2",
                (-273, "Qxd3 cxd3 Bxd6 Rf6 O-O Rxe6 dxe6 Qxe6 Bb4 a5 Bc3 Qb3"),
                (628, "Nxf4+ Kf1 Nxe6 dxe6 Qxe6 Re1 Raf8 f3 Be5 Qc2 Rd8 Rd1"),
                "",
            ),
            (
                // White needn't give the pawn on d4.
                "r2qkb1r/pp2pppp/2n2n2/3p1b2/3P1B2/2N2P2/PPP3PP/R2QKBNR w KQkq - 1 7",
                "a3",
                (37, "g4 Bd7 Qd2 e6 O-O-O a6 h4 Be7 Kb1 O-O g5"),
                (72, "h5 Bd3 Nxd4 Nge2 Bxd3 Qxd3 Nc6 O-O-O e6 Kb1 Be7 g4 Rc8"),
                "",
            ),
            (
                // Both moves take the pawn on g4.
                "r3k2r/1ppq2p1/1p1p1p2/4p3/1PPPP1p1/P4P2/4N1PN/R4RK1 w kq - 0 19",
                "fxg4",
                (-378, "Nxg4 b5 dxe5 dxe5 Rfd1 Qe6 cxb5 Qb6 Nf2 Qe3 Ng3 Rxa3"),
                (510, "Qc6 Ng3 Qxc4 Nf5 g6 Rac1 Qd3 Rf3 Qxe4 Re3 Qd5 dxe5 dxe5"),
                "",
            ),
            (
                // The pawn on a2 falls anyway.
                "r3r1k1/3n1q1p/3Q2pB/2pP4/1p2B3/1P6/P4PPP/4R1K1 w - - 1 23",
                "Kf1",
                (52, "f3 Rxa2 h3 Nf6 Qxc5 Qa7 Qxa7 Rxa7 Bd2 Nxe4 fxe4 Rd7 Bxb4"),
                (25, "Rxa2 f3 Nf6 Bd3 Rxe1 Kxe1 Rxg2 Bc4 Kh8 Qd8 Qe8 Qxe8 Nxe8"),
                "",
            ),
            (
                // The scores don't show the rook.
                "rkrnbbq1/8/1p1np3/3pN2p/P1pP1Pp1/2N1P1P1/P1P5/RK1RBB1Q b Aca - 1 16",
                "Ra7",
                (92, "Nf5 e4 Ne3 a3 Nxd1 Nxd1 Rxa4 exd5 Bxa3 d6 Bxd6 Rxa4 Bxa4"),
                (10, "e4 Nxe4 Nxe4 dxe4 Bxc4 Qh7 a5 Ba3 axb6 Qb7 Bb3 Qxb6 Qxe4"),
                "",
            ),
            (
                // The pawns are worth almost as much as the bishop.
                "1k1n2q1/2r5/3b4/1p1pNp1Q/r1pP2p1/n1B1P1P1/RKP5/3R1B2 w - - 0 25",
                "Rda1",
                (-189, "Qxf5 Qe8 Rda1 b4 Be1 Nc6 Nxc6 Qxc6 c3 bxc3 Kc1 Bb4 Bg2"),
                (259, "b4 Bxb4 Bxb4 Qxf5 Qe8 c3 Bd6 Kc1 Nb7 Nxg4"),
                "",
            ),
            (
                // White wins the pawn back with Bxf7+ and Nxe4.
                "r1b1knrq/pp2pn1p/1bpp2p1/5p2/P3PP2/6P1/BPPP1N1P/R1BK1NRQ w ga - 6 8",
                "Rg2",
                (-1, "Ne3 Bxe3 dxe3 Be6 a5 a6 Bxe6 Nxe6 Nd3 Nc5 Nxc5 dxc5 e5"),
                (125, "fxe4 a5 Bxf2 Rxf2 d5 Ne3 Nd6 Qf1 Qf6 Qe2 Be6 d3"),
                "",
            ),
            (
                // Rxf6 wins the exchange after the played move, too.
                "8/p1q2pkp/1p3np1/3Bp3/4P3/PQ3RP1/2r2PKP/8 b - - 6 31",
                "Qc5",
                (158, "Rd2 Qe3 Rd4 Rxf6 Kxf6 Qh6 Qd6 Qxh7 Qf8 Bc6 Rc4 Bd5 Rc3"),
                (73, "Rxf6 Kxf6 Qf3 Kg5 Qxf7 Rd2 h4 Kh6 Qf6 Rxd5 exd5 Qxd5 Kg1"),
                "",
            ),
            (
                // Too much falls.
                "2r3q1/2bpk3/pp2bp1p/2pR4/P1P2N2/1P2BQ2/6N1/2R3K1 b - - 6 37",
                "Qg5",
                (-100, "Bxf4 Bxf4 Bxd5 cxd5 Re8 Re1 Kd8 Rxe8 Kxe8 Qe2 Kf7 d6 Qg7"),
                (913, "Rxg5 hxg5 Nxe6 Bb8 Nxg5 Be5 Ne4 Rc6 Rd1 Re6 Qg4"),
                "",
            ),
            (
                // The pawn is nothing beside the rook that falls.
                "1r2k2r/4ppb1/3p2pp/2p2q2/1PpPn3/2P1PN1P/2Q2PPB/1R2K2R w Kk - 0 21",
                "dxc5",
                (45, "bxc5 Rxb1 Qxb1 O-O cxd6 exd6 O-O Nxc3 Qxf5 gxf5 Bxd6 Ra8 Be5"),
                (350, "Bxc3 Ke2 Ng3 Kd1 Nxh1 e4 Qf6 c6"),
                "",
            ),
            (
                // Black will win the pawn back, as the score says.
                "rnbq1rk1/pp2ppbp/5np1/2pp4/2PP1B2/2N1PN2/PP3PPP/R2QKB1R w KQ - 0 7",
                "Bd3",
                (-23, "dxc5 Ne4 Rc1 Nxc3 bxc3 Qa5 Be5 Bxe5 Nxe5 Nd7 Nxd7 Bxd7 cxd5"),
                (95, "cxd4 exd4 Bg4 O-O Nc6 Be2 dxc4 Rc1 Rc8 Re1 e6 h3 Bxf3"),
                "",
            ),
        ]);
    }
}
