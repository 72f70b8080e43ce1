//! Moves packed into sixteen bits, and move lists. Castling is encoded as king takes own rook.

use std::fmt;
use std::num::NonZeroU16;

use arrayvec::ArrayVec;

use super::{PieceKind, Square};

/// Capacity of a move list. The move generator never emits more than 1,018 moves.
///
/// The bound holds for any bitboards, even those that an illegal `Board::make_move` leaves behind, because it follows
/// from the geometry of the board alone:
/// - sliders: 420, because only the nearest slider in each of up to eight directions reaches a square;
/// - knights: 336 pairs of squares that are a knight's move apart;
/// - pawn pushes: 56 single, 8 double, 8 × 4 promotions;
/// - pawn captures: 56 origins in each direction, at most 7 of which promote: 2 × (49 + 7 × 4);
/// - king: 8, castling: 2, en passant: 2.
pub const MAX_MOVES: usize = 1024;

/// A list of moves that lives on the stack (2 KiB), so that generating moves never allocates.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// What a move does, in four bits: bit 2 marks captures, and bit 3 promotions, whose low two bits select the new piece.
/// No kind is 0, so that no move has code 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum MoveKind {
    /// Neither capture, promotion, castling nor double pawn push.
    Quiet = 1,
    /// A pawn's double push, kept apart from `Quiet` because the opponent may be able to capture en passant.
    DoublePush = 2,
    /// The target is the square of the rook with which the king castles.
    Castle = 3,
    /// A capture without promotion, en passant excluded.
    Capture = 4,
    /// The only capture where the victim does not stand on the target square.
    EnPassant = 5,
    PromoteKnight = 8,
    PromoteBishop = 9,
    PromoteRook = 10,
    PromoteQueen = 11,
    CapturePromoteKnight = 12,
    CapturePromoteBishop = 13,
    CapturePromoteRook = 14,
    CapturePromoteQueen = 15,
}

impl MoveKind {
    const CAPTURE_BIT: u16 = 4;
    const PROMOTION_BIT: u16 = 8;

    /// Returns the promotion to `piece`, with or without capture; `None` for pawn and king.
    #[inline]
    pub const fn promotion(piece: PieceKind, capture: bool) -> Option<Self> {
        let [plain, capturing] = match piece {
            PieceKind::Knight => [Self::PromoteKnight, Self::CapturePromoteKnight],
            PieceKind::Bishop => [Self::PromoteBishop, Self::CapturePromoteBishop],
            PieceKind::Rook => [Self::PromoteRook, Self::CapturePromoteRook],
            PieceKind::Queen => [Self::PromoteQueen, Self::CapturePromoteQueen],
            PieceKind::Pawn | PieceKind::King => return None,
        };
        Some(if capture { capturing } else { plain })
    }
}

/// A move: from in bits 0–5, to in bits 6–11, [`MoveKind`] in bits 12–15. `Option<Move>` is sixteen bits too.
///
/// To parse a move, call `Board::parse_move` or `Board::parse_san`, because its text alone does not determine the kind.
///
/// ```
/// use enroque::chess::Board;
///
/// let board: Board = "4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1".parse()?;
/// let castlings = board.legal_moves().into_iter().filter(|mv| mv.is_castle());
/// assert_eq!(castlings.map(|mv| mv.to_string()).collect::<Vec<_>>(), ["f1b1", "f1h1"]);
/// # Ok::<(), enroque::chess::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Move(NonZeroU16);

impl Move {
    /// Packs a move. For castling, `to` is the square of the rook.
    #[inline]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Self {
        let code = from.index() as u16 | (to.index() as u16) << 6 | (kind as u16) << 12;
        // SAFETY: no kind is 0, so the code is not 0.
        Self(unsafe { NonZeroU16::new_unchecked(code) })
    }

    /// Returns the move with this code, which need not be legal on any board; `None` for 0.
    #[inline]
    pub const fn from_code(code: u16) -> Option<Self> {
        match NonZeroU16::new(code) {
            Some(code) => Some(Self(code)),
            None => None,
        }
    }

    /// Returns the sixteen bits, never 0. [`Self::from_code`] is the inverse.
    #[inline]
    pub const fn code(self) -> u16 {
        self.0.get()
    }

    /// Returns the origin square; for castling the king's.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_index((self.code() & 63) as usize)
    }

    /// Returns the target square; for castling the rook's.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_index((self.code() >> 6 & 63) as usize)
    }

    /// Returns the four kind bits. Not all values are a [`MoveKind`], but [`Self::from_code`] accepts any.
    #[inline]
    const fn kind_bits(self) -> u16 {
        self.code() >> 12
    }

    #[inline]
    pub const fn is(self, kind: MoveKind) -> bool {
        self.kind_bits() == kind as u16
    }

    /// Includes castlings of Chess960 in which the king or the rook stays where it is.
    #[inline]
    pub const fn is_castle(self) -> bool {
        self.is(MoveKind::Castle)
    }

    /// Includes en passant and promotions that capture.
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.kind_bits() & MoveKind::CAPTURE_BIT != 0
    }

    /// Returns `true` for captures and promotions, underpromotions included.
    #[inline]
    pub const fn is_noisy(self) -> bool {
        self.kind_bits() & (MoveKind::CAPTURE_BIT | MoveKind::PROMOTION_BIT) != 0
    }

    /// Returns `true` if the move is neither a capture nor a promotion. Castling is quiet.
    #[inline]
    pub const fn is_quiet(self) -> bool {
        !self.is_noisy()
    }

    /// Returns what the pawn promotes to; `None` if the move is not a promotion.
    #[inline]
    pub const fn promotion(self) -> Option<PieceKind> {
        use PieceKind::*;
        if self.kind_bits() & MoveKind::PROMOTION_BIT == 0 {
            return None;
        }
        Some([Knight, Bishop, Rook, Queen][(self.kind_bits() & 3) as usize])
    }
}

impl fmt::Display for Move {
    /// Writes UCI coordinates, with castling as king takes rook: `e2e4`, `e7e8q`, `e1h1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        if let Some(kind) = self.promotion() {
            write!(f, "{}", kind.letter().to_ascii_lowercase())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn move_text_in_uci_coordinates() {
        let square = |name| Square::parse(name).unwrap();
        for (from, to, kind, text) in [
            ("e2", "e4", MoveKind::DoublePush, "e2e4"),
            ("b7", "a8", MoveKind::CapturePromoteKnight, "b7a8n"),
            ("e1", "h1", MoveKind::Castle, "e1h1"),
        ] {
            assert_eq!(Move::new(square(from), square(to), kind).to_string(), text);
        }
    }
}
