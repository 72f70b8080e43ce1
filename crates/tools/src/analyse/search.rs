//! Searches the positions of a game as a [`Review`] asks for it.

use anyhow::Result;

use crate::searcher::limits::shorter;
use crate::searcher::{Searcher, search_in_order};
use enroque::search::limits::Limits;
use enroque_runs::interrupt;
use enroque_study::pgn::PgnGame;
use enroque_study::review::{Review, Task};

/// We assume that the first look at a game's positions is this share of the work, and that comparing moves is the rest.
/// Games without mistakes need fewer comparisons, so we tend to overestimate the time left.
pub const FIRST_LOOK_SHARE: f64 = 0.3;

/// Searches a game. `limits` are what one position may cost. `report` gets the share of the work that is done, from 0
/// to 1. Ctrl-C ends the searches early.
pub fn search_game(
    searchers: &mut [Searcher],
    limits: &Limits,
    game: &PgnGame,
    mut report: impl FnMut(f64),
) -> Result<Review> {
    let mut review = Review::new(game.positions(), game.moves(), &game.result);
    let mut done = 0.0;
    loop {
        let tasks = review.tasks();
        if tasks.is_empty() || interrupt::happened() {
            return Ok(review);
        }
        let is_first = tasks.iter().all(|task| task.lines == 1);
        let share = if is_first { FIRST_LOOK_SHARE } else { (1.0 - done) / 2.0 };
        let mut found = Vec::new();
        search_in_order(
            searchers,
            tasks.iter(),
            |searcher, task| {
                let board = review.board(task.at)?;
                let Task { moves, lines, divisor, .. } = task;
                let limits = Limits { search_moves: moves.clone(), ..shorter(limits, *divisor) };
                Some(searcher.equal_lines(board, *lines, limits))
            },
            |lines| {
                found.extend(lines);
                report(done + share * found.len() as f64 / tasks.len() as f64);
                Ok(())
            },
        )?;
        done += share;
        tasks.iter().zip(found).for_each(|(task, lines)| review.give(task, lines));
    }
}
