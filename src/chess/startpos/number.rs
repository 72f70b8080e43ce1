//! The numbers of a start position.

use std::fmt;

use super::{
    BackRank, CHESS960_COUNT, CHESS2880_COUNT, ORTHODOX, StartCastling, back_rank, back_rank_letters,
    board_from_back_ranks, scharnagl_number,
};
use crate::chess::{Bitboard, Board, Color, File, PieceKind, Rank, Square};

/// The numbers of White's and Black's back ranks in a start position, each from 0 to 5039.
///
/// It is displayed as `334` or, if White and Black have different back ranks, as `344:402`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StartNumbers {
    white: u32,
    black: u32,
}

impl StartNumbers {
    /// Returns `None` unless both numbers are below [`SHUFFLE_COUNT`](super::SHUFFLE_COUNT).
    pub fn new(white: u32, black: u32) -> Option<Self> {
        back_rank(white).zip(back_rank(black)).map(|_| Self { white, black })
    }

    /// Returns the numbers of these back ranks; `None` unless both have the usual eight pieces.
    pub fn of_ranks(white: &BackRank, black: &BackRank) -> Option<Self> {
        Some(Self { white: scharnagl_number(white)?, black: scharnagl_number(black)? })
    }

    /// Returns the numbers of both back ranks if the pieces and pawns of `board` stand as in a start position.
    ///
    /// ```
    /// use enroque::chess::Board;
    /// use enroque::chess::startpos::StartNumbers;
    ///
    /// let numbers = StartNumbers::of(&Board::startpos()).unwrap();
    /// assert_eq!(numbers.name(), "Chess960 518, the orthodox start");
    /// assert_eq!(numbers.mirror().to_string(), "534");
    /// ```
    pub fn of(board: &Board) -> Option<Self> {
        let rank = |color: Color| {
            if board.pieces(color, PieceKind::Pawn) != Bitboard::relative_rank(color, Rank::Second) {
                return None;
            }
            let mut kinds = [PieceKind::Pawn; 8];
            for (file, kind) in File::ALL.into_iter().zip(&mut kinds) {
                let piece = board.piece_on(Square::new(file, Rank::First.relative_to(color)))?;
                if piece.color() != color {
                    return None;
                }
                *kind = piece.kind();
            }
            Some(kinds)
        };
        Self::of_ranks(&rank(Color::White)?, &rank(Color::Black)?)
    }

    /// Returns the number of White's back rank.
    pub const fn white(self) -> u32 {
        self.white
    }

    /// Returns the number of Black's back rank.
    pub const fn black(self) -> u32 {
        self.black
    }

    /// Returns the number of this player's back rank.
    pub const fn number(self, color: Color) -> u32 {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }

    /// Returns `true` if White and Black have different back ranks.
    pub const fn is_double(self) -> bool {
        self.white != self.black
    }

    /// Returns the back ranks of White and Black.
    pub fn ranks(self) -> [BackRank; 2] {
        [self.white, self.black].map(|number| match back_rank(number) {
            Some(rank) => rank,
            None => unreachable!("every way to make start numbers checks that the back ranks exist"),
        })
    }

    /// Returns the start position with these back ranks: the pawns in front of them, and White to move.
    pub fn board(self, castling: StartCastling) -> Board {
        let [white, black] = self.ranks();
        board_from_back_ranks(&white, &black, castling)
    }

    /// Returns the letters of White's and Black's back ranks, from the a-file to the h-file.
    pub fn letters(self) -> [String; 2] {
        self.ranks().map(|rank| back_rank_letters(&rank))
    }

    /// Returns the letters of White's back rank and, if it differs, `separator` and the letters of Black's.
    pub fn letters_joined(self, separator: &str) -> String {
        let [white, black] = self.letters();
        if self.is_double() { format!("{white}{separator}{black}") } else { white }
    }

    /// Returns the numbers of the mirror image (a-file ↔ h-file).
    pub fn mirror(self) -> Self {
        let [white, black] = self.ranks().map(|mut rank| {
            rank.reverse();
            scharnagl_number(&rank)
        });
        match white.zip(black) {
            Some((white, black)) => Self { white, black },
            None => unreachable!("a mirrored back rank has the same pieces"),
        }
    }

    /// Returns a name to show to users, such as `Chess960 334` or `Chess960 518, the orthodox start`.
    pub fn name(self) -> String {
        let Self { white, black } = self;
        match white.max(black) {
            CHESS2880_COUNT.. => format!("shuffle chess {self}"),
            CHESS960_COUNT.. => format!("Chess2880 {self}"),
            _ if self.is_double() => {
                format!("double Chess960 {} (White {white}, Black {black})", white * CHESS960_COUNT + black)
            }
            ORTHODOX => "Chess960 518, the orthodox start".to_owned(),
            _ => format!("Chess960 {white}"),
        }
    }
}

impl fmt::Display for StartNumbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.white)?;
        if self.is_double() { write!(f, ":{}", self.black) } else { Ok(()) }
    }
}
