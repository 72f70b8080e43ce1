//! Keeps the hidden layer up to date along a search path, incrementally and lazily.
//!
//! Each move only records which pieces it adds and removes. An evaluation walks back to the last position whose
//! accumulator is up to date, and applies all changes since. When a side's king moves to another bucket, or between the
//! d- and e-file, all inputs of that side change. We then start from a refresh entry (Finny table): the sums of an
//! earlier board in the same view, which differs in few pieces.

use std::array::{from_mut, from_ref};

use arrayvec::ArrayVec;

use crate::chess::board::makemove::Observer;
use crate::chess::{Bitboard, Board, Color, Move, Piece, PieceKind, Square};
use crate::nnue::architecture::Row;
use crate::nnue::features::{BoardInputs, View, feature};
use crate::nnue::handcrafted::inputs::Placement;
use crate::nnue::kernels::{Refresh, Update};
use crate::nnue::network::Network;
use crate::simd::dispatch;

/// The pieces that a move adds to the board and removes from it. The moved piece counts as removed and added, so a
/// capture removes two pieces, and castling adds and removes two.
#[derive(Clone, Debug, Default)]
struct Changes {
    added: Pieces,
    removed: Pieces,
}

impl Observer for Changes {
    #[inline(always)]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.removed.push(BoardInputs::new(piece, square));
    }

    #[inline(always)]
    fn added(&mut self, piece: Piece, square: Square) {
        self.added.push(BoardInputs::new(piece, square));
    }
}

impl Changes {
    /// Updates the sums of some sides, each with its view, from those before the move.
    #[inline(always)]
    fn apply<const SIDES: usize>(
        &self,
        network: &Network,
        target: &mut [Row; SIDES],
        source: &[Row; SIDES],
        seen_by: [(Color, View); SIDES],
    ) {
        let rows = |piece: &BoardInputs| {
            seen_by.map(|(side, view)| &network.feature_weights[piece.seen(side, view)])
        };
        match (self.added.as_slice(), self.removed.as_slice()) {
            ([a], [b]) => dispatch(Update { target, source, added: [rows(a)], removed: [rows(b)] }),
            ([a], [b, c]) => {
                dispatch(Update { target, source, added: [rows(a)], removed: [rows(b), rows(c)] });
            }
            ([a, b], [c, d]) => {
                dispatch(Update { target, source, added: [rows(a), rows(b)], removed: [rows(c), rows(d)] });
            }
            _ => unreachable!("a move adds one piece, or two when castling"),
        }
    }
}

/// One or two pieces, after the first push. A third would replace the first.
#[derive(Clone, Debug, Default)]
struct Pieces {
    pieces: [BoardInputs; 2],
    count: u8,
}

impl Pieces {
    #[inline(always)]
    fn push(&mut self, piece: BoardInputs) {
        self.pieces[usize::from(self.count % 2)] = piece;
        self.count += 1;
    }

    #[inline(always)]
    fn as_slice(&self) -> &[BoardInputs] {
        if self.count > 1 { &self.pieces } else { &self.pieces[..1] }
    }
}

/// One position's hidden layer before activation, with one half for each colour's point of view.
struct Accumulator {
    sums: [Row; 2],
    up_to_date: [bool; 2],
    views: [View; 2],
    /// The pieces that the move to this position added and removed.
    changes: Changes,
}

/// Entry of the Finny table: the sums of an earlier board, and where its pieces stood, by colour and kind.
struct RefreshEntry {
    sums: Row,
    pieces: [[Bitboard; 6]; 2],
}

/// A stack of accumulators, one for each position on the search path.
pub struct Accumulators {
    stack: Vec<Accumulator>,
    /// Index of the current position in `stack`. Entries above it are from other lines; we reuse their memory.
    current: usize,
    /// Indexed by the side whose point of view it is, then by that side's view.
    refresh_table: [[RefreshEntry; View::COUNT]; 2],
}

impl Accumulators {
    /// Starts a search path at `board`, whose sums the first evaluation computes.
    pub fn new(network: &Network, board: &Board) -> Self {
        let blank = || RefreshEntry { sums: network.feature_bias, pieces: [[Bitboard::EMPTY; 6]; 2] };
        let mut accumulators = Self {
            stack: Vec::new(),
            current: 0,
            refresh_table: std::array::from_fn(|_| std::array::from_fn(|_| blank())),
        };
        accumulators.reset(board);
        accumulators
    }

    /// Starts a new search path at `board`, but keeps the refresh entries, which are valid for any game.
    pub fn reset(&mut self, board: &Board) {
        self.current = 0;
        if self.stack.is_empty() {
            self.stack.push(Accumulator::blank());
        }
        self.stack[0].up_to_date = [false; 2];
        self.stack[0].views = Color::ALL.map(|side| View::of(board.king(side).relative_to(side)));
    }

    /// Makes `mv` on `board` and records the changed pieces; the next evaluation adds and subtracts their weights.
    #[inline]
    pub fn make_move(&mut self, board: &mut Board, mv: Move) {
        self.current += 1;
        if self.current == self.stack.len() {
            self.stack.push(Accumulator::blank());
        }
        let us = board.side_to_move();
        let is_king_move = board.king(us) == mv.from();
        let mut views = self.stack[self.current - 1].views;
        let next = &mut self.stack[self.current];
        next.up_to_date = [false; 2];
        next.changes = Changes::default();
        board.make_move_observed(mv, &mut next.changes);
        if is_king_move {
            views[us.index()] = View::of(board.king(us).relative_to(us));
        }
        next.views = views;
    }

    /// Goes back to the previous position. The caller unmakes the move on the board.
    #[inline]
    pub fn unmake_move(&mut self) {
        debug_assert!(self.current > 0);
        self.current -= 1;
    }

    /// Computes the sums of the current position if they are out of date. `board` must be that position.
    // Most evaluations find them up to date, and then need no call.
    #[inline(always)]
    pub fn bring_up_to_date(&mut self, network: &Network, board: &Board) {
        if self.stack[self.current].up_to_date != [true; 2] {
            self.apply_changes(network, board);
        }
    }

    #[inline(never)]
    fn apply_changes(&mut self, network: &Network, board: &Board) {
        // Usually the same moves are missing for both sides, and neither view has changed since.
        let mut last = self.current;
        while self.stack[last].up_to_date != [true; 2] {
            if last == 0 || self.stack[last - 1].views != self.stack[last].views {
                Color::ALL.into_iter().for_each(|side| self.update(network, board, side));
                return;
            }
            last -= 1;
        }
        for position in last + 1..=self.current {
            self.update_both_sides(network, position);
        }
    }

    /// Returns the score in centipawns for the side to move. `board` must be the current position.
    #[inline]
    pub fn evaluate(&mut self, network: &Network, board: &Board) -> i32 {
        self.bring_up_to_date(network, board);
        let us = board.side_to_move();
        let sums = &self.stack[self.current].sums;
        let (own, other) = (&sums[us.index()], &sums[(!us).index()]);
        network.output(own, other, &Placement::of(board), us)
    }

    #[cold]
    fn update(&mut self, network: &Network, board: &Board, side: Color) {
        let index = side.index();
        let view = self.stack[self.current].views[index];
        let mut last = self.current;
        while last > 0 && !self.stack[last].up_to_date[index] && self.stack[last - 1].views[index] == view {
            last -= 1;
        }
        if self.stack[last].up_to_date[index] {
            for position in last + 1..=self.current {
                let (before, after) = self.stack.split_at_mut(position);
                let Accumulator { sums, up_to_date, changes, .. } = &mut after[0];
                let target = from_mut(&mut sums[index]);
                changes.apply(network, target, from_ref(&before[position - 1].sums[index]), [(side, view)]);
                up_to_date[index] = true;
            }
        } else {
            self.refresh(network, board, side, view);
        }
    }

    /// Updates both sides of `stack[position]` from the position before, where they must be up to date.
    #[inline(always)]
    fn update_both_sides(&mut self, network: &Network, position: usize) {
        let (before, after) = self.stack.split_at_mut(position);
        let Accumulator { sums, up_to_date, views: [white, black], changes } = &mut after[0];
        let seen_by = [(Color::White, *white), (Color::Black, *black)];
        changes.apply(network, sums, &before[position - 1].sums, seen_by);
        *up_to_date = [true; 2];
    }

    /// Updates the refresh entry of `side` to the pieces of `board`, and copies its sums to the current position.
    fn refresh(&mut self, network: &Network, board: &Board, side: Color, view: View) {
        let entry = &mut self.refresh_table[side.index()][view.index()];
        let [mut added, mut removed] = [const { ArrayVec::<&Row, { Square::COUNT }>::new_const() }; 2];
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                let old = &mut entry.pieces[color.index()][kind.index()];
                let new = board.pieces(color, kind);
                let row =
                    |square| &network.feature_weights[feature(side, view, Piece::new(color, kind), square)];
                added.extend((new & !*old).into_iter().map(row));
                removed.extend((*old & !new).into_iter().map(row));
                *old = new;
            }
        }
        let current = &mut self.stack[self.current];
        let (row, copy) = (&mut entry.sums, &mut current.sums[side.index()]);
        dispatch(Refresh { row, copy, added: &added, removed: &removed });
        current.up_to_date[side.index()] = true;
    }
}

impl Accumulator {
    fn blank() -> Self {
        Self {
            sums: [Row::ZERO; 2],
            up_to_date: [false; 2],
            views: [View::default(); 2],
            changes: Changes::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::startpos;
    use crate::util::random::Random;

    /// We evaluate only every third position of a random walk, so that updates span several moves.
    #[test]
    fn incremental_equals_recomputed() {
        let network = Network::embedded();
        let mut random = Random::new(23);
        let (mut unequal_starts, mut castlings, mut promotions, mut crossings, mut checked) = (0, 0, 0, 0, 0);
        for _ in 0..400 {
            let [white, black] = std::array::from_fn(|_| random.below(960) as u32);
            unequal_starts += usize::from(white != black);
            let start = startpos::double_chess960(white, black);
            let Some(mut board) = start else { panic!("both numbers are below 960") };
            let mut accumulators = Accumulators::new(&network, &board);
            let mut line = Vec::new();
            for _ in 0..150 {
                let moves = board.legal_moves();
                if moves.is_empty() || !line.is_empty() && random.below(4) == 0 {
                    let Some(mv) = line.pop() else { break };
                    board.unmake_move(mv);
                    accumulators.unmake_move();
                } else {
                    let castling = moves.iter().find(|mv| mv.is_castle() && random.below(2) == 0);
                    let mv = castling.copied().unwrap_or(moves[random.below(moves.len() as u64) as usize]);
                    castlings += usize::from(mv.is_castle());
                    promotions += usize::from(mv.promotion().is_some());
                    accumulators.make_move(&mut board, mv);
                    let now = accumulators.current;
                    crossings +=
                        usize::from(accumulators.stack[now].views != accumulators.stack[now - 1].views);
                    line.push(mv);
                }
                if random.below(3) == 0 {
                    checked += 1;
                    let fresh = Accumulators::new(&network, &board).evaluate(&network, &board);
                    assert_eq!(accumulators.evaluate(&network, &board), fresh, "{board:?} {line:?}");
                }
            }
        }
        assert!(unequal_starts > 300, "{unequal_starts}");
        assert!(castlings > 100 && promotions > 50 && crossings > 300 && checked > 5000);
    }

    #[test]
    fn flipped_board_has_equal_evaluation() {
        let network = Network::embedded();
        for number in [0, 518, 959] {
            let Some(mut board) = startpos::double_chess960(number, 959 - number) else {
                panic!("both numbers are below 960")
            };
            for _ in 0..8 {
                board.make_move(board.legal_moves()[0]);
                let mirrored = board.flipped();
                let value = |board: &Board| Accumulators::new(&network, board).evaluate(&network, board);
                assert_eq!(value(&board), value(&mirrored));
            }
        }
    }
}
