//! FEN, X-FEN and Shredder-FEN: reading all of them, writing the last two.
//!
//! Under the nearest-rook rule (Chess2880) a rook castles to either side, wherever the king stands, and no usual
//! castling field says to which. There `K` and `Q` are the rooks nearest the h-file and the a-file, and any other is
//! written by its file and a mark for the way it castles: `C>` h-side, `C<` a-side; small letters for Black.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fmt::Write;
use std::str::FromStr;

use thiserror::Error;

use crate::chess::bitboard::Bitboard;
use crate::chess::board::{Board, BoardBuilder, BoardError};
use crate::chess::castling::{CastlingRules, CastlingSide};
use crate::chess::color::Color;
use crate::chess::piece::{Piece, PieceKind};
use crate::chess::square::{File, Rank, Square};

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
        /// Its digit.
        rank: char,
        /// Squares counted.
        found: usize,
        /// The rank as it was written.
        text: String,
    },
    /// A letter that is no piece.
    #[error("FEN board: expected a piece letter or a digit from 1 to 8, found '{0}'")]
    Piece(char),
    /// The pieces make no position.
    #[error("FEN board: {0}")]
    Board(#[from] BoardError),
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
    /// ```
    /// use enroque::chess::{Board, CastlingRules, FenStyle};
    ///
    /// let board = Board::from_fen("nrkbbrqn/pppppppp/8/8/8/8/PPPPPPPP/QRKNBBNR w KQkq -", CastlingRules::Fischer)?;
    /// assert_eq!(
    ///     board.fen(FenStyle::Shredder),
    ///     "nrkbbrqn/pppppppp/8/8/8/8/PPPPPPPP/QRKNBBNR w HBfb - 0 1"
    /// );
    /// let error = Board::from_fen("8/8/8/8/8/8/8/8 w - -", CastlingRules::Fischer).unwrap_err();
    /// assert_eq!(error.to_string(), "FEN board: expected one white king, found 0");
    /// # Ok::<(), enroque::chess::FenError>(())
    /// ```
    ///
    /// # Errors
    /// Says which field is wrong, what was expected and what was found.
    pub fn from_fen(fen: &str, rules: CastlingRules) -> Result<Self, FenError> {
        let mut fields = fen.split_ascii_whitespace();
        let builder = parse_placement(fields.next().ok_or(FenError::Empty)?, BoardBuilder::new(rules))?;
        let side_to_move = match fields.next().unwrap_or("w") {
            "w" | "W" => Color::White,
            "b" | "B" => Color::Black,
            other => return Err(FenError::Side(other.to_owned())),
        };
        let builder = parse_castling(fields.next().unwrap_or("-"), builder.side_to_move(side_to_move))?;
        let en_passant = match fields.next().unwrap_or("-") {
            "-" => None,
            text => Some(
                Square::parse(text)
                    .filter(|square| matches!(square.rank(), Rank::Third | Rank::Sixth))
                    .ok_or_else(|| FenError::EnPassant(text.to_owned()))?,
            ),
        };
        let halfmove_clock = parse_counter(fields.next(), "halfmove clock")?.unwrap_or(0);
        let fullmove_number = u32::from(parse_counter(fields.next(), "move number")?.unwrap_or(1));
        if let Some(text) = fields.next() {
            return Err(FenError::Trailing(text.to_owned()));
        }
        let builder =
            builder.en_passant(en_passant).halfmove_clock(halfmove_clock).fullmove_number(fullmove_number);
        Ok(builder.build()?)
    }

    /// The position as FEN.
    pub fn fen(&self, style: FenStyle) -> String {
        let mut fen = String::with_capacity(90);
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
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
            if rank != Rank::First {
                fen.push('/');
            }
        }
        let side = ['w', 'b'][self.side_to_move().index()];
        let en_passant = self.en_passant().map_or_else(|| "-".to_owned(), |square| square.to_string());
        // Writing to a string cannot fail.
        let _ = write!(
            fen,
            " {side} {} {en_passant} {} {}",
            self.castling_field(style),
            self.halfmove_clock(),
            self.fullmove_number()
        );
        fen
    }

    fn castling_setup(&self, color: Color) -> CastlingSetup {
        CastlingSetup {
            king: self.king(color),
            rooks: self.pieces(color, PieceKind::Rook) & Bitboard::rank(Rank::First.relative_to(color)),
            rules: self.castling_geometry().rules(),
        }
    }

    fn castling_field(&self, style: FenStyle) -> String {
        let mut field = String::new();
        for color in Color::ALL {
            for side in [CastlingSide::H, CastlingSide::A] {
                let Some(path) = self.castling(color, side) else { continue };
                let is_outermost = outermost_rook(&self.castling_setup(color), side) == Some(path.rook_from);
                // Under the nearest-rook rule a file alone does not say which way the rook castles.
                let needs_side = self.castling_geometry().rules() == CastlingRules::NearestRook;
                let by_side = is_outermost && (needs_side || style == FenStyle::XFen);
                let letter = if by_side { ['q', 'k'][side as usize] } else { path.rook_from.file().letter() };
                field.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
                if needs_side && !by_side {
                    field.push(SIDE_MARKS[side as usize]);
                }
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

fn parse_placement(field: &str, mut builder: BoardBuilder) -> Result<BoardBuilder, FenError> {
    let ranks: Vec<&str> = field.split('/').collect();
    if ranks.len() != 8 {
        return Err(FenError::RankCount(ranks.len()));
    }
    for (text, rank) in ranks.into_iter().zip(Rank::ALL.into_iter().rev()) {
        let mut file = 0;
        for letter in text.chars() {
            match letter {
                '1'..='8' => file += letter as usize - '0' as usize,
                _ => {
                    let piece = Piece::from_letter(letter).ok_or(FenError::Piece(letter))?;
                    if let Some(file) = File::from_index(file) {
                        builder = builder.piece(Square::new(file, rank), piece);
                    }
                    file += 1;
                }
            }
        }
        if file != 8 {
            return Err(FenError::RankLength { rank: rank.digit(), found: file, text: text.to_owned() });
        }
    }
    Ok(builder)
}

fn parse_counter(field: Option<&str>, name: &'static str) -> Result<Option<u16>, FenError> {
    match field {
        None | Some("-") => Ok(None),
        Some(text) => text.parse().map(Some).map_err(|_| FenError::Counter { name, found: text.to_owned() }),
    }
}

/// Behind the file of a rook under the nearest-rook rule: the way it castles, by [`CastlingSide`].
const SIDE_MARKS: [char; 2] = ['<', '>'];

/// What the letters of a castling field refer to, for one colour.
struct CastlingSetup {
    king: Square,
    /// On the back rank.
    rooks: Bitboard,
    rules: CastlingRules,
}

/// The rook that `K` or `Q` means: the outermost on that side of the king, or, under the nearest-rook rule,
/// on the whole back rank.
fn outermost_rook(setup: &CastlingSetup, side: CastlingSide) -> Option<Square> {
    let anywhere = setup.rules == CastlingRules::NearestRook;
    match side {
        CastlingSide::A => setup.rooks.into_iter().next().filter(|&rook| anywhere || rook < setup.king),
        CastlingSide::H => setup.rooks.into_iter().last().filter(|&rook| anywhere || rook > setup.king),
    }
}

/// Which way the rook castles that a file letter names.
fn side_of_file_letter(setup: &CastlingSetup, rook: Square) -> CastlingSide {
    if setup.rules == CastlingRules::NearestRook {
        let outermost = |side| outermost_rook(setup, side) == Some(rook);
        match (outermost(CastlingSide::A), outermost(CastlingSide::H)) {
            (true, false) => return CastlingSide::A,
            (false, true) => return CastlingSide::H,
            _ => {}
        }
    }
    if rook < setup.king { CastlingSide::A } else { CastlingSide::H }
}

/// Gives the rights of a castling field, those without a rook or with a king off its back rank left out.
fn parse_castling(field: &str, mut builder: BoardBuilder) -> Result<BoardBuilder, FenError> {
    if field == "-" {
        return Ok(builder);
    }
    let mut rights: Vec<(Color, CastlingSide, Square)> = Vec::with_capacity(4);
    let mut letters = field.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_file = matches!(letter.to_ascii_lowercase(), 'a'..='h');
        let marked_side = letters
            .next_if(|mark| {
                is_file && builder.rules() == CastlingRules::NearestRook && SIDE_MARKS.contains(mark)
            })
            .map(|mark| {
                if mark == SIDE_MARKS[CastlingSide::A as usize] { CastlingSide::A } else { CastlingSide::H }
            });
        if !matches!(letter.to_ascii_lowercase(), 'k' | 'q' | 'a'..='h') {
            return Err(FenError::Castling(field.to_owned()));
        }
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let back_rank = Bitboard::rank(Rank::First.relative_to(color));
        let king = builder.king(color).filter(|&king| back_rank.has(king));
        let Some(king) = king.filter(|_| builder.rules() != CastlingRules::None) else { continue };
        let rooks = builder.pieces(color, PieceKind::Rook) & back_rank;
        let setup = CastlingSetup { king, rooks, rules: builder.rules() };
        let found = match letter.to_ascii_lowercase() {
            'k' => outermost_rook(&setup, CastlingSide::H).map(|rook| (CastlingSide::H, rook)),
            'q' => outermost_rook(&setup, CastlingSide::A).map(|rook| (CastlingSide::A, rook)),
            file => File::from_letter(file)
                .map(|file| Square::new(file, Rank::First.relative_to(color)))
                .filter(|&rook| rooks.has(rook))
                .map(|rook| (marked_side.unwrap_or_else(|| side_of_file_letter(&setup, rook)), rook)),
        };
        if let Some((side, rook)) = found {
            rights.retain(|&(c, s, r)| c != color || (s != side && r != rook));
            rights.push((color, side, rook));
        }
    }
    for (color, side, rook) in rights {
        builder = builder.castling(color, side, rook);
    }
    Ok(builder)
}
