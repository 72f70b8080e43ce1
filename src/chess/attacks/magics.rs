//! Sliding attacks by magic multiplication, with tables computed at compile time.
//!
//! - Bishops: we multiply the relevant blockers of a square by its magic number and look up the attacks
//!   (<https://www.chessprogramming.org/Magic_Bitboards>). We found the magic numbers by random search.
//! - Rooks: the six relevant blockers of a rank are consecutive bits, and one multiplication makes those of a file
//!   consecutive (<https://www.chessprogramming.org/Kindergarten_Bitboards>). Both rook tables fit the L1 cache. A
//!   magic table for rooks would take 800 KiB, and push the search's own tables out of the cache.

use crate::chess::{Bitboard, File, Rank, Square};

#[rustfmt::skip]
const BISHOP_MAGICS: [u64; 64] = [
    0x3048_8801_2400_2a00, 0x0020_0149_2103_0000, 0x2090_2400_802d_0040, 0x4108_0a00_2000_3100,
    0x0041_1040_0443_8000, 0x0040_8820_0800_8010, 0x0001_0110_1006_0100, 0x8002_020a_0482_1800,
    0x0a00_2242_1c01_2400, 0x0100_0841_1104_0500, 0x0240_2208_0040_8524, 0x0500_1824_8104_0000,
    0x0808_060a_100a_0500, 0xb000_8110_0804_0011, 0x0a05_040a_0222_2200, 0x0208_00a4_0414_9400,
    0x00a0_0210_a002_40c0, 0x0048_0104_4800_8400, 0x0010_2608_0084_1110, 0x0824_010a_4010_8000,
    0x2318_2243_0840_1200, 0x0000_8058_0a01_2000, 0x0041_0188_4808_0400, 0x200a_0400_2082_0800,
    0x0002_4100_1004_0880, 0x8002_5000_0210_4a00, 0x0041_4440_3004_0086, 0x0008_1040_4800_4100,
    0x0001_0804_2500_4000, 0x0041_2600_0300_8280, 0x0800_8a00_2882_1000, 0x8100_4500_8084_1110,
    0x0004_8444_3040_5050, 0x2248_8849_4120_0600, 0x0609_0948_0009_0800, 0x00b2_2011_0848_0080,
    0x0040_0020_2082_0080, 0x0110_0100_4008_0c04, 0x5012_2082_022c_2200, 0x0204_04a0_8200_2c00,
    0x0000_8410_094a_4021, 0x0120_8230_0204_1000, 0x0000_08c2_5000_0800, 0x0000_0020_1800_4100,
    0x0402_0809_0400_4441, 0x9210_2028_1020_0040, 0x5502_2404_0084_2402, 0x40a8_0e08_90a0_1200,
    0x0021_0410_028a_0021, 0x0040_4602_1002_2650, 0x0020_4601_0088_0800, 0x8040_8e44_8404_2000,
    0x2131_0040_e822_0420, 0x0000_0842_0882_0010, 0x1140_1014_08c0_8000, 0x0c70_1048_8882_8060,
    0x0016_0121_0410_2500, 0x000d_0204_4422_4800, 0x0004_0004_4404_0400, 0x20c1_4002_0094_0c02,
    0x1001_8020_1042_0200, 0x0ac0_0820_6002_8222, 0x0024_200a_8a0a_3402, 0x4040_1082_2081_0010,
];

const BISHOP_STEPS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const RANK_STEPS: [(i8, i8); 2] = [(1, 0), (-1, 0)];
const FILE_STEPS: [(i8, i8); 2] = [(0, 1), (0, -1)];

/// How many entries [`BISHOP_TABLE`] has: the sum over all squares of 2 ^ (number of relevant blockers).
const BISHOP_TABLE_SIZE: usize = 5_248;

/// How to index [`BISHOP_TABLE`]: mask the occupied squares, multiply by `factor`, shift right, and add `offset`.
#[derive(Clone, Copy)]
struct Magic {
    mask: u64,
    factor: u64,
    offset: u32,
    shift: u32,
}

impl Magic {
    #[inline(always)]
    const fn slot(&self, occupied: u64) -> usize {
        self.offset as usize + ((occupied & self.mask).wrapping_mul(self.factor) >> self.shift) as usize
    }
}

/// Returns the squares that a slider on `square` attacks along `steps`, up to and including the first blocker each way.
pub(in crate::chess) const fn walk(square: usize, occupied: u64, steps: &[(i8, i8)]) -> u64 {
    let mut attacks = 0;
    let mut i = 0;
    while i < steps.len() {
        let (file_step, rank_step) = steps[i];
        let (mut file, mut rank) = ((square % 8) as i8 + file_step, (square / 8) as i8 + rank_step);
        while 0 <= file && file < 8 && 0 <= rank && rank < 8 {
            let bit = 1 << (rank * 8 + file);
            attacks |= bit;
            if occupied & bit != 0 {
                break;
            }
            file += file_step;
            rank += rank_step;
        }
        i += 1;
    }
    attacks
}

/// Returns the squares where a piece can block a slider on `square`: all squares of its rays except the last of each.
const fn relevant_blockers(square: usize, steps: &[(i8, i8)]) -> u64 {
    let edge_files = (Bitboard::FILE_A.0 | Bitboard::FILE_H.0) & !Bitboard::file(File::ALL[square % 8]).0;
    let edge_ranks = (Bitboard::rank(Rank::First).0 | Bitboard::rank(Rank::Eighth).0)
        & !Bitboard::rank(Rank::ALL[square / 8]).0;
    walk(square, 0, steps) & !(edge_files | edge_ranks)
}

const fn magics(factors: &[u64; 64], steps: &[(i8, i8)]) -> [Magic; 64] {
    let mut magics = [Magic { mask: 0, factor: 0, offset: 0, shift: 0 }; 64];
    let mut offset = 0;
    let mut square = 0;
    while square < 64 {
        let mask = relevant_blockers(square, steps);
        magics[square] = Magic { mask, factor: factors[square], offset, shift: 64 - mask.count_ones() };
        offset += 1 << mask.count_ones();
        square += 1;
    }
    magics
}

const fn table<const SIZE: usize>(magics: &[Magic; 64], steps: &[(i8, i8)]) -> [u64; SIZE] {
    let mut table = [0; SIZE];
    let mut square = 0;
    while square < 64 {
        let magic = magics[square];
        let mut blockers = 0u64;
        loop {
            table[magic.slot(blockers)] = walk(square, blockers, steps);
            // Carry-rippler: the next subset of the mask.
            blockers = blockers.wrapping_sub(magic.mask) & magic.mask;
            if blockers == 0 {
                break;
            }
        }
        square += 1;
    }
    table
}

static BISHOP: [Magic; 64] = magics(&BISHOP_MAGICS, &BISHOP_STEPS);

#[allow(long_running_const_eval)]
static BISHOP_TABLE: [u64; BISHOP_TABLE_SIZE] = table(&BISHOP, &BISHOP_STEPS);

/// How many ways there are to occupy the six inner squares of a rank or file. The outer two never change an attack.
const LINE_OCCUPANCIES: usize = 64;

const INNER_A_FILE: u64 = 0x0001_0101_0101_0100;

/// Multiplying by this moves the six squares of [`INNER_A_FILE`] to the highest six bits: the square on rank r (1 to 6,
/// counted from 0) is bit 8r, and times 2 ^ (57 − 7r) it is bit 57 + r.
const FILE_GATHERER: u64 = {
    let mut factor = 0;
    let mut rank = 1;
    while rank <= 6 {
        factor |= 1 << (57 - 7 * rank);
        rank += 1;
    }
    factor
};

/// Rook attacks along the first rank, indexed by the occupancy of its inner squares, then by the rook's file.
static RANK_ATTACKS: [[u8; 8]; LINE_OCCUPANCIES] = {
    let mut table = [[0; 8]; LINE_OCCUPANCIES];
    let mut occupancy = 0;
    while occupancy < LINE_OCCUPANCIES {
        let mut file = 0;
        while file < 8 {
            table[occupancy][file] = walk(file, (occupancy as u64) << 1, &RANK_STEPS) as u8;
            file += 1;
        }
        occupancy += 1;
    }
    table
};

/// Rook attacks along the a-file, indexed by the occupancy of its inner squares, then by the rook's rank.
static FILE_ATTACKS: [[u64; 8]; LINE_OCCUPANCIES] = {
    let mut table = [[0; 8]; LINE_OCCUPANCIES];
    let mut blockers = 0u64;
    loop {
        let occupancy = (blockers.wrapping_mul(FILE_GATHERER) >> 58) as usize;
        let mut rank = 0;
        while rank < 8 {
            table[occupancy][rank] = walk(8 * rank, blockers, &FILE_STEPS);
            rank += 1;
        }
        blockers = blockers.wrapping_sub(INNER_A_FILE) & INNER_A_FILE;
        if blockers == 0 {
            break;
        }
    }
    table
};

#[inline(always)]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let (file, rank) = (square.index() % 8, square.index() / 8);
    let on_rank = occupied.0 >> (8 * rank + 1) & 63;
    let on_file = (occupied.0 >> file & INNER_A_FILE).wrapping_mul(FILE_GATHERER) >> 58;
    let along_rank = u64::from(RANK_ATTACKS[on_rank as usize][file]) << (8 * rank);
    let along_file = FILE_ATTACKS[on_file as usize][rank] << file;
    Bitboard(along_rank | along_file)
}

#[inline(always)]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let slot = BISHOP[square.index()].slot(occupied.0);
    debug_assert!(slot < BISHOP_TABLE_SIZE);
    // SAFETY: for a square with n relevant blockers, the shift leaves n bits. The offset of a square is the sum of 2ⁿ
    // over the squares before it, and the table has as many entries as the sum over all squares.
    Bitboard(unsafe { *BISHOP_TABLE.get_unchecked(slot) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lookups_equal_ray_walks() {
        let rook_steps = [FILE_STEPS, RANK_STEPS].concat();
        for (steps, attacks) in [
            (&rook_steps[..], rook_attacks as fn(Square, Bitboard) -> Bitboard),
            (&BISHOP_STEPS, bishop_attacks),
        ] {
            for square in Square::all() {
                let mask = relevant_blockers(square.index(), steps);
                let mut blockers = 0u64;
                loop {
                    // Blockers outside the mask must not change the attacks.
                    for noise in [0, !mask] {
                        let found = attacks(square, Bitboard(blockers | noise));
                        assert_eq!(found.0, walk(square.index(), blockers, steps), "{square} {blockers:#x}");
                    }
                    blockers = blockers.wrapping_sub(mask) & mask;
                    if blockers == 0 {
                        break;
                    }
                }
            }
        }
    }
}
