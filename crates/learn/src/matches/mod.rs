//! `match`: a new network against an old one, in this process.
//!
//! Every move gets the same number of nodes, so a busy machine changes nothing.

mod options;
pub mod sprt;

use std::ops::ControlFlow;
use std::sync::Arc;

use anyhow::Result;
pub use options::Options;

use self::sprt::{Bounds, Pentanomial, Verdict};
use crate::datagen::load_network;
use crate::datagen::selfplay::{Settings, opening, play_out};
use crate::games::format::GameResult;
use enroque::chess::Color;
use enroque::engine::EngineError;
use enroque::engine::local::LocalSearcher;
use enroque::nnue::Network;
use enroque::search::report::Outcome;
use enroque::terminal::{ExitStatus, print_line};
use enroque_runs::interrupt;
use enroque_runs::parallel::in_order;
use enroque_runs::progress::Progress;

#[derive(Default)]
struct Tally {
    /// Losses, draws and wins of the new engine.
    results: [u64; 3],
    pairs: Pentanomial,
}

impl Tally {
    fn add(&mut self, results: [GameResult; 2]) {
        // In half points: a loss 0, a draw 1, a win 2.
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

/// Two engines that play pairs of games against each other.
struct Pairing<'a> {
    settings: &'a Settings,
    /// Searchers of the new and the old engine.
    searchers: [LocalSearcher; 2],
}

impl Pairing<'_> {
    /// Plays the two games of a pair and returns their results for the new engine, which is White in the first.
    fn play(&mut self, number: u64) -> [GameResult; 2] {
        let Self { settings, searchers } = self;
        // Balance is judged by the old engine, so that openings do not depend on the change under test.
        let start = opening(settings, number, &mut searchers[1]);
        [Color::White, Color::Black].map(|new_color| {
            searchers.iter_mut().for_each(LocalSearcher::new_game);
            let game = play_out(settings, start.clone(), |board| {
                // The signal stops one search only; without a move the game ends.
                if interrupt::happened() {
                    return Outcome::default();
                }
                let side = usize::from(board.side_to_move() != new_color);
                searchers[side].search(board, settings.limits())
            });
            if new_color == Color::White { game.result } else { game.result.reversed() }
        })
    }
}

pub fn run(options: &Options) -> Result<ExitStatus> {
    let settings = options.settings();
    let networks = [load_network(Some(&options.new))?, load_network(options.old.as_deref())?];
    let pairings = (0..options.threads())
        .map(|_| {
            let searcher = |network: &Arc<Network>| LocalSearcher::new(network.clone(), settings.hash);
            let searchers = [searcher(&networks[0])?, searcher(&networks[1])?];
            Ok(Pairing { settings: &settings, searchers })
        })
        .collect::<Result<Vec<_>, EngineError>>()?;
    let searchers = pairings.iter().flat_map(|pairing| &pairing.searchers);
    interrupt::stop_on_interrupt(searchers.map(LocalSearcher::control).collect());
    let tally = play(options, pairings)?;
    report(options, &tally)
}

/// Plays until all pairs are played, the test decides, or Ctrl-C.
fn play(options: &Options, mut pairings: Vec<Pairing<'_>>) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut progress = Progress::new(2 * options.pairs(), "games", 0);
    // A pair cut short by Ctrl-C does not count.
    let play_pair = |pairing: &mut Pairing<'_>, number| {
        let results = pairing.play(number);
        (!interrupt::happened()).then_some(results)
    };
    in_order(&mut pairings, 0..options.pairs(), play_pair, |results| {
        tally.add(results);
        progress.set(2 * tally.pairs.pairs(), || tally.text(options.sprt));
        let is_decided = options.sprt.is_some_and(|bounds| bounds.verdict(&tally.pairs).is_some());
        anyhow::Ok(if is_decided { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    progress.finish();
    Ok(tally)
}

fn report(options: &Options, tally: &Tally) -> Result<ExitStatus> {
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
    use clap::Parser;

    use super::*;
    use enroque::nnue::Row;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: Options,
    }

    /// Plays a few pairs of `new` against the built-in network.
    fn against_own(new: Network) -> Tally {
        let line = ["match", "new.nnue", "--games", "12", "--nodes", "300", "--double", "50", "--seed", "3"];
        let options = Line::parse_from(line).options;
        let settings = Settings { soft_nodes: 300, hard_nodes: 300, hash: 1, ..Settings::default() };
        let new = Arc::new(new);
        let searcher = |network: &Arc<Network>| LocalSearcher::new(network.clone(), 1).unwrap();
        let pairing = || {
            let searchers = [searcher(&new), searcher(&Network::embedded())];
            Pairing { settings: &settings, searchers }
        };
        play(&options, vec![pairing(), pairing()]).unwrap()
    }

    #[test]
    fn identical_networks_split_every_pair() {
        let tally = against_own(Network::clone(&Network::embedded()));
        assert_eq!(tally.pairs, Pentanomial([0, 0, 6, 0, 0]));
        assert_eq!(tally.results[0], tally.results[2]);
    }

    #[test]
    fn zeroed_network_loses() {
        let mut blank = Network::clone(&Network::embedded());
        blank.output_weights = [[Row::ZERO; 2]; enroque::nnue::OUTPUT_BUCKETS];
        let Tally { results: [lost, _, won], pairs } = against_own(blank);
        assert!(lost > won && pairs.elo().0 < -100.0, "{pairs:?}");
    }
}
