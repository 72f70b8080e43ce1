//! `match` plays a new network against an old one in this process, with the same number of nodes for every move.

mod arguments;
pub mod levels;
pub mod sprt;

use std::ops::ControlFlow;
use std::sync::Arc;

use anyhow::Result;

pub use self::arguments::Arguments;
use self::arguments::MAX_OPENING_SCORE;
use self::sprt::{Bounds, Pentanomial};
use crate::games::format::GameResult;
use crate::network;
use crate::selfplay::{Settings, opening, play_out};
use enroque::chess::Color;
use enroque::engine::EngineError;
use enroque::engine::local::LocalSearcher;
use enroque::nnue::Network;
use enroque::search::report::Outcome;
use enroque::terminal::{ExitStatus, print_line};
use enroque_runs::interrupt;
use enroque_runs::parallel::{in_order, thread_count};
use enroque_runs::progress::Progress;

#[derive(Default)]
struct Tally {
    /// How many games the new network lost, drew and won.
    results: [u64; 3],
    pairs: Pentanomial,
}

impl Tally {
    fn add(&mut self, results: [GameResult; 2]) {
        // A result's discriminant is its half points: 0 for a loss, 1 for a draw, 2 for a win.
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

struct Pairing<'a> {
    settings: &'a Settings,
    /// One searcher with the new network, then one with the old network.
    searchers: [LocalSearcher; 2],
}

impl Pairing<'_> {
    /// Plays an opening twice, first with the new network as White, and returns both results for the new network.
    fn play(&mut self, number: u64) -> [GameResult; 2] {
        let Self { settings, searchers } = self;
        // The old network decides which openings are balanced, so that the choice doesn't depend on the new network.
        let start = opening(settings, number, &mut searchers[1]);
        [Color::White, Color::Black].map(|new_color| {
            searchers.iter_mut().for_each(LocalSearcher::new_game);
            let game = play_out(start.clone(), 0, |board| {
                // Ctrl-C stops only the running search. For later searches we return no move, which ends the game.
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

pub fn run(arguments: &Arguments) -> Result<ExitStatus> {
    let settings = arguments.settings();
    let networks = [network::load(Some(&arguments.new))?, network::load(arguments.old.as_deref())?];
    let pairings = (0..thread_count(arguments.threads))
        .map(|_| {
            let searcher = |network: &Arc<Network>| LocalSearcher::new(network.clone(), settings.hash);
            let searchers = [searcher(&networks[0])?, searcher(&networks[1])?];
            Ok(Pairing { settings: &settings, searchers })
        })
        .collect::<Result<Vec<_>, EngineError>>()?;
    let searchers = pairings.iter().flat_map(|pairing| &pairing.searchers);
    interrupt::stop_on_interrupt(searchers.map(LocalSearcher::control).collect());
    let tally = play(arguments, pairings)?;
    report(arguments, &tally)
}

/// Plays until all pairs are played, the SPRT is decided, or somebody presses Ctrl-C.
fn play(arguments: &Arguments, mut pairings: Vec<Pairing<'_>>) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut progress = Progress::new(2 * arguments.pairs(), "games", 0);
    in_order(&mut pairings, 0..arguments.pairs(), Pairing::play, |results| {
        tally.add(results);
        progress.set(2 * tally.pairs.pairs(), || tally.text(arguments.sprt));
        let is_decided = arguments.sprt.is_some_and(|bounds| bounds.verdict(&tally.pairs).is_some());
        anyhow::Ok(if is_decided { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    progress.finish();
    Ok(tally)
}

fn report(arguments: &Arguments, tally: &Tally) -> Result<ExitStatus> {
    let [lost, drawn, won] = tally.results;
    let Pentanomial(pairs) = tally.pairs;
    print_line(&format!("{} games: won {won}, drawn {drawn}, lost {lost}", won + drawn + lost))?;
    print_line(&format!("pairs by points 0, ½, 1, 1½, 2: {pairs:?}"))?;
    print_line(&tally.text(arguments.sprt))?;
    let has_passed = arguments.sprt.map(|bounds| bounds.verdict(&tally.pairs));
    if let Some(has_passed) = has_passed {
        print_line(match has_passed {
            Some(true) => "passed",
            Some(false) => "not passed",
            None => "undecided",
        })?;
    }
    let is_interrupted = interrupt::happened();
    let is_success = matches!(has_passed, None | Some(Some(true)));
    Ok(if is_interrupted { ExitStatus::Interrupted } else { ExitStatus::of_check(is_success) })
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use enroque::nnue::Row;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    /// Plays six pairs of games between `new` and the built-in network.
    fn against_own(new: Network) -> Tally {
        let line = ["match", "new.nnue", "--games", "12", "--nodes", "300", "--double", "50", "--seed", "3"];
        let arguments = Line::parse_from(line).arguments;
        let settings = Settings { soft_nodes: 300, hard_nodes: 300, hash: 1, ..Settings::default() };
        let new = Arc::new(new);
        let searcher = |network: &Arc<Network>| LocalSearcher::new(network.clone(), 1).unwrap();
        let pairing = || {
            let searchers = [searcher(&new), searcher(&Network::embedded())];
            Pairing { settings: &settings, searchers }
        };
        play(&arguments, vec![pairing(), pairing()]).unwrap()
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
