//! Moves packed into sixteen bits, and lists of them. Castling is king takes own rook.

use std::fmt;
use std::num::NonZeroU16;

use arrayvec::ArrayVec;

use super::piece::PieceKind;
use super::square::Square;

/// Room for the legal moves of any position, however odd its material.
///
/// With *n* own pieces there are at most 27 moves a piece (a queen's; a pawn's promotions are fewer), and onto each
/// of the other 64 − *n* squares at most sixteen (one along each line, eight by knights), with up to nine more
/// promotions on each square of the last rank. The smaller of 27*n* and 16(64 − *n*) + 72 is greatest at
/// *n* = 25, below 690; castlings add two.
pub const MAX_MOVES: usize = 704;

/// A list of moves on the stack.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// What a move does besides going from one square to another; four bits.
///
/// Bit 2 marks captures, bit 3 promotions, whose low two bits name the new piece. No kind is 0, so no move's code is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum MoveKind {
    Quiet = 1,
    DoublePush = 2,
    Castle = 3,
    Capture = 4,
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

    /// The promotion to `piece`, with or without capturing; `None` for a pawn or king.
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

/// A move: from in bits 0–5, to in bits 6–11, [`MoveKind`] in bits 12–15.
///
/// The code 0 is no move, which makes `Option<Move>` sixteen bits too.
///
/// ```
/// use enroque::chess::{Board, CastlingNotation, Move};
///
/// let board: Board = "4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1".parse()?;
/// let castling: Vec<Move> = board.legal_moves().into_iter().filter(|mv| mv.is_castle()).collect();
/// let names = castling.iter().map(|&mv| board.format_move(mv, CastlingNotation::KingTakesRook));
/// assert_eq!(names.collect::<Vec<_>>(), ["f1b1", "f1h1"]);
/// # Ok::<(), enroque::chess::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Move(NonZeroU16);

impl Move {
    /// The move from `from` to `to`; castling goes to the rook's square.
    #[inline]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Self {
        let code = from.index() as u16 | (to.index() as u16) << 6 | (kind as u16) << 12;
        // SAFETY: no kind is 0, so its four bits make the code something else than 0.
        Self(unsafe { NonZeroU16::new_unchecked(code) })
    }

    /// The move with this code, whether or not it makes sense on any board; `None` for 0.
    #[inline]
    pub const fn from_code(code: u16) -> Option<Self> {
        match NonZeroU16::new(code) {
            Some(code) => Some(Self(code)),
            None => None,
        }
    }

    /// The sixteen bits.
    #[inline]
    pub const fn code(self) -> u16 {
        self.0.get()
    }

    /// Where the moving piece stands; for castling the king.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_index((self.code() & 63) as usize)
    }

    /// Where it goes; for castling the square of the rook.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_index((self.code() >> 6 & 63) as usize)
    }

    /// The four kind bits, which need not be a [`MoveKind`] when the code came from outside.
    #[inline]
    const fn kind_bits(self) -> u16 {
        self.code() >> 12
    }

    /// `true` when this is of the given kind.
    #[inline]
    pub const fn is(self, kind: MoveKind) -> bool {
        self.kind_bits() == kind as u16
    }

    /// King takes own rook.
    #[inline]
    pub const fn is_castle(self) -> bool {
        self.is(MoveKind::Castle)
    }

    /// Takes an enemy piece, en passant included.
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.kind_bits() & MoveKind::CAPTURE_BIT != 0
    }

    /// A capture or a promotion: what the search calls noisy.
    #[inline]
    pub const fn is_noisy(self) -> bool {
        self.kind_bits() & (MoveKind::CAPTURE_BIT | MoveKind::PROMOTION_BIT) != 0
    }

    /// Neither capture nor promotion.
    #[inline]
    pub const fn is_quiet(self) -> bool {
        !self.is_noisy()
    }

    /// The piece that a pawn becomes.
    #[inline]
    pub const fn promotion(self) -> Option<PieceKind> {
        use PieceKind::*;
        if self.kind_bits() & MoveKind::PROMOTION_BIT == 0 {
            return None;
        }
        Some([Knight, Bishop, Rook, Queen][(self.kind_bits() & 3) as usize])
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        if let Some(kind) = self.promotion() {
            write!(f, "{}", kind.letter().to_ascii_lowercase())?;
        }
        Ok(())
    }
}
