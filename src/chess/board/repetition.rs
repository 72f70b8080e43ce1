//! Draws that need no search: repetition, past and coming, the fifty-move limit, and too little material.

use once_cell::sync::Lazy;

use super::zobrist::{piece_key, side_key};
use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::color::Color;
use crate::chess::movegen::attacks::{between, piece_attacks};
use crate::chess::piece::{Piece, PieceKind};
use crate::chess::square::Square;

/// Plies without capture or pawn move after which a game is drawn.
pub const FIFTY_MOVES: u16 = 100;

/// A cuckoo hash of every reversible move by the change it makes to the key (Marcel van Kervinck,
/// <http://web.archive.org/web/20201107002606/https://marcelk.net/2013-04-06/paper/upcoming-rep-v2.pdf>).
struct ReversibleMoves {
    keys: [u64; Self::SIZE],
    ends: [Option<(Square, Square)>; Self::SIZE],
}

impl ReversibleMoves {
    const SIZE: usize = 8192;

    const fn slots(key: u64) -> [usize; 2] {
        [key as usize % Self::SIZE, (key >> 16) as usize % Self::SIZE]
    }

    fn new() -> Self {
        let mut table = Self { keys: [0; Self::SIZE], ends: [None; Self::SIZE] };
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                for from in Square::all() {
                    let later =
                        piece_attacks(kind, from, Bitboard::EMPTY).into_iter().filter(|&to| to > from);
                    later.for_each(|to| table.insert(Piece::new(color, kind), from, to));
                }
            }
        }
        table
    }

    fn insert(&mut self, piece: Piece, from: Square, to: Square) {
        let mut key = piece_key(piece, from) ^ piece_key(piece, to) ^ side_key();
        let mut ends = Some((from, to));
        let mut slot = Self::slots(key)[0];
        loop {
            std::mem::swap(&mut key, &mut self.keys[slot]);
            std::mem::swap(&mut ends, &mut self.ends[slot]);
            if ends.is_none() {
                return;
            }
            let [first, second] = Self::slots(key);
            slot ^= first ^ second;
        }
    }

    fn find(&self, key: u64) -> Option<(Square, Square)> {
        let slot = Self::slots(key).into_iter().find(|&slot| self.keys[slot] == key)?;
        self.ends[slot]
    }
}

static REVERSIBLE_MOVES: Lazy<ReversibleMoves> = Lazy::new(ReversibleMoves::new);

impl Board {
    /// How many plies back positions can equal this one.
    fn reversible_plies(&self) -> usize {
        let plies = usize::from(self.state.halfmove_clock.min(self.state.plies_from_null));
        debug_assert!(plies <= self.history.len());
        plies
    }

    fn key_before(&self, plies: usize) -> u64 {
        self.history[self.history.len() - plies].keys.main
    }

    /// `true` when the position counts as repeated `ply` plies into a search: it occurred once since the
    /// root, or twice before.
    pub fn is_repetition(&self, ply: usize) -> bool {
        let mut earlier = 0;
        for back in (4..=self.reversible_plies()).step_by(2) {
            if self.key_before(back) == self.key() {
                earlier += 1;
                if back < ply || earlier == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// `true` when the position has occurred twice before in the game.
    pub fn is_threefold(&self) -> bool {
        self.is_repetition(0)
    }

    /// `true` when the side to move, `ply` plies into a search, can repeat an earlier position at once:
    /// one that occurred since the root, or one from before the root that had itself been a repetition.
    pub fn has_upcoming_repetition(&self, ply: usize) -> bool {
        let reach = self.reversible_plies();
        for back in (3..=reach).step_by(2) {
            let Some((a, b)) = REVERSIBLE_MOVES.find(self.key() ^ self.key_before(back)) else { continue };
            let mover = self.piece_on(a).or(self.piece_on(b));
            let is_ours = mover.is_some_and(|piece| piece.color() == self.side_to_move);
            if !is_ours || between(a, b).intersects(self.occupied()) {
                continue;
            }
            let target = self.key_before(back);
            if back < ply || (back + 4..=reach).step_by(2).any(|further| self.key_before(further) == target) {
                return true;
            }
        }
        false
    }

    /// `true` when the fifty-move limit is reached. Checkmate on the last move goes before it.
    pub fn is_fifty_move_draw(&self) -> bool {
        self.state.halfmove_clock >= FIFTY_MOVES && (!self.in_check() || self.has_legal_move())
    }

    /// `true` when no sequence of legal moves mates: bare kings, one minor piece, or bishops of one colour of
    /// square only.
    pub fn has_insufficient_material(&self) -> bool {
        use PieceKind::*;
        if (self.by_kind(Pawn) | self.by_kind(Rook) | self.by_kind(Queen)).non_empty() {
            return false;
        }
        let (knights, bishops) = (self.by_kind(Knight), self.by_kind(Bishop));
        if !(knights | bishops).more_than_one() {
            return true;
        }
        knights.is_empty() && !(bishops.intersects(Bitboard::LIGHT) && bishops.intersects(!Bitboard::LIGHT))
    }
}
