//! One thread's search of one job: its position, its counters, and the small steps that all nodes are made of.

use std::sync::{Arc, Weak};

use super::evaluation::evaluate_with;
use super::history::{Histories, HistoryContext, PieceTo, landing_square};
use super::job::SearchJob;
use super::root_move::RootMove;
use super::score::*;
use super::stack::Stack;
use super::tt::{TranspositionTable, TtEntry};
use crate::chess::{Board, Move};
use crate::nnue::{Accumulators, Network};

/// What a search thread keeps from one search to the next.
pub struct ThreadData {
    histories: Histories,
    stack: Box<Stack>,
    accumulators: Option<Accumulators>,
    /// Whose accumulators these are. It keeps no network alive.
    network: Weak<Network>,
}

impl ThreadData {
    /// What a thread begins with; `None` when there is no memory for it.
    pub fn new() -> Option<Self> {
        let histories = Histories::new()?;
        Some(Self { histories, stack: Stack::new(), accumulators: None, network: Weak::new() })
    }

    /// Sets everything learnt in earlier searches to zero.
    pub fn clear_histories(&mut self) {
        self.histories.clear();
    }
}

/// A node that was searched, as an [`NodeObserver`] hears of it.
#[derive(Clone, Copy, Debug)]
pub struct SearchedNode {
    /// Plies that it was searched.
    pub depth: i32,
    /// Its score for the side to move.
    pub score: Score,
    /// What the score bounds.
    pub bound: Bound,
    /// What raised alpha, if anything did.
    pub best_move: Option<Move>,
}

/// Looks on as a search goes through the tree.
pub trait NodeObserver {
    /// Hears of a searched node and its position. Nodes cut off before a move was made, quiescence, the root and those
    /// with a move left out are not told.
    fn on_node(&mut self, board: &Board, node: SearchedNode);
}

/// Nodes between two looks at the clock.
const CHECK_INTERVAL: u64 = 1024;

/// Nodes of the first iteration that no clock cuts short: with up to fifty moves it takes less, with hundreds of queen
/// moves it takes longer than any clock has.
const FIRST_ITERATION_NODES: u64 = 4096;

/// One thread's searcher.
pub struct Worker<'a> {
    id: usize,
    pub(super) job: &'a SearchJob,
    pub(super) tt: &'a TranspositionTable,
    network: &'a Network,
    pub(super) histories: &'a mut Histories,
    pub(super) stack: &'a mut Stack,
    accumulators: &'a mut Accumulators,

    pub(super) board: Board,
    pub(super) root_moves: Vec<RootMove>,
    /// Principal variations before this one are settled in this iteration.
    pub(super) pv_index: usize,
    pub(super) root_depth: i32,
    pub(super) completed_depth: i32,
    /// The best move of the last iterations, and for how many.
    pub(super) stable_move: Option<Move>,
    pub(super) stable_iterations: u32,
    /// The best score of earlier iterations, recent ones weighing more.
    pub(super) average_score: Score,
    /// Null moves are allowed from this ply on; above it a null-move cutoff is being verified.
    pub(super) null_move_min_ply: usize,
    pub(super) sel_depth: usize,
    pub(super) nodes: u64,
    pub(super) tb_hits: u64,
    next_check: u64,
    pub(super) stopped: bool,
    pub(super) observer: Option<&'a mut dyn NodeObserver>,
}

impl<'a> Worker<'a> {
    /// Searcher number `id`, of which 0 reports and watches the limits, ready to run `job`.
    pub fn new(id: usize, data: &'a mut ThreadData, job: &'a SearchJob) -> Self {
        let ThreadData { histories, stack, accumulators, network } = data;
        let is_same = std::ptr::eq(network.as_ptr(), Arc::as_ptr(&job.network));
        if !is_same {
            *network = Arc::downgrade(&job.network);
            *accumulators = None;
        }
        let accumulators = accumulators.get_or_insert_with(|| Accumulators::new(&job.network, &job.board));
        accumulators.reset(&job.board);
        Self {
            id,
            job,
            tt: &job.tt,
            network: &job.network,
            histories,
            stack,
            accumulators,
            board: job.board.clone(),
            root_moves: job.root_moves.iter().copied().map(RootMove::new).collect(),
            pv_index: 0,
            root_depth: 0,
            completed_depth: 0,
            stable_move: None,
            stable_iterations: 0,
            average_score: 0,
            null_move_min_ply: 0,
            sel_depth: 0,
            nodes: 0,
            tb_hits: 0,
            next_check: 0,
            stopped: false,
            observer: None,
        }
    }

    /// From now on `observer` hears of the nodes that are searched.
    pub fn set_observer(&mut self, observer: &'a mut dyn NodeObserver) {
        self.observer = Some(observer);
    }

    pub(super) fn is_main(&self) -> bool {
        self.id == 0
    }

    /// `true` for `go mate`, where only a mate counts: no evaluation is trusted to prune a node, and checks are
    /// followed deeper.
    #[inline]
    pub(super) fn seeks_mate(&self) -> bool {
        self.job.limits.mate.is_some()
    }

    /// Counts a node and says whether the search must end here.
    #[inline]
    pub(super) fn must_stop(&mut self) -> bool {
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
            // The first iteration is finished where that takes no time, so that the move to play is no random one.
            let may_stop = self.completed_depth > 0 || self.nodes >= FIRST_ITERATION_NODES;
            if out_of_nodes || may_stop && self.job.time.hard_limit_reached(total) {
                self.stopped = true;
                self.job.control.stop();
            }
        }
        let node_limit = self.job.limits.nodes.map_or(u64::MAX, |limit| limit.max(self.nodes + 1));
        self.next_check = (self.nodes + CHECK_INTERVAL).min(node_limit);
    }

    pub(super) fn publish_counters(&self) {
        self.job.publish_counters(self.id, self.nodes, self.tb_hits);
    }

    /// Has the processor fetch what the transposition table knows of the position after a move that will likely be made:
    /// best asked for before something else that takes long, such as an exchange.
    #[inline]
    pub(super) fn prefetch_tt(&self, mv: Move) {
        self.tt.prefetch(self.board.key_after(mv));
    }

    /// Makes a move of the searched path.
    #[inline]
    pub(super) fn make_move(&mut self, ply: usize, mv: Move) {
        let landing = landing_square(&self.board, mv);
        let frame = &mut self.stack[ply];
        frame.mv = Some(mv);
        frame.piece_to = self.board.piece_on(mv.from()).map(|piece| PieceTo::new(piece, landing));
        self.nodes += 1;
        self.prefetch_tt(mv);
        self.accumulators.make_move(&mut self.board, mv);
        let context = self.stack.history_context(ply + 1, Default::default());
        self.histories.prefetch_correction(&self.board, &context);
    }

    /// Takes a move of the searched path back.
    #[inline]
    pub(super) fn unmake_move(&mut self, mv: Move) {
        self.board.unmake_move(mv);
        self.accumulators.unmake_move();
    }

    /// Passes.
    pub(super) fn make_null_move(&mut self, ply: usize) {
        let frame = &mut self.stack[ply];
        (frame.mv, frame.piece_to) = (None, None);
        self.nodes += 1;
        self.board.make_null_move();
        self.tt.prefetch(self.board.key());
    }

    /// What the transposition table knows of the current position.
    #[inline]
    pub(super) fn probe_tt(&self, ply: usize) -> Option<TtEntry> {
        self.tt.probe(self.board.key(), ply, self.board.halfmove_clock())
    }

    /// The static evaluation for the side to move, before any correction.
    pub(super) fn raw_eval(&mut self) -> Score {
        let Self { board, accumulators, network, .. } = self;
        evaluate_with(board, || accumulators.evaluate(network, board))
    }

    /// The static evaluation as the transposition table remembers it, or anew; before any correction.
    #[inline]
    pub(super) fn raw_eval_with(&mut self, hit: Option<&TtEntry>) -> Score {
        hit.and_then(|hit| hit.eval).unwrap_or_else(|| self.raw_eval())
    }

    /// A raw evaluation with the correction histories added.
    #[inline]
    pub(super) fn corrected(&self, raw_eval: Score, context: &HistoryContext) -> Score {
        let corrected = raw_eval + self.histories.correction(&self.board, context);
        corrected.clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }

    /// `true` for the draws that need no search: repetition, fifty moves, too little material.
    #[inline]
    pub(super) fn is_draw(&self, ply: usize) -> bool {
        self.board.is_repetition(ply)
            || self.board.is_fifty_move_draw()
            || self.board.has_insufficient_material()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::Arc;
    use std::time::Instant;

    use super::*;
    use crate::search::limits::{Limits, TimeOptions};
    use crate::search::report::Silent;
    use crate::search::time::TimeManager;

    /// Calls `test` with a worker at the root of a search of this position, after these moves.
    pub fn with_worker(fen: &str, moves: &[&str], test: impl FnOnce(&mut Worker<'_>)) {
        let mut board: Board = fen.parse().unwrap();
        for text in moves {
            board.make_move(board.parse_move(text).unwrap());
        }
        let limits = Limits::default();
        let time = TimeManager::new(&limits, TimeOptions::default(), board.side_to_move(), Instant::now());
        let tt = Arc::new(TranspositionTable::new(1).unwrap());
        let shared = (Network::embedded(), tt, Arc::default());
        let job = SearchJob::new(board, limits, time, 1, shared, Box::new(Silent));
        test(&mut Worker::new(0, &mut ThreadData::new().unwrap(), &job));
    }
}
