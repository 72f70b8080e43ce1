//! Start positions by number, for Chess960 and its relatives.
//!
//! One numbering serves all: Scharnagl's 0–959 for Chess960
//! (<https://en.wikipedia.org/wiki/Fischer_random_chess_numbering_scheme>), continued so that Chess2880 keeps
//! those numbers and adds the kings outside the rooks, and shuffle chess keeps those and adds bishops on
//! squares of one colour.

use super::bitboard::Bitboard;
use super::board::Board;
use super::castling::{CastlingGeometry, CastlingRights, CastlingRules, CastlingSide};
use super::piece::{Color, Piece, PieceKind};
use super::square::Square;

/// The pieces of one side from the a-file to the h-file.
pub type BackRank = [PieceKind; 8];

/// Number of the orthodox start position.
pub const ORTHODOX: u32 = 518;

/// Back ranks with the king between the rooks and bishops on both colours: Chess960.
pub const CHESS960_COUNT: u32 = 960;
/// Back ranks with bishops on both colours: Chess2880.
pub const CHESS2880_COUNT: u32 = 3 * CHESS960_COUNT;
/// All back ranks: shuffle chess.
pub const SHUFFLE_COUNT: u32 = 5040;

/// The ways to place two knights on five squares, as Scharnagl lists them.
const KNIGHTS: [(usize, usize); 10] =
    [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];

/// King and rooks on the last three squares, the Chess960 order first.
const ROYALS: [[PieceKind; 3]; 3] = {
    use PieceKind::{King, Rook};
    [[Rook, King, Rook], [King, Rook, Rook], [Rook, Rook, King]]
};

/// Pairs of files of one colour, for bishops that share it: b d f h first, as Scharnagl counts, then a c e g.
const SAME_COLOR_BISHOPS: [(usize, usize); 12] =
    [(1, 3), (1, 5), (1, 7), (3, 5), (3, 7), (5, 7), (0, 2), (0, 4), (0, 6), (2, 4), (2, 6), (4, 6)];

/// Queen and knights on six squares: 6 × 10.
const QUEEN_AND_KNIGHTS: u32 = 60;

/// A back rank while pieces are being placed on it.
#[derive(Clone, Copy, Default)]
pub struct Placement([Option<PieceKind>; 8]);

impl Placement {
    /// Puts a piece on a file that must be free.
    pub fn put(&mut self, file: usize, kind: PieceKind) {
        debug_assert!(self.0[file].is_none());
        self.0[file] = Some(kind);
    }

    /// The `n`th free file from the left, counting from 0.
    pub fn nth_free(&self, n: usize) -> Option<usize> {
        self.free().nth(n)
    }

    /// The free files from the left.
    pub fn free(&self) -> impl Iterator<Item = usize> + '_ {
        (0..8).filter(|&file| self.0[file].is_none())
    }

    /// Fills the free files with `kinds` from the left and gives the rank if that fills it.
    pub fn finish(mut self, kinds: &[PieceKind]) -> Option<BackRank> {
        let free: Vec<usize> = self.free().collect();
        if free.len() != kinds.len() {
            return None;
        }
        for (&file, &kind) in free.iter().zip(kinds) {
            self.put(file, kind);
        }
        let mut rank = [PieceKind::Pawn; 8];
        for (square, placed) in rank.iter_mut().zip(self.0) {
            *square = placed?;
        }
        Some(rank)
    }
}

/// The back rank with this number, below [`SHUFFLE_COUNT`].
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
    placement.put(placement.nth_free(rest % 6)?, PieceKind::Queen);
    let (first, second) = KNIGHTS[rest / 6];
    let (first, second) = (placement.nth_free(first)?, placement.nth_free(second)?);
    placement.put(first, PieceKind::Knight);
    placement.put(second, PieceKind::Knight);
    placement.finish(&ROYALS[royals as usize])
}

/// The number of a back rank; `None` when its pieces are not those of a chess set.
pub fn number_of(rank: &BackRank) -> Option<u32> {
    use PieceKind::*;
    let files = |kind| (0..8).filter(|&file| rank[file] == kind).collect::<Vec<usize>>();
    let &[b1, b2] = &files(Bishop)[..] else { return None };
    let &[queen] = &files(Queen)[..] else { return None };
    // Each step counts among the squares that the steps before it left free.
    let without = |gone: &[PieceKind]| -> Vec<PieceKind> {
        rank.iter().copied().filter(|kind| !gone.contains(kind)).collect()
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

/// The letters of a back rank from the a-file on (`RNBQKBNR`).
pub fn letters(rank: &BackRank) -> String {
    rank.iter().map(|kind| kind.letter()).collect()
}

/// `true` for the 90 back ranks of Chess960 where a rook and the king stand so that castling one way needs
/// the other rook moved first: RKR on abc, RK·R on abd, ·RKR on bcd, RKR on fgh, R·KR on acd.
pub fn castling_needs_other_rook(rank: &BackRank) -> bool {
    use PieceKind::{King, Rook};
    let on = |files: [usize; 3]| rank[files[0]] == Rook && rank[files[1]] == King && rank[files[2]] == Rook;
    [[0, 1, 2], [0, 1, 3], [1, 2, 3], [5, 6, 7], [0, 2, 3]].into_iter().any(on)
}

fn is_orthodox_king_and_rooks(rank: &BackRank) -> bool {
    rank[0] == PieceKind::Rook && rank[4] == PieceKind::King && rank[7] == PieceKind::Rook
}

/// Which castlings a set-up allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetupCastling {
    /// Both, by these rules.
    Rules(CastlingRules),
    /// Only with king and rook on their orthodox squares.
    OrthodoxSquares,
}

impl SetupCastling {
    /// The rules that positions of such a set-up follow.
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

/// The start position with these back ranks.
pub fn board_from_back_ranks(white: &BackRank, black: &BackRank, castling: SetupCastling) -> Board {
    let ranks = [white, black];
    let mut men = Vec::with_capacity(32);
    let mut geometry = CastlingGeometry::new(castling.rules());
    let mut rights = CastlingRights::NONE;
    for (color, rank) in Color::ALL.into_iter().zip(ranks) {
        let back = |file: usize| Square::new(file as u8, color.back_rank());
        for (file, &kind) in rank.iter().enumerate() {
            men.push((back(file), Piece::new(color, kind)));
            men.push((back(file).forward(color), Piece::new(color, PieceKind::Pawn)));
        }
        let king = rank.iter().position(|&kind| kind == PieceKind::King);
        for side in CastlingSide::ALL {
            if let (Some(king), Some(rook)) = (king, castling.rook(side, rank)) {
                geometry.add(color, side, back(king), back(rook));
                rights = rights.union(CastlingRights::one(color, side));
            }
        }
    }
    let mut board = Board::with_men(men, Color::White, geometry);
    board.state.rights = rights;
    board.refresh();
    board
}

/// A family of start positions.
#[derive(Debug)]
pub struct StartSet {
    /// What the command line calls it.
    pub name: &'static str,
    /// What it is, in a few words.
    pub description: &'static str,
    /// `true` when White and Black are drawn separately.
    pub double: bool,
    /// How its positions castle.
    pub castling: SetupCastling,
    /// One past the highest number a side can have.
    limit: u32,
    /// Which of the numbers below the limit belong to the set.
    contains: fn(&BackRank) -> bool,
}

impl StartSet {
    const fn new(name: &'static str, description: &'static str, double: bool, limit: u32) -> Self {
        Self {
            name,
            description,
            double,
            castling: SetupCastling::Rules(CastlingRules::Fischer),
            limit,
            contains: |_| true,
        }
    }

    const fn castling(mut self, castling: SetupCastling) -> Self {
        self.castling = castling;
        self
    }

    const fn filtered(mut self, contains: fn(&BackRank) -> bool) -> Self {
        self.contains = contains;
        self
    }

    /// The set with that name.
    pub fn by_name(name: &str) -> Option<&'static Self> {
        START_SETS.iter().find(|set| set.name.eq_ignore_ascii_case(name))
    }

    /// The numbers of the back ranks that a side can have, in order.
    pub fn ranks(&self) -> Vec<u32> {
        let belongs = |number: &u32| back_rank(*number).is_some_and(|rank| (self.contains)(&rank));
        (0..self.limit).filter(belongs).collect()
    }

    /// How many positions there are.
    pub fn count(&self) -> u64 {
        let ranks = self.ranks().len() as u64;
        if self.double { ranks * ranks } else { ranks }
    }

    /// The numbers of White's and Black's back rank in position `index` of the set, counted from 0: White's
    /// place × number of ranks + Black's in a double set.
    pub fn numbers(&self, index: u64) -> Option<(u32, u32)> {
        let ranks = self.ranks();
        let per_side = ranks.len() as u64;
        let at = |index: u64| ranks.get(usize::try_from(index).ok()?).copied();
        if self.double { at(index / per_side).zip(at(index % per_side)) } else { at(index).map(|n| (n, n)) }
    }

    /// Position `index` of the set, counted from 0.
    pub fn position(&self, index: u64) -> Option<Board> {
        let (white, black) = self.numbers(index)?;
        Some(board_from_back_ranks(&back_rank(white)?, &back_rank(black)?, self.castling))
    }
}

/// Every set, the simplest first.
pub static START_SETS: [StartSet; 15] = {
    use CastlingRules::{NearestRook, None, Orthodox480};
    use SetupCastling::{OrthodoxSquares, Rules};
    const C960: u32 = CHESS960_COUNT;
    const C2880: u32 = CHESS2880_COUNT;
    [
        StartSet::new("orthodox", "the orthodox start position", false, C960)
            .filtered(|rank| number_of(rank) == Some(ORTHODOX)),
        StartSet::new("chess960", "Chess960 (Fischer random)", false, C960),
        StartSet::new("dfrc", "double Chess960: each side its own", true, C960),
        StartSet::new("chess18", "king and rooks on their orthodox squares", false, C960)
            .filtered(is_orthodox_king_and_rooks),
        StartSet::new("chess324", "double Chess18", true, C960).filtered(is_orthodox_king_and_rooks),
        StartSet::new("chess90", "Chess960 where one castling needs the other rook moved", false, C960)
            .filtered(castling_needs_other_rook),
        StartSet::new("chess870", "the other 870 of Chess960", false, C960)
            .filtered(|rank| !castling_needs_other_rook(rank)),
        StartSet::new("chess2880", "king anywhere, each corner's nearest rook castles", false, C2880)
            .castling(Rules(NearestRook)),
        StartSet::new("double2880", "double Chess2880", true, C2880).castling(Rules(NearestRook)),
        StartSet::new("transcendental", "double Chess2880 without castling", true, C2880)
            .castling(Rules(None)),
        StartSet::new("shuffle", "any back rank, no castling", false, SHUFFLE_COUNT).castling(Rules(None)),
        StartSet::new(
            "shuffle-orthodox",
            "any back rank, castling from orthodox squares",
            false,
            SHUFFLE_COUNT,
        )
        .castling(OrthodoxSquares),
        StartSet::new("shuffle-nearest", "any back rank, nearest rooks castle", false, SHUFFLE_COUNT)
            .castling(Rules(NearestRook)),
        StartSet::new("double-shuffle", "any two back ranks, no castling", true, SHUFFLE_COUNT)
            .castling(Rules(None)),
        StartSet::new("chess480", "Chess960, the king castles two squares towards the rook", false, C960)
            .castling(Rules(Orthodox480)),
    ]
};

/// The Chess960 start position `number`, below 960.
pub fn chess960(number: u32) -> Option<Board> {
    double_chess960(number, number)
}

/// The double-Chess960 start position with these numbers, each below 960.
pub fn double_chess960(white: u32, black: u32) -> Option<Board> {
    if white.max(black) >= CHESS960_COUNT {
        return None;
    }
    let castling = SetupCastling::Rules(CastlingRules::Fischer);
    Some(board_from_back_ranks(&back_rank(white)?, &back_rank(black)?, castling))
}

/// The numbers of both back ranks when `board` has all pawns at home and whole sets behind them.
pub fn identify(board: &Board) -> Option<(u32, u32)> {
    let number = |color: Color| {
        if board.pieces(color, PieceKind::Pawn) != Bitboard::relative_rank(color, 1) {
            return None;
        }
        let mut rank = [PieceKind::Pawn; 8];
        for (file, kind) in rank.iter_mut().enumerate() {
            let piece = board.piece_on(Square::new(file as u8, color.back_rank()))?;
            if piece.color() != color {
                return None;
            }
            *kind = piece.kind();
        }
        number_of(&rank)
    };
    number(Color::White).zip(number(Color::Black))
}
