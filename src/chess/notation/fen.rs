//! FEN, X-FEN and Shredder-FEN: reading all of them, writing the last two.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fmt::Write;
use std::str::FromStr;

use thiserror::Error;

use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::castling::{CastlingGeometry, CastlingRights, CastlingRules, CastlingSide};
use crate::chess::piece::{Color, Piece, PieceKind};
use crate::chess::square::{File, Square, file_letter};

/// The orthodox start position.
pub const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// How castling rights are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FenStyle {
    /// `KQkq` for the outermost rook of a side, the letter of its file for an inner one.
    XFen,
    /// Always the letter of the rook's file.
    Shredder,
}

/// Why a FEN was refused: the field, what it should hold and what it held.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FenError {
    /// Nothing but white space.
    #[error("FEN: expected at least a board, found nothing")]
    Empty,
    /// The first field does not have eight ranks.
    #[error("FEN board: expected 8 ranks separated by '/', found {0}")]
    RankCount(usize),
    /// A rank does not add up to eight squares.
    #[error("FEN board: expected 8 squares on rank {rank}, found {found} in '{text}'")]
    RankLength {
        /// 1 to 8.
        rank: u8,
        /// Squares counted.
        found: usize,
        /// The rank as it was written.
        text: String,
    },
    /// A letter that is no piece.
    #[error("FEN board: expected a piece letter or a digit from 1 to 8, found '{0}'")]
    Piece(char),
    /// Not exactly one king.
    #[error("FEN board: expected one {color} king, found {found}")]
    Kings {
        /// `white` or `black`.
        color: &'static str,
        /// How many there are.
        found: u32,
    },
    /// A pawn where none can stand.
    #[error("FEN board: expected no pawn on the first or last rank, found one on {0}")]
    PawnOnBackRank(Square),
    /// The side that has just moved is in check.
    #[error(
        "FEN side to move: {mover} is to move, expected the {other} king out of check, found it attacked"
    )]
    OpponentInCheck {
        /// Who is to move.
        mover: &'static str,
        /// Whose king is attacked.
        other: &'static str,
    },
    /// Neither `w` nor `b`.
    #[error("FEN side to move: expected 'w' or 'b', found '{0}'")]
    Side(String),
    /// A letter that names no castling.
    #[error("FEN castling rights: expected '-' or letters of KQkq, A-H, a-h, found '{0}'")]
    Castling(String),
    /// Not a square on the third or sixth rank.
    #[error("FEN en passant: expected '-' or a square on rank 3 or 6, found '{0}'")]
    EnPassant(String),
    /// A counter that is no number.
    #[error("FEN {name}: expected a number from 0 to 65535, found '{found}'")]
    Counter {
        /// Which of the two.
        name: &'static str,
        /// What was there.
        found: String,
    },
    /// More than six fields.
    #[error("FEN: expected at most 6 fields, found '{0}' after them")]
    Trailing(String),
}

impl Board {
    /// The orthodox start position.
    pub fn startpos() -> Self {
        match Self::from_fen(START_FEN, CastlingRules::Fischer) {
            Ok(board) => board,
            Err(_) => unreachable!("the start position is well-formed"),
        }
    }

    /// Reads FEN in any dialect. Missing fields after the first, rights whose rook is missing and an
    /// en-passant square that nothing can capture on are tolerated.
    ///
    /// # Errors
    /// Says which field is wrong, what was expected and what was found.
    pub fn from_fen(fen: &str, rules: CastlingRules) -> Result<Self, FenError> {
        let mut fields = fen.split_ascii_whitespace();
        let men = parse_men(fields.next().ok_or(FenError::Empty)?)?;
        let side_to_move = match fields.next().unwrap_or("w") {
            "w" | "W" => Color::White,
            "b" | "B" => Color::Black,
            other => return Err(FenError::Side(other.to_owned())),
        };
        let mut board = Self::with_men(men, side_to_move, CastlingGeometry::new(rules));
        board.check_men()?;

        let castling = fields.next().unwrap_or("-");
        for (color, side, rook) in parse_castling(&board, rules, castling)? {
            board.geometry.add(color, side, board.king(color), rook);
            board.state.rights = board.state.rights.union(CastlingRights::one(color, side));
        }
        let en_passant = match fields.next().unwrap_or("-") {
            "-" => None,
            text => Some(
                Square::parse(text)
                    .filter(|square| matches!(square.rank(), 2 | 5))
                    .ok_or_else(|| FenError::EnPassant(text.to_owned()))?,
            ),
        };
        board.state.halfmove_clock = parse_counter(fields.next(), "halfmove clock")?.unwrap_or(0);
        board.fullmove_number = u32::from(parse_counter(fields.next(), "move number")?.unwrap_or(1).max(1));
        if let Some(text) = fields.next() {
            return Err(FenError::Trailing(text.to_owned()));
        }
        board.update_checks_and_shields();
        board.state.en_passant = en_passant.filter(|&square| board.could_capture_en_passant(square));
        board.refresh();
        Ok(board)
    }

    fn check_men(&self) -> Result<(), FenError> {
        for color in Color::ALL {
            let kings = self.pieces(color, PieceKind::King).count();
            if kings != 1 {
                return Err(FenError::Kings { color: color.name(), found: kings });
            }
        }
        let back_ranks = Bitboard::rank(0) | Bitboard::rank(7);
        if let Some(square) = (self.kind(PieceKind::Pawn) & back_ranks).next() {
            return Err(FenError::PawnOnBackRank(square));
        }
        let us = self.side_to_move;
        if self.is_attacked(self.king(!us), us, self.occupied()) {
            return Err(FenError::OpponentInCheck { mover: us.name(), other: (!us).name() });
        }
        Ok(())
    }

    /// `true` when an enemy pawn may just have passed `square` and can be captured there.
    fn could_capture_en_passant(&self, square: Square) -> bool {
        let us = self.side_to_move;
        let (victim, origin) = (square.forward(!us), square.forward(us));
        square.relative_rank(us) == 5
            && self.piece_on(victim) == Some(Piece::new(!us, PieceKind::Pawn))
            && !self.occupied().has(square)
            && !self.occupied().has(origin)
            && self.has_legal_en_passant(square)
    }

    /// The position as FEN.
    pub fn fen(&self, style: FenStyle) -> String {
        let mut fen = String::with_capacity(90);
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                match self.piece_on(Square::new(file, rank)) {
                    None => empty += 1,
                    Some(piece) => {
                        push_gap(&mut fen, empty);
                        empty = 0;
                        fen.push(piece.letter());
                    }
                }
            }
            push_gap(&mut fen, empty);
            if rank > 0 {
                fen.push('/');
            }
        }
        let side = ['w', 'b'][self.side_to_move.index()];
        let en_passant = self.state.en_passant.map_or_else(|| "-".to_owned(), |square| square.to_string());
        // Writing to a string cannot fail.
        let _ = write!(
            fen,
            " {side} {} {en_passant} {} {}",
            self.castling_field(style),
            self.state.halfmove_clock,
            self.fullmove_number
        );
        fen
    }

    fn castling_field(&self, style: FenStyle) -> String {
        let mut field = String::new();
        for color in Color::ALL {
            for side in [CastlingSide::H, CastlingSide::A] {
                let Some(path) = self.castling(color, side) else { continue };
                // Under the nearest-rook rule a file alone does not say which way the rook castles.
                let by_side = style == FenStyle::XFen || self.geometry.rules() == CastlingRules::NearestRook;
                let letter = if by_side && outermost_rook(self, color, side) == Some(path.rook_from) {
                    ['q', 'k'][side as usize]
                } else {
                    file_letter(path.rook_from.file())
                };
                field.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
            }
        }
        if field.is_empty() { "-".to_owned() } else { field }
    }
}

impl FromStr for Board {
    type Err = FenError;

    /// Reads FEN in any dialect, castling by Chess960 rules.
    fn from_str(fen: &str) -> Result<Self, FenError> {
        Self::from_fen(fen, CastlingRules::Fischer)
    }
}

fn push_gap(fen: &mut String, empty: u8) {
    if empty > 0 {
        fen.push((b'0' + empty) as char);
    }
}

fn parse_men(field: &str) -> Result<Vec<(Square, Piece)>, FenError> {
    let ranks: Vec<&str> = field.split('/').collect();
    if ranks.len() != 8 {
        return Err(FenError::RankCount(ranks.len()));
    }
    let mut men = Vec::with_capacity(32);
    for (text, rank) in ranks.into_iter().zip((0..8u8).rev()) {
        let mut file = 0;
        for letter in text.chars() {
            match letter {
                '1'..='8' => file += letter as usize - '0' as usize,
                _ => {
                    let piece = Piece::from_letter(letter).ok_or(FenError::Piece(letter))?;
                    if file < 8 {
                        men.push((Square::new(file as File, rank), piece));
                    }
                    file += 1;
                }
            }
        }
        if file != 8 {
            return Err(FenError::RankLength { rank: rank + 1, found: file, text: text.to_owned() });
        }
    }
    Ok(men)
}

fn parse_counter(field: Option<&str>, name: &'static str) -> Result<Option<u16>, FenError> {
    match field {
        None | Some("-") => Ok(None),
        Some(text) => text.parse().map(Some).map_err(|_| FenError::Counter { name, found: text.to_owned() }),
    }
}

/// The rooks of `color` on its back rank.
fn back_rank_rooks(board: &Board, color: Color) -> Bitboard {
    board.pieces(color, PieceKind::Rook) & Bitboard::relative_rank(color, 0)
}

/// The rook that `K` or `Q` means: the outermost on that side of the king, or, under the nearest-rook rule,
/// on the whole back rank.
fn outermost_rook(board: &Board, color: Color, side: CastlingSide) -> Option<Square> {
    let king = board.king(color);
    let anywhere = board.castling_geometry().rules() == CastlingRules::NearestRook;
    let rooks = back_rank_rooks(board, color);
    match side {
        CastlingSide::A => rooks.into_iter().next().filter(|&rook| anywhere || rook < king),
        CastlingSide::H => rooks.last().filter(|&rook| anywhere || rook > king),
    }
}

/// The rights that a castling field gives, those without a rook or with a king off its back rank left out.
fn parse_castling(
    board: &Board,
    rules: CastlingRules,
    field: &str,
) -> Result<Vec<(Color, CastlingSide, Square)>, FenError> {
    let mut rights: Vec<(Color, CastlingSide, Square)> = Vec::with_capacity(4);
    if field == "-" {
        return Ok(rights);
    }
    for letter in field.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let found = match letter.to_ascii_lowercase() {
            'k' => outermost_rook(board, color, CastlingSide::H).map(|rook| (CastlingSide::H, rook)),
            'q' => outermost_rook(board, color, CastlingSide::A).map(|rook| (CastlingSide::A, rook)),
            file @ 'a'..='h' => {
                let rook = Square::new(file as u8 - b'a', color.back_rank());
                let is_there = back_rank_rooks(board, color).has(rook);
                is_there.then(|| (side_of_file_letter(board, color, rook), rook))
            }
            _ => return Err(FenError::Castling(field.to_owned())),
        };
        let on_back_rank = board.king(color).relative_rank(color) == 0;
        if let (Some((side, rook)), true, true) = (found, on_back_rank, rules != CastlingRules::None) {
            rights.retain(|&(c, s, r)| c != color || (s != side && r != rook));
            rights.push((color, side, rook));
        }
    }
    Ok(rights)
}

/// Which way the rook castles that a file letter names.
fn side_of_file_letter(board: &Board, color: Color, rook: Square) -> CastlingSide {
    if board.castling_geometry().rules() == CastlingRules::NearestRook {
        let outermost = |side| outermost_rook(board, color, side) == Some(rook);
        match (outermost(CastlingSide::A), outermost(CastlingSide::H)) {
            (true, false) => return CastlingSide::A,
            (false, true) => return CastlingSide::H,
            _ => {}
        }
    }
    if rook < board.king(color) { CastlingSide::A } else { CastlingSide::H }
}
