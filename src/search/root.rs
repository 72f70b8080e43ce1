//! The root: iterative deepening, aspiration windows, MultiPV, and the choice of the move to play.
//!
//! Aspiration windows: +96 ± 29 in 400 games at 8,000 nodes.

use std::time::Duration;

use super::evaluation::evaluate;
use super::params::parameters;
use super::pv::legal_pv;
use super::report::{Info, Outcome};
use super::root_move::RootMove;
use super::score::*;
use super::strength::{self, Handicap};
use super::time::{
    time_node_base, time_node_slope, time_score_slope, time_stability_base, time_stability_slope,
};
use super::vote::vote_best_thread;
use super::worker::Worker;
use crate::chess::Move;
use crate::util::random::Random;

parameters! {
    /// First half-width of the aspiration window, centipawns.
    aspiration_window = 13, 5, 60, 4;
}

/// Before this long a search does not tell of bounds and current moves.
const CURRMOVE_DELAY: Duration = Duration::from_secs(3);

/// Below this depth the window is open.
const ASPIRATION_DEPTH: i32 = 4;

impl Worker<'_> {
    /// Searches the job to its end. A helper leaves what it found with the job; worker 0 waits until
    /// an answer may be given, and stops the helpers.
    pub fn run(&mut self) {
        if !self.root_moves.is_empty() {
            self.iterative_deepening();
        } else if self.is_main() {
            self.job.reporter().no_moves(self.job.board.in_check());
        }
        self.publish_counters();
        if self.is_main() {
            self.job.control.wait_until_released();
            self.job.control.stop();
        } else if self.completed_depth > 0 {
            self.job.add_helper_result(self.outcome());
        }
    }

    /// The outcome, once all helpers have ended: what most threads, weighted by depth and score, found best.
    pub fn finish(&self) -> Outcome {
        if let Some(handicap) = self.job.handicap {
            return self.weakened(handicap);
        }
        let own = self.outcome();
        let results = self.job.take_helper_results();
        if results.is_empty() || self.job.multi_pv > 1 || self.job.limits.depth.is_some() {
            return own;
        }
        let (nodes, own_move) = (own.nodes, own.best_move);
        let mut chosen = vote_best_thread(own, results);
        chosen.nodes = nodes;
        if chosen.best_move != own_move {
            self.report_chosen(&chosen);
        }
        chosen
    }

    /// The outcome of an engine that plays below its strength.
    fn weakened(&self, handicap: Handicap) -> Outcome {
        let scored =
            self.root_moves.iter().take_while(|root| root.score != -INFINITE).take(strength::CANDIDATES);
        let place = handicap.choose(&self.root_moves[..scored.count()], &mut Random::new(self.job.seed));
        let outcome = self.outcome_of(place);
        if place > 0 {
            self.report_chosen(&outcome);
        }
        outcome
    }

    /// Reports what the main thread did not find best: the last variation shown must begin with the move played.
    fn report_chosen(&self, chosen: &Outcome) {
        self.job.reporter().info(&Info {
            board: &self.job.board,
            depth: chosen.depth,
            sel_depth: chosen.pv.len(),
            multi_pv: 1,
            score: chosen.score,
            bound: chosen.bound,
            nodes: chosen.nodes,
            hashfull: self.tt.hashfull(),
            tb_hits: self.job.total_tb_hits(),
            time: self.job.time.elapsed(),
            pv: &chosen.pv,
        });
    }

    fn iterative_deepening(&mut self) {
        let job = self.job;
        let shown = job.multi_pv.min(self.root_moves.len());
        let choice = if job.handicap.is_some() { strength::CANDIDATES } else { 1 };
        let multi_pv = shown.max(choice.min(self.root_moves.len()));
        let max_depth = job.limits.depth.unwrap_or(i32::MAX).clamp(1, MAX_PLY as i32 - 1);
        self.completed_depth = 0;
        for depth in 1..=max_depth {
            self.root_depth = depth;
            for root in &mut self.root_moves {
                root.previous_score = root.score;
                root.previous_pv.clone_from(&root.pv);
            }
            for index in 0..multi_pv {
                self.pv_index = index;
                self.sel_depth = 0;
                self.aspiration_search(depth);
                // Stable: moves that have no score of this iteration keep their order.
                self.root_moves[..=index].sort_by_key(|root| std::cmp::Reverse(root.score));
                if self.stopped {
                    break;
                }
            }
            if self.is_main() && (!self.stopped || depth == 1) {
                self.report_pvs(shown);
            }
            if self.stopped {
                self.settle_interrupted();
                break;
            }
            self.completed_depth = depth;
            if self.is_main() && self.is_done() {
                break;
            }
            self.update_stability();
        }
        if self.is_main() && self.stopped && self.completed_depth > 0 {
            self.report_pvs(shown);
        }
    }

    /// A best move whose search was stopped outside its window goes back to what the iteration before knew of
    /// it, if that knew it.
    fn settle_interrupted(&mut self) {
        let best = &mut self.root_moves[0];
        if best.bound != Bound::Exact && best.previous_score != -INFINITE {
            best.bound = Bound::Exact;
            best.score = best.previous_score;
            best.pv.clone_from(&best.previous_pv);
        }
    }

    /// `true` when another iteration is not to begin.
    fn is_done(&self) -> bool {
        let best = &self.root_moves[0];
        if let (Some(wanted), Some(found)) = (self.job.limits.mate, moves_to_mate(best.score))
            && 0 < found
            && found <= wanted
        {
            return true;
        }
        if self.job.control.is_pondering() {
            return false;
        }
        let nodes = self.job.total_nodes().max(self.nodes);
        if self.job.limits.soft_nodes.is_some_and(|limit| nodes >= limit) {
            return true;
        }
        let is_forced =
            self.root_moves.len() == 1 && self.job.time.is_limited() && self.job.plays_forced_moves;
        is_forced || self.job.time.soft_limit_reached(nodes, self.time_scale())
    }

    /// How much of the usual time this position deserves: less when one move takes all nodes, has long been
    /// best and keeps its score, more when not.
    fn time_scale(&self) -> f64 {
        let percent = |value: i32| f64::from(value) / 100.0;
        let best = &self.root_moves[0];
        let share = best.nodes as f64 / self.nodes.max(1) as f64;
        let by_nodes = percent(time_node_base()) - percent(time_node_slope()) * share;
        let settled = self.stable_iterations.min(8);
        let by_stability =
            percent(time_stability_base()) - percent(time_stability_slope()) * f64::from(settled);
        let fall = f64::from((self.average_score - best.score).clamp(-20, 60));
        let by_score = 1.0 + percent(time_score_slope()) * fall / 10.0;
        by_nodes.max(0.3) * by_stability.max(0.5) * by_score
    }

    /// Takes note of how stable the best move and its score are.
    fn update_stability(&mut self) {
        let best = &self.root_moves[0];
        if self.stable_move == Some(best.mv) {
            self.stable_iterations += 1;
        } else {
            self.stable_move = Some(best.mv);
            self.stable_iterations = 0;
        }
        // A running mean, so that one iteration's fall counts for a few more.
        self.average_score =
            if self.completed_depth <= 1 { best.score } else { (3 * self.average_score + best.score) / 4 };
    }

    /// One principal variation of one iteration: a window around the last score, wider each time the result falls outside.
    fn aspiration_search(&mut self, depth: i32) {
        let expected = self.root_moves[self.pv_index].previous_score;
        let mut width = aspiration_window();
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        let mut failed_high = 0;
        if depth >= ASPIRATION_DEPTH && !is_mate(expected) {
            alpha = (expected - width).max(-INFINITE);
            beta = (expected + width).min(INFINITE);
        }
        loop {
            let score = self.search::<true>(0, (depth - failed_high).max(1), alpha, beta, false);
            // Stable: the moves that were not the best keep their order.
            self.root_moves[self.pv_index..].sort_by_key(|root| std::cmp::Reverse(root.score));
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
                // What beats the window is probably good: one ply less settles it sooner.
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

    /// Takes down what the search of a root move brought.
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
        // Scores at or below alpha are mere bounds: such a move sorts behind those with a true score.
        if is_first || score > alpha {
            root.score = score;
            root.bound = if score <= alpha {
                Bound::Upper
            } else if score >= beta {
                Bound::Lower
            } else {
                Bound::Exact
            };
            root.sel_depth = sel_depth;
            root.pv.clear();
            root.pv.push(mv);
            root.pv.extend(self.stack.pv(1));
        } else {
            root.score = -INFINITE;
        }
    }

    /// Tells which root move is being looked at, once the search has lasted a while.
    pub(super) fn report_current_move(&self, mv: Move, move_count: usize) {
        if self.is_main() && self.root_depth > 1 && self.job.time.elapsed() >= CURRMOVE_DELAY {
            let move_count = move_count + self.pv_index;
            self.job.reporter().current_move(&self.job.board, self.root_depth, mv, move_count);
        }
    }

    fn report_pvs(&self, shown: usize) {
        self.publish_counters();
        if !self.job.reporter().is_enabled() {
            return;
        }
        for index in 0..shown {
            self.report_pv(index, self.root_moves[index].bound);
        }
    }

    fn report_pv(&self, index: usize, bound: Bound) {
        let root = &self.root_moves[index];
        let score = self.score_of(root);
        let unfinished = root.score == -INFINITE && self.root_depth > 1;
        let pv = legal_pv(&self.job.board, root.pv_or_move(), score, self.tt);
        self.job.reporter().info(&Info {
            board: &self.job.board,
            depth: self.root_depth - i32::from(unfinished),
            sel_depth: root.sel_depth,
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

    /// The score to tell of a root move: the tablebases' where they know it and no mate is found, else the last
    /// one found; before any, the static evaluation.
    fn score_of(&self, root: &RootMove) -> Score {
        let found = [root.score, root.previous_score]
            .into_iter()
            .find(|&score| score != -INFINITE)
            .unwrap_or_else(|| if self.job.board.in_check() { DRAW } else { self.root_eval() });
        self.job.tablebase_score.filter(|_| !is_mate(found)).unwrap_or(found)
    }

    fn root_eval(&self) -> Score {
        evaluate(&self.job.network, &self.job.board)
    }

    fn outcome(&self) -> Outcome {
        self.outcome_of(0)
    }

    /// The outcome if the move at this place is played.
    fn outcome_of(&self, place: usize) -> Outcome {
        let Some(best) = self.root_moves.get(place) else { return Outcome::default() };
        let score = self.score_of(best);
        let pv = legal_pv(&self.job.board, best.pv_or_move(), score, self.tt);
        let ponder_move = pv.get(1).copied().or_else(|| self.ponder_from_tt(best.mv));
        Outcome {
            best_move: Some(best.mv),
            ponder_move,
            score,
            bound: best.bound,
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
    use super::super::worker::tests::with_worker;
    use super::*;
    use crate::chess::notation::fen::START_FEN;

    #[test]
    fn a_window_that_is_missed_is_widened_until_the_score_is_exact() {
        for expected in [-900, 0, 900] {
            with_worker(START_FEN, &[], |worker| {
                for root in &mut worker.root_moves {
                    root.previous_score = expected;
                }
                worker.root_depth = ASPIRATION_DEPTH + 2;
                worker.aspiration_search(worker.root_depth);
                let best = &worker.root_moves[0];
                assert_eq!(best.bound, Bound::Exact, "expected {expected}, found {}", best.score);
                assert!(best.score.abs() < 150 && best.pv.len() > 2, "{best:?}");
            });
        }
    }

    /// A search stopped while its best move was above the window knows a bound only: its variation may end early.
    #[test]
    fn a_bound_stays_one_in_the_outcome() {
        with_worker(START_FEN, &[], |worker| {
            let mv = worker.root_moves[0].mv;
            worker.root_moves[0].previous_score = -INFINITE;
            worker.update_root_move(mv, mate_in(7), (10, 20), 1);
            worker.settle_interrupted();
            assert_eq!(worker.outcome().bound, Bound::Lower);
            worker.root_moves[0].previous_score = 15;
            worker.settle_interrupted();
            let outcome = worker.outcome();
            assert_eq!((outcome.bound, outcome.score), (Bound::Exact, 15));
        });
    }

    #[test]
    fn time_is_spent_where_the_choice_is_open() {
        with_worker(START_FEN, &[], |worker| {
            let mut scale = |share: u64, stable_iterations, fall| {
                worker.nodes = 1000;
                worker.root_moves[0].nodes = 10 * share;
                worker.root_moves[0].score = 20;
                worker.average_score = 20 + fall;
                worker.stable_iterations = stable_iterations;
                worker.time_scale()
            };
            let usual = scale(50, 3, 0);
            assert!(scale(95, 3, 0) < usual && scale(20, 3, 0) > usual, "the best move's share of nodes");
            assert!(scale(50, 8, 0) < usual && scale(50, 0, 0) > usual, "how long it has been best");
            assert!(scale(50, 3, 40) > usual && scale(50, 3, -40) < usual, "how its score moved");
            assert!(scale(100, 8, -1000) > 0.05 && scale(0, 0, 1000) < 10.0);
        });
    }
}
