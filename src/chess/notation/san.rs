//! Parses and writes standard algebraic notation (SAN), as in books and PGN files.

use thiserror::Error;

use crate::chess::{Board, CastlingSide, File, Move, PieceKind, Rank, Square};

/// Why [`Board::parse_san`] refuses a move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SanError {
    #[error("move: expected algebraic notation such as Nf3, exd5, e8=Q or O-O, found '{0}'")]
    Syntax(String),
    #[error("move '{0}': no legal move of this position matches it")]
    Illegal(String),
    #[error("move '{text}': matches {first} as well as {second}; name the file or rank it starts from")]
    Ambiguous { text: String, first: Move, second: Move },
}

/// Recognises castling written with letters or zeros; `None` for other moves.
pub(super) fn castling_side(text: &str) -> Option<CastlingSide> {
    match text {
        "O-O" | "0-0" | "o-o" => Some(CastlingSide::H),
        "O-O-O" | "0-0-0" | "o-o-o" => Some(CastlingSide::A),
        _ => None,
    }
}

/// What SAN says about a move. It may give the file of the origin square, its rank, both or neither.
struct Description {
    kind: PieceKind,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<PieceKind>,
}

impl Description {
    /// Parses from right to left: promotion, target square, a separator such as `x`, origin, piece letter.
    fn parse(text: &str) -> Option<Self> {
        let mut rest = text;
        let mut promotion = None;
        if let Some((before, piece)) = rest.char_indices().next_back()
            && "NBRQ".contains(piece)
            && rest.len() > 2
        {
            promotion = PieceKind::from_letter(piece);
            rest = &rest[..before];
            rest = rest.strip_suffix('=').unwrap_or(rest);
        }
        let split = rest.len().checked_sub(2)?;
        let to = Square::parse(rest.get(split..)?)?;
        rest = rest[..split].trim_end_matches(['x', '-', ':']);

        let mut origin = rest;
        let mut kind = PieceKind::Pawn;
        if let Some(letter) = rest.chars().next().filter(|&letter| "PNBRQK".contains(letter)) {
            kind = PieceKind::from_letter(letter)?;
            origin = &rest[1..];
        }
        let (mut file, mut rank) = (None, None);
        for letter in origin.chars() {
            match letter {
                'a'..='h' if file.is_none() && rank.is_none() => file = File::from_letter(letter),
                '1'..='8' if rank.is_none() => rank = Rank::from_digit(letter),
                _ => return None,
            }
        }
        Some(Self { kind, file, rank, to, promotion })
    }

    fn matches(&self, board: &Board, mv: Move) -> bool {
        !mv.is_castle()
            && mv.to() == self.to
            && mv.promotion() == self.promotion
            && board.piece_on(mv.from()).is_some_and(|piece| piece.kind() == self.kind)
            && self.file.is_none_or(|file| mv.from().file() == file)
            && self.rank.is_none_or(|rank| mv.from().rank() == rank)
    }
}

impl Board {
    /// Returns the side to which `mv` castles; `None` if it is not castling.
    pub fn castling_side_of(&self, mv: Move) -> Option<CastlingSide> {
        let side = self.castling_geometry().side_of_rook(self.side_to_move(), mv.to());
        side.filter(|_| mv.is_castle())
    }

    /// Returns the legal move `mv` in standard algebraic notation, with `+` or `#`.
    pub fn san(&self, mv: Move) -> String {
        let mut text = String::with_capacity(8);
        if let Some(side) = self.castling_side_of(mv) {
            text.push_str(side.san());
        } else {
            self.push_move(mv, &mut text);
        }
        let mut after = self.clone();
        after.make_move(mv);
        if after.in_check() {
            text.push(if after.has_legal_move() { '+' } else { '#' });
        }
        text
    }

    fn push_move(&self, mv: Move, text: &mut String) {
        let (from, to) = (mv.from(), mv.to());
        let kind = self.piece_on(from).map_or(PieceKind::Pawn, |piece| piece.kind());
        if kind == PieceKind::Pawn {
            if mv.is_capture() {
                text.push(from.file().letter());
            }
        } else {
            text.push(kind.letter());
            let rivals: Vec<Square> = self
                .legal_moves()
                .into_iter()
                .filter(|other| other.to() == to && other.from() != from && !other.is_castle())
                .map(Move::from)
                .filter(|&square| self.piece_on(square) == self.piece_on(from))
                .collect();
            let same_file = rivals.iter().any(|rival| rival.file() == from.file());
            let same_rank = rivals.iter().any(|rival| rival.rank() == from.rank());
            // We disambiguate by file, else by rank, and by both only if neither alone suffices.
            if !rivals.is_empty() && (!same_file || same_rank) {
                text.push(from.file().letter());
            }
            if same_file {
                text.push(from.rank().digit());
            }
        }
        if mv.is_capture() {
            text.push('x');
        }
        text.push_str(&to.to_string());
        if let Some(piece) = mv.promotion() {
            text.push('=');
            text.push(piece.letter());
        }
    }

    /// Parses algebraic notation. It may have check marks and annotations such as `!?`, and `0-0` for castling.
    ///
    /// ```
    /// use enroque::chess::Board;
    ///
    /// let board = Board::default();
    /// assert_eq!(board.parse_san("Nf3!")?.to_string(), "g1f3");
    /// assert!(board.parse_san("Nf6").is_err());
    /// # Ok::<(), enroque::chess::notation::SanError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the text is not algebraic notation, or does not match exactly one legal move.
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        let bare = text.trim_end_matches(['+', '#', '!', '?']);
        if let Some(side) = castling_side(bare) {
            return self.legal_castling(side).ok_or_else(|| SanError::Illegal(text.to_owned()));
        }
        let description = Description::parse(bare).ok_or_else(|| SanError::Syntax(text.to_owned()))?;
        let mut found = self.legal_moves().into_iter().filter(|&mv| description.matches(self, mv));
        let first = found.next().ok_or_else(|| SanError::Illegal(text.to_owned()))?;
        match found.next() {
            None => Ok(first),
            Some(second) => Err(SanError::Ambiguous { text: text.to_owned(), first, second }),
        }
    }

    pub(super) fn legal_castling(&self, side: CastlingSide) -> Option<Move> {
        self.legal_moves().into_iter().find(|&mv| self.castling_side_of(mv) == Some(side))
    }
}
