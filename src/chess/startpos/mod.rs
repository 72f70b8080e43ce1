//! Start positions by number, for Chess960 and its relatives.
//!
//! One numbering of back ranks serves all variants:
//! - 0–959: Chess960, in Scharnagl's order (<https://en.wikipedia.org/wiki/Fischer_random_chess_numbering_scheme>);
//! - 960–2879: Chess2880, which adds back ranks with the king outside the rooks;
//! - 2880–5039: shuffle chess, which adds back ranks with both bishops on the same colour.

mod number;
pub mod opening;
mod sets;

use crate::chess::board::BoardBuilder;
use crate::chess::{Board, CastlingRules, CastlingSide, Color, File, Piece, PieceKind, Rank, Square};

pub use self::number::StartNumbers;
pub use self::sets::{START_SETS, SetNumberError, StartSet};

/// The back rank of one side, from the a-file to the h-file.
pub type BackRank = [PieceKind; 8];

/// The number of the orthodox start position in Chess960.
pub const ORTHODOX: u32 = 518;

/// How many back ranks Chess960 has: king between the rooks, bishops on both colours.
pub const CHESS960_COUNT: u32 = 960;
/// How many back ranks Chess2880 has: the king anywhere, bishops on both colours.
pub const CHESS2880_COUNT: u32 = 3 * CHESS960_COUNT;
/// How many back ranks shuffle chess has: all orders of the pieces.
pub const SHUFFLE_COUNT: u32 = 5040;

/// All ways to put two knights on the five squares that are still free, counted from 0, in Scharnagl's order.
pub const KNIGHTS: [(usize, usize); 10] =
    [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];

/// All ways to put king and rooks on the last three free squares. Chess960 allows only the first.
const ROYALS: [[PieceKind; 3]; 3] = {
    use PieceKind::{King, Rook};
    [[Rook, King, Rook], [King, Rook, Rook], [Rook, Rook, King]]
};

/// All pairs of files for two bishops on the same colour: first light squares (b1, d1, f1, h1), then dark squares.
const SAME_COLOR_BISHOPS: [(usize, usize); 12] =
    [(1, 3), (1, 5), (1, 7), (3, 5), (3, 7), (5, 7), (0, 2), (0, 4), (0, 6), (2, 4), (2, 6), (4, 6)];

/// The number of ways to place queen and knights on six squares: 6 × 10.
const QUEEN_AND_KNIGHTS: u32 = 60;

/// A back rank to which we add one piece after another.
#[derive(Clone, Copy, Default)]
pub struct Placement([Option<PieceKind>; 8]);

impl Placement {
    /// Puts a piece on `file`, which must be free.
    pub fn put(&mut self, file: usize, kind: PieceKind) {
        debug_assert!(self.0[file].is_none());
        self.0[file] = Some(kind);
    }

    /// Returns the indices of the files without a piece, from the left.
    pub fn free(&self) -> impl Iterator<Item = usize> + '_ {
        (0..8).filter(|&file| self.0[file].is_none())
    }

    /// Fills the free files with `kinds` from the left; `None` unless there are as many files as kinds.
    pub fn finish(&self, kinds: &[PieceKind]) -> Option<BackRank> {
        let mut kinds = kinds.iter().copied();
        let mut rank = [PieceKind::Pawn; 8];
        for (square, placed) in rank.iter_mut().zip(self.0) {
            *square = placed.or_else(|| kinds.next())?;
        }
        kinds.next().is_none().then_some(rank)
    }
}

/// Returns the back rank with this number, the inverse of [`scharnagl_number`]; `None` from [`SHUFFLE_COUNT`] on.
pub fn back_rank(number: u32) -> Option<BackRank> {
    if number >= SHUFFLE_COUNT {
        return None;
    }
    let mut placement = Placement::default();
    let (royals, rest) = if number < CHESS2880_COUNT {
        let rest = (number % CHESS960_COUNT) as usize;
        placement.put(rest % 4 * 2 + 1, PieceKind::Bishop);
        placement.put(rest / 4 % 4 * 2, PieceKind::Bishop);
        (number / CHESS960_COUNT, rest / 16)
    } else {
        let rest = number - CHESS2880_COUNT;
        let per_royals = SAME_COLOR_BISHOPS.len() as u32 * QUEEN_AND_KNIGHTS;
        let (first, second) = SAME_COLOR_BISHOPS[(rest % per_royals) as usize % SAME_COLOR_BISHOPS.len()];
        placement.put(first, PieceKind::Bishop);
        placement.put(second, PieceKind::Bishop);
        (rest / per_royals, (rest % per_royals) as usize / SAME_COLOR_BISHOPS.len())
    };
    let queen = placement.free().nth(rest % 6)?;
    placement.put(queen, PieceKind::Queen);
    let (first, second) = KNIGHTS[rest / 6];
    let (first, second) = (placement.free().nth(first)?, placement.free().nth(second)?);
    placement.put(first, PieceKind::Knight);
    placement.put(second, PieceKind::Knight);
    placement.finish(&ROYALS[royals as usize])
}

/// Returns the number of a back rank, from 0 to 5039; `None` unless it has the usual eight pieces.
pub fn scharnagl_number(rank: &BackRank) -> Option<u32> {
    use PieceKind::*;
    let files = |kind| (0..8).filter(|&file| rank[file] == kind).collect::<Vec<usize>>();
    let &[b1, b2] = &files(Bishop)[..] else { return None };
    let &[queen] = &files(Queen)[..] else { return None };
    // Each index counts only the squares that the pieces before it leave free.
    let without = |placed: &[PieceKind]| -> Vec<PieceKind> {
        rank.iter().copied().filter(|kind| !placed.contains(kind)).collect()
    };
    let queen_index = (0..queen).filter(|&file| rank[file] != Bishop).count();
    let five = without(&[Bishop, Queen]);
    let n1 = five.iter().position(|&kind| kind == Knight)?;
    let n2 = five.iter().rposition(|&kind| kind == Knight)?;
    let knights_index = KNIGHTS.iter().position(|&pair| pair == (n1, n2))?;
    let royals = without(&[Bishop, Queen, Knight]);
    let royals_index = ROYALS.iter().position(|order| order[..] == royals[..])? as u32;
    let upper = (knights_index * 6 + queen_index) as u32;

    if b1 % 2 != b2 % 2 {
        let (light, dark) = if b1 % 2 == 1 { (b1, b2) } else { (b2, b1) };
        Some(royals_index * CHESS960_COUNT + upper * 16 + (dark / 2 * 4 + light / 2) as u32)
    } else {
        let pairs = SAME_COLOR_BISHOPS.len() as u32;
        let pair = SAME_COLOR_BISHOPS.iter().position(|&pair| pair == (b1, b2))? as u32;
        Some(CHESS2880_COUNT + royals_index * pairs * QUEEN_AND_KNIGHTS + upper * pairs + pair)
    }
}

/// Returns the letters of a back rank, from the a-file to the h-file (`RNBQKBNR`).
pub fn back_rank_letters(rank: &BackRank) -> String {
    rank.iter().map(|kind| kind.letter()).collect()
}

/// Parses the letters of a back rank, in upper or lower case; `None` unless they are the usual eight pieces.
///
/// ```
/// use enroque::chess::startpos::{parse_back_rank, scharnagl_number};
///
/// let rank = parse_back_rank("RNBQKBNR").unwrap();
/// assert_eq!(scharnagl_number(&rank), Some(518));
/// assert_eq!(parse_back_rank("RNBQQBNR"), None);
/// ```
pub fn parse_back_rank(letters: &str) -> Option<BackRank> {
    let kinds: Vec<PieceKind> = letters.chars().map(PieceKind::from_letter).collect::<Option<_>>()?;
    let rank = BackRank::try_from(kinds).ok()?;
    scharnagl_number(&rank).map(|_| rank)
}

/// Returns `true` for the 90 Chess960 back ranks where the king can castle with one rook only once the other has moved:
/// RKR on abc, bcd or fgh, RK·R on abcd, R·KR on abcd, where the dot is any other piece.
pub fn castling_needs_other_rook(rank: &BackRank) -> bool {
    use PieceKind::{King, Rook};
    let on = |files: [usize; 3]| rank[files[0]] == Rook && rank[files[1]] == King && rank[files[2]] == Rook;
    [[0, 1, 2], [0, 1, 3], [1, 2, 3], [5, 6, 7], [0, 2, 3]].into_iter().any(on)
}

pub(super) fn is_orthodox_king_and_rooks(rank: &BackRank) -> bool {
    rank[0] == PieceKind::Rook && rank[4] == PieceKind::King && rank[7] == PieceKind::Rook
}

/// Returns `true` if the queen is left of the king, as in one back rank of every pair of mirror images.
pub(super) fn is_queen_left_of_king(rank: &BackRank) -> bool {
    let file = |kind| rank.iter().position(|&piece| piece == kind);
    file(PieceKind::Queen) < file(PieceKind::King)
}

/// Returns `true` if the king stands on a dark square, as in one back rank of every pair of mirror images.
pub(super) fn is_king_on_dark_square(rank: &BackRank) -> bool {
    rank.iter().step_by(2).any(|&kind| kind == PieceKind::King)
}

/// Which castling rights a start position has, and by which rules they work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StartCastling {
    /// Each side starts with all castling rights that these rules allow.
    Rules(CastlingRules),
    /// By Fischer's rules, but only with king and rook on their orthodox squares.
    OrthodoxSquares,
}

impl StartCastling {
    pub const fn rules(self) -> CastlingRules {
        match self {
            Self::Rules(rules) => rules,
            Self::OrthodoxSquares => CastlingRules::Fischer,
        }
    }

    fn rook(self, side: CastlingSide, rank: &BackRank) -> Option<usize> {
        let rooks = (0..8).filter(|&file| rank[file] == PieceKind::Rook);
        let outermost = match side {
            CastlingSide::A => rooks.min()?,
            CastlingSide::H => rooks.max()?,
        };
        match self {
            Self::Rules(CastlingRules::None) => None,
            Self::Rules(_) => Some(outermost),
            Self::OrthodoxSquares => {
                (rank[4] == PieceKind::King && outermost == [0, 7][side as usize]).then_some(outermost)
            }
        }
    }
}

/// Returns the start position with these back ranks: the pawns in front of them, and White to move.
pub fn board_from_back_ranks(white: &BackRank, black: &BackRank, castling: StartCastling) -> Board {
    let mut builder = BoardBuilder::new(castling.rules());
    for (color, rank) in Color::ALL.into_iter().zip([white, black]) {
        for (file, &kind) in File::ALL.into_iter().zip(rank) {
            let square = Square::new(file, Rank::First.relative_to(color));
            builder = builder
                .piece(square, Piece::new(color, kind))
                .piece(square.forward(color), Piece::new(color, PieceKind::Pawn));
        }
        for side in CastlingSide::ALL {
            if let Some(rook) = castling.rook(side, rank).and_then(File::from_index) {
                builder = builder.castling(color, side, Square::new(rook, Rank::First.relative_to(color)));
            }
        }
    }
    match builder.build() {
        Ok(board) => board,
        Err(error) => unreachable!("a back rank has one king with a rook on each side: {error}"),
    }
}

/// Returns the Chess960 start position with this number; `None` unless `number` is below 960.
pub fn chess960(number: u32) -> Option<Board> {
    double_chess960(number, number)
}

/// Returns the start position with one Chess960 number for White and one for Black; `None` unless both are below 960.
pub fn double_chess960(white: u32, black: u32) -> Option<Board> {
    if white.max(black) >= CHESS960_COUNT {
        return None;
    }
    let castling = StartCastling::Rules(CastlingRules::Fischer);
    Some(board_from_back_ranks(&back_rank(white)?, &back_rank(black)?, castling))
}
