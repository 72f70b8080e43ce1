//! The arguments of `enroque-learn datagen`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, value_parser};

use crate::selfplay::{HARD_FACTOR, MAX_NODES, Settings};
use enroque_runs::parallel::parse_threads;
use enroque_runs::shard::Shard;

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
pub struct Arguments {
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

impl Arguments {
    pub fn settings(&self) -> Settings {
        Settings {
            seed: self.seed,
            soft_nodes: self.nodes,
            hard_nodes: self.nodes * HARD_FACTOR,
            fast_nodes: self.fast_nodes,
            double_percent: self.double_percent,
            tree_depth: self.tree_depth,
            until_pieces: self.until_pieces,
            ..Settings::default()
        }
    }
}
