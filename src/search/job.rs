//! A search job: what the threads of one search share. It holds position, limits and tables, sums up the nodes, deals
//! out a node limit in slices, and collects the outcomes of the helpers for the vote.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::control::Control;
use super::limits::{Limits, TimeOptions};
use super::report::{Outcome, Reporter};
use super::root_move::RootMove;
use super::strength::Handicap;
use super::time::TimeManager;
use super::tt::TranspositionTable;
use crate::chess::{Board, Color, Move};
use crate::nnue::Network;
use crate::tablebase::{MoveRank, Tablebases};
use crate::util::host::Instant;

/// How many nodes a thread searches between two checks of the limits.
pub(super) const CHECK_INTERVAL: u64 = 1024;

/// Neither clock nor `stop` interrupts the first iteration before this many nodes. That is enough to complete it with
/// up to fifty legal moves; with many queens and hundreds of moves, it could take longer than the clock allows.
pub(super) const FIRST_ITERATION_NODES: u64 = 4096;

/// Each thread reserves its share of a node limit in at least this many slices, so that few reserved nodes stay unused.
const SLICES_PER_THREAD: u64 = 32;

/// After more plies than this without a capture or pawn move, we prefer the winning moves that reach one soonest.
const MAX_IDLE_PLIES: u16 = 20;

/// The tablebases, and in which nodes to probe them.
pub struct Probing {
    pub tables: Arc<Tablebases>,
    pub max_pieces: u32,
    /// Minimum depth at which we probe positions with `max_pieces` pieces; with fewer pieces we probe at any depth.
    pub min_depth: i32,
    /// Whether wins that take longer than fifty moves count as draws.
    pub fifty_move_rule: bool,
}

impl Probing {
    /// Ranks the root moves by the tablebases; `None` if the tablebases don't cover the position. After a repetition,
    /// or after more than [`MAX_IDLE_PLIES`] without a capture or pawn move, the winning moves that reach a capture,
    /// pawn move or mate in the fewest plies rank first.
    fn rank_root_moves(&self, board: &Board) -> Option<Vec<(Move, MoveRank)>> {
        if board.occupied().count() > self.max_pieces || !board.castling_rights().is_empty() {
            return None;
        }
        let must_progress = board.is_repetition(usize::MAX) || board.halfmove_clock() > MAX_IDLE_PLIES;
        self.tables.rank_moves(board, self.fifty_move_rule, must_progress)
    }
}

/// What the searches of an engine share: the network, the transposition table, and the control that stops a search.
#[derive(Clone)]
pub struct Shared {
    pub network: Arc<Network>,
    pub tt: Arc<TranspositionTable>,
    pub control: Arc<Control>,
}

impl Shared {
    /// Begins a search of `board` whose time counts from `start`: returns the job for [`Worker::new`]. If no move in
    /// `limits.search_moves` is legal, the search takes all moves, so that there is one to play.
    ///
    /// [`Worker::new`]: super::Worker::new
    pub fn begin(
        &self,
        mut board: Board,
        limits: Arc<Limits>,
        start: Instant,
        mut options: JobOptions,
        reporter: Box<dyn Reporter>,
    ) -> SearchJob {
        self.control.reset(&limits, start);
        self.tt.new_search();
        board.trim_history();
        if let Some(handicap) = options.handicap {
            options.handicap = Some(handicap.in_position(&board));
            options.probing = None;
        }
        let time = TimeManager::new(&limits, options.time, &board, start);
        let ranked = options.probing.as_ref().and_then(|probing| probing.rank_root_moves(&board));
        let mut job = SearchJob {
            time,
            root_tb_hits: ranked.as_ref().map_or(0, |ranked| ranked.len() as u64),
            root_moves: root_moves(&board, ranked, &limits, &options),
            unreserved_nodes: AtomicU64::new(0),
            counters: (0..options.threads).map(|_| Counters::default()).collect(),
            helper_results: Mutex::default(),
            reporter: Mutex::new(reporter),
            shared: self.clone(),
            board,
            limits,
            options,
        };
        let first = job.first_reservation(0);
        job.unreserved_nodes = AtomicU64::new(job.limits.nodes.map_or(0, |limit| limit - first));
        job
    }
}

/// How to search, apart from position and limits. By default one thread searches for one PV, at full strength and
/// without tablebases.
pub struct JobOptions {
    /// How many threads search the job.
    pub threads: usize,
    /// How many PVs to report.
    pub multi_pv: usize,
    pub time: TimeOptions,
    pub handicap: Option<Handicap>,
    /// Seed for what a handicap leaves to chance.
    pub seed: u64,
    /// Whether to play the only legal move immediately when a clock runs.
    pub plays_forced_moves: bool,
    pub probing: Option<Probing>,
    /// The side for which a draw counts as a win; `None` if a draw is a draw.
    pub draw_odds: Option<Color>,
}

impl Default for JobOptions {
    fn default() -> Self {
        Self {
            threads: 1,
            multi_pv: 1,
            time: TimeOptions::default(),
            handicap: None,
            seed: 0,
            plays_forced_moves: false,
            probing: None,
            draw_odds: None,
        }
    }
}

#[derive(Default)]
struct Counters {
    nodes: AtomicU64,
    tb_hits: AtomicU64,
}

/// One search: everything that its threads share.
pub struct SearchJob {
    pub board: Board,
    pub(super) shared: Shared,
    pub(super) limits: Arc<Limits>,
    pub(super) options: JobOptions,
    pub(super) time: TimeManager,
    /// Root moves in the order of the first iteration; empty if there are no legal moves.
    pub(super) root_moves: Vec<RootMove>,
    /// How many root moves the tablebases ranked, each by a probe.
    root_tb_hits: u64,
    counters: Vec<Counters>,
    /// Part of the node limit that no thread has reserved yet.
    unreserved_nodes: AtomicU64,
    /// What the helper threads found, for the vote on the best move. Each adds its outcome when it ends.
    helper_results: Mutex<Vec<Outcome>>,
    /// Only the main thread reports, so it never waits for this lock.
    reporter: Mutex<Box<dyn Reporter>>,
}

impl SearchJob {
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
        let hits: u64 = self.counters.iter().map(|counters| counters.tb_hits.load(Ordering::Relaxed)).sum();
        self.root_tb_hits + hits
    }

    pub(super) fn add_helper_result(&self, result: Outcome) {
        self.helper_results.lock().unwrap_or_else(PoisonError::into_inner).push(result);
    }

    pub(super) fn take_helper_results(&self) -> Vec<Outcome> {
        std::mem::take(&mut *self.helper_results.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Returns the root moves to search, those that the tablebases rank highest first, if they have `ranked` the moves. To
/// report one PV, we search only those of the highest rank.
fn root_moves(
    board: &Board,
    ranked: Option<Vec<(Move, MoveRank)>>,
    limits: &Limits,
    options: &JobOptions,
) -> Vec<RootMove> {
    let mut moves: Vec<RootMove> = ranked.map_or_else(
        || board.legal_moves().iter().map(|&mv| RootMove::new(mv, None)).collect(),
        |ranked| ranked.into_iter().map(|(mv, rank)| RootMove::new(mv, Some(rank))).collect(),
    );
    if moves.iter().any(|root| limits.search_moves.contains(&root.mv)) {
        moves.retain(|root| limits.search_moves.contains(&root.mv));
    }
    moves.sort_by_key(RootMove::order);
    if options.multi_pv == 1 {
        let best = moves.first().and_then(|root| root.rank);
        moves.retain(|root| root.rank == best);
    }
    moves
}
