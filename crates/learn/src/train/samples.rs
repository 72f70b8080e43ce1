//! Loads the samples of game files, for training and for the held-out set.

use anyhow::Result;
use rayon::prelude::*;

use crate::games::GameReader;
use crate::games::format::Game;
use crate::sample::Sample;
use crate::sample::choice::is_usable;
use crate::sample::tree::TreeReader;
use crate::train::arguments::Hyperparameters;
use crate::train::target::Returns;
use enroque::util::random::Random;
use enroque_runs::progress::Progress;

#[derive(Default)]
pub struct Samples {
    /// Samples to train on, in random order.
    pub training: Vec<Sample>,
    /// Samples to measure the loss on, from games that we do not train on.
    pub held_out: Vec<Sample>,
    pub games: u64,
    pub positions: u64,
    /// How many training samples are from inside the search tree.
    pub from_tree: u64,
}

/// One game in this many is held out.
const HELD_OUT: u64 = 100;
/// One game in this many is held out if [`HELD_OUT`] would give fewer than [`MIN_HELD_OUT`] positions.
const HELD_OUT_OF_FEW: u64 = 10;
/// The loss on fewer held-out positions than this is too noisy.
const MIN_HELD_OUT: usize = 5_000;

impl Samples {
    pub fn load(hyperparameters: &Hyperparameters) -> Result<Self> {
        const CHUNK: usize = 4096;
        let &Hyperparameters { ref games, games_only, per_game, seed, td_lambda, scale, .. } =
            hyperparameters;
        let returns = Returns { td_lambda, scale };
        let mut progress = Progress::new(0, "games read", 0);
        let mut samples = Self::default();
        // If the held-out set is too small, we add `spare` to it and drop `spare_tree`. Otherwise we train on both.
        let (mut spare, mut spare_tree) = (Vec::new(), Vec::new());
        for path in games {
            let mut reader = GameReader::open(path)?;
            let mut tree = if games_only { None } else { TreeReader::open(path)? };
            loop {
                let games = reader.by_ref().take(CHUNK).collect::<Result<Vec<Game>>>()?;
                if games.is_empty() {
                    break;
                }
                let usable: Vec<Vec<Sample>> =
                    games.par_iter().map(|game| usable_samples(game, returns)).collect();
                for (game, mut usable) in games.iter().zip(usable) {
                    let tree_samples =
                        tree.as_mut().and_then(TreeReader::next).transpose()?.unwrap_or_default();
                    let mut random = Random::new(seed ^ samples.games);
                    let drawn = random.below(HELD_OUT);
                    if let Some(count) = per_game {
                        shuffle(&mut usable, &mut random);
                        usable.truncate(count as usize);
                    }
                    // We don't use the tree samples of a held-out game at all.
                    match drawn {
                        0 => samples.held_out.extend(usable),
                        drawn if drawn.is_multiple_of(HELD_OUT_OF_FEW) => {
                            spare.extend(usable);
                            spare_tree.extend(tree_samples);
                        }
                        _ => {
                            samples.training.extend(usable);
                            samples.from_tree += tree_samples.len() as u64;
                            samples.training.extend(tree_samples);
                        }
                    }
                    samples.games += 1;
                    samples.positions += game.plies.len() as u64;
                }
                progress.set(samples.games, String::new);
            }
        }
        progress.finish();
        if samples.held_out.len() < MIN_HELD_OUT {
            samples.held_out.append(&mut spare);
        } else {
            samples.training.append(&mut spare);
            samples.from_tree += spare_tree.len() as u64;
            samples.training.append(&mut spare_tree);
        }
        shuffle(&mut samples.training, &mut Random::new(seed));
        Ok(samples)
    }
}

/// Returns the usable positions of a game. Whether a position is usable depends on the score of the search, not on the
/// λ-return.
fn usable_samples(game: &Game, returns: Returns) -> Vec<Sample> {
    let mut samples = Vec::new();
    let mut scores = returns.of(game).into_iter();
    game.replay(|board, ply| {
        let score = scores.next().unwrap_or(ply.score);
        if is_usable(board, ply.mv, ply.score) {
            samples.push(Sample::new(board, score, game.result));
        }
    });
    samples
}

/// Fisher and Yates' shuffle, in which every order is equally likely.
pub fn shuffle<T>(items: &mut [T], random: &mut Random) {
    for index in (1..items.len()).rev() {
        items.swap(index, random.below(index as u64 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::format::{GameResult, Ply};
    use enroque::chess::Board;

    #[test]
    fn search_score_decides_usability() {
        let start = Board::from_fen("4k3/p7/8/8/8/8/7P/R3K3 w - - 0 40", Default::default()).unwrap();
        let mut board = start.clone();
        let plies = [("e1d1", 100), ("e8d8", 100), ("a1b1", 15_000), ("d8c7", -100)].map(|(mv, score)| {
            let mv = board.parse_move(mv).unwrap();
            board.make_move(mv);
            Ply { mv, score }
        });
        let game = Game { start, plies: plies.to_vec(), result: GameResult::Win };
        let returns = Returns { td_lambda: 0.5, scale: 220.0 };
        let [first, second, _, fourth] = returns.of(&game).try_into().unwrap();
        let found: Vec<i16> = usable_samples(&game, returns).iter().map(Sample::score).collect();
        assert_eq!(found, [first, -second, -fourth], "each for the side to move");
    }
}
