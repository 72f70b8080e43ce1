//! Playing below one's strength: fewer nodes, and a choice among the best moves that chance has a say in.

use super::root_move::RootMove;
use super::score::Score;
use crate::util::random::Random;

/// Lines that a weakened engine chooses among.
pub const CANDIDATES: usize = 4;

/// How an engine of limited strength plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handicap {
    /// The search ends after the iteration in which it has spent so many nodes.
    pub nodes: u64,
    /// Each move's score is raised by chance, by less than this, before the best is chosen.
    pub noise: Score,
}

/// A point of the scale.
struct StrengthLevel {
    elo: u32,
    nodes: u64,
    noise: Score,
}

/// The scale, weakest first; between two rungs it goes on evenly, in nodes by factors. The differences are those of
/// matches between neighbouring rungs, Chess960, with network G3, and hold with G4; the README says where the scale is
/// anchored.
const SCALE: [StrengthLevel; 6] = [
    StrengthLevel { elo: 840, nodes: 40, noise: 400 },
    StrengthLevel { elo: 970, nodes: 120, noise: 220 },
    StrengthLevel { elo: 1160, nodes: 350, noise: 120 },
    StrengthLevel { elo: 1500, nodes: 1_000, noise: 60 },
    StrengthLevel { elo: 2030, nodes: 3_200, noise: 25 },
    StrengthLevel { elo: 2440, nodes: 12_000, noise: 0 },
];

/// The weakest and the strongest that can be asked for.
pub const ELO_RANGE: (u32, u32) = (SCALE[0].elo, SCALE[SCALE.len() - 1].elo);

/// The `Skill Level` at which nothing is held back.
pub const MAX_SKILL_LEVEL: u32 = 20;

impl Handicap {
    /// The handicap that makes an engine play at about `elo`, taken into [`ELO_RANGE`].
    pub fn from_elo(elo: u32) -> Self {
        let elo = elo.clamp(ELO_RANGE.0, ELO_RANGE.1);
        let above = SCALE.iter().position(|level| level.elo >= elo).unwrap_or(SCALE.len() - 1).max(1);
        let (low, high) = (&SCALE[above - 1], &SCALE[above]);
        let share = f64::from(elo - low.elo) / f64::from(high.elo - low.elo);
        let nodes = low.nodes as f64 * (high.nodes as f64 / low.nodes as f64).powf(share);
        let noise = f64::from(low.noise) + f64::from(high.noise - low.noise) * share;
        Self { nodes: nodes.round() as u64, noise: noise.round() as Score }
    }

    /// The handicap of a `Skill Level`, in equal steps of Elo; none at [`MAX_SKILL_LEVEL`].
    pub fn from_skill_level(level: u32) -> Option<Self> {
        let step = |level| ELO_RANGE.0 + (ELO_RANGE.1 - ELO_RANGE.0) * level / (MAX_SKILL_LEVEL - 1);
        (level < MAX_SKILL_LEVEL).then(|| Self::from_elo(step(level)))
    }

    /// The move to play among those with a score, best first, by its place.
    pub fn choose(self, moves: &[RootMove], random: &mut Random) -> usize {
        let raised = |root: &RootMove, random: &mut Random| {
            root.score.saturating_add(random.below(self.noise.max(1) as u64) as Score)
        };
        let values: Vec<Score> = moves.iter().map(|root| raised(root, random)).collect();
        (0..values.len()).max_by_key(|&place| (values[place], std::cmp::Reverse(place))).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Board;

    #[test]
    fn the_scale_rises() {
        let mut last = Handicap::from_elo(0);
        assert_eq!(last.nodes, SCALE[0].nodes);
        for elo in (ELO_RANGE.0..=ELO_RANGE.1 + 100).step_by(10) {
            let next = Handicap::from_elo(elo);
            assert!(next.nodes >= last.nodes && next.noise <= last.noise, "{elo}");
            last = next;
        }
        assert_eq!(Handicap::from_skill_level(0), Some(Handicap::from_elo(ELO_RANGE.0)));
        assert_eq!(Handicap::from_skill_level(19), Some(Handicap::from_elo(ELO_RANGE.1)));
        assert_eq!(Handicap::from_skill_level(MAX_SKILL_LEVEL), None);
    }

    #[test]
    fn chance_chooses_among_moves_that_are_close() {
        let mut moves: Vec<RootMove> =
            Board::startpos().legal_moves().into_iter().map(RootMove::new).collect();
        for (root, score) in moves.iter_mut().zip([50, 40, -100]) {
            root.score = score;
        }
        let handicap = Handicap { nodes: 1, noise: 60 };
        let mut random = Random::new(1);
        let mut chosen = [0; 3];
        for _ in 0..1000 {
            chosen[handicap.choose(&moves[..3], &mut random)] += 1;
        }
        assert!(chosen[0] > chosen[1] && chosen[1] > 100 && chosen[2] == 0, "{chosen:?}");
        assert_eq!(Handicap { nodes: 1, noise: 0 }.choose(&moves[..3], &mut random), 0);
    }
}
