//! Castling rights, which change during a game, and castling geometry, which does not. Orthodox chess, Chess960,
//! Chess2880 and Chess480 differ only in the geometry.

use std::fmt;

use super::attacks::between;
use super::{Bitboard, ByColor, BySide, BySquare, Color, File, Square};

/// Castling towards the a-file or towards the h-file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum CastlingSide {
    /// Towards the a-file: `O-O-O`, queenside castling in orthodox chess.
    A,
    /// Towards the h-file: `O-O`, kingside castling in orthodox chess.
    H,
}

impl CastlingSide {
    pub const ALL: [Self; 2] = [Self::A, Self::H];

    /// Returns the move in SAN: `O-O-O` for the a-side, `O-O` for the h-side.
    pub const fn san(self) -> &'static str {
        match self {
            Self::A => "O-O-O",
            Self::H => "O-O",
        }
    }

    /// Returns the letter of the right in a FEN, as Black's: `q` for the a-side, `k` for the h-side.
    pub const fn letter(self) -> char {
        match self {
            Self::A => 'q',
            Self::H => 'k',
        }
    }
}

/// The castling rules of a variant: which rooks castle, and where king and rook go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CastlingRules {
    /// King and rook go to the orthodox squares. Each rook castles on the side of the king where it stands (Chess960).
    #[default]
    Fischer,
    /// King and rook go to the orthodox squares. The rook nearest the a-file castles to the a-side, and the rook
    /// nearest the h-file to the h-side, wherever the king stands (Chess2880).
    NearestRook,
    /// The king goes two squares towards the rook, and the rook to the square that the king crossed. A king next to a
    /// rook in the corner swaps with it (Chess480).
    Orthodox480,
    /// For variants without castling, such as shuffle chess.
    None,
}

impl CastlingRules {
    /// All castling rules, in the order in which help texts list them.
    pub const ALL: [Self; 4] = [Self::Fischer, Self::NearestRook, Self::Orthodox480, Self::None];

    /// Returns the name that the UCI option `CastlingRules` and the command line use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fischer => "fischer",
            Self::NearestRook => "nearest",
            Self::Orthodox480 => "orthodox480",
            Self::None => "none",
        }
    }

    /// Returns the rules with this name, in upper or lower case; `None` if no rules have it.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rules| rules.name().eq_ignore_ascii_case(name))
    }

    /// Returns the files where the king and the rook stand after castling, in this order.
    fn destinations(self, side: CastlingSide, king: File, rook: File) -> (File, File) {
        if self != Self::Orthodox480 {
            return match side {
                CastlingSide::A => (File::C, File::D),
                CastlingSide::H => (File::G, File::F),
            };
        }
        let towards = |steps: usize| {
            let index =
                if rook > king { Some(king.index() + steps) } else { king.index().checked_sub(steps) };
            index.and_then(File::from_index)
        };
        // A king next to a rook in the corner cannot go two squares, so the two swap.
        towards(2).zip(towards(1)).unwrap_or((rook, king))
    }
}

/// A set of the four castling rights, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CastlingRights(u8);

impl CastlingRights {
    pub const NONE: Self = Self(0);

    #[inline]
    pub const fn one(color: Color, side: CastlingSide) -> Self {
        Self(1 << (color as u8 * 2 + side as u8))
    }

    #[inline]
    pub const fn both(color: Color) -> Self {
        Self(3 << (color as u8 * 2))
    }

    #[inline]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    #[inline]
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[inline]
    #[must_use]
    pub const fn without(self, lost: Self) -> Self {
        Self(self.0 & !lost.0)
    }

    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns a number from 0 to 15 for this set of rights, which indexes the table of Zobrist numbers.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 15) as usize
    }
}

/// Where king and rook start and end in one castling, and which squares must be empty or safe.
///
/// ```
/// use enroque::chess::{Board, CastlingSide, Color};
///
/// let board: Board = "4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1".parse()?;
/// let path = board.castling(Color::White, CastlingSide::A).unwrap();
/// assert_eq!([path.king_from, path.king_to].map(|square| square.to_string()), ["f1", "c1"]);
/// assert_eq!([path.rook_from, path.rook_to].map(|square| square.to_string()), ["b1", "d1"]);
/// # Ok::<(), enroque::chess::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CastlingPath {
    pub king_from: Square,
    pub rook_from: Square,
    pub king_to: Square,
    pub rook_to: Square,
    /// Every square that the king or the rook crosses or reaches, except the two squares where they start.
    pub must_be_empty: Bitboard,
    /// Every square that the king crosses or reaches. That it doesn't start in check is tested separately.
    pub must_be_safe: Bitboard,
}

impl CastlingPath {
    fn new(rules: CastlingRules, side: CastlingSide, king_from: Square, rook_from: Square) -> Self {
        let (king_file, rook_file) = rules.destinations(side, king_from.file(), rook_from.file());
        let king_to = Square::new(king_file, king_from.rank());
        let rook_to = Square::new(rook_file, king_from.rank());
        let path = |from, to| between(from, to) | Bitboard::of(from) | Bitboard::of(to);
        let origins = Bitboard::of(king_from) | Bitboard::of(rook_from);
        Self {
            king_from,
            rook_from,
            king_to,
            rook_to,
            must_be_empty: (path(king_from, king_to) | path(rook_from, rook_to)) & !origins,
            must_be_safe: path(king_from, king_to) & !Bitboard::of(king_from),
        }
    }
}

/// The castlings that a game starts with, computed when its position is set up. Moves take rights away, but never
/// change the geometry.
#[derive(Clone, PartialEq, Eq)]
pub struct CastlingGeometry {
    rules: CastlingRules,
    /// The squares of each castling; `None` if the game started without that right.
    paths: ByColor<BySide<Option<CastlingPath>>>,
    /// For each square, the castling rights that end when a piece moves from or to it.
    lost: BySquare<CastlingRights>,
}

impl CastlingGeometry {
    /// Returns a geometry without castlings; [`Self::add`] adds them.
    pub const fn new(rules: CastlingRules) -> Self {
        Self {
            rules,
            paths: ByColor([BySide([None; 2]); 2]),
            lost: BySquare([CastlingRights::NONE; Square::COUNT]),
        }
    }

    /// Adds one castling. `king` and `rook` are where the two start, on the back rank of `color`.
    pub fn add(&mut self, color: Color, side: CastlingSide, king: Square, rook: Square) {
        self.paths[color][side] = Some(CastlingPath::new(self.rules, side, king, rook));
        let right = CastlingRights::one(color, side);
        for square in [king, rook] {
            self.lost[square] = self.lost[square].union(right);
        }
    }

    pub const fn rules(&self) -> CastlingRules {
        self.rules
    }

    /// Returns the squares of this castling; `None` if the game began without that right. It still returns them after
    /// the right is lost, whereas `Board::castling` then returns `None`.
    #[inline]
    pub fn path(&self, color: Color, side: CastlingSide) -> Option<&CastlingPath> {
        self.paths[color][side].as_ref()
    }

    /// Returns the side on which `color` castles with the rook that starts on `rook`; `None` if it cannot castle.
    #[inline]
    pub fn side_of_rook(&self, color: Color, rook: Square) -> Option<CastlingSide> {
        CastlingSide::ALL
            .into_iter()
            .find(|&side| self.path(color, side).is_some_and(|p| p.rook_from == rook))
    }

    /// Returns the squares of the castling with the rook of `color` that starts on `rook`; `None` if it cannot castle.
    #[inline]
    pub fn path_of_rook(&self, color: Color, rook: Square) -> Option<&CastlingPath> {
        self.side_of_rook(color, rook).and_then(|side| self.path(color, side))
    }

    /// Returns the castling rights that end when a piece moves from or to `square`.
    #[inline]
    pub fn rights_lost_at(&self, square: Square) -> CastlingRights {
        self.lost[square]
    }
}

impl fmt::Debug for CastlingGeometry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CastlingGeometry").field("rules", &self.rules).field("paths", &self.paths).finish()
    }
}
