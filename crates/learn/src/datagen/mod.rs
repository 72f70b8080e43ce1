//! `datagen` saves games that the engine plays against itself on all cores. The same command resumes a killed run.

mod arguments;

use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

pub use self::arguments::Arguments;
use crate::games::format::{Game, GameResult};
use crate::games::{GameWriter, frames};
use crate::network;
use crate::sample::tree::{self, TreeWriter};
use crate::selfplay::{PlayedGame, Player, Settings};
use enroque::engine::EngineError;
use enroque::terminal::eprint_line;
use enroque_runs::files::ensure_distinct;
use enroque_runs::manifest::{self, Made};
use enroque_runs::parallel::{in_order, thread_count};
use enroque_runs::progress::Progress;
use enroque_runs::shard::Shard;

/// The manifest of a game file: everything that determines which games a run plays. A resumed run must have the same.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GamesManifest {
    #[serde(flatten)]
    pub made: Made,
    pub settings: Settings,
    pub shard: Shard,
}

#[derive(Default)]
struct Tally {
    games: u64,
    positions: u64,
    /// How many games White lost, drew and won.
    results: [u64; 3],
}

impl Tally {
    fn add(&mut self, game: &Game) {
        self.games += 1;
        self.positions += game.plies.len() as u64;
        self.results[game.result as usize] += 1;
    }

    /// Returns how many per cent of the games White won, drew and lost.
    fn percentages(&self) -> [u64; 3] {
        [GameResult::Win, GameResult::Draw, GameResult::Loss]
            .map(|result| 100 * self.results[result as usize] / self.games.max(1))
    }

    /// Whether this shard has played its share of `--games` or `--positions`.
    fn reaches_limit(&self, arguments: &Arguments) -> bool {
        let reaches = |count: u64, limit: u64| count >= arguments.shard.share_of(limit);
        arguments.games.is_some_and(|limit| reaches(self.games, limit))
            || arguments.positions.is_some_and(|limit| reaches(self.positions, limit))
    }

    /// Returns the count that the progress bar shows, and its unit.
    fn progress(&self, arguments: &Arguments) -> (u64, &'static str) {
        if arguments.positions.is_some() { (self.positions, "positions") } else { (self.games, "games") }
    }
}

/// Fails if an earlier run's games or tree samples are still there but its manifest is gone: the new run would take
/// them for its own.
fn refuse_remains(file: &Path) -> Result<()> {
    let manifest = manifest::path(file);
    if manifest.exists() {
        return Ok(());
    }
    let tree = tree::path(file);
    // If the tree file belongs to another program, we report that when we open it for writing.
    let has_tree = tree.exists() && frames::ensure_overwritable(&tree).is_ok();
    let tail_of = [file, &tree].into_iter().find(|file| frames::has_tail(file));
    let found = tail_of.map(frames::tail_path).or(has_tree.then_some(tree));
    if let Some(found) = found {
        let [found, manifest] = [&found, &manifest].map(|file| file.display());
        bail!("{found}: its manifest {manifest} is missing; remove it or choose another output file");
    }
    Ok(())
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let tree_path = tree::path(&arguments.file);
    let tails = [&arguments.file, &tree_path].map(|file| frames::tail_path(file));
    let outputs =
        [&[manifest::path(&arguments.file), arguments.file.clone(), tree_path][..], &tails].concat();
    ensure_distinct(arguments.network.as_slice(), &outputs)?;
    let network = network::load(arguments.network.as_deref())?;
    let (made, settings, shard) = (Made::with(&network), arguments.settings(), arguments.shard);
    let manifest = GamesManifest { made, settings, shard };
    refuse_remains(&arguments.file)?;
    manifest::agree(&arguments.file, &manifest)?;
    let settings = manifest.settings;
    let mut writer = GameWriter::open(&arguments.file)?;
    let mut tally = Tally::default();
    for game in writer.games()? {
        tally.add(&game?);
    }
    let mut tree = match settings.tree_depth {
        Some(_) => Some(TreeWriter::open(&arguments.file, tally.games)?),
        None => None,
    };
    let (done, unit) = tally.progress(arguments);
    let limit = arguments.positions.or(arguments.games).map_or(0, |limit| arguments.shard.share_of(limit));
    let mut progress = Progress::new(limit, unit, done);
    if !tally.reaches_limit(arguments) {
        let threads = thread_count(arguments.threads);
        let mut players = (0..threads)
            .map(|_| Player::new(&settings, network.clone()))
            .collect::<Result<Vec<_>, EngineError>>()?;
        let play = |player: &mut Player<'_>, number| player.play(arguments.shard.index_in_whole(number));
        in_order(&mut players, tally.games.., play, |PlayedGame { game, tree: samples }| {
            // If we are killed between the two writes, the next run drops the samples and plays the game again.
            if let Some(tree) = &mut tree {
                tree.add(tally.games, &samples)?;
            }
            writer.add(&game)?;
            tally.add(&game);
            let (done, _) = tally.progress(arguments);
            let speed = progress.speed(done);
            progress.set(done, || {
                let [win, draw, loss] = tally.percentages();
                format!(
                    "{speed:.0} {unit}/s  {} games: won {win} %, drawn {draw} %, lost {loss} %",
                    tally.games
                )
            });
            let is_finished = tally.reaches_limit(arguments);
            anyhow::Ok(if is_finished { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
    }
    // We finish the game file last, because a run counts as unfinished as long as its game file has a tail.
    tree.map_or(Ok(()), TreeWriter::finish)?;
    writer.finish()?;
    progress.finish();
    let [win, draw, loss] = tally.percentages();
    let Tally { games, positions, .. } = tally;
    eprint_line(&format!(
        "{}: {games} games, {positions} positions; White won {win} %, drew {draw} %, lost {loss} %",
        arguments.file.display()
    ));
    Ok(())
}
