//! Searches the positions of a game as a [`Review`] asks for it.

use std::ops::ControlFlow;

use anyhow::Result;

use crate::searcher::Searcher;
use crate::searcher::limits::shorter;
use enroque::search::limits::Limits;
use enroque_runs::interrupt;
use enroque_runs::parallel::in_order;
use enroque_study::pgn::PgnGame;
use enroque_study::review::{Review, Task};
use enroque_study::search_record::SearchRecord;

/// We assume that the first look at a game's positions is this share of the work, and that comparing moves is the rest.
pub const FIRST_LOOK_SHARE: f64 = 0.3;
/// We assume that the searches to do after the first look are this share of all that is left, because what they find can
/// need more.
const NEXT_SHARE: f64 = 0.8;

/// Searches a game. `limits` are what one position may cost. `searches` has what an interrupted run already found, and
/// gets all that we find. `report` gets the share of the work that is done, from 0 to 1. Ctrl-C ends the searches early.
pub fn search_game(
    searchers: &mut [Searcher],
    limits: &Limits,
    game: &PgnGame,
    searches: &mut Vec<SearchRecord>,
    mut report: impl FnMut(f64),
) -> Result<Review> {
    let mut review = Review::new(game.positions(), game.moves(), &game.result);
    // A record that doesn't fit, and all after it, can't be from this game.
    let known = searches.iter().take_while(|search| search.give_to(&mut review).is_some()).count();
    searches.truncate(known);
    let mut done = 0.0;
    loop {
        let tasks = review.tasks();
        if tasks.is_empty() || interrupt::happened() {
            return Ok(review);
        }
        let share = if tasks.iter().all(Task::is_first_look) {
            FIRST_LOOK_SHARE
        } else {
            done = f64::max(done, FIRST_LOOK_SHARE);
            (1.0 - done) * NEXT_SHARE
        };
        let cost = |task: &Task| 1.0 / f64::from(task.divisor);
        let total: f64 = tasks.iter().map(cost).sum();
        let (mut found, mut spent) = (Vec::new(), 0.0);
        in_order(
            searchers,
            tasks.iter(),
            |searcher: &mut Searcher, task: &Task| {
                let board = review.board(task.at)?;
                let Task { moves, lines, divisor, .. } = task;
                let limits = Limits { search_moves: moves.clone(), ..shorter(limits, *divisor) };
                Some(searcher.equal_lines(board, *lines, limits))
            },
            |lines| {
                spent += tasks.get(found.len()).map_or(0.0, cost);
                found.extend(lines);
                report(done + share * spent / total);
                Ok(ControlFlow::Continue(()))
            },
        )?;
        done += share;
        for (task, lines) in tasks.iter().zip(found) {
            searches.push(SearchRecord::new(task, &lines));
            review.give(task, lines);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::searcher::Settings;
    use enroque::chess::CastlingRules;
    use enroque_study::line::Variation;
    use enroque_study::pgn;

    #[test]
    fn kept_searches_are_not_repeated() {
        let text = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n";
        let game = pgn::read(text, CastlingRules::Fischer, None).unwrap();
        let settings = Settings { hash: 1, threads: 1, multi_pv: 1, syzygy: None };
        let mut searchers = Searcher::several(1, &settings).unwrap();
        let mut search = |searches: &mut Vec<SearchRecord>| {
            let mut reports = 0;
            let review =
                search_game(&mut searchers, &Limits::nodes(3000), &game, searches, |_| reports += 1).unwrap();
            let lines = review.judge().0.into_iter().map(|verdict| {
                verdict.line.map(|Variation { pv, nodes, evaluation, .. }| (pv, nodes, evaluation.site))
            });
            (lines.collect::<Vec<_>>(), reports)
        };
        let mut all = Vec::new();
        let (lines, count) = search(&mut all);
        assert_eq!(all.len(), count);
        assert!(all.iter().any(|search| search.task.lines == 2), "the blunder is compared");
        for kept in [0, 3, all.len() - 1, all.len()] {
            let mut searches = all[..kept].to_vec();
            assert_eq!(search(&mut searches), (lines.clone(), count - kept), "{kept}");
            assert_eq!(searches.len(), all.len(), "{kept}");
        }
        // Searches of another game are dropped.
        let mut foreign = all.clone();
        foreign[2].task.at = 99;
        assert_eq!(search(&mut foreign).1, count - 2);
    }
}
