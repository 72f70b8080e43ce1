//! `match`: a new network against an old one, at so many nodes a move or on clocks that count them, in this process: a busy
//! machine changes nothing, and nothing is lost on talking to programs.

pub mod node_clock;
pub mod on_clock;
pub mod sprt;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use thiserror::Error;

use crate::chess::Color;
use crate::engine::EngineError;
use crate::engine::local::LocalSearcher;
use crate::learn::datagen::selfplay::{Settings, opening, play_out};
use crate::learn::datagen::{DatagenError, load_network};
use crate::learn::games::format::GameResult;
use crate::learn::matches::node_clock::{NODES_PER_MS, NodeClocks, TimeControl};
use crate::learn::matches::sprt::{Bounds, Pentanomial, Verdict};
use crate::nnue::Network;
use crate::runs::parallel::{available_threads, in_order};
use crate::terminal::progress::Progress;
use crate::terminal::{ExitStatus, OutputError, interrupt, print_line};

/// What is to be played.
#[derive(Debug)]
pub struct Options {
    /// The new engine.
    pub new: Side,
    /// The old one.
    pub old: Side,
    /// Pairs of games, at most.
    pub pairs: u64,
    /// Nodes a move; where there are clocks, those that opening positions are judged with.
    pub nodes: u64,
    /// Clocks that count nodes.
    pub clock: Option<TimeControl>,
    /// The test that may end it before.
    pub sprt: Option<Bounds>,
    /// Seed of the openings.
    pub seed: u64,
    /// Games at once; all cores when `None`.
    pub threads: Option<usize>,
    /// Openings in a hundred that are double Chess960; the others are orthodox.
    pub double_percent: u64,
}

/// One of the two engines.
#[derive(Clone, Debug, Default)]
pub struct Side {
    /// Its network; the program's own when `None`.
    pub network: Option<PathBuf>,
    /// Search parameters that it plays with.
    #[cfg(feature = "tune")]
    pub parameters: Vec<(&'static crate::search::params::Parameter, i32)>,
}

impl Side {
    /// From now on the searches of this process have its parameters.
    fn apply_parameters(&self) {
        #[cfg(feature = "tune")]
        for (parameter, value) in &self.parameters {
            parameter.value.store(*value, Ordering::Relaxed);
        }
    }
}

/// Why there was no match.
#[derive(Debug, Error)]
pub enum MatchError {
    /// No network, or no memory.
    #[error(transparent)]
    Datagen(#[from] DatagenError),
    /// No memory for the players.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Standard output.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// No program to play on the clock.
    #[error("--tc: fastchess is not on the PATH; without --tc the match is played here, at fixed nodes")]
    NoRunner,
    /// It failed.
    #[error("fastchess: {0}")]
    Runner(String),
    /// Parameters are those of a process.
    #[cfg(feature = "tune")]
    #[error("parameters hold for the whole process: two values of one can play with --threads 1 only")]
    Threads,
}

/// Openings in which one side leads by more, centipawns, decide the game before the players do.
const BALANCE: i32 = 150;
/// Table of each player, MiB.
const HASH: usize = 8;

/// What has been played so far.
#[derive(Default)]
struct Tally {
    /// By result for the new engine: losses, draws, wins.
    results: [u64; 3],
    pairs: Pentanomial,
}

impl Tally {
    fn add(&mut self, results: [GameResult; 2]) {
        // A draw is one half point, a win two.
        self.pairs.add(results.iter().map(|&result| result as usize).sum());
        for result in results {
            self.results[result as usize] += 1;
        }
    }

    fn text(&self, sprt: Option<Bounds>) -> String {
        let mut text = self.pairs.to_string();
        if let Some(bounds) = sprt {
            let (ratio, limit) = (self.pairs.log_likelihood_ratio(bounds), Bounds::limit());
            text += &format!(", SPRT [{}, {}] {ratio:+.2} of ±{limit:.2}", bounds.0, bounds.1);
        }
        text
    }
}

/// The two engines at one board.
struct Pairing<'a> {
    options: &'a Options,
    settings: &'a Settings,
    /// The new and the old engine.
    solos: [LocalSearcher; 2],
}

impl Pairing<'_> {
    /// Plays the two games of a pair; their results for the new engine, which is White first.
    fn play(&mut self, number: u64) -> [GameResult; 2] {
        let Self { options, settings, solos } = self;
        options.old.apply_parameters();
        // The old engine judges what is balanced, so that the openings do not depend on what is tried.
        let start = opening(settings, number, &mut solos[1]);
        [Color::White, Color::Black].map(|new_color| {
            solos.iter_mut().for_each(LocalSearcher::new_game);
            let mut clocks = options.clock.map(NodeClocks::new);
            let game = play_out(settings, start.clone(), |board| {
                let is_old = board.side_to_move() != new_color;
                let side = if is_old { &options.old } else { &options.new };
                side.apply_parameters();
                let limits = clocks.as_ref().map_or_else(|| settings.limits(), |clocks| clocks.limits(board));
                let outcome = solos[usize::from(is_old)].search(board, limits);
                if let Some(clocks) = &mut clocks {
                    clocks.spend(board.side_to_move(), outcome.nodes);
                }
                outcome
            });
            if new_color == Color::White { game.result } else { game.result.reversed() }
        })
    }
}

/// How openings are drawn and games are ended.
pub fn settings(options: &Options) -> Settings {
    Settings {
        seed: options.seed,
        soft_nodes: options.nodes,
        hard_nodes: options.nodes,
        double_percent: options.double_percent,
        opening_score: BALANCE,
        hash: HASH,
        ..Settings::default()
    }
}

impl Options {
    /// Games at once.
    pub fn threads(&self) -> usize {
        self.threads.unwrap_or_else(available_threads).max(1)
    }
}

/// Runs the command.
///
/// # Errors
/// When a network cannot be read or there is no memory for the players.
pub fn run(options: &Options) -> Result<ExitStatus, MatchError> {
    let threads = options.threads();
    #[cfg(feature = "tune")]
    if threads > 1 && !(options.new.parameters.is_empty() && options.old.parameters.is_empty()) {
        return Err(MatchError::Threads);
    }
    let settings = settings(options);
    let networks =
        [load_network(options.new.network.as_deref())?, load_network(options.old.network.as_deref())?];
    let pairings = (0..threads)
        .map(|_| {
            let solo = |network: &Arc<Network>| {
                let mut solo = LocalSearcher::new(network.clone(), settings.hash)?;
                solo.count_nodes(NODES_PER_MS);
                Ok::<_, EngineError>(solo)
            };
            Ok(Pairing { options, settings: &settings, solos: [solo(&networks[0])?, solo(&networks[1])?] })
        })
        .collect::<Result<Vec<_>, EngineError>>()?;
    let solos = pairings.iter().flat_map(|pairing| &pairing.solos);
    interrupt::stop_on_interrupt(solos.map(LocalSearcher::control).collect());
    let tally = play(options, pairings)?;
    report(options, &tally)
}

/// Plays until all pairs are played, the test decides, or Ctrl-C.
fn play(options: &Options, mut pairings: Vec<Pairing<'_>>) -> Result<Tally, MatchError> {
    let mut tally = Tally::default();
    let mut progress = Progress::new(2 * options.pairs, "games", 0);
    // A pair cut short by Ctrl-C does not count.
    let play_pair = |pairing: &mut Pairing<'_>, number| {
        let results = pairing.play(number);
        (!interrupt::happened()).then_some(results)
    };
    in_order(&mut pairings, 0..options.pairs, play_pair, |results| {
        tally.add(results);
        progress.set(2 * tally.pairs.pairs(), || tally.text(options.sprt));
        let is_decided = options.sprt.is_some_and(|bounds| bounds.verdict(&tally.pairs).is_some());
        Ok::<_, MatchError>(if is_decided { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    progress.finish();
    Ok(tally)
}

fn report(options: &Options, tally: &Tally) -> Result<ExitStatus, MatchError> {
    let [lost, drawn, won] = tally.results;
    let Pentanomial(pairs) = tally.pairs;
    print_line(&format!("{} games: won {won}, drawn {drawn}, lost {lost}", won + drawn + lost))?;
    print_line(&format!("pairs by points 0, ½, 1, 1½, 2: {pairs:?}"))?;
    print_line(&tally.text(options.sprt))?;
    let verdict = options.sprt.map(|bounds| bounds.verdict(&tally.pairs));
    if let Some(verdict) = verdict {
        print_line(match verdict {
            Some(Verdict::Accepted) => "passed",
            Some(Verdict::Rejected) => "not passed",
            None => "undecided",
        })?;
    }
    Ok(match verdict {
        _ if interrupt::happened() => ExitStatus::Interrupted,
        Some(verdict) if verdict != Some(Verdict::Accepted) => ExitStatus::CheckFailed,
        _ => ExitStatus::Success,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::Row;

    /// What a match of a few pairs of `new` against the program's own network comes to.
    fn against_own(new: Network) -> Tally {
        let options = Options {
            new: Side::default(),
            old: Side::default(),
            pairs: 6,
            nodes: 300,
            clock: None,
            sprt: None,
            seed: 3,
            threads: Some(2),
            double_percent: 50,
        };
        let settings = Settings { soft_nodes: 300, hard_nodes: 300, hash: 1, ..Settings::default() };
        let new = Arc::new(new);
        let solo = |network: &Arc<Network>| LocalSearcher::new(network.clone(), 1).unwrap();
        let pairing = || {
            let solos = [solo(&new), solo(&Network::embedded())];
            Pairing { options: &options, settings: &settings, solos }
        };
        play(&options, vec![pairing(), pairing()]).unwrap()
    }

    #[test]
    fn a_network_against_itself_takes_as_much_as_it_gives_in_every_pair() {
        let tally = against_own(Network::clone(&Network::embedded()));
        assert_eq!(tally.pairs, Pentanomial([0, 0, 6, 0, 0]));
        assert_eq!(tally.results[0], tally.results[2]);
    }

    #[test]
    fn a_network_that_knows_nothing_loses() {
        let mut blank = Network::clone(&Network::embedded());
        blank.output_weights = [[Row::ZERO; 2]; crate::nnue::OUTPUT_BUCKETS];
        let Tally { results: [lost, _, won], pairs } = against_own(blank);
        assert!(lost > won && pairs.elo().0 < -100.0, "{pairs:?}");
    }
}
