//! The root: iterative deepening, aspiration windows, MultiPV, and the choice of the move to play.
//!
//! [`Worker::run`] searches depth 1, 2, 3 and so on. In each iteration it searches every MultiPV line in an aspiration
//! window, reports it, and decides whether there is time for another iteration. When all threads have ended, they vote
//! on the move in [`Worker::finish`]. At limited strength, the main thread searches alone, as `limited.rs` describes.

use std::time::Duration;

use super::evaluation::evaluate;
use super::node_state::NodeKind;
use super::params::parameters;
use super::report::{Info, Outcome, legal_pv};
use super::root_move::RootMove;
use super::score::*;
use super::time::soft_limit_scale;
use super::worker::Worker;
use crate::chess::Move;

parameters! {
    // The first aspiration window reaches this far above and below the previous score, centipawns.
    aspiration_window = 13, 5, 60, 4;
}

/// Before this search time we report neither `currmove` nor scores outside the aspiration window, lest they flood a
/// GUI.
const CURRMOVE_DELAY: Duration = Duration::from_secs(3);
/// Iterations shallower than this search the full window.
const ASPIRATION_DEPTH: i32 = 4;
/// Weight of the old [`RootState::average_score`] in the new one; the score of the last iteration has weight 1.
const AVERAGE_WEIGHT: Score = 3;
/// What [`RootState::window_share`] returns for a window as wide as the root's.
pub(super) const WHOLE_WINDOW: i32 = 1024;

/// In the vote, we add this to a thread's lead over the lowest score, centipawns, so that every thread has some weight.
const BASE_WEIGHT: i64 = 14;

/// What iterative deepening carries from one iteration to the next.
pub(super) struct RootState {
    pub(super) moves: Vec<RootMove>,
    /// Which MultiPV line we are searching, from 0. The root moves before this index begin the lines that this
    /// iteration has completed.
    pub(super) pv_index: usize,
    /// Depth of the iteration. After a fail high we search the root shallower than that.
    pub(super) depth: i32,
    pub(super) completed_depth: i32,
    /// Width of the window in which we search the root: beta − alpha, centipawns.
    window: Score,
    stable_move: Option<Move>,
    /// For how many iterations `stable_move` has stayed the best.
    stable_iterations: u32,
    /// Moving average of the best score. We take more time if the score falls below it, and an average, unlike the last
    /// score, remembers a fall for several iterations.
    average_score: Score,
    /// Whether the search would have ended by now if we weren't pondering. Then it ends at `ponderhit`.
    pub(super) stops_on_ponderhit: bool,
}

impl RootState {
    pub(super) fn new(moves: Vec<RootMove>) -> Self {
        Self {
            moves,
            pv_index: 0,
            depth: 0,
            completed_depth: 0,
            window: 2 * INFINITE,
            stable_move: None,
            stable_iterations: 0,
            average_score: 0,
            stops_on_ponderhit: false,
        }
    }

    /// Returns the best root move that isn't the first move of an earlier MultiPV line in this iteration.
    pub(super) fn best_open(&self) -> &RootMove {
        &self.moves[self.pv_index]
    }

    /// Whether to search a root move for the current MultiPV line: it isn't the first move of an earlier line in this
    /// iteration, and the tablebases rank it as high as the best move left.
    pub(super) fn is_open(&self, mv: Move) -> bool {
        self.moves[self.pv_index..].iter().any(|root| root.mv == mv && root.rank == self.best_open().rank)
    }

    /// Returns how wide a window is relative to the root's: [`WHOLE_WINDOW`] if both are equal.
    pub(super) fn window_share(&self, width: Score) -> i32 {
        WHOLE_WINDOW * width / self.window
    }

    fn complete_iteration(&mut self) {
        let best = &self.moves[0];
        if self.stable_move == Some(best.mv) {
            self.stable_iterations += 1;
        } else {
            self.stable_move = Some(best.mv);
            self.stable_iterations = 0;
        }
        self.average_score = if self.completed_depth <= 1 {
            best.line.score
        } else {
            (AVERAGE_WEIGHT * self.average_score + best.line.score) / (AVERAGE_WEIGHT + 1)
        };
    }
}

impl Worker<'_> {
    /// Searches until a limit is reached or somebody stops the search. A helper then leaves its outcome in the job.
    /// Worker 0, the main thread, waits for `stop` or `ponderhit` if it may not answer earlier, and stops the helpers.
    pub fn run(&mut self) {
        if !self.root.moves.is_empty() {
            match self.job.options.handicap {
                None => self.iterative_deepening(),
                Some(handicap) if self.is_main() => self.search_with_handicap(handicap),
                Some(_) => {}
            }
        } else if self.is_main() {
            self.job.reporter().no_moves(self.job.board.in_check());
        }
        self.publish_counters();
        if self.is_main() {
            self.control.wait_until_released(self.job.limits.infinite);
            self.control.stop();
        } else if self.root.completed_depth > 0 {
            self.job.add_helper_result(self.outcome(0));
        }
    }

    /// Returns the outcome that wins a vote of all threads. Called on worker 0 after the helpers have ended. With a
    /// fixed depth, MultiPV or a handicap, the main thread decides alone.
    pub fn finish(&self) -> Outcome {
        let own = self.outcome(0);
        let helper_results = self.job.take_helper_results();
        if helper_results.is_empty() || self.job.options.multi_pv > 1 || self.job.limits.depth.is_some() {
            return own;
        }
        let (nodes, own_move) = (own.nodes, own.best_move);
        let mut outcome = vote_best_thread(own, helper_results);
        outcome.nodes = nodes;
        if outcome.best_move != own_move {
            self.report_outcome(&outcome);
        }
        outcome
    }

    /// Reports an outcome whose move isn't the one that the main thread reported last: GUIs expect the last PV to begin
    /// with the move that we play.
    fn report_outcome(&self, outcome: &Outcome) {
        self.report(outcome, outcome.pv.len(), 1);
    }

    fn report(&self, outcome: &Outcome, sel_depth: usize, multi_pv: usize) {
        self.job.reporter().info(&Info {
            board: &self.job.board,
            depth: outcome.depth,
            sel_depth,
            multi_pv,
            score: outcome.score,
            bound: outcome.bound,
            nodes: outcome.nodes,
            hashfull: self.tt.hashfull(),
            tb_hits: self.job.total_tb_hits(),
            time: self.job.time.elapsed(),
            pv: &outcome.pv,
        });
    }

    fn iterative_deepening(&mut self) {
        let job = self.job;
        let multi_pv = job.options.multi_pv.min(self.root.moves.len());
        let max_depth = job.limits.depth.unwrap_or(i32::MAX).clamp(1, MAX_DEPTH);
        self.root.completed_depth = 0;
        for depth in 1..=max_depth {
            self.root.depth = depth;
            for root in &mut self.root.moves {
                root.begin_iteration(depth);
            }
            for index in 0..multi_pv {
                self.root.pv_index = index;
                self.sel_depth = 0;
                self.aspiration_search(depth);
                // The sort must be stable: moves that didn't raise alpha all have the same score and keep their order.
                self.root.moves[..=index].sort_by_key(RootMove::order);
                if self.stopped {
                    break;
                }
            }
            if self.stopped {
                self.root.moves[..multi_pv].iter_mut().for_each(RootMove::restore_unfinished);
            }
            if self.is_main() {
                self.report_pvs(multi_pv);
            }
            if self.stopped {
                break;
            }
            self.root.completed_depth = depth;
            if self.is_main() && self.should_end() {
                break;
            }
            self.root.complete_iteration();
        }
        if self.root.completed_depth > 0 {
            *self.last_score = Some(self.root.moves[0].line.score);
        }
    }

    /// Whether the iteration just completed was the last: we found the mate that `go mate` asks for, reached a soft
    /// limit, or have only one legal move.
    fn should_end(&mut self) -> bool {
        let best = &self.root.moves[0];
        if let (Some(limit), Some(moves)) = (self.job.limits.mate, moves_to_mate(best.line.score))
            && 0 < moves
            && moves <= limit
        {
            return true;
        }
        let nodes = self.job.total_nodes().max(self.nodes);
        if self.job.limits.soft_nodes.is_some_and(|limit| nodes >= limit) {
            return true;
        }
        let is_forced =
            self.root.moves.len() == 1 && self.job.time.has_clock() && self.job.options.plays_forced_moves;
        let is_over = is_forced || self.job.time.soft_limit_reached(nodes, self.time_scale());
        // If the time is up while we ponder, we go on, but answer as soon as the opponent plays the expected move.
        self.root.stops_on_ponderhit = is_over;
        is_over && !self.control.is_pondering()
    }

    fn time_scale(&self) -> f64 {
        let best = &self.root.moves[0];
        let node_share = best.nodes as f64 / self.nodes.max(1) as f64;
        let fall = self.root.average_score - best.line.score;
        let last_fall = self.last_score.map_or(0, |last| last - best.line.score);
        soft_limit_scale(node_share, self.root.stable_iterations, fall, last_fall)
    }

    /// Searches one MultiPV line of an iteration: first in a narrow window around its previous score, then in wider
    /// ones until the score is inside.
    pub(super) fn aspiration_search(&mut self, depth: i32) {
        let previous_score = self.root.best_open().previous.score;
        let mut width = aspiration_window();
        let Window { mut alpha, mut beta } = Window::FULL;
        let mut failed_high = 0;
        if depth >= ASPIRATION_DEPTH && !is_mate(previous_score) {
            alpha = (previous_score - width).max(-INFINITE);
            beta = (previous_score + width).min(INFINITE);
        }
        loop {
            self.root.window = beta - alpha;
            let score = self.search(NodeKind::Pv, 0, (depth - failed_high).max(1), Window { alpha, beta });
            // A stable sort, so that the moves that didn't raise alpha keep their order.
            self.root.moves[self.root.pv_index..].sort_by_key(RootMove::order);
            if self.stopped {
                return;
            }
            let bound = if score <= alpha {
                beta = alpha.midpoint(beta);
                alpha = (score - width).max(-INFINITE);
                failed_high = 0;
                Bound::Upper
            } else if score >= beta {
                beta = (score + width).min(INFINITE);
                // A move that fails high is probably good, so a search one ply shallower is enough to confirm it.
                failed_high += 1;
                Bound::Lower
            } else {
                return;
            };
            width += width / 2;
            if is_mate(score) {
                Window { alpha, beta } = Window::FULL;
            }
            if self.is_main() && self.job.options.multi_pv == 1 && self.job.time.elapsed() >= CURRMOVE_DELAY {
                self.report_pv(self.root.pv_index, bound);
            }
        }
    }

    pub(super) fn update_root_move(
        &mut self,
        mv: Move,
        score: Score,
        Window { alpha, beta }: Window,
        nodes: u64,
    ) {
        let is_first = self.root.best_open().mv == mv;
        let Some(root) = self.root.moves.iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += nodes;
        let line = &mut root.line;
        // We keep the score of the first move and of moves that raise alpha. Any other score is only an upper bound; we
        // drop it, so that the move sorts behind them.
        if is_first || score > alpha {
            line.score = score;
            line.bound = Bound::of(score, alpha, beta);
            line.sel_depth = self.sel_depth;
            line.pv.clear();
            line.pv.push(mv);
            line.pv.extend(self.stack.pv(1));
        } else {
            line.score = -INFINITE;
        }
    }

    pub(super) fn report_current_move(&self, mv: Move, move_count: usize) {
        if self.is_main() && self.root.depth > 1 && self.job.time.elapsed() >= CURRMOVE_DELAY {
            let move_count = move_count + self.root.pv_index;
            self.job.reporter().current_move(&self.job.board, self.root.depth, mv, move_count);
        }
    }

    pub(super) fn report_pvs(&self, count: usize) {
        self.publish_counters();
        if !self.job.reporter().is_enabled() {
            return;
        }
        for index in 0..count {
            self.report_pv(index, self.root.moves[index].line.bound);
        }
    }

    fn report_pv(&self, index: usize, bound: Bound) {
        let line = &self.root.moves[index].line;
        let outcome = Outcome { depth: line.depth, bound, ..self.outcome(index) };
        self.report(&outcome, line.sel_depth, index + 1);
    }

    /// Returns the score to report for a root move. A tablebase result replaces the score that we found unless that is
    /// a mate. A move without a score gets the static eval of the root, or a draw in check.
    fn reported_score(&self, root: &RootMove) -> Score {
        let searched = match &root.line {
            line if line.has_score() => line.score,
            _ if self.job.board.in_check() => DRAW,
            _ => evaluate(self.network, &self.job.board),
        };
        let proven = root.rank.map(|rank| self.tablebase_score(rank.wdl, 0));
        proven.filter(|_| !is_mate(searched)).unwrap_or(searched)
    }

    /// Returns the outcome if we play the root move at `index`; 0 is the best.
    fn outcome(&self, index: usize) -> Outcome {
        let Some(best) = self.root.moves.get(index) else { return Outcome::default() };
        let score = self.reported_score(best);
        let pv = legal_pv(&self.job.board, best.pv_or_move(), score, self.tt);
        let ponder_move = pv.get(1).copied().or_else(|| self.ponder_from_tt(best.mv));
        Outcome {
            best_move: Some(best.mv),
            ponder_move,
            score,
            bound: best.line.bound,
            depth: self.root.completed_depth,
            nodes: self.job.total_nodes(),
            time: self.job.time.elapsed(),
            pv,
        }
    }

    fn ponder_from_tt(&self, best: Move) -> Option<Move> {
        let mut board = self.job.board.clone();
        board.make_move(best);
        self.tt.probe_move(board.key()).filter(|&mv| board.is_legal(mv))
    }
}

/// Returns the outcome whose move gets the most votes. A thread's vote counts more the deeper it searched and the
/// further its score is above the lowest one. A proven win beats all votes; a tie goes to `main`.
fn vote_best_thread(main: Outcome, helpers: Vec<Outcome>) -> Outcome {
    let mut all = helpers;
    all.insert(0, main);
    let lowest = all.iter().map(|outcome| outcome.score).min().unwrap_or(DRAW);
    let weight =
        |outcome: &Outcome| (i64::from(outcome.score - lowest) + BASE_WEIGHT) * i64::from(outcome.depth);
    let votes = |outcome: &Outcome| -> i64 {
        all.iter().filter(|other| other.best_move == outcome.best_move).map(weight).sum()
    };
    let rank = |outcome: &Outcome| {
        let proven_win = if is_decisive(outcome.score) { outcome.score.max(0) } else { 0 };
        (proven_win, votes(outcome), weight(outcome))
    };
    // `max_by_key` returns the last of equal outcomes, so we reverse them to prefer the main thread, which comes first.
    let best = (0..all.len()).rev().max_by_key(|&index| rank(&all[index])).unwrap_or(0);
    all.swap_remove(best)
}

#[cfg(test)]
mod tests {
    use super::super::limits::{Clock, Limits, TimeOptions};
    use super::super::worker::tests::{with_worker, with_worker_under};
    use super::*;
    use crate::chess::notation::fen::START_FEN;
    use crate::chess::{Board, ByColor};

    #[test]
    fn missed_window_is_widened() {
        for previous_score in [-900, 0, 900] {
            with_worker(START_FEN, &[], |worker| {
                for root in &mut worker.root.moves {
                    root.previous.score = previous_score;
                }
                // Every fail high costs a ply of depth, so we start with some plies to spare.
                worker.root.depth = ASPIRATION_DEPTH + 8;
                worker.aspiration_search(worker.root.depth);
                let best = &worker.root.moves[0];
                assert_eq!(best.line.bound, Bound::Exact, "previous {previous_score}: {best:?}");
                assert!(best.line.score.abs() < 150 && best.line.pv.len() > 2, "{best:?}");
            });
        }
    }

    /// If the search is stopped right after its best move fails high, the score is only a lower bound.
    #[test]
    fn outcome_keeps_bound_type() {
        with_worker(START_FEN, &[], |worker| {
            let mv = worker.root.moves[0].mv;
            worker.update_root_move(mv, mate_in(7), Window { alpha: 10, beta: 20 }, 1);
            worker.root.moves[0].restore_unfinished();
            assert_eq!(worker.outcome(0).bound, Bound::Lower);
            worker.root.moves[0].previous.score = 15;
            worker.root.moves[0].restore_unfinished();
            let outcome = worker.outcome(0);
            assert_eq!((outcome.bound, outcome.score), (Bound::Exact, 15));
        });
    }

    #[test]
    fn unsearched_move_is_not_chosen() {
        with_worker(START_FEN, &[], |worker| {
            let [first, second] = [0, 1].map(|index| worker.root.moves[index].mv);
            for (index, score) in [30, 25].into_iter().enumerate() {
                worker.root.moves[index].line.score = score;
            }
            worker.root.moves.iter_mut().for_each(|root| root.begin_iteration(2));
            worker.update_root_move(first, 20, Window { alpha: 10, beta: 40 }, 1);
            worker.root.moves.sort_by_key(RootMove::order);
            worker.root.moves.iter_mut().for_each(RootMove::restore_unfinished);
            let best = |index: usize| (worker.root.moves[index].mv, worker.root.moves[index].line.score);
            assert_eq!([best(0), best(1)], [(first, 20), (second, 25)]);
        });
    }

    #[test]
    fn spent_time_ends_search_at_ponderhit() {
        let clock = Clock { time: Some(60_000), increment: 0 };
        let limits = Limits { ponder: true, clocks: ByColor([clock; 2]), ..Limits::default() };
        // A node counts as a millisecond, so that the test doesn't depend on the clock.
        let options = TimeOptions { nodes_per_ms: 1, ..TimeOptions::default() };
        with_worker_under(limits, options, Board::startpos(), |worker| {
            worker.root.completed_depth = 1;
            worker.nodes = 8_000;
            worker.root.moves[0].nodes = worker.nodes;
            assert!(!worker.should_end() && !worker.must_stop());
            worker.control.ponder_hit();
            // Enough nodes that the next check of the limits is due, but too few for the hard limit.
            worker.nodes += 1_100;
            assert!(!worker.job.time.hard_limit_reached(worker.nodes));
            assert!(worker.must_stop() && worker.control.is_stopped());
        });
    }

    fn outcome(code: u16, score: Score, depth: i32) -> Outcome {
        Outcome { best_move: Move::from_code(code), score, depth, ..Outcome::default() }
    }

    #[test]
    fn threads_vote_by_depth_and_score() {
        let chosen = |main, helpers| vote_best_thread(main, helpers).best_move.map(Move::code);
        assert_eq!(
            chosen(outcome(100, 20, 10), vec![outcome(200, 20, 10)]),
            Some(100),
            "a tie goes to the main thread"
        );
        assert_eq!(chosen(outcome(100, 20, 10), vec![outcome(200, 20, 12)]), Some(200));
        let two = vec![outcome(200, 20, 9), outcome(200, 21, 9)];
        assert_eq!(chosen(outcome(100, 22, 10), two), Some(200));
        assert_eq!(chosen(outcome(100, 900, 20), vec![outcome(200, mate_in(5), 8)]), Some(200));
    }
}
