//! Search on the caller's thread, for programs such as self-play in which each thread searches its own game.

use std::sync::Arc;

use super::{EngineError, new_table};
use crate::chess::Board;
use crate::nnue::Network;
use crate::search::limits::{Limits, TimeOptions};
use crate::search::report::{Outcome, Silent};
use crate::search::time::TimeManager;
use crate::search::tt::TranspositionTable;
use crate::search::{Control, NodeObserver, SearchJob, ThreadData, Worker};
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
    network: Arc<Network>,
    tt: Arc<TranspositionTable>,
    control: Arc<Control>,
    data: ThreadData,
}

impl LocalSearcher {
    /// Returns a searcher with this network and a transposition table of this many MiB.
    ///
    /// # Errors
    /// Returns an error if the memory cannot be allocated.
    pub fn new(network: Arc<Network>, mebibytes: usize) -> Result<Self, EngineError> {
        let tt = Arc::new(new_table(mebibytes)?);
        let data = ThreadData::new().ok_or(EngineError::Histories)?;
        Ok(Self { network, tt, control: Arc::default(), data })
    }

    /// Returns the control through which another thread can stop the search.
    pub fn control(&self) -> Arc<Control> {
        self.control.clone()
    }

    /// Clears the transposition table and the histories, so that the next search is independent of earlier ones.
    pub fn new_game(&mut self) {
        self.tt.clear();
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
        self.control.reset(&limits);
        self.tt.new_search();
        let mut board = board.clone();
        board.trim_history();
        let time = TimeManager::new(&limits, TimeOptions::default(), &board, Instant::now());
        let shared = (self.network.clone(), self.tt.clone(), self.control.clone());
        let job = SearchJob::new(board, limits, time, 1, shared, Box::new(Silent));
        let mut worker = Worker::new(0, &mut self.data, &job);
        if let Some(observer) = observer {
            worker.set_observer(observer);
        }
        worker.run();
        worker.finish()
    }
}
