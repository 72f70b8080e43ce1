//! `datagen`: plays games against itself on all cores and writes them to a file. An interrupted run is resumed.

pub mod selfplay;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use clap::{Args, value_parser};
use serde::{Deserialize, Serialize};

use self::selfplay::{PlayedGame, Player, Settings};
use crate::games::format::{Game, GameResult};
use crate::games::frames;
use crate::games::store::GameWriter;
use crate::games::tree::{self, TreeWriter};
use enroque::engine::EngineError;
use enroque::nnue::Network;
use enroque::terminal::eprint_line;
use enroque::util::parallel::available_threads;
use enroque::util::version;
use enroque_runs::files::ensure_distinct;
use enroque_runs::manifest;
use enroque_runs::parallel::{in_order, parse_threads};
use enroque_runs::progress::Progress;
use enroque_runs::shard::Shard;

/// Maximum number of nodes a move that can be asked for: hours of search.
pub const MAX_NODES: u64 = 100_000_000_000;

/// Play games against itself and write them to a file, for training
#[derive(Args, Debug)]
#[command(after_help = "\
Games are written in viriformat, compressed by zstd. FILE.json beside them records how they were made. The same command \
resumes an interrupted or killed run. The same seed gives the same games for any number of threads.

Examples:
  enroque-learn datagen games.zst --positions 50000
  enroque-learn datagen g2.zst --games 200000 --nodes 1500 --seed 7 --threads 16
  enroque-learn datagen part1.zst --games 1000000 --shard 1/8   one of eight machines
  enroque-learn datagen g3.zst --positions 1000000 --tree 5 --network g2.nnue")]
pub struct Options {
    /// File to write, or to resume
    pub file: PathBuf,
    /// Stop after N games
    #[arg(long, value_name = "N", required_unless_present = "positions")]
    pub games: Option<u64>,
    /// Stop after N positions
    #[arg(long, value_name = "N")]
    pub positions: Option<u64>,
    /// Games played at the same time [default: one per core]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub threads: Option<usize>,
    /// Soft node limit a move: no iteration starts beyond it; the hard limit is eight times as high
    #[arg(long, value_name = "N", default_value_t = Settings::default().soft_nodes,
        value_parser = value_parser!(u64).range(1..=MAX_NODES))]
    pub nodes: u64,
    /// Keep positions of the search tree, too, if their own subtree is at least PLIES deep; they go to FILE.tree, where
    /// `train` finds them
    #[arg(long = "tree", value_name = "PLIES", value_parser = value_parser!(i32).range(1..))]
    pub tree_depth: Option<i32>,
    /// Network that evaluates [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    pub network: Option<PathBuf>,
    /// Seed of all random choices
    #[arg(long, default_value_t = Settings::default().seed)]
    pub seed: u64,
    /// Play only the Ith of N equal parts of the games; `data merge` joins them
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    pub shard: Shard,
    /// Percentage of games that start in double Chess960; the others are orthodox
    #[arg(long = "double", value_name = "PERCENT", default_value_t = Settings::default().double_percent,
        value_parser = value_parser!(u64).range(0..=100))]
    pub double_percent: u64,
}

impl Options {
    /// Returns this shard's share of the limit on games.
    fn max_games(&self) -> Option<u64> {
        self.games.map(|games| self.shard.share_of(games))
    }

    /// Returns this shard's share of the limit on positions.
    fn max_positions(&self) -> Option<u64> {
        self.positions.map(|positions| self.shard.share_of(positions))
    }
}

/// Hard node limit, as a multiple of the soft one.
const HARD_FACTOR: u64 = 8;

/// Manifest of a file of games: how it was made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// Program, version and commit.
    pub generator: String,
    /// Checksum of the network that evaluated, hexadecimal.
    pub network: String,
    /// Settings that determine the games.
    pub settings: Settings,
    /// Part of the games that this file holds.
    pub shard: Shard,
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

/// Counts of the games so far.
#[derive(Default)]
struct Tally {
    games: u64,
    positions: u64,
    /// Losses, draws and wins of White.
    results: [u64; 3],
}

impl Tally {
    fn add(&mut self, game: &Game) {
        self.games += 1;
        self.positions += game.plies.len() as u64;
        self.results[game.result as usize] += 1;
    }

    /// Returns White's wins, draws and losses in percent of the games.
    fn percentages(&self) -> [u64; 3] {
        [GameResult::Win, GameResult::Draw, GameResult::Loss]
            .map(|result| 100 * self.results[result as usize] / self.games.max(1))
    }

    fn summary(&self) -> String {
        let [win, draw, loss] = self.percentages();
        let Self { games, positions, .. } = self;
        format!("{games} games, {positions} positions; White won {win} %, drew {draw} %, lost {loss} %")
    }

    fn reaches_limit(&self, options: &Options) -> bool {
        options.max_games().is_some_and(|limit| self.games >= limit)
            || options.max_positions().is_some_and(|limit| self.positions >= limit)
    }
}

/// Loads the network of a file, or returns the built-in one.
pub fn load_network(path: Option<&Path>) -> Result<Arc<Network>> {
    let Some(path) = path else { return Ok(Network::embedded()) };
    let network = Network::load(path);
    network.map(Arc::new).map_err(|error| anyhow!("{}: {error}", path.display()))
}

/// Checks that the run writes to files of its own.
fn check_outputs(options: &Options) -> Result<()> {
    let (games, tree) = (options.file.clone(), tree::path(&options.file));
    let tails = [&games, &tree].map(|file| frames::tail_path(file));
    let outputs = [&[manifest::path(&games), games, tree][..], &tails].concat();
    Ok(ensure_distinct(options.network.as_slice(), &outputs)?)
}

/// Refuses games and tree samples of a run whose manifest is gone: they would become part of a new one.
fn refuse_remains(file: &Path) -> Result<()> {
    let record = manifest::path(file);
    if record.exists() {
        return Ok(());
    }
    let tree = tree::path(file);
    // Files of another kind are reported where they would be written.
    let has_tree = tree.exists() && frames::ensure_overwritable(&tree).is_ok();
    let tail_of = [file, &tree].into_iter().find(|file| frames::has_tail(file));
    let found = tail_of.map(frames::tail_path).or(has_tree.then_some(tree));
    if let Some(found) = found {
        let [found, record] = [&found, &record].map(|file| file.display());
        bail!("{found}: its manifest {record} is missing; remove it or choose another output file");
    }
    Ok(())
}

/// Runs `datagen`.
pub fn run(options: &Options) -> Result<()> {
    let settings = Settings {
        seed: options.seed,
        soft_nodes: options.nodes,
        hard_nodes: options.nodes * HARD_FACTOR,
        double_percent: options.double_percent,
        tree_depth: options.tree_depth,
        ..Settings::default()
    };
    check_outputs(options)?;
    let network = load_network(options.network.as_deref())?;
    let record = Record::new(settings, options.shard, &network);
    refuse_remains(&options.file)?;
    manifest::agree(&options.file, &record)?;
    let settings = record.settings;
    let writer = GameWriter::open(&options.file)?;
    let mut tally = Tally::default();
    for game in writer.games()? {
        tally.add(&game?);
    }
    let tree = match settings.tree_depth {
        Some(_) => Some(TreeWriter::open(&options.file, tally.games)?),
        None => None,
    };
    let mut output = Output { writer, tree, tally };
    let mut progress = new_progress(options, &output.tally);
    if !output.tally.reaches_limit(options) {
        let threads = options.threads.unwrap_or_else(available_threads).max(1);
        let mut players = (0..threads)
            .map(|_| Player::new(&settings, network.clone()))
            .collect::<Result<Vec<_>, EngineError>>()?;
        let play = |player: &mut Player<'_>, number| Some(player.play(options.shard.index_in_whole(number)));
        in_order(&mut players, output.tally.games.., play, |played| {
            output.add(&played)?;
            show(&mut progress, &output.tally, options);
            let is_finished = output.tally.reaches_limit(options);
            anyhow::Ok(if is_finished { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
    }
    // The games come last: a file is unfinished as long as its games have a tail.
    output.tree.map_or(Ok(()), TreeWriter::finish)?;
    output.writer.finish()?;
    progress.finish();
    eprint_line(&format!("{}: {}", options.file.display(), output.tally.summary()));
    Ok(())
}

/// Files written, and the counts of what they hold.
struct Output {
    writer: GameWriter,
    tree: Option<TreeWriter>,
    tally: Tally,
}

impl Output {
    fn add(&mut self, played: &PlayedGame) -> Result<()> {
        if let Some(tree) = &mut self.tree {
            tree.add(self.tally.games, &played.tree)?;
        }
        self.writer.add(&played.game)?;
        self.tally.add(&played.game);
        Ok(())
    }
}

fn new_progress(options: &Options, tally: &Tally) -> Progress {
    match options.max_positions() {
        Some(positions) => Progress::new(positions, "positions", tally.positions),
        None => Progress::new(options.max_games().unwrap_or(0), "games", tally.games),
    }
}

fn show(progress: &mut Progress, tally: &Tally, options: &Options) {
    let (done, unit) = match options.positions {
        Some(_) => (tally.positions, "positions"),
        None => (tally.games, "games"),
    };
    let [win, draw, loss] = tally.percentages();
    let speed = progress.speed(done);
    progress.set(done, || {
        format!("{speed:.0} {unit}/s  {} games: won {win} %, drawn {draw} %, lost {loss} %", tally.games)
    });
}
