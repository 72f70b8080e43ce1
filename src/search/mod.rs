//! The search: iterative deepening, alpha-beta, quiescence, and what they need. No text, no options, no
//! threads of its own: a [`Worker`] is what one thread runs.

mod alphabeta;
pub mod history;
pub mod limits;
mod line;
mod movepick;
pub mod params;
mod prune;
mod qsearch;
pub mod report;
mod root;
pub mod score;
mod stack;
mod steps;
pub mod strength;
pub mod time;
pub mod tt;
pub mod wdl;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use history::Histories;
use limits::Limits;
pub use movepick::{MovePicker, Quiets};
use report::{Outcome, Reporter};
pub use root::RootMove;
use score::Score;
use stack::Stack;
use strength::Handicap;
use time::TimeManager;
use tt::TranspositionTable;

use crate::chess::{Board, Move};
use crate::nnue::{Accumulators, Network};
use crate::tablebase::Tablebases;

/// Starts and stops a search from outside; shared by the threads that search and the one that listens.
#[derive(Default)]
pub struct Control {
    stop: AtomicBool,
    /// Nothing may be answered yet: `go infinite`, or the opponent's time is running.
    held: AtomicBool,
    /// The opponent's time is running: no limit counts.
    pondering: AtomicBool,
    gate: Mutex<()>,
    released: Condvar,
}

impl Control {
    /// Gets ready for a search under `limits`.
    pub fn arm(&self, limits: &Limits) {
        self.stop.store(false, Ordering::Release);
        self.pondering.store(limits.ponder, Ordering::Release);
        self.held.store(limits.infinite || limits.ponder, Ordering::Release);
    }

    /// Ends the search.
    pub fn stop(&self) {
        self.release(|control| control.stop.store(true, Ordering::Release));
    }

    /// The opponent played the expected move: limits count from now on.
    pub fn ponder_hit(&self) {
        self.release(|control| control.pondering.store(false, Ordering::Release));
    }

    fn release(&self, change: impl FnOnce(&Self)) {
        let gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        change(self);
        self.held.store(false, Ordering::Release);
        drop(gate);
        self.released.notify_all();
    }

    /// `true` once the search must end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// `true` while the opponent's time is running.
    #[inline]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }

    /// Waits until an answer may be given.
    fn wait_until_released(&self) {
        let mut gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        while self.held.load(Ordering::Acquire) {
            gate = self.released.wait(gate).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// How the tree asks the tablebases.
pub struct Probing {
    /// The tables.
    pub tables: Arc<Tablebases>,
    /// Positions with more men are not asked about.
    pub most_men: u32,
    /// Positions with just so many men are asked about from this depth on.
    pub least_depth: i32,
    /// A win that takes longer than fifty moves is a draw.
    pub fifty_move_rule: bool,
}

/// What one thread has done in a search.
#[derive(Default)]
pub struct Counters {
    nodes: AtomicU64,
    tb_hits: AtomicU64,
}

/// One search as all its threads see it.
pub struct Job {
    /// The position.
    pub board: Board,
    /// The moves to look at, in any order; not empty.
    pub root_moves: Vec<RootMove>,
    /// What may be used up.
    pub limits: Limits,
    /// The time budget.
    pub time: TimeManager,
    /// Lines to report.
    pub multi_pv: usize,
    /// The engine plays below its strength.
    pub handicap: Option<Handicap>,
    /// What chance says, where it has a say.
    pub seed: u64,
    /// What evaluates.
    pub network: Arc<Network>,
    /// The table.
    pub table: Arc<TranspositionTable>,
    /// Stops the search from outside.
    pub control: Arc<Control>,
    /// Play the only legal move at once when a clock is running.
    pub plays_forced_moves: bool,
    /// Tablebases for the tree, if there are any.
    pub probing: Option<Probing>,
    /// The score that the tablebases give the root, whose moves are then those that keep it.
    pub known_score: Option<Score>,
    /// What each thread has done, brought up to date now and then.
    pub counters: Vec<Counters>,
    /// What each helper has found, once it has ended.
    pub findings: Mutex<Vec<Outcome>>,
    /// Hears how it goes; only worker 0 talks to it.
    pub reporter: Mutex<Box<dyn Reporter>>,
}

impl Job {
    /// The reporter.
    pub fn reporter(&self) -> MutexGuard<'_, Box<dyn Reporter>> {
        self.reporter.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn total_nodes(&self) -> u64 {
        self.counters.iter().map(|counters| counters.nodes.load(Ordering::Relaxed)).sum()
    }

    fn total_tb_hits(&self) -> u64 {
        self.counters.iter().map(|counters| counters.tb_hits.load(Ordering::Relaxed)).sum()
    }
}

/// Nodes between two looks at the clock.
const CHECK_INTERVAL: u64 = 1024;

/// One thread's searcher: what it remembers between searches, and the search it is in.
pub struct Worker {
    id: usize,
    histories: Histories,
    stack: Box<Stack>,

    job: Arc<Job>,
    board: Board,
    accumulators: Accumulators,
    root_moves: Vec<RootMove>,
    /// Lines before this one are settled in this iteration.
    pv_index: usize,
    root_depth: i32,
    completed_depth: i32,
    /// The best move of the last iterations, and for how many.
    stable_move: Option<Move>,
    stable_iterations: u32,
    /// The best score of earlier iterations, recent ones weighing more.
    earlier_score: Score,
    /// Null moves are allowed from this ply on; above it a null-move cut-off is being verified.
    null_moves_from: usize,
    sel_depth: usize,
    nodes: u64,
    tb_hits: u64,
    next_check: u64,
    stopped: bool,
}

impl Worker {
    /// Searcher number `id`, of which 0 reports and watches the limits, ready to run `job`.
    pub fn new(id: usize, job: Arc<Job>) -> Self {
        let mut worker = Self {
            id,
            histories: Histories::default(),
            stack: Stack::new(),
            board: job.board.clone(),
            accumulators: Accumulators::new(&job.network, &job.board),
            root_moves: Vec::new(),
            pv_index: 0,
            root_depth: 0,
            completed_depth: 0,
            stable_move: None,
            stable_iterations: 0,
            earlier_score: 0,
            null_moves_from: 0,
            sel_depth: 0,
            nodes: 0,
            tb_hits: 0,
            next_check: 0,
            stopped: false,
            job: job.clone(),
        };
        worker.take_up(job);
        worker
    }

    /// Forgets what was learnt in earlier searches.
    pub fn forget(&mut self) {
        self.histories.clear();
    }

    /// Takes up another search.
    pub fn take_up(&mut self, job: Arc<Job>) {
        self.board.clone_from(&job.board);
        self.root_moves.clone_from(&job.root_moves);
        if Arc::ptr_eq(&self.job.network, &job.network) {
            self.accumulators.reset(&self.board);
        } else {
            self.accumulators = Accumulators::new(&job.network, &self.board);
        }
        self.nodes = 0;
        self.tb_hits = 0;
        self.next_check = 0;
        self.stopped = false;
        self.null_moves_from = 0;
        self.stable_move = None;
        self.stable_iterations = 0;
        self.job = job;
    }

    fn is_main(&self) -> bool {
        self.id == 0
    }

    /// The static evaluation for the side to move, before any correction.
    fn raw_eval(&mut self) -> Score {
        self.accumulators
            .evaluate(&self.job.network, &self.board)
            .clamp(-score::EVAL_LIMIT, score::EVAL_LIMIT)
    }

    /// `true` for `go mate`, where only a mate counts: no evaluation is trusted to prune a node, and checks are
    /// followed deeper.
    #[inline]
    fn seeks_mate(&self) -> bool {
        self.job.limits.mate.is_some()
    }

    /// Counts a node and says whether the search must end here.
    #[inline]
    fn must_stop(&mut self) -> bool {
        if self.nodes >= self.next_check {
            self.check_limits();
        }
        self.stopped
    }

    #[cold]
    fn check_limits(&mut self) {
        self.publish_counters();
        if self.job.control.is_stopped() {
            self.stopped = true;
        }
        if self.is_main() && !self.job.control.is_pondering() {
            let total = self.job.total_nodes();
            let out_of_nodes = self.job.limits.nodes.is_some_and(|limit| total >= limit);
            // The first iteration is always finished: there must be a move to play.
            let may_stop = self.completed_depth > 0;
            if out_of_nodes || may_stop && self.job.time.is_out_of_time(total) {
                self.stopped = true;
                self.job.control.stop();
            }
        }
        let node_limit = self.job.limits.nodes.map_or(u64::MAX, |limit| limit.max(self.nodes + 1));
        self.next_check = (self.nodes + CHECK_INTERVAL).min(node_limit);
    }

    fn publish_counters(&self) {
        let counters = &self.job.counters[self.id];
        counters.nodes.store(self.nodes, Ordering::Relaxed);
        counters.tb_hits.store(self.tb_hits, Ordering::Relaxed);
    }
}
