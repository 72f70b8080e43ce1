//! The board: pieces, side to move, castling rights, counters, keys, checkers, pins, and the history for repetitions.
//! Moves are made in [`makemove`] and generated in [`movegen`](crate::chess::movegen).

pub mod builder;
pub mod draws;
pub mod makemove;
pub mod zobrist;

pub use self::builder::{BoardBuilder, BoardError};

use std::hash::{Hash, Hasher};

use self::zobrist::Keys;
use crate::chess::attacks::*;
use crate::chess::{
    Bitboard, ByColor, ByKind, BySquare, CastlingGeometry, CastlingPath, CastlingRights, CastlingRules,
    CastlingSide, Color, Piece, PieceKind, Square,
};

/// The part of a position that `unmake_move` cannot work out from the move, and takes from the history instead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct State {
    keys: Keys,
    /// Enemy pieces that check the side to move.
    checkers: Bitboard,
    /// Every piece, of either colour, that is the only one between the side to move's king and an enemy slider.
    king_blockers: Bitboard,
    rights: CastlingRights,
    /// The square that a pawn has just passed; `None` if no pawn can legally capture there.
    en_passant: Option<Square>,
    /// The piece that the last move captured, for `unmake_move` to put back.
    captured: Option<Piece>,
    /// Plies since the last capture or pawn move.
    halfmove_clock: u16,
    /// Plies since the last null move or, if there was none, since the board was set up.
    plies_from_null: u32,
}

/// A chess position with its history, from which we detect repetitions.
///
/// ```
/// use enroque::chess::{Board, Color, Piece, Square};
///
/// let board: Board = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse()?;
/// let e2 = Square::parse("e2").unwrap();
/// assert_eq!(board.piece_on(e2), Some(Piece::WhitePawn));
/// assert_eq!(board.king(Color::Black).to_string(), "e8");
/// assert_eq!(board.to_string(), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
/// # Ok::<(), enroque::chess::FenError>(())
/// ```
///
/// As long as you only make legal moves, a board is valid: it has one king a side and no pawn on the first or last
/// rank, and the side not to move is not in check.
#[derive(Clone, Debug)]
pub struct Board {
    kinds: ByKind<Bitboard>,
    colors: ByColor<Bitboard>,
    mailbox: BySquare<Option<Piece>>,
    side_to_move: Color,
    fullmove_number: u32,
    state: State,
    history: Vec<State>,
    geometry: CastlingGeometry,
}

/// The squares that one side attacks, by the kind of piece that the attack threatens.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Threats([Bitboard; 6]);

impl Threats {
    /// Returns all attacked squares.
    #[inline]
    pub fn all(&self) -> Bitboard {
        self.to(PieceKind::King)
    }

    /// Returns the squares where a piece of `kind` is threatened by a less valuable piece; for pawns and kings, all
    /// attacked squares.
    #[inline]
    pub fn to(&self, kind: PieceKind) -> Bitboard {
        self.0[kind.index()]
    }
}

impl Board {
    #[inline]
    pub(super) fn place_piece_raw(&mut self, piece: Piece, square: Square) {
        debug_assert!(self.mailbox[square].is_none());
        self.mailbox[square] = Some(piece);
        self.toggle(piece, Bitboard::of(square));
    }

    #[inline]
    pub(super) fn remove_piece_raw(&mut self, piece: Piece, square: Square) {
        debug_assert_eq!(self.mailbox[square], Some(piece));
        self.mailbox[square] = None;
        self.toggle(piece, Bitboard::of(square));
    }

    /// Moves a piece to an empty square.
    #[inline]
    fn shift_piece_raw(&mut self, piece: Piece, from: Square, to: Square) {
        debug_assert!(self.mailbox[from] == Some(piece) && self.mailbox[to].is_none());
        self.mailbox[from] = None;
        self.mailbox[to] = Some(piece);
        self.toggle(piece, Bitboard::of(from) | Bitboard::of(to));
    }

    #[inline]
    fn toggle(&mut self, piece: Piece, squares: Bitboard) {
        self.kinds[piece.kind()] ^= squares;
        self.colors[piece.color()] ^= squares;
    }

    #[inline]
    pub(super) fn update_checks_and_blockers(&mut self) {
        let us = self.side_to_move;
        let king = self.king(us);
        let enemies = self.by_color(!us);
        let occupied = self.occupied();
        let queens = self.by_kind(PieceKind::Queen);
        let mut checkers = enemies
            & (knight_attacks(king) & self.by_kind(PieceKind::Knight)
                | pawn_attacks(us, king) & self.by_kind(PieceKind::Pawn));
        let mut king_blockers = Bitboard::EMPTY;
        let aligned = enemies
            & (rook_lines(king) & (self.by_kind(PieceKind::Rook) | queens)
                | bishop_lines(king) & (self.by_kind(PieceKind::Bishop) | queens));
        for slider in aligned {
            let blockers = between(king, slider) & occupied;
            if blockers.is_empty() {
                checkers |= Bitboard::of(slider);
            } else if !blockers.more_than_one() {
                king_blockers |= blockers;
            }
        }
        self.state.checkers = checkers;
        self.state.king_blockers = king_blockers;
    }

    /// Returns all pieces with their squares, a1 first.
    pub fn placement(&self) -> impl Iterator<Item = (Piece, Square)> + '_ {
        self.occupied().into_iter().filter_map(|square| Some((self.piece_on(square)?, square)))
    }

    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.mailbox[square]
    }

    /// Returns the pieces of this kind, of both colours.
    #[inline]
    pub fn by_kind(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind]
    }

    #[inline]
    pub fn by_color(&self, color: Color) -> Bitboard {
        self.colors[color]
    }

    #[inline]
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.by_color(color) & self.by_kind(kind)
    }

    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[Color::White] | self.colors[Color::Black]
    }

    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.pieces(color, PieceKind::King).first()
    }

    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// Returns the move number, the last field of FEN: 1 at the start, incremented after each move of Black.
    pub fn fullmove_number(&self) -> u32 {
        self.fullmove_number
    }

    /// Returns the plies since the last capture or pawn move; at 100 the fifty-move rule applies.
    #[inline]
    pub fn halfmove_clock(&self) -> u16 {
        self.state.halfmove_clock
    }

    /// Returns the square that a pawn has just passed; `None` if no pawn can legally capture there.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.state.en_passant
    }

    /// Returns the castling rights that remain. [`Self::castling`] gives the squares of king and rook for each.
    #[inline]
    pub fn castling_rights(&self) -> CastlingRights {
        self.state.rights
    }

    /// Returns the castlings that the game started with, which no move changes.
    #[inline]
    pub fn castling_geometry(&self) -> &CastlingGeometry {
        &self.geometry
    }

    /// Returns `true` if other programs understand the castling rights in this position's FEN: it castles by the rules
    /// of Chess960, which they assume, or has no rights left.
    pub fn has_fischer_castling(&self) -> bool {
        self.geometry.rules() == CastlingRules::Fischer || self.state.rights.is_empty()
    }

    /// Returns the squares of king and rook for this castling; `None` if `color` never had the right, or has lost it.
    #[inline]
    pub fn castling(&self, color: Color, side: CastlingSide) -> Option<&CastlingPath> {
        let right = CastlingRights::one(color, side);
        if self.state.rights.intersects(right) { self.geometry.path(color, side) } else { None }
    }

    /// Returns the main key together with the partial keys for the correction histories.
    #[inline]
    pub fn keys(&self) -> &Keys {
        &self.state.keys
    }

    /// Returns the Zobrist key that identifies the position in the TT and for repetitions.
    #[inline]
    pub fn key(&self) -> u64 {
        self.state.keys.main
    }

    /// Returns the enemy pieces that check the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.state.checkers
    }

    /// Returns `true` if the side to move is in check; the other side never is.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.state.checkers.non_empty()
    }

    /// Returns every piece, of either colour, that is the only one between the side to move's king and an enemy slider.
    /// Such a piece of our own is pinned; one of the enemy's can give a discovered check.
    #[inline]
    pub fn king_blockers(&self) -> Bitboard {
        self.state.king_blockers
    }

    /// Returns the absolutely pinned pieces of the side to move. They may only move on the line through their king.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        self.state.king_blockers & self.by_color(self.side_to_move)
    }

    /// A side with only king and pawns is often in zugzwang, so null-move pruning requires another piece.
    #[inline]
    pub fn has_non_pawn_material(&self, color: Color) -> bool {
        (self.by_color(color) & !(self.by_kind(PieceKind::Pawn) | self.by_kind(PieceKind::King))).non_empty()
    }

    /// Returns the pieces of either colour that attack `square`, with sliders blocked by `occupied`.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let queens = self.by_kind(PieceKind::Queen);
        pawn_attacks(Color::Black, square) & self.pieces(Color::White, PieceKind::Pawn)
            | pawn_attacks(Color::White, square) & self.pieces(Color::Black, PieceKind::Pawn)
            | knight_attacks(square) & self.by_kind(PieceKind::Knight)
            | king_attacks(square) & self.by_kind(PieceKind::King)
            | bishop_attacks(square, occupied) & (self.by_kind(PieceKind::Bishop) | queens)
            | rook_attacks(square, occupied) & (self.by_kind(PieceKind::Rook) | queens)
    }

    /// Returns `true` if a piece of `by` attacks `square`, with sliders blocked by `occupied`.
    #[inline]
    pub fn is_attacked(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        let enemies = self.by_color(by);
        let queens = self.by_kind(PieceKind::Queen);
        let leapers = pawn_attacks(!by, square) & self.by_kind(PieceKind::Pawn)
            | knight_attacks(square) & self.by_kind(PieceKind::Knight)
            | king_attacks(square) & self.by_kind(PieceKind::King);
        if leapers.intersects(enemies) {
            return true;
        }
        let diagonal = enemies & (self.by_kind(PieceKind::Bishop) | queens);
        let straight = enemies & (self.by_kind(PieceKind::Rook) | queens);
        bishop_lines(square).intersects(diagonal) && bishop_attacks(square, occupied).intersects(diagonal)
            || rook_lines(square).intersects(straight) && rook_attacks(square, occupied).intersects(straight)
    }

    /// Returns the squares that `color` attacks, even those of its own pieces.
    pub fn threats_by(&self, color: Color) -> Threats {
        let occupied = self.occupied();
        let attacks = |kinds: Bitboard, by: fn(Square, Bitboard) -> Bitboard| {
            (self.by_color(color) & kinds)
                .into_iter()
                .fold(Bitboard::EMPTY, |all, square| all | by(square, occupied))
        };
        let kind = |kind| self.by_kind(kind);
        let pawn = pawn_attacks_all(color, self.pieces(color, PieceKind::Pawn));
        let minor = pawn
            | attacks(kind(PieceKind::Knight), |square, _| knight_attacks(square))
            | attacks(kind(PieceKind::Bishop), bishop_attacks);
        let rook = minor | attacks(kind(PieceKind::Rook), rook_attacks);
        let any = rook | attacks(kind(PieceKind::Queen), queen_attacks) | king_attacks(self.king(color));
        Threats([any, pawn, pawn, minor, rook, any])
    }

    /// Returns a copy without the piece on `square` and without history. `None` if the square is empty, the piece is a
    /// king, or the side not to move would be in check.
    #[must_use]
    pub fn without(&self, square: Square) -> Option<Self> {
        self.piece_on(square)?;
        BoardBuilder::from(self).without_piece(square).build().ok()
    }

    /// Returns the same position with the sides swapped: colours, castling rights and side to move change hands, and
    /// the board is mirrored top to bottom. The history is dropped.
    ///
    /// ```
    /// use enroque::chess::Board;
    ///
    /// let board: Board = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse()?;
    /// assert_eq!(board.flipped().to_string(), "4k3/4p3/8/8/8/8/8/4K3 b - - 0 1");
    /// # Ok::<(), enroque::chess::FenError>(())
    /// ```
    #[must_use]
    pub fn flipped(&self) -> Self {
        let mut builder = BoardBuilder::new(self.geometry.rules())
            .side_to_move(!self.side_to_move)
            .en_passant(self.state.en_passant.map(Square::flip_rank))
            .halfmove_clock(self.state.halfmove_clock)
            .fullmove_number(self.fullmove_number);
        for (piece, square) in self.placement() {
            builder = builder.piece(square.flip_rank(), Piece::new(!piece.color(), piece.kind()));
        }
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if let Some(path) = self.castling(color, side) {
                    builder = builder.castling(!color, side, path.rook_from.flip_rank());
                }
            }
        }
        match builder.build() {
            Ok(board) => board,
            Err(error) => unreachable!("the mirror image of a position is valid: {error}"),
        }
    }
}

impl PartialEq for Board {
    /// Compares positions as the repetition rule does: pieces, side to move, en passant, and castling rights with the
    /// squares of king and rook. It ignores counters and history; compare FENs to include the counters.
    fn eq(&self, other: &Self) -> bool {
        let castlings = |board: &Self| {
            Color::ALL.map(|color| CastlingSide::ALL.map(|side| board.castling(color, side).copied()))
        };
        self.mailbox == other.mailbox
            && self.side_to_move == other.side_to_move
            && self.state.en_passant == other.state.en_passant
            && castlings(self) == castlings(other)
    }
}

impl Eq for Board {}

impl Hash for Board {
    /// Hashes the Zobrist key, which is the same for equal positions.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::movegen::GenType;
    use crate::chess::moves::{MAX_MOVES, MoveList};
    use crate::util::random::Random;

    fn board(fen: &str) -> Board {
        fen.parse().unwrap()
    }

    #[test]
    fn equality_ignores_counters_and_history() {
        let mut played = Board::startpos();
        for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
            played.make_move(played.parse_move(text).unwrap());
        }
        assert_eq!(played, Board::startpos());
        assert_eq!(std::collections::HashSet::from([played, Board::startpos()]).len(), 1);
    }

    #[test]
    fn equality_includes_side_and_rights() {
        let all = [
            board("4k3/8/8/8/8/8/8/4KR1R w - - 0 1"),
            board("4k3/8/8/8/8/8/8/4KR1R b - - 0 1"),
            board("4k3/8/8/8/8/8/8/4KR1R w H - 0 1"),
            // White may castle on the h-side, but with the rook on f1 instead of h1.
            board("4k3/8/8/8/8/8/8/4KR1R w F - 0 1"),
            board("4k3/8/8/8/8/8/8/4KR2 w - - 0 1"),
            board("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1"),
            board("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"),
        ];
        for (i, a) in all.iter().enumerate() {
            for (j, b) in all.iter().enumerate() {
                assert_eq!(a == b, i == j, "{a} {b}");
            }
        }
    }

    fn longest_list(board: &Board) -> usize {
        let mut list = MoveList::new();
        let lengths = [GenType::Noisy, GenType::Quiet, GenType::All].map(|gen_type| {
            board.generate(gen_type, &mut list);
            list.len()
        });
        lengths.into_iter().max().unwrap()
    }

    #[test]
    fn move_list_holds_full_bitboards() {
        let mut board = Board::startpos();
        board.kinds = ByKind([Bitboard::ALL; 6]);
        board.colors = ByColor([Bitboard::ALL; 2]);
        let captures: u32 =
            Square::all().map(|square| (king_attacks(square) | knight_attacks(square)).count()).sum();
        let length = longest_list(&board);
        assert!(captures as usize <= length && length <= MAX_MOVES, "{length}");
    }

    #[test]
    fn move_list_holds_random_bitboards() {
        let mut random = Random::new(12);
        let mut board = Board::startpos();
        for round in 0..100_000 {
            // Dense sets have three quarters of their bits set on average, sparse sets one quarter.
            let mut set = |dense: bool| {
                let (a, b) = (random.bits(), random.bits());
                Bitboard(if dense { a | b } else { a & b })
            };
            board.kinds = ByKind([(); 6].map(|()| set(round % 2 == 0)));
            // Debug builds panic if a side has no king, so we put kings on all squares.
            board.kinds[PieceKind::King] = Bitboard::ALL;
            board.colors = ByColor([(); 2].map(|()| set(round % 3 == 0)));
            board.state.king_blockers = set(false);
            board.state.en_passant = Some(set(true).first());
            board.side_to_move = Color::ALL[round % 2];
            assert!(longest_list(&board) <= MAX_MOVES);
        }
    }

    #[test]
    fn move_list_bound_follows_geometry() {
        let pairs = |attacks: fn(Square) -> Bitboard| -> u32 {
            Square::all().map(|square| attacks(square).count()).sum()
        };
        let (sliders, knights) = (pairs(king_attacks), pairs(knight_attacks));
        assert_eq!((sliders, knights), (420, 336));
        let pawns = 56 + 8 + 8 * 4 + 2 * (49 + 7 * 4);
        assert!((sliders + knights + pawns + 8 + 2 + 2) as usize <= MAX_MOVES);
    }
}
