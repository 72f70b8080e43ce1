//! The draw rules: repetition, upcoming repetition, fifty moves, insufficient material.

use once_cell::sync::Lazy;

use super::zobrist::{piece_key, side_key};
use crate::chess::attacks::{between, piece_attacks};
use crate::chess::{Bitboard, Board, Color, Piece, PieceKind, Square};

/// After this many plies without a capture or pawn move, the game is a draw.
pub const FIFTY_MOVES: u16 = 100;

/// A cuckoo hash table of all reversible moves, indexed by the XOR of the keys before and after (Marcel van Kervinck,
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
                    let targets =
                        piece_attacks(kind, from, Bitboard::EMPTY).into_iter().filter(|&to| to > from);
                    targets.for_each(|to| table.insert(Piece::new(color, kind), from, to));
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
    /// Returns how many plies back we can look for this position before a capture, pawn move or null move rules it out.
    pub(super) fn reversible_plies(&self) -> usize {
        let plies = u32::from(self.state.halfmove_clock).min(self.state.plies_from_null) as usize;
        debug_assert!(plies <= self.history.len());
        plies
    }

    fn key_before(&self, plies: usize) -> u64 {
        self.history[self.history.len() - plies].keys.main
    }

    /// Returns `true` if the position, `ply` plies after the search root, counts as a draw because it has occurred
    /// before: once since the root, or twice in the whole game.
    pub fn is_repetition(&self, ply: usize) -> bool {
        let mut occurrences = 0;
        for back in (4..=self.reversible_plies()).step_by(2) {
            if self.key_before(back) == self.key() {
                occurrences += 1;
                if back < ply || occurrences == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// Returns `true` if the position has occurred at least twice before.
    pub fn is_threefold(&self) -> bool {
        self.is_repetition(0)
    }

    /// Returns `true` if the side to move, `ply` plies after the search root, can repeat a position that occurred after
    /// the root, or one before the root that was itself a repetition.
    pub fn has_upcoming_repetition(&self, ply: usize) -> bool {
        let plies = self.reversible_plies();
        for back in (3..=plies).step_by(2) {
            let Some((a, b)) = REVERSIBLE_MOVES.find(self.key() ^ self.key_before(back)) else { continue };
            let mover = self.piece_on(a).or(self.piece_on(b));
            let is_ours = mover.is_some_and(|piece| piece.color() == self.side_to_move);
            if !is_ours || between(a, b).intersects(self.occupied()) {
                continue;
            }
            let target = self.key_before(back);
            if back < ply || (back + 4..=plies).step_by(2).any(|earlier| self.key_before(earlier) == target) {
                return true;
            }
        }
        false
    }

    /// Returns `true` if the position is a draw by the fifty-move rule. Checkmate takes precedence.
    pub fn is_fifty_move_draw(&self) -> bool {
        self.state.halfmove_clock >= FIFTY_MOVES && (!self.in_check() || self.has_legal_move())
    }

    /// Returns `true` if no sequence of legal moves can end in mate: bare kings, a single minor piece, or only bishops
    /// on squares of one colour.
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
