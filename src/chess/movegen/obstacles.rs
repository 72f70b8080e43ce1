//! Finds out why a castling is not legal although the right remains.

use crate::chess::attacks::rook_attacks;
use crate::chess::{Bitboard, Board, CastlingPath, Color, PieceKind, Square};

/// A reason why castling is not legal in this position. There may be several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CastlingObstacle {
    /// It's the other side's move.
    NotToMove,
    /// The king is in check from this square.
    InCheck(Square),
    /// A piece on this square blocks the path of the king or the rook.
    Blocked(Square),
    /// The king would cross or reach the first square, which an enemy piece on the second square attacks.
    Attacked(Square, Square),
    /// Once the rook has left its square, an enemy piece on this square attacks the king's destination.
    Uncovered(Square),
}

impl Board {
    /// Returns why `color` cannot castle along `path`, in the order of [`CastlingObstacle`]; empty if it can.
    ///
    /// ```
    /// use enroque::chess::movegen::obstacles::CastlingObstacle;
    /// use enroque::chess::{Board, CastlingSide, Color, Square};
    ///
    /// // Lifting the rook on b1 uncovers the rook on a1.
    /// let board: Board = "4k3/8/8/8/8/8/8/rR2K1N1 w Q - 0 1".parse()?;
    /// let path = board.castling(Color::White, CastlingSide::A).unwrap();
    /// let found = board.castling_obstacles(Color::White, path);
    /// assert_eq!(found, [CastlingObstacle::Uncovered(Square::parse("a1").unwrap())]);
    /// # Ok::<(), enroque::chess::FenError>(())
    /// ```
    pub fn castling_obstacles(&self, color: Color, path: &CastlingPath) -> Vec<CastlingObstacle> {
        let mut found = Vec::new();
        if self.side_to_move() != color {
            found.push(CastlingObstacle::NotToMove);
        }
        let occupied = self.occupied();
        let attackers = |square| self.attackers_to(square, occupied) & self.by_color(!color);
        found.extend(attackers(path.king_from).into_iter().map(CastlingObstacle::InCheck));
        found.extend((path.must_be_empty & occupied).into_iter().map(CastlingObstacle::Blocked));
        // The king still blocks sliders, so a slider that gives check isn't reported again for squares behind the king.
        for square in path.must_be_safe {
            let attacks = |attacker| CastlingObstacle::Attacked(square, attacker);
            found.extend(attackers(square).into_iter().map(attacks));
        }
        let remaining = occupied & !(Bitboard::of(path.king_from) | Bitboard::of(path.rook_from));
        let after = remaining | Bitboard::of(path.king_to) | Bitboard::of(path.rook_to);
        let straight =
            (self.by_kind(PieceKind::Rook) | self.by_kind(PieceKind::Queen)) & self.by_color(!color);
        let uncovered = rook_attacks(path.king_to, after) & straight & Bitboard::rank(path.king_to.rank());
        // A slider that checks the king may also attack the destination through the king's square. `InCheck` covers it.
        if attackers(path.king_from).is_empty() {
            let uncovered = uncovered & !attackers(path.king_to);
            found.extend(uncovered.into_iter().map(CastlingObstacle::Uncovered));
        }
        found
    }
}
