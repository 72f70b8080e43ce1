//! Computes the handcrafted inputs: counts of attacks, hanging pieces, pins, safe checks and forks. Each side has the
//! same inputs.
//!
//! A small hidden layer does not learn from piece squares alone how each kind moves, so it cannot derive these counts.
//! We compute them from scratch for each evaluation. Pawn structure, king shelter, open files, outposts and material
//! would add nothing, because the hidden layer derives them from the piece squares.
//!
//! Each input is the number of squares in a set, or a sum of such numbers. The sets come from `kernel.rs`.

use super::kernel::{Kernel, VECTOR_INPUTS};
use crate::chess::{Bitboard, Board, ByColor, ByKind, Color, PieceKind, Square};
use crate::nnue::architecture::{HANDCRAFTED_INPUTS, HANDCRAFTED_SIDE_INPUTS};
use crate::simd::{Boards, Isa, Work, dispatch};

/// The handcrafted inputs of one position: the counts for the side to move, then those for the opponent. For each side
/// they are, in this order:
/// - for each own kind, the enemy pieces of each kind that it attacks (no kings on either side);
/// - for each enemy kind, those attacked and undefended, then those attacked at least twice and defended at most once;
/// - enemy knights, bishops, rooks and queens that a less valuable piece attacks, or any piece if undefended;
/// - undefended own pieces of each kind;
/// - attacked enemy pieces other than pawns, king included;
/// - attacked enemy pawns that no pawn defends;
/// - mobility of knights, bishops, rooks and queens: how many squares they attack, except squares with an own piece on
///   them and squares that an enemy pawn attacks;
/// - weak squares, which we attack and the enemy defends at most once, in the king zone: the enemy king's square, those
///   around it and one more rank toward us; then those of them that we attack at least twice;
/// - squares from which knights, bishops, rooks and queens can check safely;
/// - the enemy sliders that pin one of our pieces to our king, then the sliders that would give check if a piece of
///   their own colour moved out of the way;
/// - where a passed pawn can advance to, then the same without the squares that the enemy attacks;
/// - where a knight can safely attack a queen from, then where a bishop or rook can;
/// - where a knight would fork two pieces (rooks, queens or the king) and the enemy doesn't attack;
/// - where enemy pieces, but not pawns, stand that a pawn can attack after a safe advance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HandcraftedInputs(pub [[i16; HANDCRAFTED_SIDE_INPUTS]; 2]);

/// How many kinds of pieces we count as attackers and as victims: all but kings.
#[cfg(test)]
pub(super) const VICTIMS: usize = PieceKind::ALL.len() - 1;

/// All pieces of a board, by kind and by colour.
#[derive(Clone, Copy, Debug)]
pub struct Placement {
    kinds: ByKind<Bitboard>,
    colors: ByColor<Bitboard>,
}

impl Placement {
    pub const EMPTY: Self =
        Self { kinds: ByKind([Bitboard::EMPTY; 6]), colors: ByColor([Bitboard::EMPTY; 2]) };

    #[inline(always)]
    pub fn of(board: &Board) -> Self {
        Self {
            kinds: ByKind(PieceKind::ALL.map(|kind| board.by_kind(kind))),
            colors: ByColor(Color::ALL.map(|color| board.by_color(color))),
        }
    }

    /// Adds a piece on an empty square.
    #[inline]
    pub fn add(&mut self, color: Color, kind: PieceKind, square: Square) {
        self.kinds[kind] |= Bitboard::of(square);
        self.colors[color] |= Bitboard::of(square);
    }

    #[inline(always)]
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.kinds[kind] & self.colors[color]
    }

    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.colors[Color::White] | self.colors[Color::Black]
    }
}

impl HandcraftedInputs {
    /// Computes the inputs of `placement`, which has a king of each colour, with `us` to move.
    pub fn from_placement(placement: &Placement, us: Color) -> Self {
        let packed = dispatch(InputComputation { placement, us });
        let mut inputs = [0; HANDCRAFTED_INPUTS];
        for (&count, input) in packed.counts().iter().zip(PACKED_ORDER) {
            inputs[input] = count;
        }
        let (sides, _) = inputs.as_chunks();
        Self([sides[0], sides[1]])
    }
}

/// How many vectors of bitboards we count, each with two inputs for each side.
pub(super) const VECTORS: usize = HANDCRAFTED_SIDE_INPUTS / 2;
/// The counts of this many vectors fit in one, because a count is below 2^16.
pub(super) const PACKED: usize = 4;

/// The inputs in the order in which the kernel computes them, which is that of [`PACKED_ORDER`].
#[repr(C, align(64))]
pub struct PackedInputs([[u64; 4]; VECTORS / PACKED]);

impl PackedInputs {
    #[inline(always)]
    pub fn counts(&self) -> &[i16; HANDCRAFTED_INPUTS] {
        bytemuck::cast_ref(&self.0)
    }

    #[inline(always)]
    pub fn pairs(&self) -> &[[i16; 2]; HANDCRAFTED_INPUTS / 2] {
        bytemuck::cast_ref(&self.0)
    }

    /// Packs the inputs, for tests.
    pub fn new(inputs: &HandcraftedInputs) -> Self {
        let all = inputs.0.as_flattened();
        Self(bytemuck::cast(PACKED_ORDER.map(|input| all[input])))
    }
}

/// For each of the [`PackedInputs`], its index in [`HandcraftedInputs`].
pub const PACKED_ORDER: [usize; HANDCRAFTED_INPUTS] = {
    let mut order = [0; HANDCRAFTED_INPUTS];
    let mut packed = 0;
    while packed < HANDCRAFTED_INPUTS {
        let (vector, lane) = (packed / (4 * PACKED) * PACKED + packed % PACKED, packed / PACKED % 4);
        order[packed] = lane / 2 * HANDCRAFTED_SIDE_INPUTS + VECTOR_INPUTS[vector][lane % 2];
        packed += 1;
    }
    order
};

/// The kernel behind [`HandcraftedInputs::from_placement`].
pub struct InputComputation<'a> {
    /// Must have a king of each colour.
    pub placement: &'a Placement,
    pub us: Color,
}

impl Work for InputComputation<'_> {
    type Output = PackedInputs;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> PackedInputs {
        let Placement { kinds, colors } = self.placement;
        let sides = isa.boards([self.us, !self.us].map(|side| [colors[side].0; 2]));
        // If Black is to move, we mirror the board, so that the side to move always goes up.
        let pieces = |first: PieceKind| {
            let both = [kinds.0[first.index()].0, kinds.0[first.index() + 1].0];
            (isa.boards([both; 2]) & sides).flip_ranks_if(self.us == Color::Black)
        };
        let kernel = Kernel {
            isa,
            pawns_knights: pieces(PieceKind::Pawn),
            bishops_rooks: pieces(PieceKind::Bishop),
            queen_king: pieces(PieceKind::Queen),
        };
        PackedInputs(kernel.counts())
    }
}

#[cfg(test)]
mod tests {
    use super::super::reference::inputs as expected_inputs;
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
        HandcraftedInputs::from_placement(&Placement::of(board), board.side_to_move())
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
    fn vectors_equal_reference() {
        let mut random = Random::new(47);
        let mut sliders = 0;
        for _ in 0..10_000 {
            let mut placement = Placement::EMPTY;
            for square in Square::all() {
                // Any number of any pieces, but no pawns on the first and last rank.
                let kind = PieceKind::ALL[random.below(VICTIMS as u64) as usize];
                let is_inside = (8..56).contains(&square.index());
                if random.below(3) == 0 && (is_inside || kind != Pawn) {
                    placement.add(Color::ALL[random.below(2) as usize], kind, square);
                }
            }
            for color in Color::ALL {
                let king = loop {
                    let king = Square::from_index(random.below(64) as usize);
                    if !placement.pieces(!color, King).has(king) {
                        break king;
                    }
                };
                let Placement { kinds, colors } = &mut placement;
                kinds.0.iter_mut().chain(&mut colors.0).for_each(|pieces| *pieces &= !Bitboard::of(king));
                placement.add(color, King, king);
            }
            sliders += placement.pieces(Color::White, Queen).count();
            for us in Color::ALL {
                let found = HandcraftedInputs::from_placement(&placement, us);
                assert_eq!(found, expected_inputs(&placement, us), "{placement:?} {us:?}");
            }
        }
        assert!(sliders > 10_000, "too few queens: {sliders}");
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
            let mirror = |set: Bitboard| Bitboard(set.0.reverse_bits().swap_bytes());
            let Placement { kinds, colors } = Placement::of(&board);
            let mirrored =
                Placement { kinds: ByKind(kinds.0.map(mirror)), colors: ByColor(colors.0.map(mirror)) };
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
