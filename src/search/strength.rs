//! Limited strength: the scale of `UCI_Elo`, and how a level differs from full strength.

use super::score::Score;
use crate::chess::Board;
use crate::util::random::Random;

/// Mean attention against a bare king, enough to mate with a queen or a rook.
const BARE_KING_NODES: u64 = 2_000;

/// How a player of limited strength thinks: how long, and how wrong.
///
/// ```
/// use enroque::search::strength::{Handicap, MAX_SKILL_LEVEL};
///
/// let club_player = Handicap::from_elo(1500);
/// assert!(club_player.nodes < Handicap::from_elo(2000).nodes);
/// assert_eq!(Handicap::from_skill_level(MAX_SKILL_LEVEL), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handicap {
    /// How many nodes attention lasts on average, at least 1.
    pub nodes: u64,
    /// Standard deviation of the error with which the player judges a move at first sight, centipawns.
    pub noise: Score,
}

/// The handicaps of the levels [`LOWEST_ELO`], [`LOWEST_ELO`] + [`STEP`] and so on. Between two levels we interpolate.
/// The levels are [`STEP`] Elo apart in matches of neighbours; docs/experiments/strength.md has the matches and tells
/// how we fixed the absolute Elo.
const SCALE: [Handicap; 9] = [
    Handicap { nodes: 37, noise: 172 },
    Handicap { nodes: 68, noise: 150 },
    Handicap { nodes: 120, noise: 129 },
    Handicap { nodes: 209, noise: 108 },
    Handicap { nodes: 371, noise: 88 },
    Handicap { nodes: 700, noise: 63 },
    Handicap { nodes: 1370, noise: 38 },
    Handicap { nodes: 2900, noise: 17 },
    Handicap { nodes: 5700, noise: 5 },
];
const LOWEST_ELO: u32 = 400;
const STEP: u32 = 200;

/// Lowest and highest Elo that we can play at.
pub const ELO_RANGE: (u32, u32) = (LOWEST_ELO, LOWEST_ELO + (SCALE.len() as u32 - 1) * STEP);

/// The `Skill Level` that plays at full strength.
pub const MAX_SKILL_LEVEL: u32 = 20;

impl Handicap {
    /// Returns the handicap for a strength of about `elo`, clamped to [`ELO_RANGE`].
    pub fn from_elo(elo: u32) -> Self {
        let above_lowest = elo.clamp(ELO_RANGE.0, ELO_RANGE.1) - LOWEST_ELO;
        let (index, rest) = ((above_lowest / STEP) as usize, above_lowest % STEP);
        let (low, high) = (SCALE[index], SCALE[(index + 1).min(SCALE.len() - 1)]);
        // Whole numbers, so that every machine rounds alike.
        let between = |low: i64, high: i64| low + (high - low) * i64::from(rest) / i64::from(STEP);
        Self {
            nodes: between(low.nodes as i64, high.nodes as i64) as u64,
            noise: between(low.noise.into(), high.noise.into()) as Score,
        }
    }

    /// Returns the handicap for a `Skill Level`; levels are equal steps of Elo. `None` from [`MAX_SKILL_LEVEL`] on.
    pub fn from_skill_level(level: u32) -> Option<Self> {
        let elo = |level| ELO_RANGE.0 + (ELO_RANGE.1 - ELO_RANGE.0) * level / (MAX_SKILL_LEVEL - 1);
        (level < MAX_SKILL_LEVEL).then(|| Self::from_elo(elo(level)))
    }

    /// Returns the handicap in this position. Even a weak player can mate a bare king, so against one we allow more
    /// nodes and no noise.
    pub(super) fn in_position(self, board: &Board) -> Self {
        let has_bare_king = board.by_color(!board.side_to_move()).count() == 1;
        if has_bare_king { Self { nodes: self.nodes.max(BARE_KING_NODES), noise: 0 } } else { self }
    }

    /// Returns a random error of judgement, centipawns. Its distribution is close to normal, and its standard deviation
    /// is `noise` at depth 0, half of that at depth 1, a third at depth 2, and so on.
    pub(super) fn misjudge(self, depth: i32, random: &mut Random) -> Score {
        // The sum of three uniform numbers from −r to r has the standard deviation r.
        let range = self.noise / (depth + 1);
        (0..3).map(|_| random.below(2 * range as u64 + 1) as Score - range).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_rises_with_elo() {
        let mut last = Handicap::from_elo(0);
        assert_eq!(last, SCALE[0]);
        for elo in (ELO_RANGE.0..=ELO_RANGE.1 + 100).step_by(10) {
            let next = Handicap::from_elo(elo);
            assert!(next.nodes >= last.nodes && next.noise <= last.noise, "{elo}");
            last = next;
        }
        assert_eq!(last, SCALE[SCALE.len() - 1]);
        assert_eq!(Handicap::from_skill_level(0), Some(SCALE[0]));
        assert_eq!(Handicap::from_skill_level(MAX_SKILL_LEVEL - 1), Some(last));
        assert_eq!(Handicap::from_skill_level(MAX_SKILL_LEVEL), None);
    }

    #[test]
    fn errors_shrink_with_depth() {
        let handicap = Handicap { nodes: 1, noise: 120 };
        for (depth, expected) in [(0, 120.0), (1, 60.0), (3, 30.0)] {
            let mut random = Random::new(1);
            let errors: Vec<f64> =
                (0..10_000).map(|_| f64::from(handicap.misjudge(depth, &mut random))).collect();
            let mean = errors.iter().sum::<f64>() / 10_000.0;
            let deviation = (errors.iter().map(|error| error * error).sum::<f64>() / 10_000.0).sqrt();
            assert!(mean.abs() < 3.0 && (deviation / expected - 1.0).abs() < 0.05, "{mean} {deviation}");
        }
        assert_eq!(Handicap { nodes: 1, noise: 0 }.misjudge(0, &mut Random::new(1)), 0);
    }

    #[test]
    fn bare_king_ends_noise() {
        let weakest = SCALE[0];
        let bare = "4k3/8/8/8/8/8/8/4K2R w - - 0 1".parse().unwrap();
        assert_eq!(weakest.in_position(&bare), Handicap { nodes: BARE_KING_NODES, noise: 0 });
        let pawn = "4k3/4p3/8/8/8/8/8/4K2R w - - 0 1".parse().unwrap();
        assert_eq!(weakest.in_position(&pawn), weakest);
    }
}
