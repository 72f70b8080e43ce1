//! Computes the sets of squares behind the handcrafted inputs for both sides at once, two sets for each side, in vectors
//! ([`Boards`]) with the lanes `[own a, own b, enemy a, enemy b]`.
//!
//! Sliders attack along the eight directions by parallel prefix fills (Kogge-Stone), and knights by shifts, so nothing
//! loops over pieces or looks anything up. Two pieces of a kind never attack the same square in the same direction, so
//! mobility and the squares attacked twice are exact.

use super::inputs::{PACKED, VECTORS};
use crate::chess::Bitboard;
use crate::simd::{Boards, Isa};

/// The two inputs of each side that each vector counts, as indexes into [`HandcraftedInputs`]. Those in a line are packed
/// into one vector.
#[rustfmt::skip]
pub const VECTOR_INPUTS: [[usize; 2]; VECTORS] = [
    // Pawns and knights, then bishops and rooks attack pawns, knights, bishops and rooks.
    [0, 1], [2, 3], [5, 6], [7, 8],
    [10, 11], [12, 13], [15, 16], [17, 18],
    // Queens attack the same; all but queens attack queens.
    [20, 21], [22, 23], [4, 9], [14, 19],
    // Hanging or outnumbered.
    [25, 27], [26, 28], [29, 31], [30, 32],
    // Queens that are hanging or outnumbered, that attack each other, that are undefended; threatened pieces.
    [33, 34], [24, 43], [36, 35], [38, 37],
    // Undefended pieces; mobility.
    [39, 40], [41, 42], [47, 48], [49, 46],
    // Attacked pieces; king zone; where knights attack queens, and where they give check; checks by bishops and rooks.
    [44, 45], [50, 51], [60, 52], [53, 54],
    // A queen's checks, attacks on queens; pins; passed pawns; forks.
    [55, 61], [56, 57], [58, 59], [62, 63],
];

/// Squares attacked by at least one piece, and by at least two.
#[derive(Clone, Copy)]
struct Attacks<B> {
    once: B,
    twice: B,
}

impl<B: Boards> Attacks<B> {
    /// Adds squares of which no piece attacks one twice.
    #[inline(always)]
    fn add(&mut self, squares: B) {
        self.twice = self.twice | self.once & squares;
        self.once = self.once | squares;
    }

    #[inline(always)]
    fn join(self, other: Self) -> Self {
        let twice = self.twice | other.twice | self.once & other.once;
        Self { once: self.once | other.once, twice }
    }

    /// Joins the attacks on both boards of each side.
    #[inline(always)]
    fn union(self) -> Self {
        self.join(Self { once: self.once.swap_pairs(), twice: self.twice.swap_pairs() })
    }
}

/// What sliders attack along files and ranks, or along diagonals.
struct Lines<B> {
    attacks: Attacks<B>,
    mobility: B,
    /// What a slider on the king's square would attack.
    from_king: B,
    /// Squares between the king and an enemy slider that both reach: an only blocker stands there.
    shared: B,
}

pub struct Kernel<I: Isa> {
    pub isa: I,
    pub pawns_knights: I::Boards,
    pub bishops_rooks: I::Boards,
    pub queen_king: I::Boards,
}

impl<I: Isa> Kernel<I> {
    #[inline(always)]
    fn splat(&self, set: u64) -> I::Boards {
        self.isa.boards([[set; 2]; 2])
    }

    #[inline(always)]
    fn none(&self) -> Attacks<I::Boards> {
        Attacks { once: self.splat(0), twice: self.splat(0) }
    }

    /// Shifts the sets by one or two files, and drops what wraps around the edge.
    #[inline(always)]
    fn shift_files(&self, sets: I::Boards, files: i32) -> I::Boards {
        let inside = match files {
            1 => !Bitboard::FILE_A.0,
            2 => !(Bitboard::FILE_A.0 | Bitboard::FILE_A.0 << 1),
            -1 => !Bitboard::FILE_H.0,
            _ => !(Bitboard::FILE_H.0 | Bitboard::FILE_H.0 >> 1),
        };
        sets.shift(files) & self.splat(inside)
    }

    #[inline(always)]
    fn adjacent_files(&self, sets: I::Boards) -> I::Boards {
        self.shift_files(sets, 1) | self.shift_files(sets, -1)
    }

    /// Returns the squares on the same file as any square of the sets and in front of it or, if `step` is −1, behind it.
    #[inline(always)]
    fn span(&self, sets: I::Boards, step: i32) -> I::Boards {
        let one = sets.forward(step);
        let two = one | one.forward(step);
        let four = two | two.forward(2 * step);
        four | four.forward(4 * step)
    }

    /// Returns the squares that knights on the sets reach, in each of the eight directions.
    #[inline(always)]
    fn knight_jumps(&self, sets: I::Boards) -> [I::Boards; 8] {
        let [left, right] = [self.shift_files(sets, -1), self.shift_files(sets, 1)];
        let [far_left, far_right] = [self.shift_files(sets, -2), self.shift_files(sets, 2)];
        [
            left.shift(16),
            left.shift(-16),
            right.shift(16),
            right.shift(-16),
            far_left.shift(8),
            far_left.shift(-8),
            far_right.shift(8),
            far_right.shift(-8),
        ]
    }

    /// Returns the squares that the `sliders` attack in the direction of `step`, and those that the `kings` would.
    #[inline(always)]
    fn rays(
        &self,
        [files, ranks]: [i32; 2],
        empty: I::Boards,
        [sliders, kings]: [I::Boards; 2],
    ) -> [I::Boards; 2] {
        let step = 8 * ranks + files;
        let inside = self.splat(match files {
            1 => !Bitboard::FILE_A.0,
            -1 => !Bitboard::FILE_H.0,
            _ => !0,
        });
        // Squares that we can pass with one step, two and four.
        let one = empty & inside;
        let two = one & one.shift(step);
        let four = two & two.shift(2 * step);
        let passable = [one, two, four];
        [fill(sliders, step, passable) & inside, fill(kings, step, passable) & inside]
    }

    /// `free` are the squares that count for mobility. `steps` are two directions, in files and ranks; we look into
    /// both and into their opposites.
    #[inline(always)]
    fn lines(
        &self,
        steps: [[i32; 2]; 2],
        empty: I::Boards,
        free: I::Boards,
        sliders: I::Boards,
    ) -> Lines<I::Boards> {
        let sets = [sliders, self.queen_king.seconds(self.queen_king)];
        let mut lines = Lines {
            attacks: self.none(),
            mobility: self.splat(0),
            from_king: self.splat(0),
            shared: self.splat(0),
        };
        let [[a, b], [c, d]] = steps;
        for [there, back] in [
            [self.rays([a, b], empty, sets), self.rays([-a, -b], empty, sets)],
            [self.rays([c, d], empty, sets), self.rays([-c, -d], empty, sets)],
        ] {
            for ([squares, _], [_, from_king]) in [(there, back), (back, there)] {
                lines.attacks.add(squares);
                lines.mobility = lines.mobility.plus((squares & free).counts());
                lines.from_king = lines.from_king | from_king;
                lines.shared = lines.shared | squares.swap_sides() & from_king;
            }
        }
        lines
    }

    /// Returns the counts of [`VECTOR_INPUTS`].
    #[inline(always)]
    pub fn counts(&self) -> [[u64; 4]; VECTORS / PACKED] {
        // Names with `e_` mean the enemy's sets. A name in the singular or with a letter twice means the same set on
        // both boards of a side.
        let &Self { pawns_knights: pn, bishops_rooks: br, queen_king: qk, .. } = self;
        let all = (pn | br | qk).union();
        let [e_pn, e_br, e_qk, e_all] = [pn.swap_sides(), br.swap_sides(), qk.swap_sides(), all.swap_sides()];
        let occupied = all | e_all;
        let pawns = pn.firsts(pn);
        let e_pawns = e_pn.firsts(e_pn);

        // Pawns and king.
        let ahead = pawns.forward(1);
        let [left, right] = [self.shift_files(ahead, -1), self.shift_files(ahead, 1)];
        let by_pawns = left | right;
        let e_by_pawns = by_pawns.swap_sides();
        let kings = qk.seconds(qk);
        let row = kings | self.adjacent_files(kings);
        let around = row | row.shift(8) | row.shift(-8);
        let by_king = around & !kings;
        let pawn_attacks = Attacks { once: by_pawns, twice: left & right };
        let king_attacks = Attacks { once: by_king, twice: self.splat(0) };

        // Sliders, with the queens on the first board.
        let free = !(all | e_by_pawns);
        let straight = self.lines([[0, 1], [1, 0]], !occupied, free, qk.mix(br));
        let diagonal = self.lines([[1, 1], [-1, 1]], !occupied, free, qk.firsts(br));
        let by_br = diagonal.attacks.once.seconds(straight.attacks.once);
        let queen_lines = diagonal.attacks.once.firsts(straight.attacks.once);
        let by_queens = queen_lines.union();

        // Knights on the second board, and on the first one what they could fork.
        let targets = e_qk.union() | e_br.seconds(e_br);
        let jumps = self.knight_jumps(targets.mix(pn));
        let mut by_jumps = self.none();
        let mut mobility = self.splat(0);
        let [a, b, c, d, e, f, g, h] = jumps;
        for [a, b] in [[a, b], [c, d], [e, f], [g, h]] {
            by_jumps.add(a);
            by_jumps.add(b);
            mobility = mobility.plus((a.seconds(b) & free).counts());
        }
        let forks = by_jumps.twice;
        let by_knights = by_jumps.once.seconds(by_jumps.once);
        let knight_attacks = Attacks { once: by_knights, twice: by_jumps.twice.seconds(by_jumps.twice) };
        let knight_mobility = mobility.plus(mobility.swap_pairs());

        let sliders = straight.attacks.join(diagonal.attacks).union();
        let Attacks { once: attacked, twice } =
            sliders.join(knight_attacks).join(pawn_attacks.join(king_attacks));
        let [e_attacked, e_twice] = [attacked.swap_sides(), twice.swap_sides()];

        // Attacked pieces.
        let by_bishops = by_br.firsts(by_br);
        let by_rooks = by_br.seconds(by_br);
        let e_queens = e_qk.firsts(e_qk);
        let hanging = attacked & !e_attacked;
        let outnumbered = twice & !e_twice;
        let undefended = !attacked;
        let by_minors = by_pawns | by_knights | by_bishops;
        let by_lesser = (by_minors | by_rooks).mix(by_minors) | hanging;
        let attacked_pieces = attacked & (e_all & !e_pawns).mix(e_pawns & !e_by_pawns);

        // Attacks on the king.
        let weak = (around | around.forward(1)).swap_sides() & attacked & !e_twice;
        let safe = !e_attacked | outnumbered & !e_by_pawns;
        let to = safe & !all;
        let [e_from_queen, e_from_king] = [queen_lines.swap_sides(), straight.from_king.swap_sides()];
        let e_diagonal_from_king = diagonal.from_king.swap_sides();
        let [a, b, c, d, e, f, g, h] = self.knight_jumps(e_qk);
        let by_knight_from = (a | b | c | d) | (e | f | g | h);
        let queen_checks = (e_from_king | e_diagonal_from_king) & by_queens;
        let attacks_on_queen = (e_from_queen & by_br).union();

        // Pins, and threats of the next move.
        let blockers = (straight.shared | diagonal.shared).union() & occupied;
        let e_span = self.span(pawns, 1).swap_sides();
        let passed = pawns & !(e_span | self.adjacent_files(e_span) | self.span(pawns, -1));
        let advances = passed.forward(1) & !occupied;
        let steps = ahead & !occupied & !(e_attacked & undefended);
        // From the last rank, where a promoted pawn stands, the set wraps around to the first one.
        let by_steps = self.adjacent_files(steps.forward(1) | steps.forward(-7));

        [
            count([by_pawns & e_pn, by_pawns & e_br, by_knights & e_pn, by_knights & e_br]),
            count([by_bishops & e_pn, by_bishops & e_br, by_rooks & e_pn, by_rooks & e_br]),
            count([
                by_queens & e_pn,
                by_queens & e_br,
                by_pawns.mix(by_knights) & e_queens,
                by_br & e_queens,
            ]),
            count([hanging & e_pn, outnumbered & e_pn, hanging & e_br, outnumbered & e_br]),
            count([
                hanging.mix(outnumbered) & e_queens,
                (by_queens & e_qk).mix(qk.firsts(qk) & undefended),
                (by_pawns | hanging) & e_br.mix(e_pn),
                by_lesser & e_qk.mix(e_br),
            ]),
            pack([
                (undefended & pn).counts(),
                (undefended & br).counts(),
                diagonal.mobility.seconds(straight.mobility),
                diagonal.mobility.plus(straight.mobility).mix(knight_mobility),
            ]),
            count([
                attacked_pieces,
                weak.mix(weak & twice),
                by_knight_from & by_knights & to,
                e_diagonal_from_king.mix(e_from_king) & by_br & to,
            ]),
            count([
                queen_checks.mix(attacks_on_queen) & to,
                blockers & all.mix(e_all),
                advances.mix(advances & !e_attacked),
                (forks & by_knights & !(all | e_attacked)).mix(by_steps & e_all & !e_pawns),
            ]),
        ]
    }
}

/// Returns where `sliders` get to with steps of this size; `passable` are the squares that they can pass with one step,
/// two and four.
#[inline(always)]
fn fill<B: Boards>(sliders: B, step: i32, [one, two, four]: [B; 3]) -> B {
    let reached = sliders | sliders.shift(step) & one;
    let reached = reached | reached.shift(2 * step) & two;
    let reached = reached | reached.shift(4 * step) & four;
    reached.shift(step)
}

/// Counts the squares of each set and [packs](pack) the numbers.
#[inline(always)]
fn count<B: Boards>([a, b, c, d]: [B; PACKED]) -> [u64; 4] {
    pack([a.counts(), b.counts(), c.counts(), d.counts()])
}

/// Packs numbers below 2^16 so that those of the same lane follow each other in memory.
#[inline(always)]
fn pack<B: Boards>([a, b, c, d]: [B; PACKED]) -> [u64; 4] {
    let place = |index: i32| 16 * if cfg!(target_endian = "little") { index } else { 3 - index };
    let low = a.shift(place(0)) | b.shift(place(1));
    (low | c.shift(place(2)) | d.shift(place(3))).to_array()
}
