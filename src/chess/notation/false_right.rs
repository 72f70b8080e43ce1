//! Finds castling rights that a FEN claims but the position cannot have, so that we can warn the user.

use std::fmt;

use crate::chess::{Board, CastlingRules, CastlingSide, Color, File, PieceKind, Rank, Square};

const CASTLING_FIELD: usize = 2;

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

/// Returns all false castling rights in `fen`. The parser must have made `board` from it.
///
/// ```
/// use enroque::chess::Board;
/// use enroque::chess::notation::false_rights;
///
/// let fen = "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1";
/// let found = false_rights(&fen.parse::<Board>()?, fen);
/// assert_eq!(found.len(), 1);
/// assert_eq!(
///     found[0].to_string(),
///     "The FEN claims 'Q': White has no rook on its back rank between the king on e1 and the a-file; the right is dropped."
/// );
/// # Ok::<(), enroque::chess::FenError>(())
/// ```
pub fn false_rights(board: &Board, fen: &str) -> Vec<FalseRight> {
    let field = fen.split_whitespace().nth(CASTLING_FIELD).unwrap_or_default();
    field.chars().filter(char::is_ascii_alphabetic).filter_map(|letter| false_right(board, letter)).collect()
}

/// What a letter in the castling field refers to: a side (`K`, `Q`) or a rook (the letter of its file).
#[derive(Clone, Copy)]
enum Claim {
    Side(CastlingSide),
    Rook(Square),
}

/// Returns what is wrong with the right that `letter` claims; `None` if nothing is.
fn false_right(board: &Board, letter: char) -> Option<FalseRight> {
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    let king = board.king(color);
    let claim = match letter.to_ascii_lowercase() {
        'k' => Claim::Side(CastlingSide::H),
        'q' => Claim::Side(CastlingSide::A),
        file => Claim::Rook(Square::new(File::from_letter(file)?, Rank::First.relative_to(color))),
    };
    let is_right = match claim {
        Claim::Side(side) => board.castling(color, side).is_some(),
        Claim::Rook(rook) => CastlingSide::ALL
            .into_iter()
            .filter_map(|side| board.castling(color, side))
            .any(|path| path.rook_from == rook),
    };
    if !is_right {
        return Some(FalseRight { letter, is_dropped: true, reason: reason(board, color, claim) });
    }
    let rules = board.castling_geometry().rules();
    let is_impossible = rules == CastlingRules::Fischer && matches!(king.file(), File::A | File::H);
    let reason = format!("accepted, although no Chess960 game starts with the king on {king}");
    is_impossible.then_some(FalseRight { letter, is_dropped: false, reason })
}

fn reason(board: &Board, color: Color, claim: Claim) -> String {
    let name = ["White", "Black"][color.index()];
    let king = board.king(color);
    let rules = board.castling_geometry().rules();
    if rules == CastlingRules::None {
        return "these rules have no castling".to_owned();
    }
    if king.rank() != Rank::First.relative_to(color) {
        return format!("{name}'s king stands on {king}, not on its back rank");
    }
    let has_right = CastlingSide::ALL.into_iter().any(|side| board.castling(color, side).is_some());
    match claim {
        Claim::Side(_) if rules == CastlingRules::NearestRook && has_right => {
            format!("{name}'s only rook castles to the other side")
        }
        Claim::Side(side) => {
            let file = ["a", "h"][side as usize];
            format!("{name} has no rook on its back rank between the king on {king} and the {file}-file")
        }
        Claim::Rook(rook) => {
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
