//! Names what a line of moves achieves: mate, promotion, a fork, a pin and so on.
//!
//! Nothing here guesses. A move shows a motif only if the board has its geometry after the move, and if the line goes on
//! to cash in on it: the fork takes one of its victims, the skewer takes the piece behind.

use serde::{Deserialize, Serialize};

use enroque::chess::attacks::{between, line_through, pawn_attacks, piece_attacks};
use enroque::chess::see::see_value;
use enroque::chess::{Bitboard, Board, Color, Move, MoveKind, PieceKind, Square};

/// How a line wins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Motif {
    /// The line ends with checkmate.
    Mate,
    /// A pawn promotes.
    Promotion,
    /// One piece attacks several pieces at once, and takes one of them.
    Fork,
    /// A valuable piece must leave a line, and the piece behind it falls.
    Skewer,
    /// A move opens the line of another piece, which gives check or takes something.
    DiscoveredAttack,
    /// A piece can't leave its line, because something more valuable stands behind it.
    Pin,
    /// The winning move castles.
    Castling,
    /// Every other move loses material.
    Defence,
    /// Something falls that nothing protects well enough.
    Material,
}

impl Motif {
    /// Returns the name in lower case: `discovered attack`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mate => "mate",
            Self::Promotion => "promotion",
            Self::Fork => "fork",
            Self::Skewer => "skewer",
            Self::DiscoveredAttack => "discovered attack",
            Self::Pin => "pin",
            Self::Castling => "castling",
            Self::Defence => "defence",
            Self::Material => "material",
        }
    }
}

/// A line wins material if it gains at least this much, in the centipawns of [`see_value`]: more than a pawn.
pub const MIN_GAIN: i32 = 2 * PAWN;
const PAWN: i32 = 100;
/// A move proves its motif if one of this many later moves of the same side cashes in.
const CASHING_MOVES: usize = 2;

/// Returns how much more material `side` has than the other, in the centipawns of [`see_value`].
pub fn balance(board: &Board, side: Color) -> i32 {
    let value = |color| -> i32 {
        PieceKind::ALL.iter().map(|&kind| see_value(kind) * board.pieces(color, kind).count() as i32).sum()
    };
    value(side) - value(!side)
}

/// Whether the side to move is not in check and wins nothing by a capture or a promotion. In such a position we can
/// count the material.
pub fn is_quiet(board: &Board) -> bool {
    !board.in_check() && !board.legal_moves().iter().any(|&mv| mv.is_noisy() && board.see_at_least(mv, 1))
}

/// Returns the positions of a line: `board`, then the one after each move.
pub fn positions(board: &Board, line: &[Move]) -> Vec<Board> {
    let mut positions = vec![board.clone()];
    for &mv in line {
        let mut next = positions[positions.len() - 1].clone();
        next.make_move(mv);
        positions.push(next);
    }
    positions
}

/// Whether the side to move is checkmated.
pub fn is_mate(board: &Board) -> bool {
    board.in_check() && !board.has_legal_move()
}

/// Returns how much material the side to move on `board` has won at the last quiet position of the line, in the
/// centipawns of [`see_value`]; `None` if no position after the first move is quiet.
pub fn gain(board: &Board, line: &[Move]) -> Option<i32> {
    let us = board.side_to_move();
    let positions = positions(board, line);
    let end = positions[1..].iter().rev().find(|position| is_quiet(position))?;
    Some(balance(end, us) - balance(board, us))
}

/// Returns after how many plies the line has made its point: the first position in which the opponent is mated, or in
/// which all is quiet and the side that began is ahead by [`MIN_GAIN`] compared with `board`, and stays ahead to the
/// end. `None` if the line doesn't get there.
pub fn point(board: &Board, line: &[Move]) -> Option<usize> {
    let us = board.side_to_move();
    let positions = positions(board, line);
    if positions.last().is_some_and(|last| is_mate(last) && last.side_to_move() != us) {
        return Some(line.len());
    }
    let before = balance(board, us);
    let mut point = None;
    for (plies, position) in positions.iter().enumerate().skip(1) {
        if !is_quiet(position) {
            continue;
        }
        if balance(position, us) - before < MIN_GAIN {
            point = None;
        } else if point.is_none() {
            point = Some(plies);
        }
    }
    point
}

/// Returns the motif with which a line wins for the side to move on `board`, and the index of the move that shows it.
/// `None` if the line neither mates nor wins material.
pub fn of_line(board: &Board, line: &[Move]) -> Option<(Motif, usize)> {
    let plies = point(board, line)?;
    let positions = positions(board, line);
    if is_mate(&positions[plies]) {
        return Some((Motif::Mate, plies - 1));
    }
    let own = || (0..plies).step_by(2);
    if let Some(index) = own().find(|&index| line[index].promotion().is_some()) {
        return Some((Motif::Promotion, index));
    }
    if line[0].is_castle() {
        return Some((Motif::Castling, 0));
    }
    let shown = own().find_map(|index| Some((of_move(&positions[index], &line[index..])?, index)));
    Some(shown.unwrap_or((Motif::Material, 0)))
}

/// Returns the motif that the first move of a line shows and that the moves after it cash in on: a fork, a skewer, a
/// discovered attack or a pin.
pub fn of_move(board: &Board, line: &[Move]) -> Option<Motif> {
    let (&mv, rest) = line.split_first()?;
    if mv.is_castle() {
        return None;
    }
    let play = Play::new(board, mv, rest);
    if play.forks() {
        Some(Motif::Fork)
    } else if play.skewers() {
        Some(Motif::Skewer)
    } else if play.discovers() {
        Some(Motif::DiscoveredAttack)
    } else {
        play.pins().then_some(Motif::Pin)
    }
}

/// A later capture by the side that begins the line.
struct Capture {
    from: Square,
    to: Square,
}

/// A move, and what follows it.
struct Play<'a> {
    before: &'a Board,
    mv: Move,
    after: Board,
    us: Color,
    /// Our next captures, up to the move with which we lose track of the piece that moved.
    captures: Vec<Capture>,
    /// Squares that the opponent's pieces have left before our captures.
    left: Bitboard,
}

impl<'a> Play<'a> {
    fn new(before: &'a Board, mv: Move, rest: &[Move]) -> Self {
        let us = before.side_to_move();
        let mut after = before.clone();
        after.make_move(mv);
        let (mut captures, mut left) = (Vec::new(), Bitboard::EMPTY);
        for (index, &mv) in rest.iter().take(2 * CASHING_MOVES).enumerate() {
            if index % 2 == 0 {
                left |= Bitboard::of(mv.from());
            } else if mv.is_capture() && !mv.is(MoveKind::EnPassant) {
                captures.push(Capture { from: mv.from(), to: mv.to() });
            }
        }
        Self { before, mv, after, us, captures, left }
    }

    /// Whether a piece that stands on `from` takes what stood on `to` after the move.
    fn takes(&self, from: Square, to: Square) -> bool {
        self.captures.iter().any(|capture| capture.from == from && capture.to == to)
    }

    fn kind_on(&self, square: Square) -> PieceKind {
        self.after.piece_on(square).map_or(PieceKind::Pawn, |piece| piece.kind())
    }

    fn attacks_from(&self, square: Square, occupied: Bitboard) -> Bitboard {
        match self.kind_on(square) {
            PieceKind::Pawn => pawn_attacks(self.us, square),
            kind => piece_attacks(kind, square, occupied),
        }
    }

    /// The opponent's king and pieces; pawns are too small to be the victims of a motif.
    fn victims(&self) -> Bitboard {
        self.after.by_color(!self.us) & !self.after.by_kind(PieceKind::Pawn)
    }

    /// Whether the piece on `from` threatens the one on `victim`: it is the king, worth more, or not protected.
    fn threatens(&self, from: Square, victim: Square) -> bool {
        let (own, other) = (self.kind_on(from), self.kind_on(victim));
        let without = self.after.occupied() & !Bitboard::of(from);
        other == PieceKind::King
            || see_value(other) > see_value(own)
            || !self.after.is_attacked(victim, !self.us, without)
    }

    fn forks(&self) -> bool {
        let to = self.mv.to();
        let attacked = self.attacks_from(to, self.after.occupied()) & self.victims();
        let victims = attacked.into_iter().filter(|&victim| self.threatens(to, victim));
        let victims: Vec<Square> = victims.collect();
        victims.len() > 1 && victims.iter().any(|&victim| self.takes(to, victim))
    }

    /// Returns the opponent's pieces that the slider on `from` attacks, each with the piece behind it on the same line.
    fn pairs(&self, from: Square) -> Vec<(Square, Square)> {
        let occupied = self.after.occupied();
        if !matches!(self.kind_on(from), PieceKind::Bishop | PieceKind::Rook | PieceKind::Queen) {
            return Vec::new();
        }
        let direct = self.attacks_from(from, occupied);
        let mut pairs = Vec::new();
        for front in direct & self.after.by_color(!self.us) {
            let through = self.attacks_from(from, occupied & !Bitboard::of(front)) & !direct;
            let behind = through & line_through(from, front) & self.victims();
            pairs.extend(behind.into_iter().map(|behind| (front, behind)));
        }
        pairs
    }

    fn skewers(&self) -> bool {
        let to = self.mv.to();
        self.pairs(to).into_iter().any(|(front, behind)| {
            let is_greater = self.kind_on(front) == PieceKind::King
                || see_value(self.kind_on(front)) >= see_value(self.kind_on(behind));
            is_greater && self.threatens(to, front) && self.left.has(front) && self.takes(to, behind)
        })
    }

    /// Whether the piece on `front` shields the more valuable one on `behind`.
    fn is_pinned(&self, (front, behind): (Square, Square)) -> bool {
        let (front, behind) = (self.kind_on(front), self.kind_on(behind));
        front != PieceKind::King && (behind == PieceKind::King || see_value(behind) > see_value(front))
    }

    fn pins(&self) -> bool {
        let to = self.mv.to();
        // The move pins a piece that falls afterwards.
        let new = self.pairs(to).into_iter().filter(|&pair| self.is_pinned(pair));
        let falls =
            |square| self.captures.iter().any(|capture| capture.to == square) && !self.left.has(square);
        if new.into_iter().any(|(front, _)| self.kind_on(front) != PieceKind::Pawn && falls(front)) {
            return true;
        }
        // Or it goes where only a piece could take it that is pinned to its king.
        let takers = self.after.attackers_to(to, self.after.occupied()) & self.after.by_color(!self.us);
        let can_take = self.after.legal_moves().iter().any(|reply| reply.is_capture() && reply.to() == to);
        self.mv.promotion().is_none() && takers.intersects(self.after.pinned()) && !can_take
    }

    fn discovers(&self) -> bool {
        let (occupied, earlier) = (self.after.occupied(), self.before.occupied());
        let own = self.after.by_color(self.us) & !Bitboard::of(self.mv.to());
        own.into_iter().any(|slider| {
            let kind = self.kind_on(slider);
            if !matches!(kind, PieceKind::Bishop | PieceKind::Rook | PieceKind::Queen) {
                return false;
            }
            let opened = piece_attacks(kind, slider, occupied) & !piece_attacks(kind, slider, earlier);
            (opened & self.victims()).into_iter().any(|victim| {
                between(slider, victim).has(self.mv.from())
                    && (self.kind_on(victim) == PieceKind::King
                        || self.threatens(slider, victim) && self.takes(slider, victim))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(fen: &str, moves: &str) -> (Board, Vec<Move>) {
        let board: Board = fen.parse().unwrap();
        let mut position = board.clone();
        let play = |san: &str| {
            let mv = position.parse_san(san).unwrap_or_else(|_| panic!("{san}"));
            position.make_move(mv);
            mv
        };
        let moves = moves.split(' ').map(play).collect();
        (board, moves)
    }

    #[test]
    fn lines_show_their_motif() {
        use Motif::*;
        for (motif, fen, moves) in [
            (Mate, "6k1/5ppp/8/8/8/8/8/3RK3 w - - 0 1", "Rd8#"),
            (Promotion, "8/1P4k1/8/8/8/8/6K1/8 w - - 0 1", "b8=Q Kf6"),
            (Fork, "q3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "Nc7+ Kd7 Nxa8"),
            (Fork, "4k3/8/8/2r1n3/8/3P4/8/4K3 w - - 0 1", "d4 Rc7 dxe5"),
            // The knight falls afterwards, and the fork has won a queen for it.
            (Fork, "q3k3/8/1n6/3N4/8/8/8/4K3 w - - 0 1", "Nc7+ Kd8 Nxa8 Nxa8"),
            (Skewer, "q7/8/8/3k4/8/8/8/5BK1 w - - 0 1", "Bg2+ Kd6 Bxa8"),
            (Skewer, "3q4/8/8/3k4/8/8/8/R5K1 w - - 0 1", "Rd1+ Ke6 Rxd8"),
            (DiscoveredAttack, "3qk3/8/8/8/8/3B4/8/3RK3 w - - 0 1", "Bg6+ Kf8 Rxd8+ Kg7"),
            (Pin, "4k3/8/8/4n3/8/8/3P1K2/R7 w - - 0 1", "Re1 Kd8 Rxe5 Kd7"),
            (Pin, "3k4/3n4/5r2/8/8/8/5Q2/3RK3 w - - 0 1", "Qxf6+ Ke8"),
            (Castling, "3k4/8/8/8/8/8/1r6/R3K3 w Q - 0 1", "O-O-O+ Ke7 Kxb2"),
            (Material, "4k3/8/8/3r4/8/8/8/3QK3 w - - 0 1", "Qxd5"),
        ] {
            let (board, moves) = line(fen, moves);
            assert_eq!(of_line(&board, &moves).map(|(motif, _)| motif), Some(motif), "{fen} {moves:?}");
        }
    }

    #[test]
    fn threats_that_come_to_nothing_have_no_motif() {
        for (fen, moves) in [
            // Both pieces of the fork are protected and worth less than the queen.
            ("4k3/2p1p3/1n3n2/8/8/8/8/3QK3 w - - 0 1", "Qd4 Kf7"),
            ("6k1/5ppp/8/8/8/8/8/3RK3 w - - 0 1", "Rd2 h6"),
            // A check that leads to nothing.
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "Ra8+ Kd7 Ra7+ Ke6"),
        ] {
            let (board, moves) = line(fen, moves);
            assert_eq!(of_line(&board, &moves), None, "{fen}");
        }
    }

    #[test]
    fn point_is_where_material_is_safe() {
        let (board, moves) = line("q3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "Nc7+ Kd7 Nxa8 Kc6");
        assert_eq!((point(&board, &moves), gain(&board, &moves)), (Some(3), Some(950)));
        // A trade wins nothing.
        let (board, moves) = line("3rk3/8/8/8/8/8/8/3RK3 w - - 0 1", "Rxd8+ Kxd8");
        assert_eq!((point(&board, &moves), gain(&board, &moves)), (None, Some(0)));
        // What the opponent takes back later wasn't won.
        let (board, moves) = line("4k3/8/2n5/8/3r4/8/8/3QK3 w - - 0 1", "Qxd4 Nxd4");
        assert_eq!(point(&board, &moves), None);
    }
}
