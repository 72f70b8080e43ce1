//! Why a castling that a side has the right to cannot be played now.

use super::attacks::rook_attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::castling::CastlingPath;
use crate::chess::color::Color;
use crate::chess::piece::PieceKind;
use crate::chess::square::Square;

/// Something that keeps a castling from being played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CastlingObstacle {
    /// It is the other side's move.
    NotToMove,
    /// The king is in check, from this square.
    InCheck(Square),
    /// A piece stands where none may.
    Blocked(Square),
    /// The king would pass or reach the first square, which the piece on the second attacks.
    Attacked(Square, Square),
    /// Without the rook the king would be in check from this square.
    Uncovered(Square),
}

impl Board {
    /// What keeps `color` from castling along `path` now, in the order in which a person would check it; nothing when
    /// it may be played.
    ///
    /// ```
    /// use enroque::chess::movegen::obstacles::CastlingObstacle;
    /// use enroque::chess::{Board, CastlingSide, Color, Square};
    ///
    /// // Lifting the rook on b1 would uncover the rook on a1.
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
        // Through the king itself nothing is attacked that the check would not name.
        for square in path.must_be_safe {
            let attacks = |attacker| CastlingObstacle::Attacked(square, attacker);
            found.extend(attackers(square).into_iter().map(attacks));
        }
        let lifted = occupied & !(Bitboard::of(path.king_from) | Bitboard::of(path.rook_from));
        let after = lifted | Bitboard::of(path.king_to) | Bitboard::of(path.rook_to);
        let straight =
            (self.by_kind(PieceKind::Rook) | self.by_kind(PieceKind::Queen)) & self.by_color(!color);
        let uncovered = rook_attacks(path.king_to, after) & straight & Bitboard::rank(path.king_to.rank());
        // In check the slider may shine through where the king stood, and the check was named.
        if attackers(path.king_from).is_empty() {
            let uncovered = uncovered & !attackers(path.king_to);
            found.extend(uncovered.into_iter().map(CastlingObstacle::Uncovered));
        }
        found
    }
}
