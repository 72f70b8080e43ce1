//! A search job: what the threads of one search share. It holds position, limits and tables, sums up the nodes, deals
//! out a node limit in slices, and collects the outcomes of the helpers for the vote.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::control::Control;
use super::limits::Limits;
use super::report::{Outcome, Reporter};
use super::root_move::RootMove;
use super::strength::Handicap;
use super::time::TimeManager;
use super::tt::TranspositionTable;
use crate::chess::{Board, Move, MoveList};
use crate::nnue::Network;
use crate::tablebase::{MoveRank, Tablebases};

/// How many nodes a thread searches between two checks of the limits.
pub(super) const CHECK_INTERVAL: u64 = 1024;

/// Neither clock nor `stop` interrupts the first iteration before this many nodes. That is enough to complete it with
/// up to fifty legal moves; with many queens and hundreds of moves, it could take longer than the clock allows.
pub(super) const FIRST_ITERATION_NODES: u64 = 4096;

/// Each thread reserves its share of a node limit in at least this many slices, so that few reserved nodes stay unused.
const SLICES_PER_THREAD: u64 = 32;

/// The tablebases, and in which nodes to probe them.
pub struct Probing {
    pub tables: Arc<Tablebases>,
    pub max_pieces: u32,
    /// Minimum depth at which we probe positions with `max_pieces` pieces; with fewer pieces we probe at any depth.
    pub min_depth: i32,
    /// Whether wins that take longer than fifty moves count as draws.
    pub fifty_move_rule: bool,
}

#[derive(Default)]
pub struct Counters {
    pub(super) nodes: AtomicU64,
    pub(super) tb_hits: AtomicU64,
}

/// One search: everything that its threads share.
pub struct SearchJob {
    pub board: Board,
    /// Root moves to search, in any order; empty if there are no legal moves.
    pub root_moves: MoveList,
    pub limits: Limits,
    pub time: TimeManager,
    /// How many PVs to report.
    pub multi_pv: usize,
    pub handicap: Option<Handicap>,
    /// Seed for the random choice of the move under a handicap.
    pub seed: u64,
    pub network: Arc<Network>,
    pub tt: Arc<TranspositionTable>,
    pub control: Arc<Control>,
    /// Whether to play the only legal move immediately when a clock runs.
    pub plays_forced_moves: bool,
    pub probing: Option<Probing>,
    /// How the tablebases rank the legal moves; empty if they don't cover the root position.
    pub ranks: Vec<(Move, MoveRank)>,
    counters: Vec<Counters>,
    /// Part of the node limit that no thread has reserved yet.
    unreserved_nodes: AtomicU64,
    /// What the helper threads found, for the vote on the best move. Each adds its outcome when it ends.
    helper_results: Mutex<Vec<Outcome>>,
    /// Only the main thread reports, so it never waits for this lock.
    reporter: Mutex<Box<dyn Reporter>>,
}

impl SearchJob {
    /// Returns a search of `board` under `limits` by `threads` threads, with one PV, at full strength and without
    /// tablebases. To change that, set the fields afterwards.
    pub fn new(
        board: Board,
        limits: Limits,
        time: TimeManager,
        threads: usize,
        (network, tt, control): (Arc<Network>, Arc<TranspositionTable>, Arc<Control>),
        reporter: Box<dyn Reporter>,
    ) -> Self {
        let legal = board.legal_moves();
        let is_selected = |mv: &Move| limits.search_moves.is_empty() || limits.search_moves.contains(mv);
        let mut root_moves: MoveList = legal.iter().copied().filter(is_selected).collect();
        if root_moves.is_empty() {
            // If no move in `search_moves` is legal, we search all moves, so that there is one to play.
            root_moves = legal;
        }
        let mut job = Self {
            unreserved_nodes: AtomicU64::new(0),
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
            ranks: Vec::new(),
            counters: (0..threads).map(|_| Counters::default()).collect(),
            helper_results: Mutex::default(),
            reporter: Mutex::new(reporter),
        };
        let first = job.first_reservation(0);
        job.unreserved_nodes = AtomicU64::new(job.limits.nodes.map_or(0, |limit| limit - first));
        job
    }

    pub fn keep_best_ranked(&mut self) {
        let best = self.root_moves.iter().map(|&mv| rank_in(&self.ranks, mv)).max().flatten();
        let Self { root_moves, ranks, .. } = self;
        root_moves.retain(|mv| rank_in(ranks, *mv) == best);
    }

    /// Returns the root moves in the order of the first iteration: those that the tablebases rank highest come first.
    pub(super) fn ranked_root_moves(&self) -> Vec<RootMove> {
        let ranked = |&mv: &Move| RootMove { rank: rank_in(&self.ranks, mv), ..RootMove::new(mv) };
        let mut moves: Vec<RootMove> = self.root_moves.iter().map(ranked).collect();
        moves.sort_by_key(RootMove::order);
        moves
    }

    pub fn reporter(&self) -> MutexGuard<'_, Box<dyn Reporter>> {
        self.reporter.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn publish_counters(&self, thread: usize, nodes: u64, tb_hits: u64) {
        let counters = &self.counters[thread];
        counters.nodes.store(nodes, Ordering::Relaxed);
        counters.tb_hits.store(tb_hits, Ordering::Relaxed);
    }

    /// Returns how many nodes a thread may search before it reserves more. A single thread gets the whole limit. Among
    /// several, the main thread gets enough for its first iteration, before the helpers can use up the limit.
    pub(super) fn first_reservation(&self, thread: usize) -> u64 {
        match self.limits.nodes {
            None => u64::MAX,
            Some(limit) if self.counters.len() <= 1 => limit,
            Some(limit) if thread == 0 => limit.min(FIRST_ITERATION_NODES),
            Some(_) => 0,
        }
    }

    /// Reserves nodes for a thread and returns how many, 0 if none are left. While we ponder, the limit doesn't apply.
    pub(super) fn reserve_nodes(&self, is_pondering: bool) -> u64 {
        let Some(limit) = self.limits.nodes else { return CHECK_INTERVAL };
        let slices = SLICES_PER_THREAD * self.counters.len() as u64;
        let slice = (limit / slices).clamp(1, CHECK_INTERVAL);
        let reserve = |left: u64| Some(left.saturating_sub(slice));
        let left = self.unreserved_nodes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, reserve);
        if is_pondering { slice } else { left.map_or(0, |left| left.min(slice)) }
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

fn rank_in(ranks: &[(Move, MoveRank)], mv: Move) -> Option<MoveRank> {
    ranks.iter().find(|(ranked, _)| *ranked == mv).map(|&(_, rank)| rank)
}
