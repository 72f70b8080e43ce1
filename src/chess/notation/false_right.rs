//! Castling rights that a FEN claims but the position cannot have, so that we can warn the user.

use std::fmt;

use crate::chess::{
    Board, ByColor, BySide, CastlingRules, CastlingSide, Color, File, PieceKind, Rank, Square,
};

/// A castling right that a FEN claims, but that the parser must ignore, or that no game from a start position can have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FalseRight {
    /// The letter in the FEN that claims the right: `K`, `q`, or the file of a rook.
    pub letter: char,
    /// `true` if the parser ignored the right, `false` if it accepted the right although no game can have it.
    pub is_dropped: bool,
    reason: String,
}

impl fmt::Display for FalseRight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { letter, is_dropped, reason } = self;
        let effect = if *is_dropped { "; the right is dropped" } else { "" };
        write!(f, "The FEN claims '{letter}': {reason}{effect}.")
    }
}

/// The castling right that a letter of the castling field claims.
pub(super) struct Claim {
    letter: char,
    pub(super) color: Color,
    pub(super) right: ClaimedRight,
}

/// What a letter of the castling field names: a side (`K`, `Q`), or a rook by its file.
#[derive(Clone, Copy)]
pub(super) enum ClaimedRight {
    Side(CastlingSide),
    Rook(Square),
}

impl Claim {
    /// Returns `None` for a letter that claims nothing.
    pub(super) fn of(letter: char) -> Option<Self> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let right = match letter.to_ascii_lowercase() {
            'k' => ClaimedRight::Side(CastlingSide::H),
            'q' => ClaimedRight::Side(CastlingSide::A),
            file => ClaimedRight::Rook(Square::new(File::from_letter(file)?, Rank::First.relative_to(color))),
        };
        Some(Self { letter, color, right })
    }

    /// Returns what is wrong with the claim; `None` if nothing is. `board` is what the parser made of the FEN.
    pub(super) fn fault(&self, board: &Board) -> Option<FalseRight> {
        let &Self { letter, color, right } = self;
        let king = board.king(color);
        let has_right = match right {
            ClaimedRight::Side(side) => board.castling(color, side).is_some(),
            ClaimedRight::Rook(rook) => CastlingSide::ALL
                .into_iter()
                .filter_map(|side| board.castling(color, side))
                .any(|path| path.rook_from == rook),
        };
        if !has_right {
            return Some(FalseRight { letter, is_dropped: true, reason: reason(board, color, right) });
        }
        let rules = board.castling_geometry().rules();
        let is_impossible = rules == CastlingRules::Fischer && matches!(king.file(), File::A | File::H);
        let reason = || format!("accepted, although no Chess960 game starts with the king on {king}");
        is_impossible.then(|| FalseRight { letter, is_dropped: false, reason: reason() })
    }
}

fn reason(board: &Board, color: Color, right: ClaimedRight) -> String {
    let name = ByColor(["White", "Black"])[color];
    let king = board.king(color);
    let rules = board.castling_geometry().rules();
    if rules == CastlingRules::None {
        return "these rules have no castling".to_owned();
    }
    if king.rank() != Rank::First.relative_to(color) {
        return format!("{name}'s king stands on {king}, not on its back rank");
    }
    let has_right = CastlingSide::ALL.into_iter().any(|side| board.castling(color, side).is_some());
    match right {
        ClaimedRight::Side(_) if rules == CastlingRules::NearestRook && has_right => {
            format!("{name}'s only rook castles to the other side")
        }
        ClaimedRight::Side(side) => {
            let file = BySide(["a", "h"])[side];
            format!("{name} has no rook on its back rank between the king on {king} and the {file}-file")
        }
        ClaimedRight::Rook(rook) => {
            let is_rook = board
                .piece_on(rook)
                .is_some_and(|piece| piece.color() == color && piece.kind() == PieceKind::Rook);
            let side = if rook < king { CastlingSide::A } else { CastlingSide::H };
            match board.castling(color, side) {
                _ if !is_rook => format!("{name} has no rook on {rook}"),
                Some(path) => format!("the right on that side belongs to the rook on {}", path.rook_from),
                None => format!("no game starts with king and rook on {king} and {rook}"),
            }
        }
    }
}
