//! Histories: statistics of moves and positions from the search, with one update rule (history gravity).
//!
//! - Move histories (butterfly, pawn, continuation, capture) order, prune and reduce moves.
//! - Correction histories hold the error of the static evaluation and correct it.

use super::params::parameters;
use super::score::Score;
use crate::chess::board::Threats;
use crate::chess::{Board, Color, Move, Piece, PieceKind, Square};
use crate::util::memory::prefetch;

parameters! {
    /// History bonus: per ply of depth.
    bonus_slope = 135, 50, 400, 20;
    /// History bonus: subtracted from the product of slope and depth.
    bonus_offset = 80, -100, 400, 30;
    /// History bonus: maximum.
    bonus_limit = 1700, 500, 4000, 200;
    /// History malus: per ply of depth.
    malus_slope = 190, 50, 400, 20;
    /// History malus: subtracted from the product of slope and depth.
    malus_offset = 50, -100, 400, 30;
    /// History malus: maximum.
    malus_limit = 1450, 300, 4000, 200;

    /// Correction history: correction by eight full counters, centipawns.
    correction_weight = 257, 0, 800, 30;
}

/// Maximum absolute value of a move history.
pub const HISTORY_LIMIT: i32 = 16_384;
/// Maximum absolute value of a correction history.
pub const CORRECTION_LIMIT: i32 = 1_024;

/// Full correction histories that correct the evaluation by [`correction_weight`].
const WEIGHED_CORRECTIONS: i32 = 8;
/// Maximum absolute value of a correction bonus.
const CORRECTION_BONUS_LIMIT: i32 = CORRECTION_LIMIT / 4;
/// Product of error in centipawns and depth in plies that makes a correction bonus of 1.
const CORRECTION_BONUS_DIVISOR: i32 = 8;

/// Size of a cache line, bytes.
const CACHE_LINE: usize = 64;

/// History counter within ± `LIMIT`.
#[derive(Clone, Copy, Default, bytemuck::Zeroable)]
#[repr(transparent)]
struct Counter<const LIMIT: i32>(i16);

impl<const LIMIT: i32> Counter<LIMIT> {
    /// Adds `bonus`, scaled down near the limit in its direction (history gravity), so that no value passes the limit.
    #[inline]
    fn update(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-LIMIT, LIMIT);
        let value = i32::from(self.0);
        self.0 = (value + bonus - value * bonus.abs() / LIMIT) as i16;
    }

    #[inline]
    fn get(self) -> i32 {
        i32::from(self.0)
    }
}

type MoveCounter = Counter<HISTORY_LIMIT>;
type CorrectionCounter = Counter<CORRECTION_LIMIT>;

/// Table of counters in one allocation.
struct Table<C>(Box<[C]>);

impl<C: Default + Clone + bytemuck::Zeroable> Table<C> {
    /// Returns `length` counters at zero; `None` if there is no memory. The system provides each page at its first write.
    fn new(length: usize) -> Option<Self> {
        bytemuck::allocation::try_zeroed_slice_box(length).ok().map(Self)
    }

    fn clear(&mut self) {
        self.0.fill(C::default());
    }

    /// Returns part `number` of the table, in parts of `size` counters.
    #[inline]
    fn part(&self, number: usize, size: usize) -> &[C] {
        &self.0[number * size..][..size]
    }

    /// Returns row `number` of a table by piece and square.
    #[inline]
    fn row(&self, number: usize) -> &[C; PieceTo::COUNT] {
        match self.0[number * PieceTo::COUNT..].first_chunk() {
            Some(row) => row,
            None => unreachable!("a table by row ends with a complete row"),
        }
    }
}

/// Piece and destination of a move, the index of the continuation histories.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTo(u16);

impl PieceTo {
    /// Number of pairs of piece and square.
    const COUNT: usize = Piece::COUNT * Square::COUNT;

    /// Returns the pair of `piece` and destination `square`.
    #[inline]
    pub fn new(piece: Piece, square: Square) -> Self {
        Self((piece.index() * Square::COUNT + square.index()) as u16)
    }

    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// Number of continuation histories.
const CONTINUATION_COUNT: usize = 4;
/// Plies back to the previous moves of the continuation histories.
pub const CONTINUATION_PLIES: [usize; CONTINUATION_COUNT] = [1, 2, 4, 6];

/// Context of a move in the histories: previous moves and threats.
#[derive(Clone, Copy, Default)]
pub struct HistoryContext {
    /// Squares that the opponent attacks.
    pub threats: Threats,
    /// Moves [`CONTINUATION_PLIES`] back; `None` for null moves and before the root.
    pub previous_moves: [Option<PieceTo>; CONTINUATION_COUNT],
}

/// Number of colours.
const COLORS: usize = Color::ALL.len();
/// Combinations of a piece threatened or not at its origin and at its destination.
const THREAT_CASES: usize = 4;
/// Length of a colour's part of the butterfly history: threat case, from, to.
const BUTTERFLY_SIZE: usize = THREAT_CASES * Square::COUNT * Square::COUNT;
/// Captured kinds of the capture history, rounded up to a power of two. The king stands for no capture.
const CAPTURED_KINDS: usize = 8;
/// Slots of the pawn history, indexed by pawn key.
const PAWN_SLOTS: usize = 512;
/// Slots of each correction history per side to move, indexed by key.
const CORRECTION_SLOTS: usize = 16_384;
/// Number of correction histories by key: pawns, knights and bishops, rooks and queens, pieces of White and of Black.
const KEYED_CORRECTIONS: usize = 5;

/// Counters by piece and square.
type PieceToRow = [MoveCounter; PieceTo::COUNT];

/// Continuation history of a missing previous move.
static EMPTY_ROW: PieceToRow = [Counter(0); PieceTo::COUNT];

/// Histories of the quiet moves of one position: rows looked up once for all moves.
pub struct QuietHistories<'a> {
    /// Counters by threat case, from, to.
    butterfly: &'a [MoveCounter],
    pawn: &'a PieceToRow,
    continuations: [&'a PieceToRow; CONTINUATION_COUNT],
    threats: &'a Threats,
}

impl QuietHistories<'_> {
    /// Prefetches the counters of all pieces of one colour.
    #[inline]
    pub fn prefetch(&self, color: Color) {
        const COUNTERS: usize = CACHE_LINE / size_of::<MoveCounter>();
        for row in self.continuations.iter().chain([&self.pawn]) {
            for kind in PieceKind::ALL {
                let first = Piece::new(color, kind).index() * Square::COUNT;
                row[first..][..Square::COUNT].chunks(COUNTERS).for_each(|line| prefetch(&line[0]));
            }
        }
    }

    /// Returns the sum of butterfly, pawn and continuation histories of a move of `piece`.
    #[inline]
    pub fn of(&self, piece: Piece, from: Square, landing: Square) -> i32 {
        let piece_to = PieceTo::new(piece, landing).index();
        let continued: i32 = self.continuations.iter().map(|row| row[piece_to].get()).sum();
        self.butterfly[butterfly_index(piece, from, landing, self.threats)].get()
            + self.pawn[piece_to].get()
            + continued
    }
}

/// Returns the index of a move in the part of its colour in the butterfly history.
#[inline]
fn butterfly_index(piece: Piece, from: Square, landing: Square, threats: &Threats) -> usize {
    let threats = threats.to(piece.kind());
    let threatened = usize::from(threats.has(from)) * 2 + usize::from(threats.has(landing));
    (threatened * Square::COUNT + from.index()) * Square::COUNT + landing.index()
}

/// Histories of one thread.
pub struct Histories {
    /// Butterfly history by colour, threat case, from, to.
    quiet: Table<MoveCounter>,
    /// Capture history by piece, to, captured kind.
    noisy: Table<MoveCounter>,
    /// Continuation history by piece and square of the previous move, piece and square of the move.
    continuation: Table<MoveCounter>,
    /// Pawn history by pawn key, piece, square.
    pawn: Table<MoveCounter>,
    /// Correction histories by side to move, kind of key, key.
    corrections: Table<CorrectionCounter>,
    /// Continuation correction history by piece and square of the last but one and of the last move.
    continuation_corrections: Table<CorrectionCounter>,
}

impl Histories {
    /// Returns histories at zero; `None` if there is no memory.
    pub fn new() -> Option<Self> {
        Some(Self {
            quiet: Table::new(COLORS * BUTTERFLY_SIZE)?,
            noisy: Table::new(PieceTo::COUNT * CAPTURED_KINDS)?,
            continuation: Table::new(PieceTo::COUNT * PieceTo::COUNT)?,
            pawn: Table::new(PAWN_SLOTS * PieceTo::COUNT)?,
            corrections: Table::new(COLORS * KEYED_CORRECTIONS * CORRECTION_SLOTS)?,
            continuation_corrections: Table::new(PieceTo::COUNT * PieceTo::COUNT)?,
        })
    }

    /// Sets every history to zero.
    pub fn clear(&mut self) {
        self.quiet.clear();
        self.noisy.clear();
        self.continuation.clear();
        self.pawn.clear();
        self.corrections.clear();
        self.continuation_corrections.clear();
    }

    fn pawn_slot(board: &Board) -> usize {
        board.keys().pawn as usize % PAWN_SLOTS
    }

    fn noisy_index(board: &Board, mv: Move) -> Option<usize> {
        let piece_to = PieceTo::new(board.piece_on(mv.from())?, mv.to());
        let captured = if mv.is_capture() {
            board.piece_on(mv.to()).map_or(PieceKind::Pawn as usize, |piece| piece.kind() as usize)
        } else {
            PieceKind::King as usize
        };
        Some(piece_to.index() * CAPTURED_KINDS + captured)
    }

    /// Returns the history of a quiet move: the sum of butterfly, pawn and continuation histories.
    #[inline]
    pub fn quiet(&self, board: &Board, mv: Move, context: &HistoryContext) -> i32 {
        let Some(piece) = board.piece_on(mv.from()) else { return 0 };
        self.quiets(board, context).of(piece, mv.from(), landing_square(board, mv))
    }

    /// Returns the histories of the quiet moves of a position.
    #[inline]
    pub fn quiets<'a>(&'a self, board: &Board, context: &'a HistoryContext) -> QuietHistories<'a> {
        let continuation = |previous: Option<PieceTo>| match previous {
            Some(previous) => self.continuation.row(previous.index()),
            None => &EMPTY_ROW,
        };
        QuietHistories {
            butterfly: self.quiet.part(board.side_to_move().index(), BUTTERFLY_SIZE),
            pawn: self.pawn.row(Self::pawn_slot(board)),
            continuations: context.previous_moves.map(continuation),
            threats: &context.threats,
        }
    }

    /// Returns the history of a capture or promotion.
    #[inline]
    pub fn noisy(&self, board: &Board, mv: Move) -> i32 {
        Self::noisy_index(board, mv).map_or(0, |index| self.noisy.0[index].get())
    }

    /// Adds a bonus, or a malus if negative, to the histories of a quiet move.
    pub fn update_quiet(&mut self, board: &Board, mv: Move, context: &HistoryContext, bonus: i32) {
        let Some(piece) = board.piece_on(mv.from()) else { return };
        let landing = landing_square(board, mv);
        let piece_to = PieceTo::new(piece, landing);
        let butterfly = butterfly_index(piece, mv.from(), landing, &context.threats);
        self.quiet.0[piece.color().index() * BUTTERFLY_SIZE + butterfly].update(bonus);
        self.pawn.0[Self::pawn_slot(board) * PieceTo::COUNT + piece_to.index()].update(bonus);
        self.update_continuations(piece_to, context, bonus);
    }

    /// Adds a bonus, or a malus if negative, to the continuation histories of a move.
    pub fn update_continuations(&mut self, piece_to: PieceTo, context: &HistoryContext, bonus: i32) {
        for previous in context.previous_moves.iter().flatten() {
            self.continuation.0[previous.index() * PieceTo::COUNT + piece_to.index()].update(bonus);
        }
    }

    /// Adds a bonus, or a malus if negative, to the history of a capture or promotion.
    pub fn update_noisy(&mut self, board: &Board, mv: Move, bonus: i32) {
        if let Some(index) = Self::noisy_index(board, mv) {
            self.noisy.0[index].update(bonus);
        }
    }

    fn correction_indices(board: &Board) -> [usize; KEYED_CORRECTIONS] {
        let keys = board.keys();
        let side = board.side_to_move().index() * KEYED_CORRECTIONS;
        let mut index = 0;
        [keys.pawn, keys.minor, keys.major, keys.non_pawn[0], keys.non_pawn[1]].map(|key| {
            let slot = (side + index) * CORRECTION_SLOTS + key as usize % CORRECTION_SLOTS;
            index += 1;
            slot
        })
    }

    fn continuation_correction_index(context: &HistoryContext) -> Option<usize> {
        let [last, before, ..] = context.previous_moves;
        Some(before?.index() * PieceTo::COUNT + last?.index())
    }

    /// Prefetches the correction histories of a position.
    #[inline]
    pub fn prefetch_correction(&self, board: &Board, context: &HistoryContext) {
        for index in Self::correction_indices(board) {
            prefetch(&self.corrections.0[index]);
        }
        if let Some(index) = Self::continuation_correction_index(context) {
            prefetch(&self.continuation_corrections.0[index]);
        }
    }

    /// Returns the correction of the static evaluation of a position, centipawns.
    pub fn correction(&self, board: &Board, context: &HistoryContext) -> Score {
        let keyed: i32 =
            Self::correction_indices(board).into_iter().map(|index| self.corrections.0[index].get()).sum();
        let continued = Self::continuation_correction_index(context)
            .map_or(0, |index| self.continuation_corrections.0[index].get());
        (keyed + continued) * correction_weight() / (CORRECTION_LIMIT * WEIGHED_CORRECTIONS)
    }

    /// Updates the correction histories. `error` is the score of the search less the static evaluation, centipawns; `depth`
    /// that of the search, plies.
    pub fn update_correction(&mut self, board: &Board, context: &HistoryContext, depth: i32, error: Score) {
        let bonus =
            (error * depth / CORRECTION_BONUS_DIVISOR).clamp(-CORRECTION_BONUS_LIMIT, CORRECTION_BONUS_LIMIT);
        for index in Self::correction_indices(board) {
            self.corrections.0[index].update(bonus);
        }
        if let Some(index) = Self::continuation_correction_index(context) {
            self.continuation_corrections.0[index].update(bonus);
        }
    }
}

/// Returns the history bonus of a move that refuted a node of this depth.
#[inline]
pub fn bonus(depth: i32) -> i32 {
    (bonus_slope() * depth - bonus_offset()).clamp(0, bonus_limit())
}

/// Returns the history malus of the moves searched before it.
#[inline]
pub fn malus(depth: i32) -> i32 {
    (malus_slope() * depth - malus_offset()).clamp(0, malus_limit())
}

/// Returns the destination of the moving piece: for castling the square of the king, not that of the rook.
#[inline]
pub fn landing_square(board: &Board, mv: Move) -> Square {
    if mv.is_castle() {
        let path = board.castling_geometry().path_of_rook(board.side_to_move(), mv.to());
        return path.map_or(mv.to(), |path| path.king_to);
    }
    mv.to()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counter_stays_within_limit() {
        let mut counter = MoveCounter::default();
        for _ in 0..1000 {
            counter.update(1_000_000);
        }
        assert_eq!(counter.get(), HISTORY_LIMIT);
        counter.update(-300);
        assert!(counter.get() < HISTORY_LIMIT - 500, "a malus weighs more at the upper limit");
    }

    #[test]
    fn castling_history_uses_king_destination() {
        let board: Board = "4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1".parse().unwrap();
        let context = HistoryContext::default();
        let mut histories = Histories::new().unwrap();
        let castling = |side: &str| board.parse_san(side).unwrap();
        histories.update_quiet(&board, castling("O-O"), &context, 1000);
        assert!(histories.quiet(&board, castling("O-O"), &context) > 0);
        assert_eq!(histories.quiet(&board, castling("O-O-O"), &context), 0);
        let step = board.parse_move("f1g1").unwrap();
        assert_eq!(landing_square(&board, castling("O-O")), step.to());
    }

    #[test]
    fn corrections_are_kept_per_side() {
        let board = Board::startpos();
        let context = HistoryContext::default();
        let mut histories = Histories::new().unwrap();
        for _ in 0..200 {
            histories.update_correction(&board, &context, 10, 50);
        }
        let correction = histories.correction(&board, &context);
        assert!(correction > 5, "{correction}");
        let mut other = board.clone();
        other.make_null_move();
        assert_eq!(histories.correction(&other, &context), 0);
    }
}
