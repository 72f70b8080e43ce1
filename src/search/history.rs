//! Histories: what the search has learned about moves and positions. All use the same update rule (history gravity).
//!
//! - Move histories (butterfly, pawn, continuation, capture) learn which moves fail high. They order moves, and tell
//!   which ones to prune and how much to reduce the others.
//! - Correction histories learn how far search scores are from the static eval in similar positions (same pawns, same
//!   pieces, same last moves), and correct the eval.

use super::params::parameters;
use super::score::Score;
use crate::chess::board::Threats;
use crate::chess::{Bitboard, Board, Color, Move, Piece, PieceKind, Square};
use crate::util::memory::{HugeBox, prefetch};

parameters! {
    // Bonus for a good move and malus for a bad one: slope × depth − offset, up to the limit.
    // In the butterfly and pawn histories:
    quiet_bonus_slope = 300, 50, 800, 30;
    quiet_bonus_offset = 150, -100, 600, 40;
    quiet_bonus_limit = 3000, 500, 6000, 250;
    quiet_malus_slope = 250, 50, 800, 30;
    quiet_malus_offset = 50, -100, 600, 40;
    quiet_malus_limit = 1800, 300, 6000, 250;
    // Bonus and malus in the continuation histories:
    continuation_bonus_slope = 115, 50, 800, 20;
    continuation_bonus_offset = 60, -100, 600, 30;
    continuation_bonus_limit = 1150, 500, 6000, 200;
    continuation_malus_slope = 400, 50, 800, 30;
    continuation_malus_offset = 50, -100, 600, 40;
    continuation_malus_limit = 1150, 300, 6000, 200;
    // Bonus and malus in the capture history:
    noisy_bonus_slope = 135, 50, 800, 20;
    noisy_bonus_offset = 80, -100, 600, 30;
    noisy_bonus_limit = 1700, 500, 6000, 200;
    noisy_malus_slope = 190, 50, 800, 20;
    noisy_malus_offset = 50, -100, 600, 30;
    noisy_malus_limit = 1450, 300, 6000, 200;

    // How much we correct the eval, centipawns per 8 × `CORRECTION_LIMIT` in the sum of its correction counters.
    correction_weight = 420, 0, 1200, 40;
}

/// Counters of move histories stay within ± this.
pub const HISTORY_LIMIT: i32 = 16_384;
/// Counters of correction histories stay within ± this.
pub const CORRECTION_LIMIT: i32 = 1_024;

/// We correct the eval by (sum of its correction counters) × [`correction_weight`] / (this × [`CORRECTION_LIMIT`]).
const WEIGHED_CORRECTIONS: i32 = 8;
/// When we update the correction histories, the bonus stays within ± this.
const CORRECTION_BONUS_LIMIT: i32 = CORRECTION_LIMIT / 4;
/// The bonus for the correction histories is (search score − static eval) × depth / this; the scores are in centipawns.
const CORRECTION_BONUS_DIVISOR: i32 = 8;

/// A history counter. Its value stays within ± `LIMIT`.
#[derive(Clone, Copy, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
struct Counter<const LIMIT: i32>(i16);

impl<const LIMIT: i32> Counter<LIMIT> {
    /// Adds `bonus` and pulls the old value towards zero (history gravity), so that the value stays within ± `LIMIT`.
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

/// Piece and landing square of a move, which index the continuation histories.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTo(u16);

impl PieceTo {
    const COUNT: usize = Piece::COUNT * Square::COUNT;
    /// Stands for a null move, and for any move before the root.
    pub const NONE: Self = Self(Self::COUNT as u16);

    #[inline]
    pub fn new(piece: Piece, square: Square) -> Self {
        Self((piece.index() * Square::COUNT + square.index()) as u16)
    }

    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }
}

impl Default for PieceTo {
    fn default() -> Self {
        Self::NONE
    }
}

const CONTINUATION_COUNT: usize = 4;
/// How many plies each of the continuation histories looks back.
pub const CONTINUATION_PLIES: [usize; CONTINUATION_COUNT] = [1, 2, 4, 6];

/// The moves made as many plies ago as [`CONTINUATION_PLIES`] says; the opponent's last move comes first.
pub type PreviousMoves = [PieceTo; CONTINUATION_COUNT];

/// What the quiet histories depend on, besides the move and the board.
#[derive(Clone, Copy, Default)]
pub struct HistoryContext {
    /// The moves that led here, for the continuation histories.
    pub previous_moves: PreviousMoves,
    /// The squares that the opponent attacks, for the butterfly history.
    pub threats: Threats,
}

const COLORS: usize = Color::ALL.len();
/// How many counters one prefetch loads: a cache line has 64 bytes.
const COUNTERS_PER_LINE: usize = 64 / size_of::<MoveCounter>();
/// Number of captured piece kinds, rounded up to a power of two. The king's index means a promotion without capture.
const CAPTURED_KINDS: usize = 8;
const PAWN_SLOTS: usize = 512;
const CORRECTION_SLOTS: usize = 16_384;
/// One correction history per key: pawns, minor pieces, major pieces, White's and Black's pieces other than pawns.
const KEYED_CORRECTIONS: usize = 5;

type SquareRow = [MoveCounter; Square::COUNT];
type PieceToRow = [SquareRow; Piece::COUNT];
/// Butterfly history of one colour: `[from is threatened][to is threatened][from][to]`.
type Butterfly = [[[SquareRow; Square::COUNT]; 2]; 2];

/// All histories of one thread. They are plain data, so that freshly zeroed memory is a valid value.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Tables {
    /// One butterfly history for each colour.
    quiet: [Butterfly; COLORS],
    /// Capture history: `[piece][to][captured kind]`.
    noisy: [[[MoveCounter; CAPTURED_KINDS]; Square::COUNT]; Piece::COUNT],
    /// Continuation history: `[previous move][piece][to]`. The row of [`PieceTo::NONE`] stays zero.
    continuation: [PieceToRow; PieceTo::COUNT + 1],
    /// Pawn history: `[pawn key][piece][to]`.
    pawn: [PieceToRow; PAWN_SLOTS],
    /// Correction histories: `[side to move][kind of key][key]`.
    corrections: [[[CorrectionCounter; CORRECTION_SLOTS]; KEYED_CORRECTIONS]; COLORS],
    /// Continuation correction history: `[last move but one][last move]`.
    continuation_corrections: [[CorrectionCounter; PieceTo::COUNT]; PieceTo::COUNT],
}

/// The parts of the quiet histories that apply in one position. We look them up once for all moves of the position.
pub struct QuietHistories<'a> {
    butterfly: &'a Butterfly,
    pawn: &'a PieceToRow,
    continuations: [&'a PieceToRow; CONTINUATION_COUNT],
    threats: &'a Threats,
}

/// The rows of [`QuietHistories`] that apply to one piece.
pub struct PieceHistories<'a> {
    /// The first row is for safe destinations, the second for threatened ones.
    butterfly: [&'a SquareRow; 2],
    pawn: &'a SquareRow,
    continuations: [&'a SquareRow; CONTINUATION_COUNT],
    threatened: Bitboard,
}

impl<'a> QuietHistories<'a> {
    #[inline]
    pub fn prefetch(&self, color: Color) {
        for rows in self.continuations.iter().chain([&self.pawn]) {
            for kind in PieceKind::ALL {
                let row = &rows[Piece::new(color, kind).index()];
                row.chunks(COUNTERS_PER_LINE).for_each(|line| prefetch(&line[0]));
            }
        }
    }

    #[inline(always)]
    pub fn of_piece(&self, piece: Piece, from: Square) -> PieceHistories<'a> {
        let threatened = self.threats.to(piece.kind());
        let butterfly = &self.butterfly[usize::from(threatened.has(from))];
        PieceHistories {
            butterfly: [&butterfly[0][from.index()], &butterfly[1][from.index()]],
            pawn: &self.pawn[piece.index()],
            continuations: self.continuations.map(|rows| &rows[piece.index()]),
            threatened,
        }
    }
}

impl PieceHistories<'_> {
    /// Returns the sum of all quiet histories for a move to `landing`.
    #[inline(always)]
    pub fn of(&self, landing: Square) -> i32 {
        let square = landing.index();
        let continued: i32 = self.continuations.iter().map(|row| row[square].get()).sum();
        let butterfly = self.butterfly[usize::from(self.threatened.has(landing))];
        butterfly[square].get() + self.pawn[square].get() + continued
    }

    /// Returns the squares attacked by an enemy piece less valuable than ours; for a pawn or king, by any enemy piece.
    #[inline(always)]
    pub fn threatened(&self) -> Bitboard {
        self.threatened
    }
}

/// What one search thread has learned. Threads don't share histories.
pub struct Histories(HugeBox<Tables>);

impl Histories {
    /// Returns histories full of zeros; `None` if the memory cannot be allocated.
    pub fn new() -> Option<Self> {
        HugeBox::zeroed().map(Self)
    }

    pub fn clear(&mut self) {
        bytemuck::bytes_of_mut(&mut *self.0).fill(0);
    }

    #[inline(always)]
    fn continuation(&self, previous: PieceTo) -> &PieceToRow {
        // SAFETY: a `PieceTo` is made from a piece and a square, so it is at most `NONE`, for which there is a row, too.
        unsafe { self.0.continuation.get_unchecked(previous.index()) }
    }

    #[inline(always)]
    fn pawn_slot(board: &Board) -> usize {
        board.keys().pawn as usize % PAWN_SLOTS
    }

    /// Returns the sum of butterfly, pawn and continuation histories for a quiet move.
    #[inline]
    pub fn quiet(&self, board: &Board, mv: Move, context: &HistoryContext) -> i32 {
        let Some(piece) = board.piece_on(mv.from()) else { return 0 };
        let landing = landing_square(board, mv);
        let piece_to = PieceTo::new(piece, landing).index();
        let continued = |previous: PieceTo| self.continuation(previous).as_flattened()[piece_to].get();
        let (origins, landings) = Self::threatened(context, piece, mv.from(), landing);
        self.0.quiet[piece.color().index()][origins][landings][mv.from().index()][landing.index()].get()
            + self.0.pawn[Self::pawn_slot(board)].as_flattened()[piece_to].get()
            + context.previous_moves.into_iter().map(continued).sum::<i32>()
    }

    /// Returns the indexes into a [`Butterfly`] history that say whether origin and landing square are threatened.
    #[inline(always)]
    fn threatened(context: &HistoryContext, piece: Piece, from: Square, landing: Square) -> (usize, usize) {
        let threatened = context.threats.to(piece.kind());
        (usize::from(threatened.has(from)), usize::from(threatened.has(landing)))
    }

    #[inline(always)]
    pub fn quiets<'a>(&'a self, board: &Board, context: &'a HistoryContext) -> QuietHistories<'a> {
        QuietHistories {
            butterfly: &self.0.quiet[board.side_to_move().index()],
            pawn: &self.0.pawn[Self::pawn_slot(board)],
            continuations: context.previous_moves.map(|previous| self.continuation(previous)),
            threats: &context.threats,
        }
    }

    #[inline]
    fn captured(board: &Board, mv: Move) -> usize {
        if mv.is_capture() {
            board.piece_on(mv.to()).map_or(PieceKind::Pawn as usize, |piece| piece.kind() as usize)
        } else {
            PieceKind::King as usize
        }
    }

    #[inline]
    pub fn noisy(&self, board: &Board, mv: Move) -> i32 {
        let Some(piece) = board.piece_on(mv.from()) else { return 0 };
        self.0.noisy[piece.index()][mv.to().index()][Self::captured(board, mv)].get()
    }

    pub fn update_noisy(&mut self, board: &Board, mv: Move, verdict: Verdict) {
        let Some(piece) = board.piece_on(mv.from()) else { return };
        self.0.noisy[piece.index()][mv.to().index()][Self::captured(board, mv)].update(verdict.noisy());
    }

    pub fn update_quiet(&mut self, board: &Board, mv: Move, context: &HistoryContext, verdict: Verdict) {
        let Some(piece) = board.piece_on(mv.from()) else { return };
        let bonus = verdict.quiet();
        let (from, landing) = (mv.from(), landing_square(board, mv));
        let (origins, landings) = Self::threatened(context, piece, from, landing);
        let butterfly = &mut self.0.quiet[piece.color().index()];
        butterfly[origins][landings][from.index()][landing.index()].update(bonus);
        self.0.pawn[Self::pawn_slot(board)][piece.index()][landing.index()].update(bonus);
        self.update_continuations(PieceTo::new(piece, landing), context.previous_moves, verdict);
    }

    pub fn update_continuations(
        &mut self,
        piece_to: PieceTo,
        previous_moves: PreviousMoves,
        verdict: Verdict,
    ) {
        let bonus = verdict.continuation();
        for previous in previous_moves {
            if previous != PieceTo::NONE {
                let row = self.0.continuation[previous.index()].as_flattened_mut();
                row[piece_to.index()].update(bonus);
            }
        }
    }

    #[inline(always)]
    fn correction_slots(board: &Board) -> [usize; KEYED_CORRECTIONS] {
        let keys = board.keys();
        [keys.pawn, keys.minor, keys.major, keys.non_pawn[Color::White], keys.non_pawn[Color::Black]]
            .map(|key| key as usize % CORRECTION_SLOTS)
    }

    #[inline(always)]
    fn correction_moves(previous_moves: PreviousMoves) -> Option<[usize; 2]> {
        let [last, before, ..] = previous_moves;
        (last != PieceTo::NONE && before != PieceTo::NONE).then_some([before.index(), last.index()])
    }

    #[inline]
    pub fn prefetch_correction(&self, board: &Board, previous_moves: PreviousMoves) {
        let tables = &self.0.corrections[board.side_to_move().index()];
        for (table, slot) in tables.iter().zip(Self::correction_slots(board)) {
            prefetch(&table[slot]);
        }
        if let Some([before, last]) = Self::correction_moves(previous_moves) {
            prefetch(&self.0.continuation_corrections[before][last]);
        }
    }

    /// Returns how much the correction histories add to the static eval, centipawns.
    #[inline]
    pub fn correction(&self, board: &Board, previous_moves: PreviousMoves) -> Score {
        let tables = &self.0.corrections[board.side_to_move().index()];
        let slots = Self::correction_slots(board);
        let keyed: i32 = tables.iter().zip(slots).map(|(table, slot)| table[slot].get()).sum();
        let continued = Self::correction_moves(previous_moves)
            .map_or(0, |[before, last]| self.0.continuation_corrections[before][last].get());
        (keyed + continued) * correction_weight() / (CORRECTION_LIMIT * WEIGHED_CORRECTIONS)
    }

    /// Learns from a search to `depth` whose score was `error` centipawns above the static eval.
    pub fn update_correction(
        &mut self,
        board: &Board,
        previous_moves: PreviousMoves,
        depth: i32,
        error: Score,
    ) {
        let bonus =
            (error * depth / CORRECTION_BONUS_DIVISOR).clamp(-CORRECTION_BONUS_LIMIT, CORRECTION_BONUS_LIMIT);
        let tables = &mut self.0.corrections[board.side_to_move().index()];
        for (table, slot) in tables.iter_mut().zip(Self::correction_slots(board)) {
            table[slot].update(bonus);
        }
        if let Some([before, last]) = Self::correction_moves(previous_moves) {
            self.0.continuation_corrections[before][last].update(bonus);
        }
    }
}

/// What a search found out about a move, and the depth of that search in plies. Deeper searches count more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The move was good, so the histories give it a bonus.
    Good(i32),
    /// Another move was better, so the histories give this one a malus.
    Bad(i32),
}

impl Verdict {
    /// Returns the bonus, or the malus negated. Both grow linearly with the depth up to a limit.
    #[inline]
    fn change(self, bonus: [i32; 3], malus: [i32; 3]) -> i32 {
        let amount = |[slope, offset, limit]: [i32; 3], depth: i32| (slope * depth - offset).clamp(0, limit);
        match self {
            Self::Good(depth) => amount(bonus, depth),
            Self::Bad(depth) => -amount(malus, depth),
        }
    }

    /// Returns the bonus, or minus the malus, for the butterfly and pawn histories.
    fn quiet(self) -> i32 {
        let bonus = [quiet_bonus_slope(), quiet_bonus_offset(), quiet_bonus_limit()];
        self.change(bonus, [quiet_malus_slope(), quiet_malus_offset(), quiet_malus_limit()])
    }

    fn continuation(self) -> i32 {
        let bonus = [continuation_bonus_slope(), continuation_bonus_offset(), continuation_bonus_limit()];
        let malus = [continuation_malus_slope(), continuation_malus_offset(), continuation_malus_limit()];
        self.change(bonus, malus)
    }

    fn noisy(self) -> i32 {
        let bonus = [noisy_bonus_slope(), noisy_bonus_offset(), noisy_bonus_limit()];
        self.change(bonus, [noisy_malus_slope(), noisy_malus_offset(), noisy_malus_limit()])
    }
}

/// Returns where the moving piece lands; for castling the king's destination, although the move encodes the rook's
/// square.
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
    fn verdict_moves_histories_within_limits() {
        for verdict in [Verdict::quiet, Verdict::continuation, Verdict::noisy] {
            assert!(verdict(Verdict::Good(2)) > 0 && verdict(Verdict::Good(8)) > verdict(Verdict::Good(2)));
            assert!(verdict(Verdict::Bad(1)) < 0 && verdict(Verdict::Bad(8)) < verdict(Verdict::Bad(1)));
            assert_eq!(verdict(Verdict::Good(0)), 0);
        }
        assert_eq!(Verdict::Good(100).quiet(), quiet_bonus_limit());
        assert_eq!(Verdict::Bad(100).continuation(), -continuation_malus_limit());
    }

    #[test]
    fn castling_history_uses_king_destination() {
        let board: Board = "4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1".parse().unwrap();
        let context = HistoryContext::default();
        let mut histories = Histories::new().unwrap();
        let castling = |side: &str| board.parse_san(side).unwrap();
        histories.update_quiet(&board, castling("O-O"), &context, Verdict::Good(8));
        assert!(histories.quiet(&board, castling("O-O"), &context) > 0);
        assert_eq!(histories.quiet(&board, castling("O-O-O"), &context), 0);
        let step = board.parse_move("f1g1").unwrap();
        assert_eq!(landing_square(&board, castling("O-O")), step.to());
    }

    #[test]
    fn corrections_are_kept_per_side() {
        let board = Board::startpos();
        let previous_moves = PreviousMoves::default();
        let mut histories = Histories::new().unwrap();
        for _ in 0..200 {
            histories.update_correction(&board, previous_moves, 10, 50);
        }
        let correction = histories.correction(&board, previous_moves);
        assert!(correction > 5, "{correction}");
        let mut other = board.clone();
        other.make_null_move();
        assert_eq!(histories.correction(&other, previous_moves), 0);
    }
}
