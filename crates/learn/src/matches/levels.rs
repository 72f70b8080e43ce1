//! `levels` plays the levels of `UCI_Elo` against each other, to see how far apart they are.

use std::ops::ControlFlow;

use anyhow::Result;
use clap::{Args, value_parser};

use super::{MAX_OPENING_SCORE, Tally};
use crate::games::format::GameResult;
use crate::selfplay::{Settings, opening, result_by_rule};
use enroque::chess::{Board, Color, Move};
use enroque::engine::EngineError;
use enroque::engine::local::LocalSearcher;
use enroque::nnue::Network;
use enroque::search::strength::{ELO_RANGE, Handicap};
use enroque::terminal::{ExitStatus, print_line};
use enroque::util::random::Random;
use enroque_runs::interrupt;
use enroque_runs::parallel::{in_order, parse_threads, thread_count};
use enroque_runs::progress::Progress;

/// Play the levels of UCI_Elo against each other, each against the next
#[derive(Args, Debug)]
#[command(after_help = "\
Openings are drawn as by match, and each is played twice with colours reversed. Games are played out. A level limits \
nodes, not time, so a busy machine changes nothing.

Examples:
  enroque-learn levels
  enroque-learn levels --from 1000 --to 1400 --step 100 --double 0")]
pub struct Arguments {
    /// Lowest level
    #[arg(long, value_name = "ELO", default_value_t = ELO_RANGE.0, value_parser = parse_level)]
    pub from: u32,
    /// Highest level
    #[arg(long, value_name = "ELO", default_value_t = ELO_RANGE.1, value_parser = parse_level)]
    pub to: u32,
    /// Elo from one level to the next
    #[arg(long, value_name = "ELO", default_value_t = 200, value_parser = value_parser!(u32).range(1..))]
    pub step: u32,
    /// Games of each level against the next
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = value_parser!(u64).range(2..))]
    pub games: u64,
    /// Games played at the same time [default: one per core]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub threads: Option<usize>,
    /// Seed for openings and moves
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many openings in a hundred are double Chess960; the others are orthodox
    #[arg(long = "double", value_name = "PERCENT", default_value_t = 100,
        value_parser = value_parser!(u64).range(0..=100))]
    pub double_percent: u64,
}

fn parse_level(text: &str) -> Result<u32, String> {
    let (low, high) = ELO_RANGE;
    let level = text.parse().ok().filter(|level| (low..=high).contains(level));
    level.ok_or_else(|| format!("expected a level from {low} to {high}"))
}

pub fn run(arguments: &Arguments) -> Result<ExitStatus> {
    let settings = Settings {
        seed: arguments.seed,
        double_percent: arguments.double_percent,
        opening_score: MAX_OPENING_SCORE,
        ..Settings::default()
    };
    let threads = thread_count(arguments.threads);
    let mut searchers = (0..threads)
        .map(|_| LocalSearcher::new(Network::embedded(), settings.hash))
        .collect::<Result<Vec<_>, EngineError>>()?;
    interrupt::stop_on_interrupt(searchers.iter().map(LocalSearcher::control).collect());
    let levels: Vec<u32> = (arguments.from..=arguments.to).step_by(arguments.step as usize).collect();
    for pair in levels.windows(2) {
        let tally = play(&settings, &mut searchers, [pair[0], pair[1]], arguments.games / 2)?;
        if interrupt::happened() {
            return Ok(ExitStatus::Interrupted);
        }
        let [lost, drawn, won] = tally.results;
        let share = 100.0 * (won as f64 + drawn as f64 / 2.0) / (won + drawn + lost) as f64;
        let games = format!("{won} won, {drawn} drawn, {lost} lost");
        print_line(&format!("{} against {}: {games}, {share:.1} %, {}", pair[0], pair[1], tally.pairs))?;
    }
    Ok(ExitStatus::Success)
}

/// Plays pairs of games between two levels and returns the results of the first.
fn play(settings: &Settings, searchers: &mut [LocalSearcher], levels: [u32; 2], pairs: u64) -> Result<Tally> {
    let handicaps = levels.map(Handicap::from_elo);
    let mut tally = Tally::default();
    let mut progress = Progress::new(2 * pairs, "games", 0);
    let play_pair = |searcher: &mut LocalSearcher, number| {
        let start = opening(settings, number, searcher);
        let mut random = Random::new(Random::new(settings.seed).bits() ^ number);
        [Color::White, Color::Black].map(|first| {
            let of_white = play_out(&start, |board| {
                let handicap = handicaps[usize::from(board.side_to_move() != first)];
                searcher.search_limited(board, handicap, random.bits()).best_move
            });
            if first == Color::White { of_white } else { of_white.reversed() }
        })
    };
    in_order(searchers, 0..pairs, play_pair, |results| {
        tally.add(results);
        progress.set(2 * tally.pairs.pairs(), || format!("{} against {}", levels[0], levels[1]));
        anyhow::Ok(ControlFlow::Continue(()))
    })?;
    progress.finish();
    Ok(tally)
}

/// Plays a game to its end by the rules. Weak players lose won games, so nothing else may end one.
fn play_out(start: &Board, mut choose: impl FnMut(&Board) -> Option<Move>) -> GameResult {
    let mut board = start.clone();
    loop {
        if let Some(result) = result_by_rule(&board) {
            return result;
        }
        let Some(mv) = choose(&board).filter(|_| !interrupt::happened()) else { return GameResult::Draw };
        board.make_move(mv);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn higher_level_wins() {
        let settings = Settings { double_percent: 50, ..Settings::default() };
        let mut searchers = [LocalSearcher::new(Network::embedded(), 1).unwrap()];
        let Tally { results: [lost, drawn, won], .. } =
            play(&settings, &mut searchers, [1200, 400], 4).unwrap();
        assert_eq!(lost + drawn + won, 8);
        assert!(won >= 6, "{lost} {drawn} {won}");
    }
}
