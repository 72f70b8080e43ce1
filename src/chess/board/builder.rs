//! The only way to make a [`Board`]: a builder collects pieces, side to move, castling rights and counters, and
//! checks them together.

use thiserror::Error;

use super::zobrist::Keys;
use super::{Board, State};
use crate::chess::{
    Bitboard, ByColor, ByKind, BySide, BySquare, CastlingGeometry, CastlingRights, CastlingRules,
    CastlingSide, Color, Piece, PieceKind, Rank, Square,
};

/// Why [`BoardBuilder::build`] refuses a position. The field `color` is `white` or `black`.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BoardError {
    #[error("expected one {color} king, found {found}")]
    Kings { color: &'static str, found: u32 },
    #[error("expected no pawn on the first or last rank, found one on {0}")]
    PawnOnBackRank(Square),
    #[error("{mover} is to move, but the {other} king is in check")]
    OpponentInCheck { mover: &'static str, other: &'static str },
    /// A castling right whose king or rook isn't in place, or that the position's castling rules don't allow.
    #[error(
        "{color} cannot castle with a rook on {rook}: expected king and rook on the back rank, the rook on its side"
    )]
    Castling { color: &'static str, rook: Square },
}

/// A position that need not be valid until [`Self::build`] checks it.
///
/// ```
/// use enroque::chess::board::BoardBuilder;
/// use enroque::chess::{CastlingRules, CastlingSide, Color, FenStyle, Piece, Square};
///
/// let square = |name| Square::parse(name).unwrap();
/// let board = BoardBuilder::new(CastlingRules::Fischer)
///     .piece(square("b1"), Piece::WhiteKing)
///     .piece(square("g1"), Piece::WhiteRook)
///     .piece(square("e8"), Piece::BlackKing)
///     .castling(Color::White, CastlingSide::H, square("g1"))
///     .build()?;
/// assert_eq!(board.fen(FenStyle::Shredder), "4k3/8/8/8/8/8/8/1K4R1 w G - 0 1");
/// # Ok::<(), enroque::chess::board::BoardError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BoardBuilder {
    mailbox: BySquare<Option<Piece>>,
    side_to_move: Color,
    rules: CastlingRules,
    /// The square of each rook that may castle, indexed by colour and side; `None` if that right doesn't exist.
    castlings: ByColor<BySide<Option<Square>>>,
    en_passant: Option<Square>,
    halfmove_clock: u16,
    fullmove_number: u32,
}

impl BoardBuilder {
    /// Returns an empty board with White to move and castling by `rules`.
    pub const fn new(rules: CastlingRules) -> Self {
        Self {
            mailbox: BySquare([None; Square::COUNT]),
            side_to_move: Color::White,
            rules,
            castlings: ByColor([BySide([None; 2]); 2]),
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// Puts `piece` on `square`, replacing any piece there.
    #[must_use]
    pub fn piece(mut self, square: Square, piece: Piece) -> Self {
        self.mailbox[square] = Some(piece);
        self
    }

    /// Empties `square` and removes the castling right of a rook there.
    #[must_use]
    pub fn without_piece(mut self, square: Square) -> Self {
        self.mailbox[square] = None;
        for right in self.castlings.0.iter_mut().flat_map(|sides| &mut sides.0) {
            *right = right.filter(|&rook| rook != square);
        }
        self
    }

    /// Sets the side to move, which is White by default.
    #[must_use]
    pub fn side_to_move(mut self, color: Color) -> Self {
        self.side_to_move = color;
        self
    }

    /// Adds a castling right. [`Self::build`] checks that the king and this rook stand where the rules demand.
    #[must_use]
    pub fn castling(mut self, color: Color, side: CastlingSide, rook: Square) -> Self {
        self.castlings[color][side] = Some(rook);
        self
    }

    /// Sets the square that a pawn has just passed. [`Self::build`] drops it if no pawn can legally capture there.
    #[must_use]
    pub fn en_passant(mut self, square: Option<Square>) -> Self {
        self.en_passant = square;
        self
    }

    /// Sets the number of plies since the last capture or pawn move.
    #[must_use]
    pub fn halfmove_clock(mut self, plies: u16) -> Self {
        self.halfmove_clock = plies;
        self
    }

    /// Sets the move number, 1 at the start; 0 counts as 1.
    #[must_use]
    pub fn fullmove_number(mut self, number: u32) -> Self {
        self.fullmove_number = number.max(1);
        self
    }

    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        let piece = Piece::new(color, kind);
        Square::all().filter(|&square| self.mailbox[square] == Some(piece)).collect()
    }

    /// Returns `None` unless `color` has exactly one king.
    pub fn king(&self, color: Color) -> Option<Square> {
        let kings = self.pieces(color, PieceKind::King);
        (kings.count() == 1).then(|| kings.first())
    }

    pub const fn rules(&self) -> CastlingRules {
        self.rules
    }

    /// Checks the position, and computes its keys, checkers and pins.
    ///
    /// # Errors
    /// Returns an error if
    /// - a side does not have exactly one king,
    /// - a pawn stands on the first or last rank,
    /// - the side not to move is in check,
    /// - a castling right lacks its king or rook, or the castling rules do not allow it.
    pub fn build(self) -> Result<Board, BoardError> {
        for color in Color::ALL {
            let found = self.pieces(color, PieceKind::King).count();
            if found != 1 {
                return Err(BoardError::Kings { color: color.name(), found });
            }
        }
        let pawns = self.pieces(Color::White, PieceKind::Pawn) | self.pieces(Color::Black, PieceKind::Pawn);
        let misplaced = pawns & (Bitboard::rank(Rank::First) | Bitboard::rank(Rank::Eighth));
        if misplaced.non_empty() {
            return Err(BoardError::PawnOnBackRank(misplaced.first()));
        }
        let mut board = self.place();
        let us = board.side_to_move();
        if board.is_attacked(board.king(!us), us, board.occupied()) {
            return Err(BoardError::OpponentInCheck { mover: us.name(), other: (!us).name() });
        }
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if let Some(rook) = self.castlings[color][side] {
                    board.add_castling(color, side, rook)?;
                }
            }
        }
        board.update_checks_and_blockers();
        board.state.en_passant = self.en_passant.filter(|&square| board.could_capture_en_passant(square));
        board.state.keys =
            Keys::of(board.placement(), board.side_to_move, board.state.rights, board.state.en_passant);
        Ok(board)
    }

    /// Returns a board with the pieces and counters, but without castling rights, keys, checkers and pins.
    fn place(&self) -> Board {
        let mut board = Board {
            kinds: ByKind([Bitboard::EMPTY; 6]),
            colors: ByColor([Bitboard::EMPTY; 2]),
            mailbox: BySquare([None; Square::COUNT]),
            side_to_move: self.side_to_move,
            fullmove_number: self.fullmove_number,
            state: State {
                keys: Keys::default(),
                checkers: Bitboard::EMPTY,
                king_blockers: Bitboard::EMPTY,
                rights: CastlingRights::NONE,
                en_passant: None,
                captured: None,
                halfmove_clock: self.halfmove_clock,
                plies_from_null: 0,
            },
            history: Vec::new(),
            geometry: CastlingGeometry::new(self.rules),
        };
        for square in Square::all() {
            if let Some(piece) = self.mailbox[square] {
                board.place_piece_raw(piece, square);
            }
        }
        board
    }
}

impl Board {
    fn add_castling(&mut self, color: Color, side: CastlingSide, rook: Square) -> Result<(), BoardError> {
        let king = self.king(color);
        let on_back_rank = |square: Square| square.relative_rank(color) == Rank::First;
        let on_its_side =
            self.geometry.rules() == CastlingRules::NearestRook || (side == CastlingSide::A) == (rook < king);
        let is_free = CastlingSide::ALL
            .into_iter()
            .filter_map(|other| self.castling(color, other).filter(|_| other != side))
            .all(|path| path.rook_from != rook);
        let is_possible = is_free
            && self.piece_on(rook) == Some(Piece::new(color, PieceKind::Rook))
            && on_back_rank(rook)
            && on_back_rank(king)
            && on_its_side
            && self.geometry.rules() != CastlingRules::None;
        if !is_possible {
            return Err(BoardError::Castling { color: color.name(), rook });
        }
        self.geometry.add(color, side, king, rook);
        self.state.rights = self.state.rights.union(CastlingRights::one(color, side));
        Ok(())
    }

    /// Returns `true` if an enemy pawn may just have passed `square`, and we can capture it there.
    fn could_capture_en_passant(&self, square: Square) -> bool {
        let us = self.side_to_move;
        let (victim, origin) = (square.forward(!us), square.forward(us));
        square.relative_rank(us) == Rank::Sixth
            && self.piece_on(victim) == Some(Piece::new(!us, PieceKind::Pawn))
            && !self.occupied().has(square)
            && !self.occupied().has(origin)
            && self.has_legal_en_passant(square)
    }
}

impl From<&Board> for BoardBuilder {
    /// Copies the position without its history.
    fn from(board: &Board) -> Self {
        let castlings = ByColor(Color::ALL.map(|color| {
            BySide(CastlingSide::ALL.map(|side| board.castling(color, side).map(|path| path.rook_from)))
        }));
        Self {
            mailbox: board.mailbox,
            side_to_move: board.side_to_move,
            rules: board.geometry.rules(),
            castlings,
            en_passant: board.state.en_passant,
            halfmove_clock: board.state.halfmove_clock,
            fullmove_number: board.fullmove_number,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::FenStyle;

    fn kings() -> BoardBuilder {
        BoardBuilder::new(CastlingRules::Fischer)
            .piece(Square::from_index(4), Piece::WhiteKing)
            .piece(Square::from_index(60), Piece::BlackKing)
    }

    #[test]
    fn invalid_positions_are_refused() {
        let square = |name| Square::parse(name).unwrap();
        assert!(kings().build().is_ok());
        let no_king = kings().without_piece(square("e1")).build().unwrap_err();
        assert_eq!(no_king, BoardError::Kings { color: "white", found: 0 });
        let two = kings().piece(square("a1"), Piece::WhiteKing).build().unwrap_err();
        assert_eq!(two, BoardError::Kings { color: "white", found: 2 });
        let pawn = kings().piece(square("c8"), Piece::WhitePawn).build().unwrap_err();
        assert_eq!(pawn, BoardError::PawnOnBackRank(square("c8")));
        let check = kings().piece(square("e4"), Piece::WhiteRook).build().unwrap_err();
        assert!(matches!(check, BoardError::OpponentInCheck { mover: "white", other: "black" }));
    }

    #[test]
    fn castling_right_requires_rook_and_side() {
        let square = |name| Square::parse(name).unwrap();
        let rook = |name| kings().piece(square(name), Piece::WhiteRook);
        let right =
            |builder: BoardBuilder, side, name| builder.castling(Color::White, side, square(name)).build();
        assert!(right(rook("h1"), CastlingSide::H, "h1").is_ok());
        for (on, side, with) in [
            ("h1", CastlingSide::A, "h1"),
            ("a1", CastlingSide::H, "a1"),
            ("h1", CastlingSide::H, "g1"),
            ("h2", CastlingSide::H, "h2"),
        ] {
            assert!(right(rook(on), side, with).is_err(), "{on} {side:?} {with}");
        }
        let mut without_castling = rook("h1");
        without_castling.rules = CastlingRules::None;
        assert!(right(without_castling, CastlingSide::H, "h1").is_err());
    }

    #[test]
    fn builder_round_trip_keeps_fen() {
        for fen in [
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b HAha e3 0 3",
            "nqkr3r/p1pb1p2/p2ppbpp/3n4/3PP3/1P5N/1QP1BPPP/N1RKBR2 w C - 2 12",
        ] {
            let board: Board = fen.parse().unwrap();
            let rebuilt = BoardBuilder::from(&board).build().unwrap();
            assert_eq!((rebuilt.fen(FenStyle::Shredder).as_str(), rebuilt.key()), (fen, board.key()));
        }
    }
}
