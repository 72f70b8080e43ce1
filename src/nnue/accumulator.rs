//! The hidden layer along a line of play: brought up to date from the position before, and only when asked for.
//!
//! Each move leaves a note of the men that came and went. An evaluation walks back to the last position whose
//! sums are known and adds what changed since. When the own king crosses the middle, all its inputs change; then
//! the sums start from a remembered board of the same orientation, and differ by few men.

use arrayvec::ArrayVec;

use super::features::{Feature, feature, is_mirrored};
use super::simd::{self, Best};
use super::{Network, Row};
use crate::chess::board::makemove::Observer;
use crate::chess::{Bitboard, Board, Color, Piece, PieceKind, Square};

/// Plies without headway after which nothing would be left of an evaluation.
const HEADWAY: i32 = 220;

/// A man on a square.
type Man = (Piece, Square);

/// What one move changed: castling moves two men, a capture removes two.
#[derive(Clone, Debug, Default)]
struct Changes {
    added: ArrayVec<Man, 2>,
    removed: ArrayVec<Man, 2>,
}

impl Observer for Changes {
    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.removed.push((piece, square));
    }

    #[inline]
    fn added(&mut self, piece: Piece, square: Square) {
        self.added.push((piece, square));
    }
}

/// The hidden layer of one position.
struct Accumulator {
    /// By colour.
    sums: [Row; 2],
    /// Whose sums are known.
    known: [bool; 2],
    mirrored: [bool; 2],
    /// What led here from the position before.
    changes: Changes,
}

/// Sums of a board seen before.
struct Remembered {
    sums: Row,
    men: [[Bitboard; 6]; 2],
}

/// The hidden layers along a line of play.
pub struct Accumulators {
    line: Vec<Accumulator>,
    /// The position that the line is at.
    current: usize,
    /// By colour and orientation.
    cache: [[Remembered; 2]; 2],
}

impl Accumulators {
    /// For lines that begin at `board`.
    pub fn new(network: &Network, board: &Board) -> Self {
        let blank = || Remembered { sums: network.hidden_bias, men: [[Bitboard::EMPTY; 6]; 2] };
        let mut accumulators = Self {
            line: Vec::new(),
            current: 0,
            cache: std::array::from_fn(|_| std::array::from_fn(|_| blank())),
        };
        accumulators.reset(board);
        accumulators
    }

    /// Begins a new line at `board`.
    pub fn reset(&mut self, board: &Board) {
        self.current = 0;
        if self.line.is_empty() {
            self.line.push(Accumulator::blank());
        }
        self.line[0].known = [false; 2];
        self.line[0].mirrored = Color::ALL.map(|side| is_mirrored(board.king(side)));
    }

    /// Plays `mv` on `board`, with note of what it changes.
    #[inline]
    pub fn make_move(&mut self, board: &mut Board, mv: crate::chess::Move) {
        self.current += 1;
        if self.current == self.line.len() {
            self.line.push(Accumulator::blank());
        }
        let mut mirrored = self.line[self.current - 1].mirrored;
        let next = &mut self.line[self.current];
        next.known = [false; 2];
        next.changes.added.clear();
        next.changes.removed.clear();
        board.make_move_observed(mv, &mut next.changes);
        for (piece, square) in &next.changes.added {
            if piece.kind() == PieceKind::King {
                mirrored[piece.color().index()] = is_mirrored(*square);
            }
        }
        next.mirrored = mirrored;
    }

    /// Goes back to the position before.
    #[inline]
    pub fn unmake_move(&mut self) {
        debug_assert!(self.current > 0);
        self.current -= 1;
    }

    /// What the network says of `board`, where the line is: centipawns for the side to move.
    #[inline]
    pub fn evaluate(&mut self, network: &Network, board: &Board) -> i32 {
        for side in Color::ALL {
            if !self.line[self.current].known[side.index()] {
                self.bring_up_to_date(network, board, side);
            }
        }
        let us = board.side_to_move();
        let sums = &self.line[self.current].sums;
        let output = network.output(&sums[us.index()], &sums[(!us).index()], board.occupied().count());
        // What makes no headway is worth less and less.
        let clock = i32::from(board.halfmove_clock().min(100));
        output * (HEADWAY - clock) / HEADWAY
    }

    fn bring_up_to_date(&mut self, network: &Network, board: &Board, side: Color) {
        let index = side.index();
        let mirrored = self.line[self.current].mirrored[index];
        let mut last = self.current;
        while last > 0 && !self.line[last].known[index] && self.line[last - 1].mirrored[index] == mirrored {
            last -= 1;
        }
        if self.line[last].known[index] {
            for position in last + 1..=self.current {
                self.advance(network, position, side);
            }
        } else {
            self.refresh(network, board, side, mirrored);
        }
    }

    /// Works out the sums of `position` from those before it.
    #[inline]
    fn advance(&mut self, network: &Network, position: usize, side: Color) {
        let (before, after) = self.line.split_at_mut(position);
        let source = &before[position - 1].sums[side.index()];
        let Accumulator { sums, known, mirrored, changes } = &mut after[0];
        known[side.index()] = true;
        let target = &mut sums[side.index()];
        let row = |&(piece, square): &Man| {
            &network.hidden_weights[feature(side, mirrored[side.index()], piece, square)]
        };
        match (changes.added.as_slice(), changes.removed.as_slice()) {
            ([a], [b]) => simd::update::<Best, 1, 1>(target, source, [row(a)], [row(b)]),
            ([a], [b, c]) => simd::update::<Best, 1, 2>(target, source, [row(a)], [row(b), row(c)]),
            ([a, b], [c, d]) => {
                simd::update::<Best, 2, 2>(target, source, [row(a), row(b)], [row(c), row(d)]);
            }
            _ => unreachable!("a move puts down one man, or two when castling"),
        }
    }

    /// Works out the sums of the current position from a remembered board.
    fn refresh(&mut self, network: &Network, board: &Board, side: Color, mirrored: bool) {
        let remembered = &mut self.cache[side.index()][usize::from(mirrored)];
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                let old = &mut remembered.men[color.index()][kind.index()];
                let new = board.pieces(color, kind);
                let input = |square| -> Feature { feature(side, mirrored, Piece::new(color, kind), square) };
                for square in new & !*old {
                    let weights = &network.hidden_weights[input(square)];
                    simd::change::<Best, 1, 0>(&mut remembered.sums, [weights], []);
                }
                for square in *old & !new {
                    let weights = &network.hidden_weights[input(square)];
                    simd::change::<Best, 0, 1>(&mut remembered.sums, [], [weights]);
                }
                *old = new;
            }
        }
        let current = &mut self.line[self.current];
        current.sums[side.index()] = remembered.sums;
        current.known[side.index()] = true;
    }
}

impl Accumulator {
    fn blank() -> Self {
        Self { sums: [Row::ZERO; 2], known: [false; 2], mirrored: [false; 2], changes: Changes::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::random::Random;
    use crate::chess::startpos;

    /// Plays on at random and takes back at random, and compares now and then with sums from nothing.
    #[test]
    fn kept_up_to_date_equals_from_nothing() {
        let network = Network::embedded();
        let mut random = Random::new(23);
        let (mut castlings, mut promotions, mut crossings, mut checked) = (0, 0, 0, 0);
        for _ in 0..400 {
            let number = || random.clone().below(960) as u32;
            let start = startpos::double_chess960(number(), random.below(960) as u32);
            let Some(mut board) = start else { panic!("a number below 960") };
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
                        usize::from(accumulators.line[now].mirrored != accumulators.line[now - 1].mirrored);
                    line.push(mv);
                }
                if random.below(3) == 0 {
                    checked += 1;
                    let fresh = Accumulators::new(&network, &board).evaluate(&network, &board);
                    assert_eq!(accumulators.evaluate(&network, &board), fresh, "{board:?} {line:?}");
                }
            }
        }
        assert!(castlings > 100 && promotions > 50 && crossings > 300 && checked > 5000);
    }

    #[test]
    fn colours_are_treated_alike() {
        let network = Network::embedded();
        for number in [0, 518, 959] {
            let Some(mut board) = startpos::double_chess960(number, 959 - number) else { panic!("a number") };
            for _ in 0..8 {
                board.make_move(board.legal_moves()[0]);
                let mirrored = board.flipped();
                let value = |board: &Board| Accumulators::new(&network, board).evaluate(&network, board);
                assert_eq!(value(&board), value(&mirrored));
            }
        }
    }
}
