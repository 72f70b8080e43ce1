//! A searcher on the caller's own thread: for self-play and sweeps, where every core has a game or a position
//! of its own.

use std::sync::Arc;
use std::time::Instant;

use super::{EngineError, new_table};
use crate::chess::Board;
use crate::nnue::Network;
use crate::search::limits::{Limits, TimeOptions};
use crate::search::report::{Outcome, Silent};
use crate::search::time::TimeManager;
use crate::search::tt::TranspositionTable;
use crate::search::{Control, NodeObserver, SearchJob, ThreadData, Worker};

/// One silent search at a time, with a table and histories of its own.
pub struct LocalSearcher {
    network: Arc<Network>,
    tt: Arc<TranspositionTable>,
    control: Arc<Control>,
    data: ThreadData,
    time_options: TimeOptions,
}

impl LocalSearcher {
    /// A searcher with the network `network` and a table of so many MiB.
    ///
    /// # Errors
    /// When the machine has not so much memory.
    pub fn new(network: Arc<Network>, mebibytes: usize) -> Result<Self, EngineError> {
        let tt = Arc::new(new_table(mebibytes)?);
        let data = ThreadData::new().ok_or(EngineError::Histories)?;
        Ok(Self { network, tt, control: Arc::default(), data, time_options: TimeOptions::default() })
    }

    /// Stops its searches from outside.
    pub fn control(&self) -> Arc<Control> {
        self.control.clone()
    }

    /// From now on so many nodes stand for a millisecond of the clock.
    pub fn count_nodes(&mut self, nodes_per_ms: u64) {
        self.time_options.nodes_per_ms = nodes_per_ms;
    }

    /// Forgets everything: what comes next depends on nothing that was before.
    pub fn new_game(&mut self) {
        self.tt.clear();
        self.data.clear_histories();
    }

    /// Searches `board`; an empty outcome when there is no legal move.
    pub fn search(&mut self, board: &Board, limits: Limits) -> Outcome {
        self.search_observed(board, limits, None)
    }

    /// Searches `board` while `observer` looks on.
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
        let time = TimeManager::new(&limits, self.time_options, board.side_to_move(), Instant::now());
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
