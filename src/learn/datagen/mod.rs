//! `datagen`: plays games against itself on all cores and writes them to a file, which it takes up again where
//! it was left.

pub mod selfplay;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::engine::EngineError;
use crate::learn::datagen::selfplay::{PlayedGame, Player, Settings};
use crate::learn::games::format::{Game, GameResult};
use crate::learn::games::store::{GameWriter, StoreError};
use crate::learn::games::tree::TreeWriter;
use crate::nnue::{Network, NetworkError};
use crate::runs::manifest::{self, ManifestError};
use crate::runs::parallel::{available_threads, in_order};
use crate::runs::shard::Shard;
use crate::terminal::eprint_line;
use crate::terminal::progress::Progress;
use crate::util::version;

/// What `datagen` is to make.
#[derive(Debug)]
pub struct Options {
    /// File to write, or to go on with.
    pub file: PathBuf,
    /// Stop after so many games.
    pub games: Option<u64>,
    /// Stop after so many positions.
    pub positions: Option<u64>,
    /// Games played at once; all cores when `None`.
    pub threads: Option<usize>,
    /// Nodes a move after which no iteration begins; the hard limit is eight times that.
    pub nodes: u64,
    /// File of the network that evaluates; the program's own when `None`.
    pub network: Option<PathBuf>,
    /// Positions inside the tree are kept, too, when their own sub-search was at least so many plies deep.
    pub tree_depth: Option<i32>,
    /// Seed of all random choices.
    pub seed: u64,
    /// Which of the games to play: the limits are those of all parts together.
    pub shard: Shard,
    /// Games in a hundred that begin in double Chess960; the others are orthodox.
    pub double_percent: u64,
}

impl Options {
    /// The limit of this part's games.
    fn games(&self) -> Option<u64> {
        self.games.map(|games| self.shard.share_of(games))
    }

    /// The limit of this part's positions.
    fn positions(&self) -> Option<u64> {
        self.positions.map(|positions| self.shard.share_of(positions))
    }
}

/// Hard over soft node limit.
const HARD_FACTOR: u64 = 8;

/// Why no games were made.
#[derive(Debug, Error)]
pub enum DatagenError {
    /// A file of games.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No memory for a player.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The network that is to evaluate.
    #[error("{}: {reason}", path.display())]
    Network {
        /// Its file.
        path: PathBuf,
        /// What is wrong.
        reason: NetworkError,
    },
    /// The record beside the file.
    #[error(transparent)]
    Record(#[from] ManifestError),
}

/// How a file of games was made; stands beside it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The program and its version.
    pub generator: String,
    /// Checksum of the network that evaluated.
    pub network: String,
    /// What decided how the games went.
    pub settings: Settings,
    /// Which of the games these are.
    #[serde(default = "whole")]
    pub shard: Shard,
}

/// Of records that older versions wrote.
fn whole() -> Shard {
    Shard::WHOLE
}

impl Record {
    fn new(settings: Settings, shard: Shard, network: &Network) -> Self {
        Self {
            generator: version::GENERATOR.to_owned(),
            network: format!("{:016x}", network.checksum()),
            settings,
            shard,
        }
    }
}

/// What has been played so far.
#[derive(Default)]
struct Tally {
    games: u64,
    positions: u64,
    /// By result for White: losses, draws, wins.
    results: [u64; 3],
}

impl Tally {
    fn add(&mut self, game: &Game) {
        self.games += 1;
        self.positions += game.plies.len() as u64;
        self.results[game.result as usize] += 1;
    }

    /// What has been played, in words.
    fn summary(&self) -> String {
        let share = |result: GameResult| 100 * self.results[result as usize] / self.games.max(1);
        let [win, draw, loss] = [GameResult::Win, GameResult::Draw, GameResult::Loss].map(share);
        format!(
            "{} games, {} positions; White won {win} %, drew {draw} %, lost {loss} %",
            self.games, self.positions
        )
    }

    fn reaches(&self, options: &Options) -> bool {
        options.games().is_some_and(|limit| self.games >= limit)
            || options.positions().is_some_and(|limit| self.positions >= limit)
    }
}

/// The network of a file; the program's own when there is none.
///
/// # Errors
/// When it cannot be read.
pub fn load_network(path: Option<&Path>) -> Result<Arc<Network>, DatagenError> {
    let Some(path) = path else { return Ok(Network::embedded()) };
    let network = Network::load(path);
    network.map(Arc::new).map_err(|reason| DatagenError::Network { path: path.to_owned(), reason })
}

/// Runs the command.
///
/// # Errors
/// When the file cannot be written or holds other games.
pub fn run(options: &Options) -> Result<(), DatagenError> {
    let settings = Settings {
        seed: options.seed,
        soft_nodes: options.nodes,
        hard_nodes: options.nodes * HARD_FACTOR,
        double_percent: options.double_percent,
        tree_depth: options.tree_depth,
        ..Settings::default()
    };
    let network = load_network(options.network.as_deref())?;
    let record = Record::new(settings, options.shard, &network);
    manifest::agree(&options.file, &record)?;
    let settings = record.settings;
    let writer = GameWriter::open(&options.file)?;
    let mut tally = Tally::default();
    for game in writer.games()? {
        tally.add(&game?);
    }
    let tree = match settings.tree_depth {
        Some(_) => Some(TreeWriter::open(&options.file, tally.games).map_err(StoreError::from)?),
        None => None,
    };
    let mut output = Output { writer, tree, tally };
    let mut progress = new_progress(options, &output.tally);
    if !output.tally.reaches(options) {
        let threads = options.threads.unwrap_or_else(available_threads).max(1);
        let mut players = (0..threads)
            .map(|_| Player::new(&settings, network.clone()))
            .collect::<Result<Vec<_>, EngineError>>()?;
        let play = |player: &mut Player<'_>, number| Some(player.play(options.shard.index_in_whole(number)));
        in_order(&mut players, output.tally.games.., play, |played| {
            output.add(&played)?;
            show(&mut progress, &output.tally, options);
            let is_enough = output.tally.reaches(options);
            Ok::<_, DatagenError>(if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
    }
    // The games last: as long as they have a tail the file is not finished.
    output.tree.map_or(Ok(()), TreeWriter::finish).map_err(StoreError::from)?;
    output.writer.finish()?;
    progress.finish();
    eprint_line(&format!("{}: {}", options.file.display(), output.tally.summary()));
    Ok(())
}

/// What is written.
struct Output {
    writer: GameWriter,
    tree: Option<TreeWriter>,
    tally: Tally,
}

impl Output {
    fn add(&mut self, played: &PlayedGame) -> Result<(), StoreError> {
        if let Some(tree) = &mut self.tree {
            tree.add(self.tally.games, &played.tree)?;
        }
        self.writer.add(&played.game)?;
        self.tally.add(&played.game);
        Ok(())
    }
}

fn new_progress(options: &Options, tally: &Tally) -> Progress {
    match options.positions() {
        Some(positions) => Progress::new(positions, "positions", tally.positions),
        None => Progress::new(options.games().unwrap_or(0), "games", tally.games),
    }
}

fn show(progress: &mut Progress, tally: &Tally, options: &Options) {
    let done = if options.positions.is_some() { tally.positions } else { tally.games };
    let share = |result: GameResult| 100 * tally.results[result as usize] / tally.games.max(1);
    let [win, draw, loss] = [GameResult::Win, GameResult::Draw, GameResult::Loss].map(share);
    let speed = progress.speed(done);
    let unit = if options.positions.is_some() { "positions" } else { "games" };
    progress.set(done, || {
        format!("{speed:.0} {unit}/s  {} games: won {win} %, drawn {draw} %, lost {loss} %", tally.games)
    });
}
