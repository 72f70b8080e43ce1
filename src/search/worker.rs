//! The searcher of one thread: its position, counters, and the small steps shared by all nodes.

use std::sync::{Arc, Weak};

use super::evaluation::evaluate_with;
use super::history::{Histories, HistoryContext, PieceTo, landing_square};
use super::job::{CHECK_INTERVAL, FIRST_ITERATION_NODES, SearchJob};
use super::root_move::RootMove;
use super::score::*;
use super::stack::Stack;
use super::tt::{TranspositionTable, TtEntry};
use crate::chess::{Board, Move};
use crate::nnue::{Accumulators, Network};

/// Memory of a search thread that stays from one search to the next.
pub struct ThreadData {
    histories: Histories,
    stack: Box<Stack>,
    accumulators: Option<Accumulators>,
    /// Network of the accumulators; `Weak`, so that an unused network is freed.
    network: Weak<Network>,
    /// Score of the last search.
    last_score: Option<Score>,
}

impl ThreadData {
    /// Returns empty data; `None` if the memory cannot be allocated.
    pub fn new() -> Option<Self> {
        let histories = Histories::new()?;
        Some(Self {
            histories,
            stack: Stack::new(),
            accumulators: None,
            network: Weak::new(),
            last_score: None,
        })
    }

    /// Clears histories and score of earlier searches.
    pub fn clear_histories(&mut self) {
        self.histories.clear();
        self.last_score = None;
    }
}

/// Result of a searched node, for a [`NodeObserver`].
#[derive(Clone, Copy, Debug)]
pub struct SearchedNode {
    /// Depth searched, plies.
    pub depth: i32,
    /// Score for the side to move.
    pub score: Score,
    /// Bound type of the score.
    pub bound: Bound,
    /// Best move: the last one that raised alpha.
    pub best_move: Option<Move>,
}

/// Observer of the nodes of a search.
pub trait NodeObserver {
    /// Receives a searched node and its position. Not reported are the root, quiescence nodes, nodes cut off before the
    /// first move, and singular searches.
    fn on_node(&mut self, board: &Board, node: SearchedNode);
}

/// Searcher of one thread.
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
    /// Index of the principal variation that is searched; earlier ones are complete in this iteration.
    pub(super) pv_index: usize,
    pub(super) root_depth: i32,
    /// Width of the window at the root, centipawns.
    pub(super) root_window: Score,
    pub(super) completed_depth: i32,
    /// Best move of the last iterations.
    pub(super) stable_move: Option<Move>,
    /// Iterations for which `stable_move` has stayed the best.
    pub(super) stable_iterations: u32,
    /// Moving average of the best score over the iterations.
    pub(super) average_score: Score,
    /// Score of the last search; of this one once it has ended.
    pub(super) last_score: &'a mut Option<Score>,
    /// The time for the move is over, except that the search ponders.
    pub(super) stops_on_ponderhit: bool,
    /// Least ply with null moves, while a null-move cutoff is verified.
    pub(super) null_move_min_ply: usize,
    pub(super) sel_depth: usize,
    pub(super) nodes: u64,
    pub(super) tb_hits: u64,
    next_check: u64,
    /// Node count up to which this thread has reserved nodes of the node limit.
    reserved_nodes: u64,
    pub(super) stopped: bool,
    pub(super) observer: Option<&'a mut dyn NodeObserver>,
}

impl<'a> Worker<'a> {
    /// Returns searcher `id` of `job`. Searcher 0 reports and checks the limits.
    pub fn new(id: usize, data: &'a mut ThreadData, job: &'a SearchJob) -> Self {
        let ThreadData { histories, stack, accumulators, network, last_score } = data;
        let is_same_network = std::ptr::eq(network.as_ptr(), Arc::as_ptr(&job.network));
        if !is_same_network {
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
            root_moves: job.ranked_root_moves(),
            pv_index: 0,
            root_depth: 0,
            root_window: 2 * INFINITE,
            completed_depth: 0,
            stable_move: None,
            stable_iterations: 0,
            average_score: 0,
            last_score,
            stops_on_ponderhit: false,
            null_move_min_ply: 0,
            sel_depth: 0,
            nodes: 0,
            tb_hits: 0,
            next_check: 0,
            reserved_nodes: job.first_reservation(id),
            stopped: false,
            observer: None,
        }
    }

    /// Sets the observer of the searched nodes.
    pub fn set_observer(&mut self, observer: &'a mut dyn NodeObserver) {
        self.observer = Some(observer);
    }

    pub(super) fn is_main(&self) -> bool {
        self.id == 0
    }

    /// Returns `true` for `go mate`: then no node is pruned by an evaluation, and checks are extended.
    #[inline]
    pub(super) fn seeks_mate(&self) -> bool {
        self.job.limits.mate.is_some()
    }

    /// Returns `true` if the search must stop. Checks the limits every [`CHECK_INTERVAL`] nodes.
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
        self.job.control.poll_host();
        let is_pondering = self.job.control.is_pondering();
        if self.nodes >= self.reserved_nodes {
            self.reserved_nodes = self.nodes + self.job.reserve_nodes(is_pondering);
        }
        let node_limit_reached = self.nodes >= self.reserved_nodes;
        // The main thread completes a short first iteration, so that every move has been searched.
        let may_stop = !self.is_main() || self.completed_depth > 0 || self.nodes >= FIRST_ITERATION_NODES;
        if node_limit_reached || may_stop && self.job.control.is_stopped() {
            self.stopped = true;
        }
        if self.is_main() && !is_pondering {
            let is_over = self.stops_on_ponderhit || self.job.time.hard_limit_reached(self.job.total_nodes());
            if node_limit_reached || may_stop && is_over {
                self.stopped = true;
                self.job.control.stop();
            }
        }
        self.next_check = (self.nodes + CHECK_INTERVAL).min(self.reserved_nodes.max(self.nodes + 1));
    }

    pub(super) fn publish_counters(&self) {
        self.job.publish_counters(self.id, self.nodes, self.tb_hits);
    }

    /// Makes a move and updates the search stack and the accumulators.
    #[inline]
    pub(super) fn make_move(&mut self, ply: usize, mv: Move) {
        let landing = landing_square(&self.board, mv);
        let frame = &mut self.stack[ply];
        frame.mv = Some(mv);
        frame.piece_to = PieceTo::new(self.board.expect_piece(mv.from()), landing);
        self.nodes += 1;
        self.accumulators.make_move(&mut self.board, mv);
    }

    /// Unmakes a move.
    #[inline]
    pub(super) fn unmake_move(&mut self, mv: Move) {
        self.board.unmake_move(mv);
        self.accumulators.unmake_move();
    }

    pub(super) fn make_null_move(&mut self, ply: usize) {
        let frame = &mut self.stack[ply];
        (frame.mv, frame.piece_to) = (None, PieceTo::NONE);
        self.nodes += 1;
        self.board.make_null_move();
    }

    /// Returns the transposition table's entry for the current position.
    #[inline]
    pub(super) fn probe_tt(&self, ply: usize) -> Option<TtEntry> {
        self.tt.probe(self.board.key(), ply, self.board.halfmove_clock())
    }

    /// Computes the accumulators, which the evaluation of this position or of one below it requires. The work overlaps
    /// with the loading of the transposition table's entry.
    #[inline]
    pub(super) fn update_accumulators(&mut self) {
        self.accumulators.bring_up_to_date(self.network, &self.board);
    }

    /// Returns the static evaluation for the side to move, before any correction, centipawns.
    pub(super) fn raw_eval(&mut self) -> Score {
        let Self { board, accumulators, network, .. } = self;
        evaluate_with(board, || accumulators.evaluate(network, board))
    }

    /// Returns the raw static evaluation from the transposition table, where `entry` was found, or computes it.
    #[inline]
    pub(super) fn raw_eval_with(&mut self, entry: Option<&TtEntry>) -> Score {
        let key = self.board.key();
        let stored = entry.map_or_else(|| self.tt.probe_evaluation(key), |entry| entry.eval);
        stored.unwrap_or_else(|| {
            let eval = self.raw_eval();
            self.tt.store_evaluation(key, eval);
            eval
        })
    }

    /// Returns a raw evaluation with the correction histories added.
    #[inline]
    pub(super) fn corrected(&self, raw_eval: Score, context: &HistoryContext) -> Score {
        let corrected = raw_eval + self.histories.correction(&self.board, context);
        corrected.clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }

    /// Returns `true` for a draw by repetition, the fifty-move rule or insufficient material.
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

    use super::*;
    use crate::search::limits::{Limits, TimeOptions};
    use crate::search::report::Silent;
    use crate::search::time::TimeManager;
    use crate::util::host::Instant;

    /// Calls `test` with a worker at the root of a search of the position after `moves`.
    pub fn with_worker(fen: &str, moves: &[&str], test: impl FnOnce(&mut Worker<'_>)) {
        let mut board: Board = fen.parse().unwrap();
        for text in moves {
            board.make_move(board.parse_move(text).unwrap());
        }
        with_worker_under(Limits::default(), TimeOptions::default(), board, test);
    }

    /// Calls `test` with a worker at the root of a search of `board` under `limits`.
    pub fn with_worker_under(
        limits: Limits,
        options: TimeOptions,
        board: Board,
        test: impl FnOnce(&mut Worker<'_>),
    ) {
        let time = TimeManager::new(&limits, options, &board, Instant::now());
        let tt = Arc::new(TranspositionTable::new(1).unwrap());
        let shared = (Network::embedded(), tt, Arc::default());
        let job = SearchJob::new(board, limits, time, 1, shared, Box::new(Silent));
        test(&mut Worker::new(0, &mut ThreadData::new().unwrap(), &job));
    }
}
