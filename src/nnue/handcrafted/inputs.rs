//! Computes the handcrafted inputs: counts of attacks, hanging pieces, pins, safe checks and forks. Each side has the
//! same inputs.
//!
//! A small hidden layer does not learn from piece squares alone how each kind moves, so it cannot derive these counts.
//! We compute them from scratch for each evaluation. Pawn structure, king shelter, open files, outposts and material
//! would add nothing, because the hidden layer derives them from the piece squares.

use arrayvec::ArrayVec;

use crate::chess::attacks::*;
use crate::chess::{Bitboard, Board, Color, PieceKind, Square};
use crate::nnue::architecture::HANDCRAFTED_SIDE_INPUTS;
use crate::simd::{Isa, Work, dispatch};

/// The handcrafted inputs of one position: the counts for the side to move, then those for the opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HandcraftedInputs(pub [[i16; HANDCRAFTED_SIDE_INPUTS]; 2]);

const KINDS: usize = PieceKind::ALL.len();
/// How many kinds of pieces we count as attackers and as victims: all but kings.
const VICTIMS: usize = KINDS - 1;

/// All pieces of a board, by colour and kind.
pub type Placement = [[Bitboard; KINDS]; 2];

#[inline(always)]
pub fn placement(board: &Board) -> Placement {
    Color::ALL.map(|color| PieceKind::ALL.map(|kind| board.pieces(color, kind)))
}

impl HandcraftedInputs {
    /// Computes the inputs of `placement`, which has a king of each colour, with `us` to move.
    pub fn from_placement(placement: &Placement, us: Color) -> Self {
        dispatch(InputComputation { placement, us })
    }
}

/// The kernel behind [`HandcraftedInputs::from_placement`].
pub struct InputComputation<'a> {
    /// Must have a king of each colour.
    pub placement: &'a Placement,
    pub us: Color,
}

impl Work for InputComputation<'_> {
    type Output = HandcraftedInputs;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> HandcraftedInputs {
        let occupied = self.placement.as_flattened().iter().fold(Bitboard::EMPTY, |all, &set| all | set);
        let own = Side::new(self.placement, self.us, occupied);
        let other = Side::new(self.placement, !self.us, occupied);
        HandcraftedInputs([own.count_all(&other, occupied), other.count_all(&own, occupied)])
    }
}

/// Each input but mobility is the number of squares in one of these sets. We collect all sets first, so that the CPU
/// can count the squares of several sets at once, in a vector.
type Sets = ArrayVec<Bitboard, HANDCRAFTED_SIDE_INPUTS>;

/// What we compute about each side before we collect its [`Sets`].
struct Side<'a> {
    color: Color,
    pieces: &'a [Bitboard; KINDS],
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
#[inline(always)]
fn shift_forward(set: Bitboard, color: Color) -> Bitboard {
    Bitboard(if color == Color::White { set.0 << 8 } else { set.0 >> 8 })
}

/// Returns the squares that are in front of any square of the set, on the same file, as `color` sees it.
#[inline(always)]
fn front_span(set: Bitboard, color: Color) -> Bitboard {
    let Bitboard(mut span) = shift_forward(set, color);
    for steps in [8, 16, 32] {
        span |= if color == Color::White { span << steps } else { span >> steps };
    }
    Bitboard(span)
}

impl<'a> Side<'a> {
    #[inline(always)]
    fn new(placement: &'a Placement, color: Color, occupied: Bitboard) -> Self {
        use PieceKind::*;
        let (pieces, enemy) = (&placement[color.index()], &placement[(!color).index()]);
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
        let free = !(all | pawn_attacks_all(!color, enemy[Pawn.index()]));
        side.add_pieces(Knight, free, knight_attacks);
        side.add_pieces(Bishop, free, |square| bishop_attacks(square, occupied));
        side.add_pieces(Rook, free, |square| rook_attacks(square, occupied));
        side.add_pieces(Queen, free, |square| queen_attacks(square, occupied));
        side
    }

    #[inline(always)]
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

    #[inline(always)]
    fn pieces(&self, kind: PieceKind) -> Bitboard {
        self.pieces[kind.index()]
    }

    #[inline(always)]
    fn attacks(&self, kind: PieceKind) -> Bitboard {
        self.attacks[kind.index()]
    }

    /// Returns this side's inputs, in the order in which the functions below collect their sets.
    #[inline(always)]
    fn count_all(&self, enemy: &Self, occupied: Bitboard) -> [i16; HANDCRAFTED_SIDE_INPUTS] {
        let mut sets = Sets::new();
        self.collect_attacks(enemy, &mut sets);
        let mobility = sets.len();
        sets.extend(self.mobility.map(|_| Bitboard::EMPTY));
        self.collect_attacks_on_king(enemy, occupied, &mut sets);
        self.collect_pins(enemy, occupied, &mut sets);
        self.collect_next_moves(enemy, occupied, &mut sets);
        debug_assert!(sets.is_full());
        // Without this detour through memory, compilers assemble each vector from single registers, which is slower
        // than a load.
        let sets = std::hint::black_box(&sets);
        let mut counts = [0; HANDCRAFTED_SIDE_INPUTS];
        for (count, set) in counts.iter_mut().zip(sets) {
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
    #[inline(always)]
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
    #[inline(always)]
    fn weak(&self, enemy: &Self) -> Bitboard {
        self.attacked & !enemy.attacked_twice
    }

    /// Returns the squares where our pieces are safe: either the enemy doesn't attack them, or it attacks them once,
    /// not with a pawn, while we defend them at least twice.
    #[inline(always)]
    fn safe(&self, enemy: &Self) -> Bitboard {
        !enemy.attacked | self.attacked_twice & !enemy.attacked_twice & !enemy.attacks(PieceKind::Pawn)
    }

    /// Collects attacks on the enemy king, in this order:
    /// - [weak](Self::weak) squares in the king zone: the king's square, those around it and one more rank toward us;
    /// - the weak squares in the king zone that we attack at least twice;
    /// - squares from which knights, bishops, rooks and queens can check safely.
    #[inline(always)]
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
    #[inline(always)]
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
    #[inline(always)]
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::startpos::opening;
    use crate::util::random::Random;
    use PieceKind::*;

    // The index at which each group of inputs begins.
    const HANGING: usize = VICTIMS * VICTIMS;
    const THREATENED: usize = HANGING + 2 * VICTIMS;
    const UNDEFENDED: usize = THREATENED + VICTIMS - 1;
    const ATTACKED: usize = UNDEFENDED + VICTIMS;
    const MOBILITY: usize = ATTACKED + 2;
    const ZONE: usize = MOBILITY + 4;
    const CHECKS: usize = ZONE + 2;
    const PINS: usize = CHECKS + 4;
    const NEXT_MOVES: usize = PINS + 2;

    fn board(fen: &str) -> Board {
        Board::from_fen(fen, Default::default()).unwrap()
    }

    fn inputs(board: &Board) -> HandcraftedInputs {
        HandcraftedInputs::from_placement(&placement(board), board.side_to_move())
    }

    fn fen(board: &Board) -> String {
        board.fen(crate::chess::FenStyle::Shredder)
    }

    /// Returns `N` inputs of the side to move, from index `begin` on.
    fn counts<const N: usize>(fen: &str, begin: usize) -> [i16; N] {
        inputs(&board(fen)).0[0][begin..begin + N].try_into().unwrap()
    }

    fn attackers(board: &Board, square: Square, by: Color) -> Vec<PieceKind> {
        let all = board.attackers_to(square, board.occupied()) & board.by_color(by);
        all.into_iter().map(|from| board.piece_on(from).unwrap().kind()).collect()
    }

    /// Computes the attack counts in another way, to compare with: square by square instead of with sets.
    fn expected_attacks(board: &Board, us: Color) -> [i16; ZONE] {
        let mut expected = [0; ZONE];
        for (piece, square) in board.placement() {
            let [ours, theirs] = [us, !us].map(|by| attackers(board, square, by));
            let victim = piece.kind().index();
            if piece.kind() == King {
                expected[ATTACKED] += i16::from(piece.color() != us && !ours.is_empty());
                continue;
            }
            if piece.color() == us {
                expected[UNDEFENDED + victim] += i16::from(ours.is_empty());
                continue;
            }
            for kind in &PieceKind::ALL[..VICTIMS] {
                expected[kind.index() * VICTIMS + victim] += i16::from(ours.contains(kind));
            }
            let is_hanging = !ours.is_empty() && theirs.is_empty();
            expected[HANGING + 2 * victim] += i16::from(is_hanging);
            expected[HANGING + 2 * victim + 1] += i16::from(ours.len() > 1 && theirs.len() < 2);
            let is_lesser = |kind: &PieceKind| match piece.kind() {
                Pawn | King => false,
                Knight | Bishop => *kind == Pawn,
                Rook => [Pawn, Knight, Bishop].contains(kind),
                Queen => ![Queen, King].contains(kind),
            };
            if piece.kind() == Pawn {
                expected[ATTACKED + 1] += i16::from(!ours.is_empty() && !theirs.contains(&Pawn));
            } else {
                expected[THREATENED + victim - 1] += i16::from(is_hanging || ours.iter().any(is_lesser));
                expected[ATTACKED] += i16::from(!ours.is_empty());
            }
        }
        for square in Square::all() {
            let is_free = board.piece_on(square).is_none_or(|piece| piece.color() != us);
            if is_free && !attackers(board, square, !us).contains(&Pawn) {
                for kind in attackers(board, square, us) {
                    if ![Pawn, King].contains(&kind) {
                        expected[MOBILITY + kind.index() - 1] += 1;
                    }
                }
            }
        }
        expected
    }

    #[test]
    fn attacks_and_pins_equal_square_scan() {
        let mut random = Random::new(41);
        let (mut positions, mut pins) = (0, 0);
        while positions < 2_000 {
            let start = opening::random_start(&mut random, 80);
            let plies = random.below(200);
            let Some(board) = opening::play_random(start, plies, &mut random) else { continue };
            positions += 1;
            let found = inputs(&board).0;
            for (found, side) in found.iter().zip([board.side_to_move(), !board.side_to_move()]) {
                assert_eq!(found[..ZONE], expected_attacks(&board, side), "{} {side:?}", fen(&board));
            }
            let pinned = board.pinned().count() as i16;
            assert_eq!(found[0][PINS], pinned, "{}", fen(&board));
            pins += pinned;
        }
        assert!(pins > 100, "too few pins: {pins}");
    }

    #[test]
    fn reflections_have_equal_counts() {
        let mut random = Random::new(43);
        for _ in 0..500 {
            let start = opening::random_start(&mut random, 80);
            let plies = random.below(100);
            let Some(board) = opening::play_random(start, plies, &mut random) else { continue };
            let found = inputs(&board);
            assert_eq!(found, inputs(&board.flipped()), "{}", fen(&board));
            // Swap the a-file and the h-file by reversing the bits of each rank.
            let mirrored = Color::ALL.map(|color| {
                PieceKind::ALL.map(|kind| Bitboard(board.pieces(color, kind).0.reverse_bits().swap_bytes()))
            });
            assert_eq!(
                found,
                HandcraftedInputs::from_placement(&mirrored, board.side_to_move()),
                "{}",
                fen(&board)
            );
        }
    }

    #[test]
    fn safe_checks_counted() {
        // Only safe checks count: the rook's from h8, and the knight's from d6 but not from f6, where the pawn takes.
        assert_eq!(counts("4k3/6p1/8/8/4N3/8/7R/K7 w - - 0 1", CHECKS), [1, 0, 1, 0]);
        // The queen checks safely from b5, g6, e4, e3 and e2, but not next to the king, and the rook from e1.
        assert_eq!(counts("4k3/8/8/8/8/3Q4/8/3R2K1 w - - 0 1", CHECKS), [0, 0, 1, 5]);
        let zone: [i16; 2] = counts("6k1/8/6K1/8/8/8/8/7R w - - 0 1", ZONE);
        assert_eq!(zone, [6, 2], "f6, h6, f7, g7, h7, h8, of which king and rook both attack h6 and h7");
    }

    #[test]
    fn discovered_checks_counted() {
        let [pinned, uncovering] = counts("4r1k1/8/4n3/8/b7/1N6/8/3RK3 w - - 0 1", PINS);
        assert_eq!((pinned, uncovering), (0, 1), "the knight on e6; the bishop attacks d1, not the king");
    }

    #[test]
    fn threats_of_next_move_counted() {
        let next = |fen| counts::<6>(fen, NEXT_MOVES);
        assert_eq!(next("4k3/8/2p5/P7/8/8/7P/4K3 w - - 0 1")[..2], [2, 2], "two passed pawns");
        assert_eq!(next("n3k3/8/1Pp5/8/8/8/8/4K3 w - - 0 1")[..2], [1, 1]);
        assert_eq!(next("4k3/1n6/8/P7/8/8/8/4K3 w - - 0 1")[..2], [1, 1]);
        assert_eq!(next("4k3/8/2n5/p7/P7/8/8/4K3 w - - 0 1")[..2], [0, 0], "neither can advance");
        assert_eq!(next("4k3/2n5/8/P7/8/8/8/4K3 w - - 0 1")[..2], [1, 0], "the knight guards a6");
        assert_eq!(
            next("4k3/8/8/2q5/8/8/1N5R/4K3 w - - 0 1")[2..4],
            [2, 0],
            "a4, d3; the queen takes on c2, h5"
        );
        assert_eq!(next("q3k3/8/8/3N4/8/8/8/4K3 w - - 0 1")[4], 1, "c7");
        assert_eq!(next("4k3/8/3n4/8/4P3/8/8/4K3 w - - 0 1")[5], 1, "e5");
        assert_eq!(next("4k3/8/3n4/4p3/4P3/8/8/4K3 w - - 0 1")[5], 0);
        assert_eq!(next("4k3/8/3n4/7r/4P3/8/8/4K3 w - - 0 1")[5], 0, "the rook would take it");
        assert_eq!(next("4k3/8/3n4/R6r/4P3/8/8/4K3 w - - 0 1")[5], 1, "the other rook guards it");
    }
}
