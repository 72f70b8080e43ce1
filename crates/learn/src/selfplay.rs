//! Self-play. The network, the settings and a game's number decide how the game goes, so any thread may play it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::games::format::{Game, GameResult, NO_SCORE, Ply, ply_of};
use crate::sample::Sample;
use crate::sample::choice::TreeCollector;
use enroque::chess::startpos::opening;
use enroque::chess::{Board, Color};
use enroque::engine::EngineError;
use enroque::engine::local::LocalSearcher;
use enroque::nnue::Network;
use enroque::search::NodeObserver;
use enroque::search::limits::Limits;
use enroque::search::report::Outcome;
use enroque::search::score::Score;
use enroque::util::random::Random;
use enroque_runs::program::complain;

/// An opening has at least [`MIN_RANDOM_PLIES`] random plies and fewer than [`MAX_RANDOM_PLIES`]. After few of them, a
/// game goes on as games between engines do; after many, it has positions such as a search meets away from the best line.
const MIN_RANDOM_PLIES: u64 = 4;
const MAX_RANDOM_PLIES: u64 = 10;
/// After this many openings that aren't balanced we tell the user, and go on. Usually about half of them are.
const MANY_TRIES: u64 = 500;
/// We adjudicate a win when one side leads by this many centipawns for [`WIN_PLIES`] plies in a row.
const WIN_SCORE: Score = 1_250;
const WIN_PLIES: u32 = 5;
/// We adjudicate a draw when neither side leads by more than this many centipawns for [`DRAW_PLIES`] plies in a row,
/// all at ply [`DRAW_FROM_PLY`] or later.
const DRAW_SCORE: Score = 10;
const DRAW_PLIES: u32 = 10;
const DRAW_FROM_PLY: usize = 70;
/// If a game ends because few pieces are left, a side that leads by this many centipawns wins. With so few pieces, such
/// a lead is about an even chance to win.
const CUT_OFF_SCORE: i16 = 250;
/// With [`Settings::fast_nodes`], one search in this many is a full one, chosen at random. (If every fourth ply had a
/// full search, we would only ever train on positions with the same side to move.)
const FULL_SEARCH_PERIOD: u64 = 4;

/// The largest number of nodes per move that we accept. Such a search takes hours, and the hard limit, [`HARD_FACTOR`]
/// times as many nodes, still fits a `u64`.
pub const MAX_NODES: u64 = 100_000_000_000;

/// A search stops at once at this multiple of the soft node limit.
pub const HARD_FACTOR: u64 = 8;

/// Settings for self-play. The same settings and network always give the same games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Settings {
    pub seed: u64,
    /// A search ends after the iteration in which it reaches this many nodes.
    pub soft_nodes: u64,
    /// A search stops at once when it reaches this many nodes.
    pub hard_nodes: u64,
    /// Node limit of the searches that only choose a move and keep no score; `None` if all searches are full ones.
    pub fast_nodes: Option<u64>,
    /// How many games in a hundred start in double Chess960; the others start in the orthodox position.
    pub double_percent: u64,
    /// We discard an opening in which either side leads by more than this, in centipawns.
    pub opening_score: Score,
    /// A game ends as soon as the board has this many pieces or fewer, kings and pawns included; 0 plays all games out.
    pub until_pieces: u32,
    /// Size of the transposition table in MiB.
    pub hash: usize,
    /// We only sample nodes of the search tree with at least this much depth left, in plies; `None` samples none.
    pub tree_depth: Option<i32>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            seed: 1,
            soft_nodes: 1_000,
            hard_nodes: 8_000,
            fast_nodes: None,
            double_percent: 78,
            opening_score: 500,
            until_pieces: 0,
            hash: 1,
            tree_depth: None,
        }
    }
}

impl Settings {
    pub fn limits(&self) -> Limits {
        Limits { soft_nodes: Some(self.soft_nodes), ..Limits::nodes(self.hard_nodes) }
    }
}

pub struct Player<'a> {
    settings: &'a Settings,
    searcher: LocalSearcher,
    collector: TreeCollector,
}

pub struct PlayedGame {
    pub game: Game,
    pub tree: Vec<Sample>,
}

impl<'a> Player<'a> {
    pub fn new(settings: &'a Settings, network: Arc<Network>) -> Result<Self, EngineError> {
        let collector = TreeCollector { min_depth: settings.tree_depth, samples: Vec::new() };
        Ok(Self { settings, searcher: LocalSearcher::new(network, settings.hash)?, collector })
    }

    pub fn play(&mut self, number: u64) -> PlayedGame {
        let start = opening(self.settings, number, &mut self.searcher);
        self.collector.samples.clear();
        let Self { settings, searcher, collector } = self;
        // The opening takes another stream of random numbers.
        let mut random = Random::new(!opening_random(settings.seed, number).bits());
        let mut is_fast = Vec::new();
        let mut game = play_out(start, settings.until_pieces, |board| {
            let fast_nodes = settings.fast_nodes.filter(|_| random.below(FULL_SEARCH_PERIOD) > 0);
            is_fast.push(fast_nodes.is_some());
            if let Some(nodes) = fast_nodes {
                return searcher.search(board, Limits::nodes(nodes));
            }
            let observer = collector.min_depth.is_some().then_some(collector as &mut dyn NodeObserver);
            searcher.search_observed(board, settings.limits(), observer)
        });
        for (ply, _) in game.plies.iter_mut().zip(is_fast).filter(|&(_, is_fast)| is_fast) {
            ply.score = NO_SCORE;
        }
        PlayedGame { game, tree: std::mem::take(&mut self.collector.samples) }
    }
}

/// Draws random openings for game `number` until `searcher` scores one as balanced. Clears the searcher's tables before
/// each search and at the end.
pub fn opening(settings: &Settings, number: u64, searcher: &mut LocalSearcher) -> Board {
    let mut random = opening_random(settings.seed, number);
    searcher.new_game();
    let mut tries = 0;
    loop {
        tries += 1;
        if tries == MANY_TRIES {
            complain(&format!(
                "none of {MANY_TRIES} openings of game {number} was balanced (within {} centipawns); does the network \
                 make sense?",
                settings.opening_score
            ));
        }
        let start = opening::random_start(&mut random, settings.double_percent);
        let plies = MIN_RANDOM_PLIES + random.below(MAX_RANDOM_PLIES - MIN_RANDOM_PLIES);
        let Some(mut board) = opening::play_random(start, plies, &mut random) else { continue };
        board.trim_history();
        let is_balanced = searcher.search(&board, settings.limits()).score.abs() <= settings.opening_score;
        searcher.new_game();
        if is_balanced {
            return board;
        }
    }
}

/// Returns the random number generator for the opening of game `number`. We hash the seed before we XOR it with the
/// number; otherwise game 2 of seed 1 and game 1 of seed 2 would begin alike.
fn opening_random(seed: u64, number: u64) -> Random {
    Random::new(Random::new(Random::new(seed).bits() ^ number).bits())
}

/// Plays a game from `start` until it ends by the rules or by adjudication, or until the board has `until_pieces` pieces
/// or fewer. `search` chooses the moves; if it returns no move, the game counts as a draw.
pub fn play_out(start: Board, until_pieces: u32, mut search: impl FnMut(&Board) -> Outcome) -> Game {
    let mut board = start.clone();
    let mut plies = Vec::new();
    let mut adjudicator = Adjudicator::default();
    let result = loop {
        if let Some(result) = result_by_rule(&board) {
            break result;
        }
        if board.occupied().count() <= until_pieces {
            break result_of_cut_off(plies.last());
        }
        let outcome = search(&board);
        let Some(mv) = outcome.best_move else { break GameResult::Draw };
        let score = if board.side_to_move() == Color::White { outcome.score } else { -outcome.score };
        plies.push(Ply { mv, score: score as i16 });
        if let Some(result) = adjudicator.adjudicate(score, ply_of(&board)) {
            break result;
        }
        board.make_move(mv);
    };
    Game { start, plies, result }
}

/// Returns the result if the game is over by the rules; a draw that a player could claim counts.
pub fn result_by_rule(board: &Board) -> Option<GameResult> {
    if !board.has_legal_move() {
        return Some(GameResult::of_winner(board.in_check().then_some(!board.side_to_move())));
    }
    let drawn = board.is_threefold() || board.is_fifty_move_draw() || board.has_insufficient_material();
    drawn.then_some(GameResult::Draw)
}

/// Guesses the result of a game that we don't play out, from the score of its last ply.
fn result_of_cut_off(last: Option<&Ply>) -> GameResult {
    let score = last.map_or(0, |ply| ply.score);
    let leader = if score > 0 { Color::White } else { Color::Black };
    GameResult::of_winner((score.abs() >= CUT_OFF_SCORE).then_some(leader))
}

/// Counts for how many plies in a row White has been winning, Black has been winning, and the score has been level.
#[derive(Default)]
struct Adjudicator {
    white_leads: u32,
    black_leads: u32,
    level: u32,
}

impl Adjudicator {
    /// Takes White's score at `ply` into account, and returns the game's result if the game is now decided.
    fn adjudicate(&mut self, score: Score, ply: usize) -> Option<GameResult> {
        let count = |run: &mut u32, holds: bool| *run = if holds { *run + 1 } else { 0 };
        count(&mut self.white_leads, score >= WIN_SCORE);
        count(&mut self.black_leads, score <= -WIN_SCORE);
        count(&mut self.level, ply >= DRAW_FROM_PLY && score.abs() <= DRAW_SCORE);
        if self.white_leads >= WIN_PLIES {
            Some(GameResult::Win)
        } else if self.black_leads >= WIN_PLIES {
            Some(GameResult::Loss)
        } else {
            (self.level >= DRAW_PLIES).then_some(GameResult::Draw)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn seeds_and_numbers_give_distinct_streams() {
        let streams =
            (0..200).flat_map(|seed| (0..200).map(move |number| opening_random(seed, number).bits()));
        assert_eq!(streams.collect::<HashSet<u64>>().len(), 200 * 200);
    }
}
