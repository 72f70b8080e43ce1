//! Parses and writes moves in UCI coordinates (`e2e4`, `e7e8q`), with both forms of castling.

use crate::chess::notation::san::castling_side;
use crate::chess::{Board, CastlingPath, CastlingRules, CastlingSide, Color, File, Move, PieceKind, Square};

/// How UCI moves write castling. The option `UCI_Chess960` selects king takes rook.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CastlingNotation {
    /// King takes rook (`e1h1`), always.
    KingTakesRook,
    /// The king's destination (`e1g1`) for castlings of orthodox chess, else king takes rook.
    KingDestination,
}

impl CastlingPath {
    /// Returns `true` if king and rook start as in orthodox chess, on the e-file and in a corner. Always `false` in
    /// Chess2880, where a rook may castle to either side of the king.
    fn is_orthodox(&self, rules: CastlingRules) -> bool {
        rules != CastlingRules::NearestRook
            && self.king_from.file() == File::E
            && matches!(self.rook_from.file(), File::A | File::H)
    }
}

impl Board {
    /// Returns the legal move `mv` in UCI coordinates.
    ///
    /// ```
    /// use enroque::chess::{Board, CastlingNotation};
    ///
    /// let board: Board = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse()?;
    /// let castling = board.parse_san("O-O").unwrap();
    /// assert_eq!(board.format_move(castling, CastlingNotation::KingTakesRook), "e1h1");
    /// assert_eq!(board.format_move(castling, CastlingNotation::KingDestination), "e1g1");
    /// # Ok::<(), enroque::chess::FenError>(())
    /// ```
    pub fn format_move(&self, mv: Move, notation: CastlingNotation) -> String {
        if mv.is_castle() && notation == CastlingNotation::KingDestination {
            let geometry = self.castling_geometry();
            if let Some(path) = geometry.path_of_rook(self.side_to_move(), mv.to())
                && path.is_orthodox(geometry.rules())
            {
                return format!("{}{}", path.king_from, path.king_to);
            }
        }
        mv.to_string()
    }

    /// Parses a legal move in UCI coordinates; `None` if no legal move matches.
    ///
    /// Castling may be written as king takes rook, or as the king's destination, unless the king can also step to that
    /// square. We also understand `O-O` and `O-O-O`, which some programs send.
    ///
    /// ```
    /// use enroque::chess::Board;
    ///
    /// let mut board: Board = "4k3/8/8/8/8/8/8/1R3K2 w B - 0 1".parse()?;
    /// let castling = board.parse_move("f1b1").unwrap();
    /// assert!(castling.is_castle());
    /// assert_eq!(board.parse_move("O-O-O"), Some(castling));
    /// board.make_move(castling);
    /// assert_eq!(board.to_string(), "4k3/8/8/8/8/8/8/2KR4 b - - 1 1");
    /// # Ok::<(), enroque::chess::FenError>(())
    /// ```
    pub fn parse_move(&self, text: &str) -> Option<Move> {
        if let Some(side) = castling_side(text) {
            return self.legal_castling(side);
        }
        let from = Square::parse(text.get(..2)?)?;
        let to = Square::parse(text.get(2..4)?)?;
        let promotion = match text.get(4..)? {
            "" => None,
            letter => Some(single_letter(letter).and_then(PieceKind::from_letter)?),
        };
        let legal = self.legal_moves();
        let exact = |mv: &&Move| mv.from() == from && mv.to() == to && mv.promotion() == promotion;
        let castling = |mv: &&Move| promotion.is_none() && self.castles_to(**mv, from, to);
        legal.iter().find(exact).or_else(|| legal.iter().find(castling)).copied()
    }

    /// If `text` is castling, in UCI coordinates or as `O-O` or `O-O-O`, but the side to move has lost the right,
    /// returns the letter of that right, for an error message.
    pub fn missing_castling_right(&self, text: &str) -> Option<char> {
        let us = self.side_to_move();
        let side = castling_side(text).or_else(|| {
            let (from, to) = (Square::parse(text.get(..2)?)?, Square::parse(text.get(2..)?)?);
            let is_own_rook =
                self.piece_on(to).is_some_and(|piece| piece.color() == us && piece.kind() == PieceKind::Rook);
            let jumps = (from.file() as u8).abs_diff(to.file() as u8) > 1;
            let castles = from == self.king(us) && from.rank() == to.rank() && (jumps || is_own_rook);
            castles.then_some(if to < from { CastlingSide::A } else { CastlingSide::H })
        })?;
        let letter = side.letter();
        let letter = if us == Color::White { letter.to_ascii_uppercase() } else { letter };
        self.castling(us, side).is_none().then_some(letter)
    }

    fn castles_to(&self, mv: Move, from: Square, to: Square) -> bool {
        let path = self.castling_geometry().path_of_rook(self.side_to_move(), mv.to());
        mv.is_castle() && mv.from() == from && path.is_some_and(|path| path.king_to == to)
    }
}

fn single_letter(text: &str) -> Option<char> {
    let mut letters = text.chars();
    letters.next().filter(|_| letters.next().is_none())
}
