//! Histories: what the search remembers of moves and positions, by one update rule (history gravity). Which moves did
//! well, to order and reduce others by it, and how far the static evaluation was off, to correct it.
//!
//! Worth, at 8,000 nodes: continuation histories +38 ± 30 (400 games), correction histories +54 ± 28 (430, SPRT), threats
//! in the butterfly history +5 ± 25 (500), pawn history −4 ± 26 (400).

use super::params::parameters;
use super::score::Score;
use crate::chess::board::Threats;
use crate::chess::{Board, Color, Move, Piece, PieceKind, Square};
use crate::util::memory::prefetch;

parameters! {
    /// History bonus: per ply of depth, subtracted, at most.
    bonus_slope = 135, 50, 400, 20;
    /// History bonus: see [`bonus_slope`].
    bonus_offset = 80, -100, 400, 30;
    /// History bonus: see [`bonus_slope`].
    bonus_limit = 1700, 500, 4000, 200;
    /// History malus: per ply of depth, subtracted, at most.
    malus_slope = 190, 50, 400, 20;
    /// History malus: see [`malus_slope`].
    malus_offset = 50, -100, 400, 30;
    /// History malus: see [`malus_slope`].
    malus_limit = 1450, 300, 4000, 200;

    /// Correction history: its weight in the static evaluation, centipawns for eight full corrections.
    correction_weight = 257, 0, 800, 30;
}

/// Move histories stay within ± this.
pub const HISTORY_LIMIT: i32 = 16_384;
/// Corrections stay within ± this.
pub const CORRECTION_LIMIT: i32 = 1_024;

/// One remembered value within ± `LIMIT`.
#[derive(Clone, Copy, Default, bytemuck::Zeroable)]
#[repr(transparent)]
struct Counter<const LIMIT: i32>(i16);

impl<const LIMIT: i32> Counter<LIMIT> {
    /// The one update rule: towards `bonus`, less the nearer the limit, so that no value passes it.
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

/// A table of counters in one piece of memory.
struct Table<C>(Box<[C]>);

impl<C: Default + Clone + bytemuck::Zeroable> Table<C> {
    /// So many counters at zero, in memory that the system gives page by page as it is first written; `None` when there
    /// is none.
    fn new(length: usize) -> Option<Self> {
        bytemuck::allocation::try_zeroed_slice_box(length).ok().map(Self)
    }

    fn clear(&mut self) {
        self.0.fill(C::default());
    }

    /// The `number`th part of `size` counters.
    #[inline]
    fn part(&self, number: usize, size: usize) -> &[C] {
        &self.0[number * size..][..size]
    }

    /// The `number`th of the rows that have a counter for every piece and square.
    #[inline]
    fn row(&self, number: usize) -> &[C; PieceTo::COUNT] {
        match self.0[number * PieceTo::COUNT..].first_chunk() {
            Some(row) => row,
            None => unreachable!("tables by row end with a whole one"),
        }
    }
}

/// A piece and the square it goes to: what continuation histories tell moves apart by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTo(u16);

impl PieceTo {
    /// Number of pieces and squares.
    const COUNT: usize = Piece::COUNT * Square::COUNT;

    /// `piece` went to `square`.
    #[inline]
    pub fn new(piece: Piece, square: Square) -> Self {
        Self((piece.index() * Square::COUNT + square.index()) as u16)
    }

    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// Plies back to the moves that a move may continue.
pub const CONTINUATION_PLIES: [usize; 4] = [1, 2, 4, 6];

/// What the histories of quiet moves depend on besides the move: the moves before it and what threatens.
#[derive(Clone, Copy, Default)]
pub struct HistoryContext {
    /// What the opponent attacks.
    pub threats: Threats,
    /// The moves [`CONTINUATION_PLIES`] ago; `None` for null moves and before the root.
    pub previous_moves: [Option<PieceTo>; 4],
}

/// A colour's moves in the butterfly history: threatened before and after, from, to.
const BUTTERFLY_SIZE: usize = 4 * Square::COUNT * Square::COUNT;
/// Pawn structures told apart by the pawn history.
const PAWN_SLOTS: usize = 512;
/// Positions told apart by each correction, per side to move.
const CORRECTION_SLOTS: usize = 16_384;
/// Corrections by key: pawns, knights and bishops, rooks and queens, White's and Black's pieces.
const KEYED_CORRECTIONS: usize = 5;

/// What is known of every piece and square in one context.
type PieceToRow = [MoveCounter; PieceTo::COUNT];

/// The context of a move that there was not.
static EMPTY_ROW: PieceToRow = [Counter(0); PieceTo::COUNT];

/// The histories of the quiet moves of one position, looked up once for all of them.
pub struct QuietHistories<'a> {
    /// By whether the piece is threatened before and after, from, to.
    butterfly: &'a [MoveCounter],
    pawn: &'a PieceToRow,
    continuations: [&'a PieceToRow; 4],
    threats: &'a Threats,
}

impl QuietHistories<'_> {
    /// Has the processor fetch what is known of the pieces of one colour, all of which may be asked for.
    #[inline]
    pub fn prefetch(&self, color: Color) {
        /// Counters of a cache line.
        const LINE: usize = 64 / size_of::<MoveCounter>();
        for row in self.continuations.iter().chain([&self.pawn]) {
            for kind in PieceKind::ALL {
                let first = Piece::new(color, kind).index() * Square::COUNT;
                row[first..][..Square::COUNT].chunks(LINE).for_each(|line| prefetch(&line[0]));
            }
        }
    }

    /// The butterfly, pawn and continuation histories of `piece` going from one square to another together.
    #[inline]
    pub fn of(&self, piece: Piece, from: Square, landing: Square) -> i32 {
        let piece_to = PieceTo::new(piece, landing).index();
        let continued: i32 = self.continuations.iter().map(|row| row[piece_to].get()).sum();
        self.butterfly[butterfly_index(piece, from, landing, self.threats)].get()
            + self.pawn[piece_to].get()
            + continued
    }
}

/// Where the moves of one colour stand in its part of the butterfly history.
#[inline]
fn butterfly_index(piece: Piece, from: Square, landing: Square, threats: &Threats) -> usize {
    let threats = threats.to(piece.kind());
    let threatened = usize::from(threats.has(from)) * 2 + usize::from(threats.has(landing));
    (threatened * Square::COUNT + from.index()) * Square::COUNT + landing.index()
}

/// The histories of one thread.
pub struct Histories {
    /// By colour, whether the piece is threatened before and after, from, to.
    quiet: Table<MoveCounter>,
    /// By piece and to, and what is captured.
    noisy: Table<MoveCounter>,
    /// By earlier and present piece and square.
    continuation: Table<MoveCounter>,
    /// By pawn structure, piece and square.
    pawn: Table<MoveCounter>,
    /// By side to move, kind of key, and key.
    corrections: Table<CorrectionCounter>,
    /// By piece and square of two plies and of one ply ago.
    continuation_corrections: Table<CorrectionCounter>,
}

impl Histories {
    /// Histories at zero; `None` when there is no memory for them.
    pub fn new() -> Option<Self> {
        Some(Self {
            quiet: Table::new(2 * BUTTERFLY_SIZE)?,
            noisy: Table::new(PieceTo::COUNT * 8)?,
            continuation: Table::new(PieceTo::COUNT * PieceTo::COUNT)?,
            pawn: Table::new(PAWN_SLOTS * PieceTo::COUNT)?,
            corrections: Table::new(2 * KEYED_CORRECTIONS * CORRECTION_SLOTS)?,
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
        Some(piece_to.index() * 8 + captured)
    }

    /// The history of a quiet move: the butterfly, pawn and continuation histories together.
    #[inline]
    pub fn quiet(&self, board: &Board, mv: Move, context: &HistoryContext) -> i32 {
        let Some(piece) = board.piece_on(mv.from()) else { return 0 };
        self.quiets(board, context).of(piece, mv.from(), landing_square(board, mv))
    }

    /// The histories of the position's quiet moves.
    #[inline]
    pub fn quiets<'a>(&'a self, board: &Board, context: &'a HistoryContext) -> QuietHistories<'a> {
        let continuation = |earlier: Option<PieceTo>| match earlier {
            Some(earlier) => self.continuation.row(earlier.index()),
            None => &EMPTY_ROW,
        };
        QuietHistories {
            butterfly: self.quiet.part(board.side_to_move().index(), BUTTERFLY_SIZE),
            pawn: self.pawn.row(Self::pawn_slot(board)),
            continuations: context.previous_moves.map(continuation),
            threats: &context.threats,
        }
    }

    /// The history of a capture or promotion.
    #[inline]
    pub fn noisy(&self, board: &Board, mv: Move) -> i32 {
        Self::noisy_index(board, mv).map_or(0, |index| self.noisy.0[index].get())
    }

    /// Rewards or punishes a quiet move.
    pub fn update_quiet(&mut self, board: &Board, mv: Move, context: &HistoryContext, bonus: i32) {
        let Some(piece) = board.piece_on(mv.from()) else { return };
        let landing = landing_square(board, mv);
        let piece_to = PieceTo::new(piece, landing);
        let butterfly = butterfly_index(piece, mv.from(), landing, &context.threats);
        self.quiet.0[piece.color().index() * BUTTERFLY_SIZE + butterfly].update(bonus);
        self.pawn.0[Self::pawn_slot(board) * PieceTo::COUNT + piece_to.index()].update(bonus);
        self.update_continuations(piece_to, context, bonus);
    }

    /// Rewards or punishes a move as an answer to the moves before it.
    pub fn update_continuations(&mut self, piece_to: PieceTo, context: &HistoryContext, bonus: i32) {
        for earlier in context.previous_moves.iter().flatten() {
            self.continuation.0[earlier.index() * PieceTo::COUNT + piece_to.index()].update(bonus);
        }
    }

    /// Rewards or punishes a capture or promotion.
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

    /// Has the processor fetch what corrects the evaluation of a position, which will soon be asked for.
    #[inline]
    pub fn prefetch_correction(&self, board: &Board, context: &HistoryContext) {
        for index in Self::correction_indices(board) {
            prefetch(&self.corrections.0[index]);
        }
        if let Some(index) = Self::continuation_correction_index(context) {
            prefetch(&self.continuation_corrections.0[index]);
        }
    }

    /// What to add to the static evaluation of a position, centipawns.
    pub fn correction(&self, board: &Board, context: &HistoryContext) -> Score {
        let keyed: i32 =
            Self::correction_indices(board).into_iter().map(|index| self.corrections.0[index].get()).sum();
        let continued = Self::continuation_correction_index(context)
            .map_or(0, |index| self.continuation_corrections.0[index].get());
        (keyed + continued) * correction_weight() / (CORRECTION_LIMIT * 8)
    }

    /// Learns that the search found a score `error` above the static evaluation, `depth` plies deep.
    pub fn update_correction(&mut self, board: &Board, context: &HistoryContext, depth: i32, error: Score) {
        let bonus = (error * depth / 8).clamp(-CORRECTION_LIMIT / 4, CORRECTION_LIMIT / 4);
        for index in Self::correction_indices(board) {
            self.corrections.0[index].update(bonus);
        }
        if let Some(index) = Self::continuation_correction_index(context) {
            self.continuation_corrections.0[index].update(bonus);
        }
    }
}

/// What a move that refuted a node of this depth earns.
#[inline]
pub fn bonus(depth: i32) -> i32 {
    (bonus_slope() * depth - bonus_offset()).clamp(0, bonus_limit())
}

/// What the moves tried before it lose.
#[inline]
pub fn malus(depth: i32) -> i32 {
    (malus_slope() * depth - malus_offset()).clamp(0, malus_limit())
}

/// Where the moving piece really lands: for castling the king's destination.
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
    fn values_never_leave_their_range() {
        let mut counter = MoveCounter::default();
        for _ in 0..1000 {
            counter.update(1_000_000);
        }
        assert_eq!(counter.get(), HISTORY_LIMIT);
        counter.update(-300);
        assert!(counter.get() < HISTORY_LIMIT - 500, "a surprise weighs more than a confirmation");
    }

    #[test]
    fn castling_is_remembered_by_where_the_king_lands() {
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
    fn corrections_learn_the_error_and_apply_to_the_side_that_made_it() {
        let board = Board::startpos();
        let context = HistoryContext::default();
        let mut histories = Histories::new().unwrap();
        for _ in 0..200 {
            histories.update_correction(&board, &context, 10, 50);
        }
        let learnt = histories.correction(&board, &context);
        assert!(learnt > 5, "{learnt}");
        let mut other = board.clone();
        other.make_null_move();
        assert_eq!(histories.correction(&other, &context), 0);
    }
}
