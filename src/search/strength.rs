//! Limited strength: fewer nodes, and a random choice among the best moves.

use super::root_move::RootMove;
use super::score::{DRAW, Score};
use crate::chess::Board;
use crate::util::random::Random;

/// An engine of limited strength chooses among this many of its best moves.
pub const CANDIDATES: usize = 4;

/// Minimum soft node limit against a bare king, enough to mate with a queen or a rook.
const BARE_KING_NODES: u64 = 20_000;

/// If the best move scores at least this many centipawns, we don't choose a move that draws or loses.
const WON_SCORE: Score = 300;

/// How an engine of limited strength plays: with few nodes, and with noise on the scores of its best moves.
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
    /// Soft node limit: the iteration that reaches it is the last.
    pub nodes: u64,
    /// Before we choose the best move, we add to each score a random amount below this, centipawns.
    pub noise: Score,
}

struct StrengthLevel {
    elo: u32,
    nodes: u64,
    noise: Score,
}

/// Strength scale, weakest first. Between two levels we interpolate the noise linearly and the nodes geometrically. We
/// measured the Elo differences in Chess960 matches between neighbouring levels; docs/experiments tells how we fixed
/// the absolute Elo.
const SCALE: [StrengthLevel; 6] = [
    StrengthLevel { elo: 840, nodes: 40, noise: 400 },
    StrengthLevel { elo: 970, nodes: 120, noise: 220 },
    StrengthLevel { elo: 1160, nodes: 350, noise: 120 },
    StrengthLevel { elo: 1500, nodes: 1_000, noise: 60 },
    StrengthLevel { elo: 2030, nodes: 3_200, noise: 25 },
    StrengthLevel { elo: 2440, nodes: 12_000, noise: 0 },
];

/// Lowest and highest Elo that we can play at.
pub const ELO_RANGE: (u32, u32) = (SCALE[0].elo, SCALE[SCALE.len() - 1].elo);

/// The `Skill Level` that plays at full strength.
pub const MAX_SKILL_LEVEL: u32 = 20;

impl Handicap {
    /// Returns the handicap for a strength of about `elo`, clamped to [`ELO_RANGE`].
    pub fn from_elo(elo: u32) -> Self {
        let elo = elo.clamp(ELO_RANGE.0, ELO_RANGE.1);
        let above = SCALE.iter().position(|level| level.elo >= elo).unwrap_or(SCALE.len() - 1).max(1);
        let (low, high) = (&SCALE[above - 1], &SCALE[above]);
        let share = f64::from(elo - low.elo) / f64::from(high.elo - low.elo);
        let nodes = low.nodes as f64 * (high.nodes as f64 / low.nodes as f64).powf(share);
        let noise = f64::from(low.noise) + f64::from(high.noise - low.noise) * share;
        Self { nodes: nodes.round() as u64, noise: noise.round() as Score }
    }

    /// Returns the handicap for a `Skill Level`; levels are equal steps of Elo. `None` from [`MAX_SKILL_LEVEL`] on.
    pub fn from_skill_level(level: u32) -> Option<Self> {
        let elo = |level| ELO_RANGE.0 + (ELO_RANGE.1 - ELO_RANGE.0) * level / (MAX_SKILL_LEVEL - 1);
        (level < MAX_SKILL_LEVEL).then(|| Self::from_elo(elo(level)))
    }

    /// Returns the handicap in this position. Even a weak player can mate a bare king, so against one we allow more
    /// nodes and no noise.
    pub fn in_position(self, board: &Board) -> Self {
        let has_bare_king = board.by_color(!board.side_to_move()).count() == 1;
        if has_bare_king { Self { nodes: self.nodes.max(BARE_KING_NODES), noise: 0 } } else { self }
    }

    /// Returns the index of the move to play. All `moves` have a score; the best comes first. In a won position we
    /// never choose a move that draws or loses.
    pub fn choose(self, moves: &[RootMove], random: &mut Random) -> usize {
        let with_noise = |root: &RootMove, random: &mut Random| {
            root.line.score.saturating_add(random.below(self.noise.max(1) as u64) as Score)
        };
        let is_won = moves.first().is_some_and(|best| best.line.score >= WON_SCORE);
        let candidates = moves.iter().enumerate().filter(|(_, root)| !is_won || root.line.score > DRAW);
        let scores = candidates.map(|(index, root)| (with_noise(root, random), std::cmp::Reverse(index)));
        scores.max().map_or(0, |(_, std::cmp::Reverse(index))| index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_rises_with_elo() {
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

    /// Returns how often each of three moves with these scores is chosen in a thousand tries.
    fn choices(scores: [Score; 3], noise: Score) -> [u32; 3] {
        let legal = Board::startpos().legal_moves();
        let mut moves: Vec<RootMove> = legal.into_iter().take(3).map(|mv| RootMove::new(mv, None)).collect();
        for (root, score) in moves.iter_mut().zip(scores) {
            root.line.score = score;
        }
        let mut random = Random::new(1);
        let mut chosen = [0; 3];
        for _ in 0..1000 {
            chosen[Handicap { nodes: 1, noise }.choose(&moves, &mut random)] += 1;
        }
        chosen
    }

    #[test]
    fn noise_decides_between_close_moves() {
        let chosen = choices([50, 40, -100], 60);
        assert!(chosen[0] > chosen[1] && chosen[1] > 100 && chosen[2] == 0, "{chosen:?}");
        assert_eq!(choices([50, 40, -100], 0), [1000, 0, 0]);
    }

    #[test]
    fn won_position_is_kept() {
        let chosen = choices([WON_SCORE, DRAW, 10], 1000);
        assert!(chosen[0] > 100 && chosen[1] == 0 && chosen[2] > 100, "{chosen:?}");
        assert!(choices([WON_SCORE - 1, DRAW, 10], 1000)[1] > 100);
    }

    #[test]
    fn bare_king_ends_noise() {
        let weakest = Handicap::from_elo(ELO_RANGE.0);
        let bare = "4k3/8/8/8/8/8/8/4K2R w - - 0 1".parse().unwrap();
        assert_eq!(weakest.in_position(&bare), Handicap { nodes: BARE_KING_NODES, noise: 0 });
        let pawn = "4k3/4p3/8/8/8/8/8/4K2R w - - 0 1".parse().unwrap();
        assert_eq!(weakest.in_position(&pawn), weakest);
    }
}
