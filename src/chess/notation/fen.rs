//! FEN, X-FEN and Shredder-FEN: a parser for all three, a writer for the last two.
//!
//! Under the nearest-rook rules (Chess2880) a rook may castle to either side of the king, and its file alone does not
//! say to which. So `K` means castling to the h-side with the rook nearest the h-file, and `Q` to the a-side with the
//! one nearest the a-file. For any other rook we write its file and a mark for the side: `C>` for the h-side, `C<` for
//! the a-side. Letters are in lower case for Black.

use std::fmt::{self, Write};
use std::str::FromStr;

use thiserror::Error;

use super::false_right::{Claim, ClaimedRight, FalseRight};
use crate::chess::board::{BoardBuilder, BoardError};
use crate::chess::{
    Bitboard, Board, ByColor, BySide, CastlingRules, CastlingSide, Color, File, Piece, PieceKind, Rank,
    Square,
};

/// The orthodox start position, as X-FEN.
pub const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// How [`Board::fen`] writes the castling rights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FenStyle {
    /// X-FEN: one of `KQkq` for the outermost rook on a side of the king, the file letter for an inner rook.
    XFen,
    /// Shredder-FEN: always the file letter of the rook.
    Shredder,
}

/// Why we refuse a FEN: in which field, what we expected there and what we found.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FenError {
    #[error("FEN: expected at least a board, found nothing")]
    Empty,
    #[error("FEN board: expected 8 ranks separated by '/', found {0}")]
    RankCount(usize),
    #[error("FEN board: expected 8 squares on rank {rank}, found {found} in '{text}'")]
    RankLength { rank: char, found: usize, text: String },
    #[error("FEN board: expected a piece letter or a digit from 1 to 8, found '{0}'")]
    Piece(char),
    #[error("FEN board: {0}")]
    Board(#[from] BoardError),
    #[error("FEN side to move: expected 'w' or 'b', found '{0}'")]
    Side(String),
    #[error("FEN castling rights: expected '-' or letters of KQkq, A-H, a-h, found '{0}'")]
    Castling(String),
    #[error("FEN en passant: expected '-' or a square on rank 3 or 6, found '{0}'")]
    EnPassant(String),
    #[error("FEN {name}: expected a number from 0 to 65535, found '{found}'")]
    Counter { name: &'static str, found: String },
    #[error("FEN: expected at most 6 fields, found '{0}' after them")]
    Trailing(String),
}

/// A FEN that we have read.
#[derive(Clone, Debug)]
pub struct Fen {
    pub board: Board,
    /// The castling rights that the FEN claims, but that the position cannot have.
    pub false_rights: Vec<FalseRight>,
}

impl Fen {
    /// Parses a FEN, X-FEN or Shredder-FEN.
    ///
    /// We tolerate missing fields after the first, castling rights without a rook, an en passant square where no
    /// capture is legal, and a semicolon at the end, as in EPD.
    ///
    /// ```
    /// use enroque::chess::CastlingRules;
    /// use enroque::chess::notation::Fen;
    ///
    /// let fen = Fen::parse("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", CastlingRules::Fischer)?;
    /// assert_eq!(fen.board.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    /// assert_eq!(fen.false_rights.len(), 1);
    /// assert_eq!(
    ///     fen.false_rights[0].to_string(),
    ///     "The FEN claims 'Q': White has no rook on its back rank between the king on e1 and the a-file; the right is dropped."
    /// );
    /// # Ok::<(), enroque::chess::FenError>(())
    /// ```
    ///
    /// # Errors
    /// Returns the first error if the text is not a FEN, or its position is not valid.
    pub fn parse(fen: &str, rules: CastlingRules) -> Result<Self, FenError> {
        let mut fields = fen.trim_ascii_end().trim_end_matches(';').split_ascii_whitespace();
        let builder = parse_placement(fields.next().ok_or(FenError::Empty)?, BoardBuilder::new(rules))?;
        let side_to_move = match fields.next().unwrap_or("w") {
            "w" | "W" => Color::White,
            "b" | "B" => Color::Black,
            other => return Err(FenError::Side(other.to_owned())),
        };
        let builder = builder.side_to_move(side_to_move);
        let (builder, claims) = parse_castling(fields.next().unwrap_or("-"), builder)?;
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
        let board = builder.build()?;
        let false_rights = claims.iter().filter_map(|claim| claim.fault(&board)).collect();
        Ok(Self { board, false_rights })
    }
}

impl Board {
    /// Returns the orthodox start position, which is number 518 of Chess960.
    pub fn startpos() -> Self {
        match Self::from_fen(START_FEN, CastlingRules::Fischer) {
            Ok(board) => board,
            Err(_) => unreachable!("the start position is valid"),
        }
    }

    /// Parses a FEN, X-FEN or Shredder-FEN; [`Fen::parse`] also returns the castling rights that we ignore.
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
    /// Returns the first error if the text is not a FEN, or its position is not valid.
    pub fn from_fen(fen: &str, rules: CastlingRules) -> Result<Self, FenError> {
        Fen::parse(fen, rules).map(|fen| fen.board)
    }

    /// Writes all six fields. `Display` does the same in X-FEN.
    ///
    /// ```
    /// use enroque::chess::{Board, FenStyle};
    ///
    /// let board = Board::default();
    /// assert_eq!(board.to_string(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    /// let shredder = board.fen(FenStyle::Shredder);
    /// assert_eq!(shredder, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1");
    /// ```
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
        let side = ByColor(['w', 'b'])[self.side_to_move()];
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
                // Under the nearest-rook rules a file alone does not determine the side.
                let needs_side = self.castling_geometry().rules() == CastlingRules::NearestRook;
                let by_side = is_outermost && (needs_side || style == FenStyle::XFen);
                let letter = if by_side { side.letter() } else { path.rook_from.file().letter() };
                field.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
                if needs_side && !by_side {
                    field.push(SIDE_MARKS[side]);
                }
            }
        }
        if field.is_empty() { "-".to_owned() } else { field }
    }
}

impl FromStr for Board {
    type Err = FenError;

    /// Parses a FEN in any dialect, and assumes the castling rules of Chess960.
    fn from_str(fen: &str) -> Result<Self, FenError> {
        Self::from_fen(fen, CastlingRules::Fischer)
    }
}

impl fmt::Display for Board {
    /// Writes X-FEN, which is ordinary FEN for positions of orthodox chess.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.fen(FenStyle::XFen))
    }
}

impl Default for Board {
    fn default() -> Self {
        Self::startpos()
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

/// The mark after a rook's file that says to which side the rook castles (nearest-rook rules only).
const SIDE_MARKS: BySide<char> = BySide(['<', '>']);

/// What we must know about one colour's pieces to tell which rook a castling letter means.
struct CastlingSetup {
    king: Square,
    /// The colour's rooks on its back rank.
    rooks: Bitboard,
    rules: CastlingRules,
}

/// Returns the rook that `K` or `Q` means: the outermost rook on this side of the king. Under the nearest-rook rules it
/// is the rook nearest this edge of the board, wherever the king stands.
fn outermost_rook(setup: &CastlingSetup, side: CastlingSide) -> Option<Square> {
    let any_side = setup.rules == CastlingRules::NearestRook;
    match side {
        CastlingSide::A => setup.rooks.into_iter().next().filter(|&rook| any_side || rook < setup.king),
        CastlingSide::H => setup.rooks.into_iter().last().filter(|&rook| any_side || rook > setup.king),
    }
}

/// Returns the side to which `rook` castles if a FEN gives only its file: the side of the king where the rook stands.
/// Under the nearest-rook rules, the leftmost of several rooks castles to the a-side, the rightmost to the h-side.
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

/// Parses a castling field. It skips rights without a rook, and rights of a king that is not on its back rank, but
/// returns all claims.
fn parse_castling(field: &str, mut builder: BoardBuilder) -> Result<(BoardBuilder, Vec<Claim>), FenError> {
    let mut claims = Vec::new();
    if field == "-" {
        return Ok((builder, claims));
    }
    let mut rights: Vec<(Color, CastlingSide, Square)> = Vec::with_capacity(4);
    let mut letters = field.chars().peekable();
    while let Some(letter) = letters.next() {
        let Some(claim) = Claim::of(letter) else { return Err(FenError::Castling(field.to_owned())) };
        let is_file = matches!(claim.right, ClaimedRight::Rook(_));
        let may_be_marked = is_file && builder.rules() == CastlingRules::NearestRook;
        let side_of = |mark| CastlingSide::ALL.into_iter().find(|&side| SIDE_MARKS[side] == mark);
        let mark = letters.next_if(|&mark| may_be_marked && side_of(mark).is_some());
        let marked_side = mark.and_then(side_of);
        let (color, right) = (claim.color, claim.right);
        claims.push(claim);
        let back_rank = Bitboard::rank(Rank::First.relative_to(color));
        let king = builder.king(color).filter(|&king| back_rank.has(king));
        let Some(king) = king.filter(|_| builder.rules() != CastlingRules::None) else { continue };
        let rooks = builder.pieces(color, PieceKind::Rook) & back_rank;
        let setup = CastlingSetup { king, rooks, rules: builder.rules() };
        let found = match right {
            ClaimedRight::Side(side) => outermost_rook(&setup, side).map(|rook| (side, rook)),
            ClaimedRight::Rook(rook) => rooks
                .has(rook)
                .then(|| (marked_side.unwrap_or_else(|| side_of_file_letter(&setup, rook)), rook)),
        };
        // Under the nearest-rook rules `K` and `Q` can mean the same rook, which may castle to one side only.
        let is_taken = |rook| rights.iter().any(|&(c, _, r)| c == color && r == rook);
        let found = found.filter(|&(_, rook)| is_file || !is_taken(rook));
        if let Some((side, rook)) = found {
            rights.retain(|&(c, s, r)| c != color || (s != side && r != rook));
            rights.push((color, side, rook));
        }
    }
    for (color, side, rook) in rights {
        builder = builder.castling(color, side, rook);
    }
    Ok((builder, claims))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn board_text_round_trip() {
        for fen in [
            START_FEN,
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
            "4k3/8/8/8/8/8/8/1RR1K3 w C - 7 30",
        ] {
            assert_eq!(fen.parse::<Board>().map(|board| board.to_string()), Ok(fen.to_owned()));
        }
        assert_eq!(Board::default().to_string(), START_FEN);
    }
}
