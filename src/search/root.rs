//! The root of the search: iterative deepening, aspiration windows, MultiPV, and the choice of the move to play.

use std::time::Duration;

use super::evaluation::evaluate;
use super::params::parameters;
use super::pv::legal_pv;
use super::report::{Info, Outcome};
use super::root_move::RootMove;
use super::score::*;
use super::strength::{self, Handicap};
use super::time::{
    time_last_score_slope, time_node_base, time_node_slope, time_score_slope, time_stability_base,
    time_stability_slope,
};
use super::vote::vote_best_thread;
use super::worker::Worker;
use crate::chess::Move;
use crate::util::random::Random;

parameters! {
    /// Initial half-width of the aspiration window, centipawns.
    aspiration_window = 13, 5, 60, 4;
}

/// Time before a search reports bounds and current moves.
const CURRMOVE_DELAY: Duration = Duration::from_secs(3);

/// Least depth with an aspiration window.
const ASPIRATION_DEPTH: i32 = 4;

/// Greatest number of stable iterations that lower the soft time limit.
const MAX_STABLE_ITERATIONS: u32 = 8;
/// Range of the score's fall that affects the soft time limit, centipawns.
const SCORE_FALL_RANGE: (Score, Score) = (-20, 60);
/// Centipawns of fall to which [`time_score_slope`] refers.
const SCORE_FALL_UNIT: f64 = 10.0;
/// Least node factor of the soft time limit.
const MIN_NODE_FACTOR: f64 = 0.3;
/// Least stability factor of the soft time limit.
const MIN_STABILITY_FACTOR: f64 = 0.5;
/// Weight of the previous average in the average score; the last score has weight 1.
const AVERAGE_WEIGHT: Score = 3;

impl Worker<'_> {
    /// Searches the job to its end. A helper adds its outcome to the job. Worker 0 waits until the result may be reported
    /// and stops the helpers.
    pub fn run(&mut self) {
        if !self.root_moves.is_empty() {
            self.iterative_deepening();
            if self.completed_depth > 0 {
                *self.last_score = Some(self.root_moves[0].line.score);
            }
        } else if self.is_main() {
            self.job.reporter().no_moves(self.job.board.in_check());
        }
        self.publish_counters();
        if self.is_main() {
            self.job.control.wait_until_released();
            self.job.control.stop();
        } else if self.completed_depth > 0 {
            self.job.add_helper_result(self.outcome(0));
        }
    }

    /// Returns the outcome by the vote of all threads. All helpers must have ended.
    pub fn finish(&self) -> Outcome {
        if let Some(handicap) = self.job.handicap {
            return self.choose_with_handicap(handicap);
        }
        let own = self.outcome(0);
        let helper_results = self.job.take_helper_results();
        if helper_results.is_empty() || self.job.multi_pv > 1 || self.job.limits.depth.is_some() {
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

    fn choose_with_handicap(&self, handicap: Handicap) -> Outcome {
        let candidates =
            self.root_moves.iter().take_while(|root| root.line.has_score()).take(strength::CANDIDATES);
        let index = handicap.choose(&self.root_moves[..candidates.count()], &mut Random::new(self.job.seed));
        let outcome = self.outcome(index);
        if index > 0 {
            self.report_outcome(&outcome);
        }
        outcome
    }

    /// Reports an outcome that differs from the main thread's, so that the last reported variation begins with the move
    /// played.
    fn report_outcome(&self, outcome: &Outcome) {
        self.job.reporter().info(&Info {
            board: &self.job.board,
            depth: outcome.depth,
            sel_depth: outcome.pv.len(),
            multi_pv: 1,
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
        let reported_pvs = job.multi_pv.min(self.root_moves.len());
        let candidates = if job.handicap.is_some() { strength::CANDIDATES } else { 1 };
        let multi_pv = reported_pvs.max(candidates.min(self.root_moves.len()));
        let max_depth = job.limits.depth.unwrap_or(i32::MAX).clamp(1, MAX_PLY as i32 - 1);
        self.completed_depth = 0;
        for depth in 1..=max_depth {
            self.root_depth = depth;
            for root in &mut self.root_moves {
                root.begin_iteration(depth);
            }
            for index in 0..multi_pv {
                self.pv_index = index;
                self.sel_depth = 0;
                self.aspiration_search(depth);
                // A stable sort keeps the order of moves without a score of this iteration.
                self.root_moves[..=index].sort_by_key(RootMove::order);
                if self.stopped {
                    break;
                }
            }
            if self.stopped {
                self.root_moves[..multi_pv].iter_mut().for_each(RootMove::restore_unfinished);
            }
            if self.is_main() {
                self.report_pvs(reported_pvs);
            }
            if self.stopped {
                break;
            }
            self.completed_depth = depth;
            if self.is_main() && self.should_end() {
                break;
            }
            self.update_stability();
        }
    }

    /// Returns `true` if no further iteration should begin.
    fn should_end(&mut self) -> bool {
        let best = &self.root_moves[0];
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
            self.root_moves.len() == 1 && self.job.time.has_clock() && self.job.plays_forced_moves;
        let is_over = is_forced || self.job.time.soft_limit_reached(nodes, self.time_scale());
        // The time that pondering has gained is not spent again.
        self.stops_on_ponderhit = is_over;
        is_over && !self.job.control.is_pondering()
    }

    /// Returns the factor for the soft time limit. It is low if the best move takes most nodes, has been best for several
    /// iterations and keeps its score.
    fn time_scale(&self) -> f64 {
        let percent = |value: i32| f64::from(value) / 100.0;
        let best = &self.root_moves[0];
        let node_share = best.nodes as f64 / self.nodes.max(1) as f64;
        let node_factor = percent(time_node_base()) - percent(time_node_slope()) * node_share;
        let stable_iterations = f64::from(self.stable_iterations.min(MAX_STABLE_ITERATIONS));
        let stability_factor =
            percent(time_stability_base()) - percent(time_stability_slope()) * stable_iterations;
        let fall = |earlier: Score| {
            let fall = (earlier - best.line.score).clamp(SCORE_FALL_RANGE.0, SCORE_FALL_RANGE.1);
            f64::from(fall) / SCORE_FALL_UNIT
        };
        let score_factor = 1.0
            + percent(time_score_slope()) * fall(self.average_score)
            + percent(time_last_score_slope()) * self.last_score.map_or(0.0, fall);
        node_factor.max(MIN_NODE_FACTOR) * stability_factor.max(MIN_STABILITY_FACTOR) * score_factor
    }

    /// Updates the stability of the best move and the average score.
    fn update_stability(&mut self) {
        let best = &self.root_moves[0];
        if self.stable_move == Some(best.mv) {
            self.stable_iterations += 1;
        } else {
            self.stable_move = Some(best.mv);
            self.stable_iterations = 0;
        }
        // A moving average, so that a fall of the score affects a few iterations.
        self.average_score = if self.completed_depth <= 1 {
            best.line.score
        } else {
            (AVERAGE_WEIGHT * self.average_score + best.line.score) / (AVERAGE_WEIGHT + 1)
        };
    }

    /// Searches one principal variation of an iteration: first in a window around the previous score, then in wider ones
    /// until the score is inside.
    fn aspiration_search(&mut self, depth: i32) {
        let previous_score = self.root_moves[self.pv_index].previous.score;
        let mut width = aspiration_window();
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        let mut failed_high = 0;
        if depth >= ASPIRATION_DEPTH && !is_mate(previous_score) {
            alpha = (previous_score - width).max(-INFINITE);
            beta = (previous_score + width).min(INFINITE);
        }
        loop {
            self.root_window = beta - alpha;
            let score = self.search::<true>(0, (depth - failed_high).max(1), alpha, beta, false);
            // A stable sort keeps the order of the moves after the best.
            self.root_moves[self.pv_index..].sort_by_key(RootMove::order);
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
                // The move is probably good: a search one ply shallower confirms it sooner.
                failed_high += 1;
                Bound::Lower
            } else {
                return;
            };
            width += width / 2;
            if is_mate(score) {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
            if self.is_main() && self.job.multi_pv == 1 && self.job.time.elapsed() >= CURRMOVE_DELAY {
                self.report_pv(self.pv_index, bound);
            }
        }
    }

    /// Stores the result of searching a root move.
    pub(super) fn update_root_move(
        &mut self,
        mv: Move,
        score: Score,
        (alpha, beta): (Score, Score),
        nodes: u64,
    ) {
        let sel_depth = self.sel_depth;
        let is_first = self.root_moves[self.pv_index].mv == mv;
        let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += nodes;
        let line = &mut root.line;
        // Scores at or below alpha are only bounds: such a move sorts behind those with an exact score.
        if is_first || score > alpha {
            line.score = score;
            line.bound = if score <= alpha {
                Bound::Upper
            } else if score >= beta {
                Bound::Lower
            } else {
                Bound::Exact
            };
            line.sel_depth = sel_depth;
            line.pv.clear();
            line.pv.push(mv);
            line.pv.extend(self.stack.pv(1));
        } else {
            line.score = -INFINITE;
        }
    }

    /// Reports the current root move, after [`CURRMOVE_DELAY`].
    pub(super) fn report_current_move(&self, mv: Move, move_count: usize) {
        if self.is_main() && self.root_depth > 1 && self.job.time.elapsed() >= CURRMOVE_DELAY {
            let move_count = move_count + self.pv_index;
            self.job.reporter().current_move(&self.job.board, self.root_depth, mv, move_count);
        }
    }

    fn report_pvs(&self, count: usize) {
        self.publish_counters();
        if !self.job.reporter().is_enabled() {
            return;
        }
        for index in 0..count {
            self.report_pv(index, self.root_moves[index].line.bound);
        }
    }

    fn report_pv(&self, index: usize, bound: Bound) {
        let root = &self.root_moves[index];
        let score = self.reported_score(root);
        let pv = legal_pv(&self.job.board, root.pv_or_move(), score, self.tt);
        self.job.reporter().info(&Info {
            board: &self.job.board,
            depth: root.line.depth,
            sel_depth: root.line.sel_depth,
            multi_pv: index + 1,
            score,
            bound,
            nodes: self.job.total_nodes(),
            hashfull: self.tt.hashfull(),
            tb_hits: self.job.total_tb_hits(),
            time: self.job.time.elapsed(),
            pv: &pv,
        });
    }

    /// Returns the score to report for a root move. The tablebase score takes precedence, except over a mate. Without
    /// any score it is the static evaluation.
    fn reported_score(&self, root: &RootMove) -> Score {
        let searched = match &root.line {
            line if line.has_score() => line.score,
            _ if self.job.board.in_check() => DRAW,
            _ => self.root_eval(),
        };
        let proven = root.rank.map(|rank| score_of(rank.wdl, 0));
        proven.filter(|_| !is_mate(searched)).unwrap_or(searched)
    }

    fn root_eval(&self) -> Score {
        evaluate(&self.job.network, &self.job.board)
    }

    /// Returns the outcome of playing the root move at `index`; 0 is the best one.
    fn outcome(&self, index: usize) -> Outcome {
        let Some(best) = self.root_moves.get(index) else { return Outcome::default() };
        let score = self.reported_score(best);
        let pv = legal_pv(&self.job.board, best.pv_or_move(), score, self.tt);
        let ponder_move = pv.get(1).copied().or_else(|| self.ponder_from_tt(best.mv));
        Outcome {
            best_move: Some(best.mv),
            ponder_move,
            score,
            bound: best.line.bound,
            depth: self.completed_depth,
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

#[cfg(test)]
mod tests {
    use super::super::limits::{Clock, Limits, TimeOptions};
    use super::super::worker::tests::{with_worker, with_worker_under};
    use super::*;
    use crate::chess::Board;
    use crate::chess::notation::fen::START_FEN;

    #[test]
    fn missed_window_is_widened() {
        for previous_score in [-900, 0, 900] {
            with_worker(START_FEN, &[], |worker| {
                for root in &mut worker.root_moves {
                    root.previous.score = previous_score;
                }
                worker.root_depth = ASPIRATION_DEPTH + 2;
                worker.aspiration_search(worker.root_depth);
                let best = &worker.root_moves[0];
                assert_eq!(best.line.bound, Bound::Exact, "previous {previous_score}: {best:?}");
                assert!(best.line.score.abs() < 150 && best.line.pv.len() > 2, "{best:?}");
            });
        }
    }

    /// A search stopped while its best move was above the window has a bound only.
    #[test]
    fn outcome_keeps_bound_type() {
        with_worker(START_FEN, &[], |worker| {
            let mv = worker.root_moves[0].mv;
            worker.update_root_move(mv, mate_in(7), (10, 20), 1);
            worker.root_moves[0].restore_unfinished();
            assert_eq!(worker.outcome(0).bound, Bound::Lower);
            worker.root_moves[0].previous.score = 15;
            worker.root_moves[0].restore_unfinished();
            let outcome = worker.outcome(0);
            assert_eq!((outcome.bound, outcome.score), (Bound::Exact, 15));
        });
    }

    #[test]
    fn unsearched_move_is_not_chosen() {
        with_worker(START_FEN, &[], |worker| {
            let [first, second] = [0, 1].map(|index| worker.root_moves[index].mv);
            for (index, score) in [30, 25].into_iter().enumerate() {
                worker.root_moves[index].line.score = score;
            }
            worker.root_moves.iter_mut().for_each(|root| root.begin_iteration(2));
            worker.update_root_move(first, 20, (10, 40), 1);
            worker.root_moves.sort_by_key(RootMove::order);
            worker.root_moves.iter_mut().for_each(RootMove::restore_unfinished);
            let best = |index: usize| (worker.root_moves[index].mv, worker.root_moves[index].line.score);
            assert_eq!([best(0), best(1)], [(first, 20), (second, 25)]);
        });
    }

    #[test]
    fn spent_time_ends_search_at_ponderhit() {
        let clock = Clock { time: Some(60_000), increment: 0 };
        let limits = Limits { ponder: true, clocks: [clock; 2], ..Limits::default() };
        // A node is a millisecond.
        let options = TimeOptions { nodes_per_ms: 1, ..TimeOptions::default() };
        with_worker_under(limits.clone(), options, Board::startpos(), |worker| {
            worker.job.control.reset(&limits);
            worker.completed_depth = 1;
            worker.nodes = 8_000;
            worker.root_moves[0].nodes = worker.nodes;
            assert!(!worker.should_end() && !worker.must_stop());
            worker.job.control.ponder_hit();
            // The next check of the limits comes before the hard one.
            worker.nodes += 1_100;
            assert!(!worker.job.time.hard_limit_reached(worker.nodes));
            assert!(worker.must_stop() && worker.job.control.is_stopped());
        });
    }

    #[test]
    fn unclear_choice_gets_more_time() {
        with_worker(START_FEN, &[], |worker| {
            let mut scale = |share: u64, stable_iterations, fall, last_fall| {
                worker.nodes = 1000;
                worker.root_moves[0].nodes = 10 * share;
                worker.root_moves[0].line.score = 20;
                worker.average_score = 20 + fall;
                *worker.last_score = Some(20 + last_fall);
                worker.stable_iterations = stable_iterations;
                worker.time_scale()
            };
            let usual = scale(50, 3, 0, 0);
            assert!(
                scale(95, 3, 0, 0) < usual && scale(20, 3, 0, 0) > usual,
                "the best move's share of nodes"
            );
            assert!(scale(50, 8, 0, 0) < usual && scale(50, 0, 0, 0) > usual, "iterations as the best move");
            assert!(scale(50, 3, 40, 0) > usual && scale(50, 3, -40, 0) < usual, "fall of the score");
            assert!(scale(50, 3, 0, 40) > usual && scale(50, 3, 0, -40) < usual, "fall since the last move");
            assert!(scale(100, 8, -1000, -1000) > 0.05 && scale(0, 0, 1000, 1000) < 10.0);
        });
    }
}
