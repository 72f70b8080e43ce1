//! `datagen` saves games that the engine plays against itself on all cores. The same command resumes a killed run.

pub mod selfplay;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, bail};
use clap::{ArgGroup, Args, value_parser};
use serde::{Deserialize, Serialize};

use self::selfplay::{PlayedGame, Player, Settings};
use crate::games::format::{Game, GameResult};
use crate::games::tree::{self, TreeWriter};
use crate::games::{GameWriter, frames};
use enroque::engine::EngineError;
use enroque::nnue::Network;
use enroque::terminal::eprint_line;
use enroque::util::parallel::available_threads;
use enroque::util::version;
use enroque_runs::files::{AtPath, ensure_distinct};
use enroque_runs::manifest;
use enroque_runs::parallel::{in_order, parse_threads};
use enroque_runs::progress::Progress;
use enroque_runs::shard::Shard;

/// The largest number of nodes per move that we accept. Such a search takes hours, and the hard limit, `HARD_FACTOR`
/// times as many nodes, still fits a `u64`.
pub const MAX_NODES: u64 = 100_000_000_000;

/// Let the engine play against itself and write the games to a file, for training
#[derive(Args, Debug)]
#[command(after_help = "\
The file has games in viriformat, compressed by gzip. FILE.json records how they were made. The same command resumes a run \
that was interrupted or killed. The same seed gives the same games with any number of threads.

Examples:
  enroque-learn datagen games.gz --positions 50000
  enroque-learn datagen g2.gz --games 200000 --nodes 1500 --seed 7 --threads 16
  enroque-learn datagen g4.gz --games 100000 --nodes 1500 --fast-nodes 200 --until-pieces 18
  enroque-learn datagen part1.gz --games 1000000 --shard 1/8     one of eight
  enroque-learn datagen g3.gz --positions 1000000 --tree 5 --network g2.nnue")]
#[command(group = ArgGroup::new("length").required(true).multiple(true).args(["games", "positions"]))]
pub struct Options {
    /// File to write, or to resume
    pub file: PathBuf,
    /// Stop after N games
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    /// Stop after N positions
    #[arg(long, value_name = "N")]
    pub positions: Option<u64>,
    /// Games played at the same time [default: one per core]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub threads: Option<usize>,
    /// Nodes per move, after which no new iteration starts; at eight times as many, the search stops at once
    #[arg(long, value_name = "N", default_value_t = Settings::default().soft_nodes,
        value_parser = value_parser!(u64).range(1..=MAX_NODES))]
    pub nodes: u64,
    /// Choose three moves in four, at random, by a search of only N nodes, and don't train on their positions:
    /// neighbouring positions teach much the same, so more games are better than more positions
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=MAX_NODES))]
    pub fast_nodes: Option<u64>,
    /// Also keep positions of the search tree that were searched at least PLIES deep; they go to FILE.tree, where
    /// training finds them
    #[arg(long = "tree", value_name = "PLIES", value_parser = value_parser!(i32).range(1..))]
    pub tree_depth: Option<i32>,
    /// Network to play with [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    pub network: Option<PathBuf>,
    /// Seed for all random choices
    #[arg(long, default_value_t = Settings::default().seed)]
    pub seed: u64,
    /// Play only part I of N equal parts of the games; enroque-learn data merge joins them
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    pub shard: Shard,
    /// How many games in a hundred start in double Chess960; the others start in the orthodox position
    #[arg(long = "double", value_name = "PERCENT", default_value_t = Settings::default().double_percent,
        value_parser = value_parser!(u64).range(0..=100))]
    pub double_percent: u64,
    /// End a game once at most N pieces are left, kings and pawns included; the score then decides who wins, so train
    /// on such games without --lambda; 0 plays all games out
    #[arg(long, value_name = "N", default_value_t = Settings::default().until_pieces,
        value_parser = value_parser!(u32).range(..32))]
    pub until_pieces: u32,
}

/// A search stops at once at this multiple of the soft node limit.
const HARD_FACTOR: u64 = 8;

/// The manifest of a game file: everything that determines which games a run plays. A resumed run must have the same.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Record {
    pub generator: String,
    /// Checksum of the network that played, in hexadecimal.
    pub network: String,
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
    fn reaches_limit(&self, options: &Options) -> bool {
        let reaches = |count: u64, limit: u64| count >= options.shard.share_of(limit);
        options.games.is_some_and(|limit| reaches(self.games, limit))
            || options.positions.is_some_and(|limit| reaches(self.positions, limit))
    }

    /// Returns the count that the progress bar shows, and its unit.
    fn progress(&self, options: &Options) -> (u64, &'static str) {
        if options.positions.is_some() { (self.positions, "positions") } else { (self.games, "games") }
    }
}

/// Loads the network at `path`, or the built-in one if there is no path.
pub fn load_network(path: Option<&Path>) -> Result<Arc<Network>> {
    let Some(path) = path else { return Ok(Network::embedded()) };
    Network::load(path).map(Arc::new).at(path)
}

/// Fails if an earlier run's games or tree samples are still there but its manifest is gone: the new run would take
/// them for its own.
fn refuse_remains(file: &Path) -> Result<()> {
    let record = manifest::path(file);
    if record.exists() {
        return Ok(());
    }
    let tree = tree::path(file);
    // If the tree file belongs to another program, we report that when we open it for writing.
    let has_tree = tree.exists() && frames::ensure_overwritable(&tree).is_ok();
    let tail_of = [file, &tree].into_iter().find(|file| frames::has_tail(file));
    let found = tail_of.map(frames::tail_path).or(has_tree.then_some(tree));
    if let Some(found) = found {
        let [found, record] = [&found, &record].map(|file| file.display());
        bail!("{found}: its manifest {record} is missing; remove it or choose another output file");
    }
    Ok(())
}

pub fn run(options: &Options) -> Result<()> {
    let settings = Settings {
        seed: options.seed,
        soft_nodes: options.nodes,
        hard_nodes: options.nodes * HARD_FACTOR,
        fast_nodes: options.fast_nodes,
        double_percent: options.double_percent,
        tree_depth: options.tree_depth,
        until_pieces: options.until_pieces,
        ..Settings::default()
    };
    let tree_path = tree::path(&options.file);
    let tails = [&options.file, &tree_path].map(|file| frames::tail_path(file));
    let outputs = [&[manifest::path(&options.file), options.file.clone(), tree_path][..], &tails].concat();
    ensure_distinct(options.network.as_slice(), &outputs)?;
    let network = load_network(options.network.as_deref())?;
    let record = Record {
        generator: version::GENERATOR.to_owned(),
        network: format!("{:016x}", network.checksum()),
        settings,
        shard: options.shard,
    };
    refuse_remains(&options.file)?;
    manifest::agree(&options.file, &record)?;
    let settings = record.settings;
    let mut writer = GameWriter::open(&options.file)?;
    let mut tally = Tally::default();
    for game in writer.games()? {
        tally.add(&game?);
    }
    let mut tree = match settings.tree_depth {
        Some(_) => Some(TreeWriter::open(&options.file, tally.games)?),
        None => None,
    };
    let (done, unit) = tally.progress(options);
    let limit = options.positions.or(options.games).map_or(0, |limit| options.shard.share_of(limit));
    let mut progress = Progress::new(limit, unit, done);
    if !tally.reaches_limit(options) {
        let threads = options.threads.unwrap_or_else(available_threads).max(1);
        let mut players = (0..threads)
            .map(|_| Player::new(&settings, network.clone()))
            .collect::<Result<Vec<_>, EngineError>>()?;
        let play = |player: &mut Player<'_>, number| Some(player.play(options.shard.index_in_whole(number)));
        in_order(&mut players, tally.games.., play, |PlayedGame { game, tree: samples }| {
            // If we are killed between the two writes, the next run drops the samples and plays the game again.
            if let Some(tree) = &mut tree {
                tree.add(tally.games, &samples)?;
            }
            writer.add(&game)?;
            tally.add(&game);
            let (done, _) = tally.progress(options);
            let speed = progress.speed(done);
            progress.set(done, || {
                let [win, draw, loss] = tally.percentages();
                format!(
                    "{speed:.0} {unit}/s  {} games: won {win} %, drawn {draw} %, lost {loss} %",
                    tally.games
                )
            });
            let is_finished = tally.reaches_limit(options);
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
        options.file.display()
    ));
    Ok(())
}
