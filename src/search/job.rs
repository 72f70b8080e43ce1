//! One search as all its threads see it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::control::Control;
use super::limits::Limits;
use super::report::{Outcome, Reporter};
use super::score::Score;
use super::strength::Handicap;
use super::time::TimeManager;
use super::tt::TranspositionTable;
use crate::chess::moves::MoveList;
use crate::chess::{Board, Move};
use crate::nnue::Network;
use crate::tablebase::Tablebases;

/// How the tree probes the tablebases.
pub struct Probing {
    pub tables: Arc<Tablebases>,
    /// Positions with more pieces are not probed.
    pub max_pieces: u32,
    /// Positions with just so many pieces are probed from this depth on.
    pub min_depth: i32,
    /// A win that takes longer than fifty moves is a draw.
    pub fifty_move_rule: bool,
}

/// What one thread has done in a search.
#[derive(Default)]
pub struct Counters {
    pub(super) nodes: AtomicU64,
    pub(super) tb_hits: AtomicU64,
}

/// One search. What it holds is let go of when the last thread has dropped it.
pub struct SearchJob {
    /// The position.
    pub board: Board,
    /// The moves to search, in any order; empty when the game is over.
    pub root_moves: MoveList,
    /// What may be used up.
    pub limits: Limits,
    /// The time budget.
    pub time: TimeManager,
    /// Principal variations to report.
    pub multi_pv: usize,
    /// The engine plays below its strength.
    pub handicap: Option<Handicap>,
    /// Seed for a weakened engine's move choice.
    pub seed: u64,
    /// The evaluation.
    pub network: Arc<Network>,
    /// The transposition table.
    pub tt: Arc<TranspositionTable>,
    /// Stops the search from outside.
    pub control: Arc<Control>,
    /// Play the only legal move at once when a clock is running.
    pub plays_forced_moves: bool,
    /// Tablebases for the tree, if there are any.
    pub probing: Option<Probing>,
    /// The score that the tablebases give the root, whose moves are then those that keep it.
    pub tablebase_score: Option<Score>,
    counters: Vec<Counters>,
    /// What each helper thread has found, once it has ended.
    helper_results: Mutex<Vec<Outcome>>,
    /// Is told how it goes; only thread 0 talks to it.
    reporter: Mutex<Box<dyn Reporter>>,
}

impl SearchJob {
    /// A search of `board` under `limits` by `threads` threads, which all its legal moves take part in. What is rarer,
    /// handicaps and tablebases, is set on the job before it starts.
    pub fn new(
        board: Board,
        limits: Limits,
        time: TimeManager,
        threads: usize,
        (network, tt, control): (Arc<Network>, Arc<TranspositionTable>, Arc<Control>),
        reporter: Box<dyn Reporter>,
    ) -> Self {
        let legal = board.legal_moves();
        let is_wanted = |mv: &Move| limits.search_moves.is_empty() || limits.search_moves.contains(mv);
        let mut root_moves: MoveList = legal.iter().copied().filter(is_wanted).collect();
        if root_moves.is_empty() {
            // None of the moves asked for is legal: search all rather than none.
            root_moves = legal;
        }
        Self {
            board,
            root_moves,
            limits,
            time,
            multi_pv: 1,
            handicap: None,
            seed: 0,
            network,
            tt,
            control,
            plays_forced_moves: false,
            probing: None,
            tablebase_score: None,
            counters: (0..threads).map(|_| Counters::default()).collect(),
            helper_results: Mutex::default(),
            reporter: Mutex::new(reporter),
        }
    }

    pub fn reporter(&self) -> MutexGuard<'_, Box<dyn Reporter>> {
        self.reporter.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn publish_counters(&self, thread: usize, nodes: u64, tb_hits: u64) {
        let counters = &self.counters[thread];
        counters.nodes.store(nodes, Ordering::Relaxed);
        counters.tb_hits.store(tb_hits, Ordering::Relaxed);
    }

    pub(super) fn total_nodes(&self) -> u64 {
        self.counters.iter().map(|counters| counters.nodes.load(Ordering::Relaxed)).sum()
    }

    pub(super) fn total_tb_hits(&self) -> u64 {
        self.counters.iter().map(|counters| counters.tb_hits.load(Ordering::Relaxed)).sum()
    }

    pub(super) fn add_helper_result(&self, result: Outcome) {
        self.helper_results.lock().unwrap_or_else(PoisonError::into_inner).push(result);
    }

    pub(super) fn take_helper_results(&self) -> Vec<Outcome> {
        std::mem::take(&mut *self.helper_results.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
