//! Self-play: one game as a function of the settings and its number, and of nothing else.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::chess::startpos::opening;
use crate::chess::{Board, Color};
use crate::engine::EngineError;
use crate::engine::local::LocalSearcher;
use crate::learn::games::format::{Game, GameResult, Ply};
use crate::learn::games::tree::Collector;
use crate::learn::train::samples::Sample;
use crate::nnue::Network;
use crate::search::NodeObserver;
use crate::search::limits::Limits;
use crate::search::report::Outcome;
use crate::search::score::Score;
use crate::util::random::Random;

/// What decides how games go. The same settings give the same games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// Where chance begins.
    pub seed: u64,
    /// A search ends after the iteration in which it has spent so many nodes.
    pub soft_nodes: u64,
    /// A search ends at once after so many nodes.
    pub hard_nodes: u64,
    /// Of a hundred games so many begin in double Chess960, the others in the orthodox position.
    pub double_percent: u64,
    /// Random plies, or one more.
    pub random_plies: u64,
    /// Openings in which one side leads by more, centipawns, are thrown away.
    pub opening_score: Score,
    /// The side that leads by so much ...
    pub win_score: Score,
    /// ... for so many plies has won.
    pub win_plies: u32,
    /// A game with no more than this in it ...
    pub draw_score: Score,
    /// ... for so many plies is drawn ...
    pub draw_plies: u32,
    /// ... from this ply on.
    pub draw_from_ply: usize,
    /// Table of each game, MiB.
    pub hash: usize,
    /// Positions inside the tree are kept when their own sub-search was at least so many plies deep; none when `None`.
    #[serde(default)]
    pub tree_depth: Option<i32>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            seed: 1,
            soft_nodes: 1_000,
            hard_nodes: 8_000,
            double_percent: 78,
            random_plies: 8,
            opening_score: 500,
            win_score: 1_250,
            win_plies: 5,
            draw_score: 10,
            draw_plies: 10,
            draw_from_ply: 70,
            hash: 1,
            tree_depth: None,
        }
    }
}

impl Settings {
    /// The limits of each search.
    pub fn limits(&self) -> Limits {
        Limits { soft_nodes: Some(self.soft_nodes), ..Limits::nodes(self.hard_nodes) }
    }
}

/// Plays games, one after the other.
pub struct Player<'a> {
    settings: &'a Settings,
    solo: LocalSearcher,
    collector: Collector,
}

/// A game, and what its searches saw.
pub struct PlayedGame {
    pub game: Game,
    /// Positions inside the tree.
    pub tree: Vec<Sample>,
}

impl<'a> Player<'a> {
    /// A player of games under `settings`, who evaluates with `network`.
    ///
    /// # Errors
    /// When there is no memory for its table.
    pub fn new(settings: &'a Settings, network: Arc<Network>) -> Result<Self, EngineError> {
        let collector = Collector { depth: settings.tree_depth, samples: Vec::new() };
        Ok(Self { settings, solo: LocalSearcher::new(network, settings.hash)?, collector })
    }

    /// Plays game `number`.
    pub fn play(&mut self, number: u64) -> PlayedGame {
        let start = opening(self.settings, number, &mut self.solo);
        self.collector.samples.clear();
        let Self { settings, solo, collector } = self;
        let game = play_out(settings, start, |board| {
            let observer = collector.depth.is_some().then_some(collector as &mut dyn NodeObserver);
            solo.search_observed(board, settings.limits(), observer)
        });
        PlayedGame { game, tree: std::mem::take(&mut self.collector.samples) }
    }
}

/// The opening of game `number`, in which neither side leads by much in the eyes of `solo`, who forgets it.
pub fn opening(settings: &Settings, number: u64, solo: &mut LocalSearcher) -> Board {
    let mut random = opening_random(settings.seed, number);
    solo.new_game();
    loop {
        let start = opening::random_start(&mut random, settings.double_percent);
        let plies = settings.random_plies + random.below(2);
        let Some(mut board) = opening::play_random(start, plies, &mut random) else { continue };
        board.trim_history();
        let is_balanced = solo.search(&board, settings.limits()).score.abs() <= settings.opening_score;
        solo.new_game();
        if is_balanced {
            return board;
        }
    }
}

/// Returns the random numbers for the opening of game `number`. The seed is hashed before the number is mixed in:
/// neighbouring or exchanged values give unrelated streams.
fn opening_random(seed: u64, number: u64) -> Random {
    Random::new(Random::new(Random::new(seed).bits() ^ number).bits())
}

/// Plays a game from `start` to its end, by rule or beyond doubt; `search` chooses the moves.
pub fn play_out(settings: &Settings, start: Board, mut search: impl FnMut(&Board) -> Outcome) -> Game {
    let mut board = start.clone();
    let mut plies = Vec::new();
    let mut adjudicator = Adjudicator::default();
    let result = loop {
        if let Some(result) = result_by_rule(&board) {
            break result;
        }
        let outcome = search(&board);
        let Some(mv) = outcome.best_move else { break GameResult::Draw };
        let score = if board.side_to_move() == Color::White { outcome.score } else { -outcome.score };
        plies.push(Ply { mv, score: score as i16 });
        if let Some(result) = adjudicator.judge(settings, score, ply_of(&board)) {
            break result;
        }
        board.make_move(mv);
    };
    Game { start, plies, result }
}

/// Plies since move 1 of White.
pub fn ply_of(board: &Board) -> usize {
    2 * (board.fullmove_number() as usize - 1) + board.side_to_move().index()
}

/// The result that the rules give the position, if the game is over.
fn result_by_rule(board: &Board) -> Option<GameResult> {
    if !board.has_legal_move() {
        return Some(GameResult::of_winner(board.in_check().then_some(!board.side_to_move())));
    }
    let drawn = board.is_threefold() || board.is_fifty_move_draw() || board.has_insufficient_material();
    drawn.then_some(GameResult::Draw)
}

/// Ends games whose outcome is clear.
#[derive(Default)]
struct Adjudicator {
    white_leads: u32,
    black_leads: u32,
    level: u32,
}

impl Adjudicator {
    /// Takes the score for White of the position `ply` plies into the game.
    fn judge(&mut self, settings: &Settings, score: Score, ply: usize) -> Option<GameResult> {
        let count = |run: &mut u32, holds: bool| *run = if holds { *run + 1 } else { 0 };
        count(&mut self.white_leads, score >= settings.win_score);
        count(&mut self.black_leads, score <= -settings.win_score);
        count(&mut self.level, ply >= settings.draw_from_ply && score.abs() <= settings.draw_score);
        if self.white_leads >= settings.win_plies {
            Some(GameResult::Win)
        } else if self.black_leads >= settings.win_plies {
            Some(GameResult::Loss)
        } else {
            (self.level >= settings.draw_plies).then_some(GameResult::Draw)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_seed_and_number_has_own_stream() {
        let streams =
            (0..200).flat_map(|seed| (0..200).map(move |number| opening_random(seed, number).bits()));
        assert_eq!(streams.collect::<HashSet<u64>>().len(), 200 * 200);
    }
}
