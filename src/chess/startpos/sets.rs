//! The sets of start positions, such as Chess960 and double Chess960. All are in the table [`START_SETS`].

use std::collections::HashSet;
use std::sync::OnceLock;

use thiserror::Error;

use super::{
    BackRank, CHESS960_COUNT, CHESS2880_COUNT, ORTHODOX, SHUFFLE_COUNT, StartCastling, StartNumbers,
    back_rank, castling_needs_other_rook, is_king_on_dark_square, is_orthodox_king_and_rooks,
    is_queen_left_of_king, scharnagl_number,
};
use crate::chess::{Board, CastlingRules};
use crate::util::random::Random;
use crate::util::text::shortened;

/// Start positions that the user can ask for by the name of the set and a number.
#[derive(Debug)]
pub struct StartSet {
    /// What the user types, such as `chess960`.
    pub name: &'static str,
    /// Describes the set in the list that `enroque-tools startpos sets` prints.
    pub description: &'static str,
    /// Whether White and Black may have different back ranks, each with its own number.
    pub double: bool,
    pub castling: StartCastling,
    /// All back rank numbers of the set are below this limit.
    limit: u32,
    /// Tells whether a back rank below the limit belongs to the set.
    contains: fn(&BackRank) -> bool,
    /// What [`Self::ranks`] returns, once somebody has asked for it.
    ranks: OnceLock<Vec<u32>>,
}

impl StartSet {
    const fn new(name: &'static str, description: &'static str, double: bool, limit: u32) -> Self {
        Self {
            name,
            description,
            double,
            castling: StartCastling::Rules(CastlingRules::Fischer),
            limit,
            contains: |_| true,
            ranks: OnceLock::new(),
        }
    }

    const fn castling(mut self, castling: StartCastling) -> Self {
        self.castling = castling;
        self
    }

    const fn filtered(mut self, contains: fn(&BackRank) -> bool) -> Self {
        self.contains = contains;
        self
    }

    /// Returns the set with this name, in upper or lower case; `None` if no set has it.
    pub fn by_name(name: &str) -> Option<&'static Self> {
        START_SETS.iter().find(|set| set.name.eq_ignore_ascii_case(name))
    }

    /// Returns the numbers of all back ranks in the set, in ascending order.
    pub fn ranks(&self) -> &[u32] {
        let is_in_set = |number: &u32| back_rank(*number).is_some_and(|rank| (self.contains)(&rank));
        self.ranks.get_or_init(|| (0..self.limit).filter(is_in_set).collect())
    }

    /// Returns how many positions the set has. A double set has every pair of its back ranks.
    pub fn count(&self) -> u64 {
        let ranks = self.ranks().len() as u64;
        if self.double { ranks * ranks } else { ranks }
    }

    /// Returns the back rank numbers of White and Black in position `index`, counted from 0. In a double set, `index`
    /// is White's place among the ranks × the number of ranks + Black's place.
    pub fn numbers(&self, index: u64) -> Option<StartNumbers> {
        let per_side = self.ranks().len() as u64;
        let at = |index: u64| self.ranks().get(usize::try_from(index).ok()?).copied();
        let (white, black) = if self.double { (index / per_side, index % per_side) } else { (index, index) };
        StartNumbers::new(at(white)?, at(black)?)
    }

    /// Returns the back rank numbers of White and Black in every position of the set, in the set's order.
    pub fn all_numbers(&self) -> impl Iterator<Item = StartNumbers> {
        (0..self.count()).filter_map(|index| self.numbers(index))
    }

    /// Draws `count` different positions and returns their indices in the order drawn, none of them in `excluded`. If
    /// fewer are left, returns all that are left.
    ///
    /// A seed gives the same result in every version of the program: SplitMix64 with that seed returns 64 bits, and the
    /// upper half of their 128-bit product with [`Self::count`] is the next index. We skip excluded and repeated ones.
    pub fn sample(&self, count: u64, seed: u64, excluded: &HashSet<u64>) -> Vec<u64> {
        let limit = self.count();
        let left = limit - excluded.iter().filter(|&&index| index < limit).count() as u64;
        let mut random = Random::new(seed);
        let mut used = excluded.clone();
        let mut drawn = Vec::new();
        while (drawn.len() as u64) < count.min(left) {
            let index = random.below(limit);
            if used.insert(index) {
                drawn.push(index);
            }
        }
        drawn
    }

    /// Returns the start position with this index, counted from 0; `None` if `index` is not below [`Self::count`].
    pub fn position(&self, index: u64) -> Option<Board> {
        Some(self.numbers(index)?.board(self.castling))
    }

    /// Returns the index of the position with these back rank numbers; `None` if it is not in the set.
    pub fn index_of(&self, numbers: StartNumbers) -> Option<u64> {
        let ranks = self.ranks();
        let place = |number| ranks.binary_search(&number).ok().map(|place| place as u64);
        let (white, black) = place(numbers.white()).zip(place(numbers.black()))?;
        if self.double { Some(white * ranks.len() as u64 + black) } else { (white == black).then_some(white) }
    }

    /// Parses the index of a position, or `WHITE:BLACK`, the numbers of two back ranks, and returns the index.
    ///
    /// # Errors
    /// Returns an error if the set does not contain the position.
    pub fn parse(&'static self, text: &str) -> Result<u64, SetNumberError> {
        let index = match text.split_once(':') {
            Some((white, black)) => {
                let numbers = white.parse().ok().zip(black.parse().ok());
                numbers.and_then(|(white, black)| self.index_of(StartNumbers::new(white, black)?))
            }
            None => text.parse().ok().filter(|&index| index < self.count()),
        };
        index.ok_or_else(|| SetNumberError { set: self, found: shortened(text) })
    }

    /// Returns the simplest set that lets both sides start from this back rank. It skips the set `orthodox`, which has
    /// only one back rank.
    pub fn of_rank(number: u32) -> Option<&'static Self> {
        START_SETS.iter().skip(1).find(|set| !set.double && set.ranks().binary_search(&number).is_ok())
    }
}

/// Why [`StartSet::parse`] found no position.
#[derive(Clone, Debug, Error)]
#[error("set {}: expected a number from 0 to {}{}, found '{found}'", set.name, set.count() - 1, set.pairs())]
pub struct SetNumberError {
    set: &'static StartSet,
    found: String,
}

impl StartSet {
    /// Returns how the error message describes pairs of numbers: not at all unless the set is double.
    fn pairs(&self) -> String {
        if !self.double {
            return String::new();
        }
        let ranks = self.ranks();
        if ranks.len() == self.limit as usize {
            format!(", or WHITE:BLACK, two numbers from 0 to {}", self.limit - 1)
        } else {
            format!(", or WHITE:BLACK, the numbers of two of its {} back ranks", ranks.len())
        }
    }
}

/// All sets, the simplest first, because [`StartSet::of_rank`] returns the first that fits.
pub static START_SETS: [StartSet; 17] = {
    use CastlingRules::{NearestRook, None, Orthodox480};
    use StartCastling::{OrthodoxSquares, Rules};
    const C960: u32 = CHESS960_COUNT;
    const C2880: u32 = CHESS2880_COUNT;
    [
        StartSet::new("orthodox", "the orthodox start position", false, C960)
            .filtered(|rank| scharnagl_number(rank) == Some(ORTHODOX)),
        StartSet::new("chess960", "Chess960 (Fischer random)", false, C960),
        StartSet::new("dfrc", "double Chess960: separate back ranks for White and Black", true, C960),
        StartSet::new("chess18", "king and rooks on their orthodox squares", false, C960)
            .filtered(is_orthodox_king_and_rooks),
        StartSet::new("chess324", "double Chess18", true, C960).filtered(is_orthodox_king_and_rooks),
        StartSet::new("chess90", "Chess960 with one castling blocked by the other rook", false, C960)
            .filtered(castling_needs_other_rook),
        StartSet::new("chess870", "the other 870 positions of Chess960", false, C960)
            .filtered(|rank| !castling_needs_other_rook(rank)),
        StartSet::new("scharnagl480", "Chess960 with the queen left of the king (Scharnagl)", false, C960)
            .filtered(is_queen_left_of_king),
        StartSet::new("chess2880", "king anywhere, the rook nearest each corner castles", false, C2880)
            .castling(Rules(NearestRook)),
        StartSet::new("double2880", "double Chess2880", true, C2880).castling(Rules(NearestRook)),
        StartSet::new("transcendental", "double Chess2880 without castling", true, C2880)
            .castling(Rules(None)),
        StartSet::new("shuffle", "any back rank, no castling", false, SHUFFLE_COUNT).castling(Rules(None)),
        StartSet::new(
            "shuffle-orthodox",
            "any back rank, castling from orthodox squares",
            false,
            SHUFFLE_COUNT,
        )
        .castling(OrthodoxSquares),
        StartSet::new("shuffle-nearest", "any back rank, nearest rooks castle", false, SHUFFLE_COUNT)
            .castling(Rules(NearestRook)),
        StartSet::new("double-shuffle", "any two back ranks, no castling", true, SHUFFLE_COUNT)
            .castling(Rules(None)),
        StartSet::new("chess480", "Chess960, the king castles two squares towards the rook", false, C960)
            .castling(Rules(Orthodox480)),
        StartSet::new("chess480-dark", "Chess480 without mirror images: king on a dark square", false, C960)
            .castling(Rules(Orthodox480))
            .filtered(is_king_on_dark_square),
    ]
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seed_determines_sample() {
        let chess960 = &START_SETS[1];
        let excluded = HashSet::from([518]);
        let drawn = chess960.sample(959, 7, &excluded);
        let different: HashSet<u64> = drawn.iter().copied().collect();
        assert!(different.len() == 959 && !different.contains(&518));
        assert_eq!(chess960.sample(5, 7, &excluded), drawn[..5]);
        assert_eq!(chess960.sample(961, 7, &excluded), drawn);
        // Vigna's reference implementation of SplitMix64 returns these 64 bits first for seed 1.
        assert_eq!(Random::new(1).bits(), 0x910A_2DEC_8902_5CC1);
        let expected = ((u128::from(0x910A_2DEC_8902_5CC1_u64) * 960) >> 64) as u64;
        assert_eq!(chess960.sample(1, 1, &HashSet::new()), [expected]);
    }
}
