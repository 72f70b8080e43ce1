//! A searcher on the caller's own thread: for self-play and sweeps, where every core has a game or a position
//! of its own.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use super::{EngineError, new_table};
use crate::chess::Board;
use crate::nnue::Network;
use crate::search::limits::{Limits, TimeOptions};
use crate::search::report::{Outcome, Silent};
use crate::search::time::TimeManager;
use crate::search::tt::TranspositionTable;
use crate::search::{Control, Counters, Job, RootMove, Worker};

/// One silent search at a time, with a table and histories of its own.
pub struct Solo {
    network: Arc<Network>,
    table: Arc<TranspositionTable>,
    control: Arc<Control>,
    worker: Option<Worker>,
}

impl Solo {
    /// A searcher with the network `network` and a table of so many MiB.
    ///
    /// # Errors
    /// When the machine has not so much memory.
    pub fn new(network: Arc<Network>, mebibytes: usize) -> Result<Self, EngineError> {
        Ok(Self { network, table: Arc::new(new_table(mebibytes)?), control: Arc::default(), worker: None })
    }

    /// Stops its searches from outside.
    pub fn control(&self) -> Arc<Control> {
        self.control.clone()
    }

    /// Forgets everything: what comes next depends on nothing that was before.
    pub fn new_game(&mut self) {
        self.table.clear(1);
        if let Some(worker) = &mut self.worker {
            worker.forget();
        }
    }

    /// Searches `board`; an empty outcome when there is no legal move.
    pub fn search(&mut self, board: &Board, limits: Limits) -> Outcome {
        self.control.arm(&limits);
        self.table.new_search();
        let mut board = board.clone();
        board.trim_history();
        let time = TimeManager::new(&limits, TimeOptions::default(), board.side_to_move(), Instant::now());
        let job = Arc::new(Job {
            root_moves: board.legal_moves().into_iter().map(RootMove::new).collect(),
            board,
            limits,
            time,
            multi_pv: 1,
            handicap: None,
            seed: 0,
            network: self.network.clone(),
            table: self.table.clone(),
            control: self.control.clone(),
            plays_forced_moves: false,
            probing: None,
            known_score: None,
            counters: vec![Counters::default()],
            findings: Mutex::default(),
            reporter: Mutex::new(Box::new(Silent)),
        });
        let worker = match &mut self.worker {
            Some(worker) => {
                worker.take_up(job);
                worker
            }
            None => self.worker.insert(Worker::new(0, job)),
        };
        worker.run();
        worker.conclude()
    }
}
