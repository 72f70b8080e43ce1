//! A second, independent computation of the handcrafted inputs, piece by piece, with which tests compare the vectors.

use arrayvec::ArrayVec;

use super::inputs::{HandcraftedInputs, Placement, VICTIMS};
use crate::chess::attacks::*;
use crate::chess::{Bitboard, Color, PieceKind, Square};
use crate::nnue::architecture::HANDCRAFTED_SIDE_INPUTS;

pub fn inputs(placement: &Placement, us: Color) -> HandcraftedInputs {
    let occupied = placement.occupied();
    let own = Side::new(placement, us, occupied);
    let other = Side::new(placement, !us, occupied);
    HandcraftedInputs([own.count_all(&other, occupied), other.count_all(&own, occupied)])
}

/// Each input but mobility is the number of squares in one of these sets. We collect all sets first, so that the CPU
/// can count the squares of several sets at once, in a vector.
type Sets = ArrayVec<Bitboard, HANDCRAFTED_SIDE_INPUTS>;

const KINDS: usize = PieceKind::ALL.len();

/// What we compute about each side before we collect its [`Sets`].
struct Side {
    color: Color,
    pieces: [Bitboard; KINDS],
    all: Bitboard,
    /// Squares that the pieces of each kind attack.
    attacks: [Bitboard; KINDS],
    /// The union of `attacks`.
    attacked: Bitboard,
    /// Squares that at least two pieces attack.
    attacked_twice: Bitboard,
    /// For knights, bishops, rooks and queens: how many squares they attack, except squares with an own piece on them
    /// and squares that an enemy pawn attacks.
    mobility: [i16; 4],
}

/// Shifts the set one rank forward as `color` sees it; squares beyond the last rank drop out.
fn shift_forward(set: Bitboard, color: Color) -> Bitboard {
    Bitboard(if color == Color::White { set.0 << 8 } else { set.0 >> 8 })
}

/// Returns the squares that are in front of any square of the set, on the same file, as `color` sees it.
fn front_span(set: Bitboard, color: Color) -> Bitboard {
    let Bitboard(mut span) = shift_forward(set, color);
    for steps in [8, 16, 32] {
        span |= if color == Color::White { span << steps } else { span >> steps };
    }
    Bitboard(span)
}

impl Side {
    fn new(placement: &Placement, color: Color, occupied: Bitboard) -> Self {
        use PieceKind::*;
        let pieces = PieceKind::ALL.map(|kind| placement.pieces(color, kind));
        let all = pieces.iter().fold(Bitboard::EMPTY, |all, &set| all | set);
        let pawns = pieces[Pawn.index()];
        let [left, right] =
            [Bitboard::FILE_A, Bitboard::FILE_H].map(|edge| shift_forward(pawns & !edge, color).0);
        let (left, right) = (Bitboard(left >> 1), Bitboard(right << 1));
        let king_attacked = king_attacks(pieces[King.index()].first());
        let mut side = Self {
            color,
            pieces,
            all,
            attacks: [Bitboard::EMPTY; KINDS],
            attacked: left | right | king_attacked,
            attacked_twice: left & right | (left | right) & king_attacked,
            mobility: [0; 4],
        };
        side.attacks[Pawn.index()] = left | right;
        side.attacks[King.index()] = king_attacked;
        let free = !(all | pawn_attacks_all(!color, placement.pieces(!color, Pawn)));
        side.add_pieces(Knight, free, knight_attacks);
        side.add_pieces(Bishop, free, |square| bishop_attacks(square, occupied));
        side.add_pieces(Rook, free, |square| rook_attacks(square, occupied));
        side.add_pieces(Queen, free, |square| queen_attacks(square, occupied));
        side
    }

    fn add_pieces(&mut self, kind: PieceKind, free: Bitboard, attacks: impl Fn(Square) -> Bitboard) {
        let kind = kind.index();
        for square in self.pieces[kind] {
            let attacks = attacks(square);
            self.attacked_twice |= self.attacked & attacks;
            self.attacked |= attacks;
            self.attacks[kind] |= attacks;
            self.mobility[kind - 1] += (attacks & free).count() as i16;
        }
    }

    fn pieces(&self, kind: PieceKind) -> Bitboard {
        self.pieces[kind.index()]
    }

    fn attacks(&self, kind: PieceKind) -> Bitboard {
        self.attacks[kind.index()]
    }

    /// Returns this side's inputs, in the order in which the functions below collect their sets.
    fn count_all(&self, enemy: &Self, occupied: Bitboard) -> [i16; HANDCRAFTED_SIDE_INPUTS] {
        let mut sets = Sets::new();
        self.collect_attacks(enemy, &mut sets);
        let mobility = sets.len();
        sets.extend(self.mobility.map(|_| Bitboard::EMPTY));
        self.collect_attacks_on_king(enemy, occupied, &mut sets);
        self.collect_pins(enemy, occupied, &mut sets);
        self.collect_next_moves(enemy, occupied, &mut sets);
        debug_assert!(sets.is_full());
        let mut counts = [0; HANDCRAFTED_SIDE_INPUTS];
        for (count, set) in counts.iter_mut().zip(&sets) {
            *count = set.count() as i16;
        }
        counts[mobility..][..self.mobility.len()].copy_from_slice(&self.mobility);
        counts
    }

    /// Collects attacked pieces, in this order:
    /// - for each own kind, the enemy pieces of each kind that it attacks (no kings on either side);
    /// - for each enemy kind, those attacked and undefended, then those attacked at least twice and defended at most
    ///   once;
    /// - enemy knights, bishops, rooks and queens that a less valuable piece attacks, or any piece if undefended;
    /// - undefended own pieces of each kind;
    /// - attacked enemy pieces other than pawns, king included;
    /// - attacked enemy pawns that no pawn defends.
    fn collect_attacks(&self, enemy: &Self, sets: &mut Sets) {
        use PieceKind::*;
        for attacks in &self.attacks[..VICTIMS] {
            for victims in &enemy.pieces[..VICTIMS] {
                sets.push(*attacks & *victims);
            }
        }
        let hanging = self.attacked & !enemy.attacked;
        let outnumbered = self.attacked_twice & !enemy.attacked_twice;
        let by_pawns = self.attacks(Pawn);
        let by_minors = by_pawns | self.attacks(Knight) | self.attacks(Bishop);
        for victims in &enemy.pieces[..VICTIMS] {
            sets.push(*victims & hanging);
            sets.push(*victims & outnumbered);
        }
        let by_lesser = [by_pawns, by_pawns, by_minors, by_minors | self.attacks(Rook)];
        for (victims, by_lesser) in enemy.pieces[Knight.index()..VICTIMS].iter().zip(by_lesser) {
            sets.push(*victims & (by_lesser | hanging));
        }
        for own in &self.pieces[..VICTIMS] {
            sets.push(*own & !self.attacked);
        }
        let pawns = enemy.pieces(Pawn);
        sets.push(enemy.all & !pawns & self.attacked);
        sets.push(pawns & self.attacked & !enemy.attacks(Pawn));
    }

    /// Returns the squares that this side attacks and that at most one enemy piece defends.
    fn weak(&self, enemy: &Self) -> Bitboard {
        self.attacked & !enemy.attacked_twice
    }

    /// Returns the squares where our pieces are safe: either the enemy doesn't attack them, or it attacks them once,
    /// not with a pawn, while we defend them at least twice.
    fn safe(&self, enemy: &Self) -> Bitboard {
        !enemy.attacked | self.attacked_twice & !enemy.attacked_twice & !enemy.attacks(PieceKind::Pawn)
    }

    /// Collects attacks on the enemy king, in this order:
    /// - [weak](Self::weak) squares in the king zone: the king's square, those around it and one more rank toward us;
    /// - the weak squares in the king zone that we attack at least twice;
    /// - squares from which knights, bishops, rooks and queens can check safely.
    fn collect_attacks_on_king(&self, enemy: &Self, occupied: Bitboard, sets: &mut Sets) {
        let king = enemy.pieces(PieceKind::King);
        let around = enemy.attacks(PieceKind::King) | king;
        let zone = around | shift_forward(around, enemy.color);
        sets.push(zone & self.weak(enemy));
        sets.push(zone & self.weak(enemy) & self.attacked_twice);
        let king = king.first();
        let [diagonal, straight] = [bishop_attacks(king, occupied), rook_attacks(king, occupied)];
        let to = self.safe(enemy) & !self.all;
        for (kind, from) in [
            (PieceKind::Knight, knight_attacks(king)),
            (PieceKind::Bishop, diagonal),
            (PieceKind::Rook, straight),
            (PieceKind::Queen, diagonal | straight),
        ] {
            sets.push(from & self.attacks(kind) & to);
        }
    }

    /// Collects the enemy sliders that pin one of our pieces to our king, then the sliders that would give check if a
    /// piece of their own colour moved out of the way.
    fn collect_pins(&self, enemy: &Self, occupied: Bitboard, sets: &mut Sets) {
        let king = self.pieces(PieceKind::King).first();
        let queens = enemy.pieces(PieceKind::Queen);
        let straight = enemy.pieces(PieceKind::Rook) | queens;
        let diagonal = enemy.pieces(PieceKind::Bishop) | queens;
        let [along_lines, along_diagonals] = [rook_attacks(king, occupied), bishop_attacks(king, occupied)];
        for side in [self, enemy] {
            // We look for sliders that attack the king only once the nearest pieces of `side` are off the board.
            let without = |seen: Bitboard| occupied & !(seen & side.all);
            let behind_lines = rook_attacks(king, without(along_lines)) & !along_lines;
            let behind_diagonals = bishop_attacks(king, without(along_diagonals)) & !along_diagonals;
            sets.push(behind_lines & straight | behind_diagonals & diagonal);
        }
    }

    /// Collects these sets of squares for threats that we can make with our next move, in this order:
    /// - where a passed pawn can advance to, then the same without the squares that the enemy attacks;
    /// - where a knight can safely attack a queen from, then where a bishop or rook can;
    /// - where a knight would fork two pieces (rooks, queens or the king) and the enemy doesn't attack;
    /// - where enemy pieces, but not pawns, stand that a pawn can attack after a safe advance.
    fn collect_next_moves(&self, enemy: &Self, occupied: Bitboard, sets: &mut Sets) {
        use PieceKind::*;
        let pawns = self.pieces(Pawn);
        let stoppers = front_span(enemy.pieces(Pawn), enemy.color);
        let passed = pawns & !(stoppers | stoppers.adjacent_files()) & !front_span(pawns, enemy.color);
        let free = shift_forward(passed, self.color) & !occupied;
        sets.push(free);
        sets.push(free & !enemy.attacked);

        let [mut by_knights, mut by_bishops, mut by_rooks] = [Bitboard::EMPTY; 3];
        let to = self.safe(enemy) & !self.all;
        for queen in enemy.pieces(Queen) {
            by_knights |= knight_attacks(queen);
            by_bishops |= bishop_attacks(queen, occupied);
            by_rooks |= rook_attacks(queen, occupied);
        }
        sets.push(by_knights & self.attacks(Knight) & to);
        sets.push((by_bishops & self.attacks(Bishop) | by_rooks & self.attacks(Rook)) & to);

        let targets = enemy.pieces(Rook) | enemy.pieces(Queen) | enemy.pieces(King);
        let knight_moves = self.attacks(Knight) & !self.all & !enemy.attacked;
        let (mut reached, mut forks) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for target in targets {
            let from = knight_attacks(target);
            forks |= reached & from;
            reached |= from;
        }
        sets.push(forks & knight_moves);

        let steps = shift_forward(pawns, self.color) & !occupied & (!enemy.attacked | self.attacked);
        sets.push(pawn_attacks_all(self.color, steps) & enemy.all & !enemy.pieces(Pawn));
    }
}
