//! `datagen`: plays games against itself on all cores and writes them to a file, which it takes up again where
//! it was left.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::game::{Game, GameResult};
use super::selfplay::{Player, Settings};
use super::store::{GameReader, GameWriter, StoreError};
use crate::engine::EngineError;

/// Play games against itself and write them down, for training
#[derive(Args, Debug)]
#[command(after_help = "\
The games are written in viriformat, compressed by zstd; FILE.json beside them says how they were made. The same
command goes on where it was interrupted, also after a kill, and the same seed gives the same games whatever the
number of threads.

Examples:
  enroque datagen games.zst --positions 50000
  enroque datagen g2.zst --games 200000 --nodes 1500 --seed 7 --threads 16")]
pub struct Arguments {
    /// File to write
    file: PathBuf,
    /// Stop after so many games
    #[arg(long, value_name = "N", required_unless_present = "positions")]
    games: Option<u64>,
    /// Stop after so many positions
    #[arg(long, value_name = "N")]
    positions: Option<u64>,
    /// Games played at once; all cores when left out
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Nodes a move after which no iteration begins; the hard limit is eight times that
    #[arg(long, value_name = "N", default_value_t = Settings::default().soft_nodes)]
    nodes: u64,
    /// Where chance begins
    #[arg(long, default_value_t = Settings::default().seed)]
    seed: u64,
    /// Per cent of the games that begin in double Chess960; the others are orthodox
    #[arg(long, value_name = "PERCENT", default_value_t = Settings::default().double_percent,
        value_parser = clap::value_parser!(u64).range(0..=100))]
    double: u64,
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
    /// The record beside the file.
    #[error("{}: {reason}", path.display())]
    Record {
        /// The record.
        path: PathBuf,
        /// What is wrong with it.
        reason: std::io::Error,
    },
    /// The file holds games made otherwise.
    #[error(
        "{}: holds games made with other settings (see {}); use them again or write to another file",
        file.display(), record.display()
    )]
    OtherSettings {
        /// The games.
        file: PathBuf,
        /// How they were made.
        record: PathBuf,
    },
}

/// How a file of games was made; stands beside it.
#[derive(PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The program and its version.
    pub generator: String,
    /// The network that evaluated.
    pub evaluation: String,
    /// What decided how the games went.
    pub settings: Settings,
}

impl Record {
    fn new(settings: Settings) -> Self {
        Self {
            generator: concat!("enroque ", env!("CARGO_PKG_VERSION"), " ", env!("ENROQUE_COMMIT")).to_owned(),
            evaluation: crate::eval::NAME.to_owned(),
            settings,
        }
    }
}

/// Where the record of `file` is.
fn record_path(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".json");
    name.into()
}

/// What has been played so far.
#[derive(Default)]
struct Tally {
    games: u64,
    positions: u64,
    /// Positions of an earlier run.
    old_positions: u64,
    /// By result for White: losses, draws, wins.
    results: [u64; 3],
}

impl Tally {
    fn add(&mut self, game: &Game) {
        self.games += 1;
        self.positions += game.plies.len() as u64;
        self.results[game.result as usize] += 1;
    }

    fn reaches(&self, arguments: &Arguments) -> bool {
        arguments.games.is_some_and(|limit| self.games >= limit)
            || arguments.positions.is_some_and(|limit| self.positions >= limit)
    }
}

/// Runs the command.
///
/// # Errors
/// When the file cannot be written or holds other games.
pub fn run(arguments: &Arguments) -> Result<(), DatagenError> {
    let settings = Settings {
        seed: arguments.seed,
        soft_nodes: arguments.nodes,
        hard_nodes: arguments.nodes * HARD_FACTOR,
        double_percent: arguments.double,
        ..Settings::default()
    };
    let settings = agree_on_record(&arguments.file, Record::new(settings))?;
    let mut writer = GameWriter::open(&arguments.file)?;
    let mut tally = Tally::default();
    for game in GameReader::open(&arguments.file)? {
        tally.add(&game?);
    }
    tally.old_positions = tally.positions;
    let threads =
        arguments.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let bar = progress_bar(arguments, &tally);
    let (next, done) = (AtomicU64::new(tally.games), AtomicBool::new(tally.reaches(arguments)));
    let (sender, receiver) = sync_channel(threads * 4);
    let players =
        (0..threads.max(1)).map(|_| Player::new(&settings)).collect::<Result<Vec<_>, EngineError>>()?;
    std::thread::scope(|scope| {
        for mut player in players {
            let (sender, next, done) = (sender.clone(), &next, &done);
            scope.spawn(move || {
                while !done.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if sender.send((number, player.play(number))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let written = write_in_order(&receiver, &mut writer, &mut tally, arguments, &bar);
        // Also after an error: players that wait with a game must not wait for ever.
        done.store(true, Ordering::Relaxed);
        drop(receiver);
        written
    })?;
    writer.finish()?;
    bar.finish();
    Ok(())
}

/// Writes games in the order of their numbers, so that the file does not depend on which thread was faster.
fn write_in_order(
    games: &Receiver<(u64, Game)>,
    writer: &mut GameWriter,
    tally: &mut Tally,
    arguments: &Arguments,
    bar: &ProgressBar,
) -> Result<(), StoreError> {
    let mut waiting = BTreeMap::new();
    while !tally.reaches(arguments) {
        let Ok((number, game)) = games.recv() else { break };
        waiting.insert(number, game);
        while let Some(game) = waiting.remove(&tally.games).filter(|_| !tally.reaches(arguments)) {
            writer.add(&game)?;
            tally.add(&game);
            show(bar, tally, arguments);
        }
    }
    Ok(())
}

/// Writes the record beside a new file. For an old one, checks that it was made in the same way.
fn agree_on_record(file: &Path, record: Record) -> Result<Settings, DatagenError> {
    let path = record_path(file);
    let fail = |reason| DatagenError::Record { path: path.clone(), reason };
    match std::fs::read(&path) {
        Ok(bytes) => {
            let old: Record = serde_json::from_slice(&bytes).map_err(|error| fail(error.into()))?;
            if old != record {
                return Err(DatagenError::OtherSettings { file: file.to_owned(), record: path });
            }
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let text = serde_json::to_string_pretty(&record).map_err(|error| fail(error.into()))?;
            std::fs::write(&path, text + "\n").map_err(fail)?;
        }
        Err(error) => return Err(fail(error)),
    }
    Ok(record.settings)
}

fn progress_bar(arguments: &Arguments, tally: &Tally) -> ProgressBar {
    let (length, unit) = match (arguments.positions, arguments.games) {
        (Some(positions), _) => (positions, "positions"),
        (None, games) => (games.unwrap_or(0), "games"),
    };
    let template = format!("{{bar:24}} {{human_pos}}/{{human_len}} {unit}  {{msg}}  {{eta}} left");
    let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::new(length).with_style(style);
    show(&bar, tally, arguments);
    bar.reset_eta();
    bar
}

fn show(bar: &ProgressBar, tally: &Tally, arguments: &Arguments) {
    let fresh = tally.positions - tally.old_positions;
    let speed = fresh as f64 / bar.elapsed().as_secs_f64().max(1.0);
    let share = |result: GameResult| 100 * tally.results[result as usize] / tally.games.max(1);
    let [win, draw, loss] = [GameResult::Win, GameResult::Draw, GameResult::Loss].map(share);
    bar.set_message(format!("{speed:.0} positions/s  won {win} % drawn {draw} % lost {loss} %"));
    bar.set_position(if arguments.positions.is_some() { tally.positions } else { tally.games });
}
