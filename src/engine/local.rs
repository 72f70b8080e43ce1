//! Search on the caller's thread, for programs such as self-play in which each thread searches its own game.

use std::sync::Arc;

use super::{EngineError, new_shared};
use crate::chess::Board;
use crate::nnue::Network;
use crate::search::limits::Limits;
use crate::search::report::{Outcome, Silent};
use crate::search::strength::Handicap;
use crate::search::{Control, JobOptions, NodeObserver, Shared, ThreadData, Worker};
use crate::util::host::Instant;

/// Searches on the caller's thread, without reports, with its own transposition table and histories.
///
/// ```
/// use enroque::chess::Board;
/// use enroque::engine::local::LocalSearcher;
/// use enroque::nnue::Network;
/// use enroque::search::limits::Limits;
///
/// let mut searcher = LocalSearcher::new(Network::embedded(), 1)?;
/// let outcome = searcher.search(&Board::startpos(), Limits::nodes(500));
/// assert!(outcome.best_move.is_some() && outcome.nodes == 500);
/// # Ok::<(), enroque::engine::EngineError>(())
/// ```
pub struct LocalSearcher {
    shared: Shared,
    data: ThreadData,
}

impl LocalSearcher {
    /// Returns a searcher with this network and a transposition table of this many MiB.
    ///
    /// # Errors
    /// Returns an error if the memory cannot be allocated.
    pub fn new(network: Arc<Network>, mebibytes: usize) -> Result<Self, EngineError> {
        let shared = new_shared(network, mebibytes)?;
        let data = ThreadData::new().ok_or(EngineError::Histories)?;
        Ok(Self { shared, data })
    }

    /// Returns the control through which another thread can stop the search.
    pub fn control(&self) -> Arc<Control> {
        self.shared.control.clone()
    }

    /// Clears the transposition table and the histories, so that the next search is independent of earlier ones.
    pub fn new_game(&mut self) {
        self.shared.tt.clear();
        self.data.clear_histories();
    }

    /// Searches `board` and waits for the outcome. The outcome's `best_move` is `None` if there is no legal move.
    pub fn search(&mut self, board: &Board, limits: Limits) -> Outcome {
        self.search_observed(board, limits, None)
    }

    /// Searches `board` and passes to `observer` every node whose moves were searched, for training data.
    pub fn search_observed(
        &mut self,
        board: &Board,
        limits: Limits,
        observer: Option<&mut dyn NodeObserver>,
    ) -> Outcome {
        self.run(board, limits, JobOptions::default(), observer)
    }

    /// Chooses a move for a player of limited strength. The same seed gives the same move.
    pub fn search_limited(&mut self, board: &Board, handicap: Handicap, seed: u64) -> Outcome {
        let options = JobOptions { handicap: Some(handicap), seed, ..JobOptions::default() };
        self.run(board, Limits::default(), options, None)
    }

    fn run(
        &mut self,
        board: &Board,
        limits: Limits,
        options: JobOptions,
        observer: Option<&mut dyn NodeObserver>,
    ) -> Outcome {
        let limits = Arc::new(limits);
        let job = self.shared.begin(board.clone(), limits, Instant::now(), options, Box::new(Silent));
        let mut worker = Worker::new(0, &mut self.data, &job);
        if let Some(observer) = observer {
            worker.set_observer(observer);
        }
        worker.run();
        worker.finish()
    }
}
